// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/exclusions/file_stamp.h"

namespace waferpair::exclusions {
namespace {

bool isSame(const timespec& a, const timespec& b) {
  return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

}  // namespace

FileStamp FileStamp::of(const std::string& path) {
  struct stat status;
  if (::stat(path.c_str(), &status) != 0) return {};
  return {true, status.st_dev, status.st_ino, status.st_size, status.st_mtim, status.st_ctim};
}

bool FileStamp::operator==(const FileStamp& other) const {
  return exists == other.exists && device == other.device && inode == other.inode &&
         bytes == other.bytes && isSame(modified, other.modified) && isSame(changed, other.changed);
}

}  // namespace waferpair::exclusions
