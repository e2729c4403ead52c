// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/text/folder_entries.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <cstring>
#include <memory>

namespace waferpair::editor {
namespace {

FolderEntry::Kind kindOf(mode_t mode) {
  return S_ISREG(mode)   ? FolderEntry::Kind::kFile
         : S_ISDIR(mode) ? FolderEntry::Kind::kFolder
         : S_ISLNK(mode) ? FolderEntry::Kind::kLink
                         : FolderEntry::Kind::kOther;
}

}  // namespace

QByteArray FolderEntry::name() const { return QByteArray(entry_->d_name); }

FolderEntry::Kind FolderEntry::kind() const {
  if (entry_->d_type != DT_UNKNOWN) return kindOf(static_cast<mode_t>(DTTOIF(entry_->d_type)));
  struct stat status;
  return ::fstatat(folder_, entry_->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0
             ? kindOf(status.st_mode)
             : Kind::kOther;
}

FolderEntry::Kind FolderEntry::kindBehind() const {
  if (const Kind own = kind(); own != Kind::kLink) return own;
  const auto behind = status();
  return behind ? kindOf(behind->st_mode) : Kind::kOther;
}

std::optional<struct stat> FolderEntry::status() const {
  struct stat status;
  if (::fstatat(folder_, entry_->d_name, &status, 0) != 0) return std::nullopt;
  return status;
}

bool eachEntryOf(const QByteArray& folder, const std::function<bool(const FolderEntry&)>& use) {
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(::opendir(folder.constData()), &::closedir);
  if (!entries) return false;
  while (const dirent* entry = ::readdir(entries.get())) {
    if (std::strcmp(entry->d_name, ".") == 0 || std::strcmp(entry->d_name, "..") == 0) continue;
    if (!use(FolderEntry(::dirfd(entries.get()), entry))) break;
  }
  return true;
}

}  // namespace waferpair::editor
