// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/text/repository_files.h"

#include <sys/stat.h>

#include <QDir>
#include <QFileInfo>
#include <vector>

#include "editor/text/folder_entries.h"
#include "editor/text/guest_file.h"
#include "editor/text/path_bytes.h"
#include "editor/text/path_on_disk.h"
#include "editor/text/quoted.h"
#include "editor/text/translate.h"

namespace waferpair::editor {
namespace {

constexpr off_t kLongestOfGit = off_t{256} << 20;  // bytes; an index has tens of millions
constexpr off_t kLongestOfRules = 4 << 20;
constexpr int kMostLookedAt = 20'000;  // entries
constexpr qint64 kLongestGitLink = 4096;

Result<void> checkStatus(const QString& path, const struct stat& status, off_t longest) {
  const bool isFile = S_ISREG(status.st_mode);
  if (S_ISDIR(status.st_mode) || (isFile && status.st_size <= longest)) return {};
  return fail(isFile ? translate("%1 is too long.").arg(quotedPath(path))
                     : translate("%1 is no file.").arg(quotedPath(path)),
              translate("Put an ordinary file in its place, or remove it."));
}

// The folders with files that git reads one of: those of objects, and other repositories.
bool isPassedOver(const QByteArray& name) {
  return name == "objects" || name == "modules" || name == "worktrees" || name == "lfs";
}

// All below the folder.
Result<void> checkBelow(const QByteArray& top) {
  std::vector<QByteArray> folders{top, top + "/objects/info"};
  int looked = 0;
  while (!folders.empty() && looked < kMostLookedAt) {
    const QByteArray folder = folders.back();
    folders.pop_back();
    Result<void> checked;
    eachEntryOf(folder, [&](const FolderEntry& entry) {
      if (++looked > kMostLookedAt) return false;
      const auto status = entry.status();
      if (!status) return true;
      const QByteArray path = folder + '/' + entry.name();
      checked = checkStatus(pathText(path), *status, kLongestOfGit);
      const bool isInner = entry.kind() == FolderEntry::Kind::kFolder;
      if (isInner && !(folder == top && isPassedOver(entry.name()))) folders.push_back(path);
      return checked.has_value();
    });
    if (!checked) return checked;
  }
  return {};
}

}  // namespace

Result<void> checkRepositoryFiles(const QString& entry) {
  const QString around = QFileInfo(entry).path();
  for (const char* name : {".gitignore", ".gitattributes", ".gitmodules"}) {
    const QString path = around + u'/' + QLatin1String(name);
    struct stat status;
    if (::stat(pathBytes(path).constData(), &status) != 0) continue;
    if (const auto checked = checkStatus(path, status, kLongestOfRules); !checked) return checked;
  }
  if (isFolderAt(entry)) return checkBelow(pathBytes(entry));
  // A worktree's or a submodule's: "gitdir: PATH", and there the path of what is common to all.
  const auto link = readGuestFile(entry, kLongestGitLink);
  if (!link) return tl::unexpected(link.error());
  const QString said = pathText(link->value_or(QByteArray())).trimmed();
  const QString target =
      said.startsWith(QLatin1String("gitdir:")) ? said.mid(7).trimmed() : QString();
  if (target.isEmpty()) return {};
  const QString folder = QDir::cleanPath(QDir(around).absoluteFilePath(target));
  if (const auto checked = checkBelow(pathBytes(folder)); !checked) return checked;
  const QString common =
      pathText(guestBytes(folder + QStringLiteral("/commondir"), kLongestGitLink)).trimmed();
  if (common.isEmpty()) return {};
  return checkBelow(pathBytes(QDir::cleanPath(QDir(folder).absoluteFilePath(common))));
}

}  // namespace waferpair::editor
