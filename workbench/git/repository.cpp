// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/git/repository.h"

#include <QFile>
#include <algorithm>

#include "workbench/translate.h"

namespace waferpair::workbench {
namespace {

QString folderAbove(const QString& path) {
  return path.left(std::max<qsizetype>(0, path.lastIndexOf(u'/')));
}

// The nearest `.git` in the folder or above; empty: there is none.
QString nearestGitEntry(const QString& folder) {
  for (QString each = folder; !each.isEmpty(); each = folderAbove(each)) {
    const QString entry = each + QStringLiteral("/.git");
    if (QFile::exists(entry)) return entry;
  }
  return {};
}

}  // namespace

editor::GitReference upstreamOf(git_reference* branch) {
  git_repository* repository = git_reference_owner(branch);
  git_config* made = nullptr;
  if (git_repository_config_snapshot(&made, repository) != 0) return nullptr;
  const editor::GitOwner<git_config, git_config_free> config(made);
  const auto value = [&](const QByteArray& key) {
    const char* text = nullptr;
    return git_config_get_string(&text, config.get(), key.constData()) == 0 ? QByteArray(text)
                                                                            : QByteArray();
  };
  const QByteArray key = QByteArray("branch.") + git_reference_shorthand(branch);
  const QByteArray remote = value(key + ".remote");
  QByteArray name = value(key + ".merge");
  if (remote.isEmpty() || name.isEmpty()) return nullptr;
  if (remote != ".") {
    git_refspec* parsed = nullptr;
    if (git_refspec_parse(&parsed, value("remote." + remote + ".fetch").constData(), 1) != 0)
      return nullptr;
    const editor::GitOwner<git_refspec, git_refspec_free> fetched(parsed);
    git_buf here = GIT_BUF_INIT;
    if (git_refspec_src_matches(fetched.get(), name.constData()) != 1 ||
        git_refspec_transform(&here, fetched.get(), name.constData()) != 0)
      return nullptr;
    name = QByteArray(here.ptr, static_cast<qsizetype>(here.size));
    git_buf_dispose(&here);
  }
  git_reference* found = nullptr;
  if (git_reference_lookup(&found, repository, name.constData()) != 0) return nullptr;
  return editor::GitReference(found);
}

editor::Error damagedRepository(const QString& path) {
  return editor::gitProblem(translate("The git repository %1 can't be read.").arg(path),
                            translate("\"git fsck\" in a terminal may say more."));
}

editor::Result<editor::GitRepository> openRepository(const QString& folder) {
  editor::setUpLibgit2();
  const QString entry = nearestGitEntry(folder);
  git_repository* opened = nullptr;
  const int code =
      git_repository_open_ext(&opened, QFile::encodeName(folder).constData(), 0, nullptr);
  editor::GitRepository repository(opened);
  if (code == GIT_ENOTFOUND && entry.isEmpty()) return editor::GitRepository();
  if (code == GIT_EOWNER) {
    return editor::fail(
        translate("The git repository %1 is somebody else's.").arg(folderAbove(entry)),
        translate("If you trust it: git config --global --add safe.directory \"%1\"")
            .arg(folderAbove(entry)));
  }
  if (code != 0) return tl::unexpected(damagedRepository(entry.isEmpty() ? folder : entry));
  return repository;
}

}  // namespace waferpair::workbench
