// SPDX-License-Identifier: GPL-3.0-or-later
// Small files that a project brings along, which may be anything: a clone can hold a link to
// /dev/zero, a mail attachment a FIFO. Nothing here waits, and nothing here grows beyond a bound.
#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <optional>
#include <string>

#include "runtime/base/result.h"

namespace waferpair::exclusions {

enum class Links { kFollow, kRefuse };

// The bytes of the regular file `path`, at most `most` of them; nullopt if there is no such file. A
// link (unless followed), a folder, a FIFO, a device, a longer file and one that may not be read
// are refused with the reason. Any thread.
base::Result<std::optional<std::string>> readSmallFile(const std::string& path, std::size_t most,
                                                       Links links = Links::kFollow);

// Tells one state of a file from another without reading it.
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
