// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/core/log.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>

namespace waferpair::server {

base::Result<std::unique_ptr<Log>> Log::open(const std::string& path) {
  auto log = std::make_unique<Log>();
  if (path == "-") {
    log->file_ = stderr;
    return log;
  }
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (fd >= 0) log->file_ = fdopen(fd, "a");
  if (!log->file_) {
    const std::string reason = std::strerror(errno);
    if (fd >= 0) close(fd);
    return base::fail("The log " + path + " cannot be written: " + reason + ".",
                      "Choose another file with --log, or - for standard error.");
  }
  log->owned_ = true;
  return log;
}

Log::~Log() {
  if (owned_) std::fclose(file_);
}

void Log::line(std::string_view text) {
  if (!file_) return;
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  tm calendar;
  gmtime_r(&now.tv_sec, &calendar);
  std::array<char, 32> stamp;
  std::strftime(stamp.data(), stamp.size(), "%Y-%m-%dT%H:%M:%S", &calendar);
  const std::lock_guard lock(mutex_);
  std::fprintf(file_, "%s.%03ldZ %.*s\n", stamp.data(), now.tv_nsec / 1'000'000,
               static_cast<int>(text.size()), text.data());
  std::fflush(file_);
}

}  // namespace waferpair::server
