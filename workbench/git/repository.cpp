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
