// SPDX-License-Identifier: GPL-3.0-or-later
// A file that a command or server writes: it is at its path once it is complete. Until then its
// bytes are in another beside it, and a failure of any kind, a full disk or a crash, leaves what
// was at the path as it was. A file that is replaced gives its permissions to the new one, but its
// hard links keep the old content; symbolic links are followed, and stay.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "runtime/base/result.h"

namespace waferpair::base {

// Not thread-safe. After an error only the destructor is of use.
class OutputFile {
 public:
  enum class Unfinished {
    kRemove,  // of no use to anybody; "NAME.part" until then
    kLeave,   // can be read as far as it goes; "NAME.unfinished.EXTENSION", which opens likewise
  };
  // Fails if nothing can be written beside `path`, or if something other than a regular file is
  // there. Names that are taken by earlier ones get a number.
  static Result<OutputFile> create(const std::string& path,
                                   Unfinished unfinished = Unfinished::kRemove);

  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;
  ~OutputFile();  // what was not kept is removed or left

  // Errors name the file that was asked for.
  Result<void> write(std::span<const std::byte> bytes);
  Result<void> write(std::string_view text);
  // Others who open unfinishedPath() see all that was written.
  Result<void> flush();
  // Puts it in place, synced with its folder. Nothing may follow.
  Result<void> keep();
  // Removes it even if it were to be left.
  void discard();

  const std::string& unfinishedPath() const { return part_; }

 private:
  OutputFile(std::string path, std::string target, std::string part, int fd, Unfinished unfinished);
  Error failure() const;  // by errno

  std::string path_;    // as it was asked for
  std::string target_;  // links followed
  std::string part_;    // empty: kept or discarded
  int fd_ = -1;
  Unfinished unfinished_ = Unfinished::kRemove;
  std::string buffer_;
};

// Writes all of `bytes` from the current position on and syncs the file, or the folder that `path`
// is in. Meant for files with names and locks of their own. Returns false, with errno, if that
// fails.
bool writeAll(int fd, std::span<const std::byte> bytes);
bool syncFile(int fd);
bool syncFolderOf(const std::string& path);

// Returns the remedy to show a user for a write that failed with this errno.
std::string writeRemedy(int error);

}  // namespace waferpair::base
