// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/git/repository.h"

#include <QDir>
#include <QFileInfo>

#include "editor/text/path_bytes.h"
#include "editor/text/path_on_disk.h"
#include "editor/text/translate.h"

namespace waferpair::workbench {

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

editor::Result<RepositoryFile> fileInRepository(const QString& path) {
  const QFileInfo info(path);
  const QString folder = editor::realPath(info.path());
  const auto repository = openRepository(folder.isEmpty() ? info.path() : folder);
  if (!repository) return tl::unexpected(repository.error());
  if (!*repository || !git_repository_workdir(repository->get()))
    return editor::fail(translate("%1 is in no git repository.").arg(path));
  RepositoryFile file;
  file.workFolder = QDir::cleanPath(editor::pathText(git_repository_workdir(repository->get())));
  file.path = QDir(file.workFolder).relativeFilePath(folder + u'/' + info.fileName());
  if (file.path.startsWith(QLatin1String("../")) || file.path.startsWith(QLatin1String(".git/")))
    return editor::fail(translate("%1 is in no git repository.").arg(path));
  return file;
}

editor::Result<QStringList> gitRemotes(const QString& folder) {
  const auto repository = openRepository(folder);
  if (!repository) return tl::unexpected(repository.error());
  if (!*repository) return editor::fail(translate("%1 is in no git repository.").arg(folder));
  // Not by git_remote_list(): libgit2 1.5 loses 20 KiB at each key that its pattern does not match.
  git_config* read = nullptr;
  if (git_repository_config_snapshot(&read, repository->get()) != 0)
    return tl::unexpected(damagedRepository(folder));
  const editor::GitOwner<git_config, git_config_free> config(read);
  git_config_iterator* made = nullptr;
  if (git_config_iterator_new(&made, config.get()) != 0)
    return tl::unexpected(damagedRepository(folder));
  const editor::GitOwner<git_config_iterator, git_config_iterator_free> keys(made);
  QStringList remotes;
  for (git_config_entry* entry = nullptr; git_config_next(&entry, keys.get()) == 0;) {
    // "remote.NAME.url" or "remote.NAME.pushurl"; a name may have dots.
    const QByteArrayView key(entry->name);
    const qsizetype end = key.lastIndexOf('.');
    if (end <= 7 || !key.startsWith("remote.")) continue;
    if (key.sliced(end) != ".url" && key.sliced(end) != ".pushurl") continue;
    remotes.append(QString::fromUtf8(key.sliced(7, end - 7)));
  }
  remotes.sort();
  remotes.removeDuplicates();
  return remotes;
}

}  // namespace waferpair::workbench
