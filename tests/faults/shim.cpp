// SPDX-License-Identifier: GPL-3.0-or-later
// Loaded into a program (LD_PRELOAD) to make its disk fail and its clock jump while it runs:
//   WAFERPAIR_FAULT_DISK   a folder: writing and syncing of files below it fails
//   WAFERPAIR_FAULT_WHEN   with EIO, as long as this file exists
//   WAFERPAIR_FAULT_CLOCK  a file of 8 bytes: seconds added to the wall clock, read at each look
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

template <typename Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

bool diskFails(int fd) {
  static const char* const folder = getenv("WAFERPAIR_FAULT_DISK");
  static const char* const when = getenv("WAFERPAIR_FAULT_WHEN");
  if (!folder || !when) return false;
  const int error = errno;
  char link[64];
  char path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  const ssize_t length = readlink(link, path, sizeof path);
  const size_t wanted = strlen(folder);
  const bool fails = length >= static_cast<ssize_t>(wanted) && memcmp(path, folder, wanted) == 0 &&
                     access(when, F_OK) == 0;
  errno = fails ? EIO : error;
  return fails;
}

int64_t clockOffset() {
  static const volatile int64_t* const seconds = [] {
    const char* path = getenv("WAFERPAIR_FAULT_CLOCK");
    const int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    void* mapped = fd < 0 ? MAP_FAILED : mmap(nullptr, 8, PROT_READ, MAP_SHARED, fd, 0);
    return mapped == MAP_FAILED ? nullptr : static_cast<const volatile int64_t*>(mapped);
  }();
  return seconds ? *seconds : 0;
}

}  // namespace

extern "C" {

ssize_t write(int fd, const void* bytes, size_t size) {
  static auto* const real = next<decltype(write)>("write");
  return diskFails(fd) ? -1 : real(fd, bytes, size);
}

ssize_t pwrite64(int fd, const void* bytes, size_t size, off64_t at) {
  static auto* const real = next<decltype(pwrite64)>("pwrite64");
  return diskFails(fd) ? -1 : real(fd, bytes, size, at);
}

ssize_t writev(int fd, const iovec* parts, int count) {
  static auto* const real = next<decltype(writev)>("writev");
  return diskFails(fd) ? -1 : real(fd, parts, count);
}

int fsync(int fd) {
  static auto* const real = next<decltype(fsync)>("fsync");
  return diskFails(fd) ? -1 : real(fd);
}

int fdatasync(int fd) {
  static auto* const real = next<decltype(fdatasync)>("fdatasync");
  return diskFails(fd) ? -1 : real(fd);
}

int clock_gettime(clockid_t clock, timespec* now) noexcept {
  static auto* const real = next<int(clockid_t, timespec*)>("clock_gettime");
  const int result = real(clock, now);
  if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
    now->tv_sec += clockOffset();
  return result;
}

int gettimeofday(timeval* now, void* zone) noexcept {
  static auto* const real = next<int(timeval*, void*)>("gettimeofday");
  const int result = real(now, zone);
  if (result == 0) now->tv_sec += clockOffset();
  return result;
}

time_t time(time_t* now) noexcept {
  timespec precise;
  clock_gettime(CLOCK_REALTIME, &precise);
  if (now) *now = precise.tv_sec;
  return precise.tv_sec;
}

}  // extern "C"
