// SPDX-License-Identifier: GPL-3.0-or-later
// A disk that fails: a test program that links this has write(), pwrite(), fsync() and rename() of
// its own in place of the C library's.
#pragma once

#include <climits>
#include <cstddef>

namespace waferpair::test {

enum class DiskCall { kWrite, kSync, kFolderSync, kRename };

// While it lives, calls of that kind for regular files (or folders) fail with `error`: `times` of
// them, after `skip` that went well. One at a time.
class DiskFault {
 public:
  // In place of an error: the process ends in the call, as a kill ends it.
  static constexpr int kEndsProcess = -1;

  DiskFault(DiskCall call, int error, int skip = 0, int times = INT_MAX);
  DiskFault(const DiskFault&) = delete;
  DiskFault& operator=(const DiskFault&) = delete;
  ~DiskFault();
};

// While it lives, a write takes at most so many bytes, and every third is interrupted.
class ShortWrites {
 public:
  explicit ShortWrites(std::size_t most);
  ShortWrites(const ShortWrites&) = delete;
  ShortWrites& operator=(const ShortWrites&) = delete;
  ~ShortWrites();
};

}  // namespace waferpair::test
