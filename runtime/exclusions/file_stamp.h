// SPDX-License-Identifier: GPL-3.0-or-later
// Tells one state of a file from another without reading it.
#pragma once

#include <sys/stat.h>

#include <string>

namespace waferpair::exclusions {

struct FileStamp {
  bool exists = false;
  dev_t device = 0;
  ino_t inode = 0;
  off_t bytes = 0;
  timespec modified = {};
  timespec changed = {};

  static FileStamp of(const std::string& path);
  bool operator==(const FileStamp& other) const;
};

}  // namespace waferpair::exclusions
