// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/disk_fault.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>

namespace waferpair::test {
namespace {

std::atomic<int> failing{-1};  // a DiskCall
std::atomic<int> failure{0}, toSkip{0}, toFail{0};
std::atomic<std::size_t> mostBytes{SIZE_MAX};
std::atomic<unsigned> writes{0};

bool fails(DiskCall call) {
  if (failing != static_cast<int>(call) || toSkip-- > 0 || toFail-- <= 0) return false;
  if (failure == DiskFault::kEndsProcess) ::kill(getpid(), SIGKILL);
  errno = failure;
  return true;
}

// Returns whether `fd` is of that kind. Calls on standard output and the like never fail.
bool isOfKind(int fd, mode_t kind) {
  struct stat info;
  return fstat(fd, &info) == 0 && (info.st_mode & S_IFMT) == kind;
}

// False if a write is to fail now; else how much of `size` it takes.
bool beginWrite(int fd, std::size_t* size) {
  if (!isOfKind(fd, S_IFREG)) return true;
  if (fails(DiskCall::kWrite)) return false;
  if (mostBytes == SIZE_MAX) return true;
  *size = std::min<std::size_t>(*size, mostBytes);
  if (++writes % 3 != 0) return true;
  errno = EINTR;
  return false;
}

}  // namespace

DiskFault::DiskFault(DiskCall call, int error, int skip, int times) {
  failure = error;
  toSkip = skip;
  toFail = times;
  failing = static_cast<int>(call);
}
DiskFault::~DiskFault() { failing = -1; }

ShortWrites::ShortWrites(std::size_t most) { mostBytes = most; }
ShortWrites::~ShortWrites() { mostBytes = SIZE_MAX; }

}  // namespace waferpair::test

using namespace waferpair::test;

extern "C" {

ssize_t write(int fd, const void* bytes, size_t size) {
  if (!beginWrite(fd, &size)) return -1;
  return syscall(SYS_write, fd, bytes, size);
}

ssize_t pwrite(int fd, const void* bytes, size_t size, off_t at) {
  if (!beginWrite(fd, &size)) return -1;
  return syscall(SYS_pwrite64, fd, bytes, size, at);
}

ssize_t pwrite64(int fd, const void* bytes, size_t size, off_t at) {
  return pwrite(fd, bytes, size, at);
}

int fsync(int fd) {
  if (isOfKind(fd, S_IFREG) && fails(DiskCall::kSync)) return -1;
  if (isOfKind(fd, S_IFDIR) && fails(DiskCall::kFolderSync)) return -1;
  return static_cast<int>(syscall(SYS_fsync, fd));
}

int renameat(int fromFolder, const char* from, int toFolder, const char* to) noexcept {
  if (fails(DiskCall::kRename)) return -1;
  return static_cast<int>(syscall(SYS_renameat2, fromFolder, from, toFolder, to, 0));
}

int rename(const char* from, const char* to) noexcept {
  return renameat(AT_FDCWD, from, AT_FDCWD, to);
}

}  // extern "C"
