// SPDX-License-Identifier: GPL-3.0-or-later
// Files that a project brings along, which may be anything: a clone can hold a link to /dev/zero,
// an archive a FIFO, a hole of gigabytes or a link into /proc. What is below a project's folder is
// read here and nowhere else (scripts/check_reads.py): nothing here waits, and nothing here grows
// beyond a bound. Any thread; a file system may still be slow, so what is long is read off the UI
// thread.
#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <optional>
#include <string>

#include "runtime/base/result.h"

namespace waferpair::base {

enum class Links { kFollow, kRefuse };

// A regular file that is open for reading, as long as it lives.
class GuestFile {
 public:
  // nullopt: there is no such file; a link that leads nowhere counts as none. Fails with the reason
  // on a link (unless followed), a folder, a FIFO, a socket, a device, and what may not be read.
  static Result<std::optional<GuestFile>> open(const std::string& path,
                                               Links links = Links::kFollow);
  GuestFile(GuestFile&& other) noexcept;
  GuestFile& operator=(GuestFile&& other) noexcept;
  ~GuestFile();

  // Bytes when it was opened. A hint: it may grow, and the kernel's own files say 0.
  std::size_t size() const { return static_cast<std::size_t>(status_.st_size); }
  // Whether it is no file on a disk, but what the kernel says of itself and of programs: theirs may
  // hold secrets (/proc/self/environ), wait, or never end.
  bool isOfKernel() const;
  // Reads up to `most` bytes from the byte `from` on; fewer at the end of the file only, where none
  // are left.
  Result<std::size_t> read(char* to, std::size_t most, std::size_t from) const;

 private:
  GuestFile(std::string path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}

  std::string path_;
  int descriptor_ = -1;  // -1: moved from
  struct stat status_ = {};
};

// The bytes of the regular file `path`, at most `most` of them; nullopt if there is no such file.
// What GuestFile::open() refuses, a longer file and one of the kernel's are refused with the
// reason.
Result<std::optional<std::string>> readGuestFile(const std::string& path, std::size_t most,
                                                 Links links = Links::kFollow);

}  // namespace waferpair::base
