// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/base/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <utility>

namespace waferpair::base {
namespace {

// A pipe or a device must neither block nor be read.
constexpr int kFlags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;

bool flockNow(int fd, int operation) {
  while (flock(fd, operation | LOCK_NB) != 0) {
    if (errno != EINTR) return false;
  }
  return true;
}

}  // namespace

FileLock::FileLock(std::string path, int fd) : path_(std::move(path)), fd_(fd) {}

std::optional<FileLock> FileLock::lock(const std::string& path, int fd) {
  if (fd < 0) return std::nullopt;
  struct stat info;
  int error = 0;
  if (fstat(fd, &info) != 0) {
    error = errno;
  } else if (!S_ISREG(info.st_mode)) {
    error = EINVAL;
  } else if (!flockNow(fd, LOCK_EX)) {
    error = errno;
  } else {
    FileLock held(path, fd);
    // Its holder may have removed it, or replaced it, since it was opened here.
    if (held.isInPlace()) return held;
    error = ENOENT;
    held.fd_ = -1;
  }
  close(fd);
  errno = error;
  return std::nullopt;
}

std::optional<FileLock> FileLock::create(const std::string& path) {
  return lock(path, open(path.c_str(), kFlags | O_CREAT | O_EXCL, 0600));
}

std::optional<FileLock> FileLock::take(const std::string& path) {
  return lock(path, open(path.c_str(), kFlags));
}

bool FileLock::isHeld(int descriptor) {
  if (!flockNow(descriptor, LOCK_SH)) return errno == EWOULDBLOCK;
  flock(descriptor, LOCK_UN);
  return false;
}

FileLock::FileLock(FileLock&& other) noexcept
    : path_(std::move(other.path_)), fd_(std::exchange(other.fd_, -1)) {}

FileLock& FileLock::operator=(FileLock&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(fd_, other.fd_);
  return *this;
}

FileLock::~FileLock() {
  if (fd_ < 0) return;
  if (isInPlace()) unlink(path_.c_str());
  close(fd_);
}

bool FileLock::isInPlace() const {
  struct stat ours, there;
  return fd_ >= 0 && fstat(fd_, &ours) == 0 && lstat(path_.c_str(), &there) == 0 &&
         ours.st_ino == there.st_ino && ours.st_dev == there.st_dev;
}

bool FileLock::moveTo(const std::string& path) {
  if (rename(path_.c_str(), path.c_str()) != 0) return false;
  path_ = path;
  return true;
}

void FileLock::leave() {
  if (fd_ >= 0) close(std::exchange(fd_, -1));
}

}  // namespace waferpair::base
