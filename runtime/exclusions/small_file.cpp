// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/exclusions/small_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>

namespace waferpair::exclusions {
namespace {

std::string kindOf(mode_t mode) {
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a FIFO";
  if (S_ISSOCK(mode)) return "a socket";
  if (S_ISLNK(mode)) return "a link";
  return "a device";
}

tl::unexpected<base::Error> notRegular(const std::string& path, mode_t mode) {
  return base::fail(path + " is " + kindOf(mode) + ", not a file.",
                    "Put an ordinary file in its place, or remove it.");
}

tl::unexpected<base::Error> unreadable(const std::string& path) {
  return base::fail(path + " cannot be read: " + std::strerror(errno) + ".",
                    "Make it readable, or remove it.");
}

bool isAbsent(int error) { return error == ENOENT || error == ENOTDIR; }

bool isSame(const timespec& a, const timespec& b) {
  return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

}  // namespace

base::Result<std::optional<std::string>> readSmallFile(const std::string& path, std::size_t most,
                                                       Links links) {
  const bool follow = links == Links::kFollow;
  // Opening some devices does something: look first. What is opened is looked at again, as it may
  // be another file by then.
  struct stat status;
  if ((follow ? ::stat(path.c_str(), &status) : ::lstat(path.c_str(), &status)) != 0) {
    // A link that leads nowhere counts as no file, too.
    if (isAbsent(errno)) return std::nullopt;
    return unreadable(path);
  }
  if (!S_ISREG(status.st_mode)) return notRegular(path, status.st_mode);
  const int descriptor = ::open(
      path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY | (follow ? 0 : O_NOFOLLOW));
  if (descriptor < 0) {
    if (isAbsent(errno)) return std::nullopt;
    return unreadable(path);
  }
  const auto close = [](const int* open) { ::close(*open); };
  const std::unique_ptr<const int, decltype(close)> closer(&descriptor, close);
  if (::fstat(descriptor, &status) != 0) return unreadable(path);
  if (!S_ISREG(status.st_mode)) return notRegular(path, status.st_mode);

  // The size is a hint: the file may grow, and those of /proc say 0.
  std::string bytes;
  const std::size_t expected = static_cast<std::size_t>(status.st_size);
  std::size_t length = 0;
  while (length <= most && expected <= most) {
    bytes.resize(std::max(length + 4096, std::min(expected, most) + 1));
    const ssize_t got = ::read(descriptor, bytes.data() + length, bytes.size() - length);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return unreadable(path);
    if (got == 0) break;
    length += static_cast<std::size_t>(got);
  }
  if (length > most || expected > most)
    return base::fail(path + " is longer than " + std::to_string(most >> 10) + " KiB.",
                      "Shorten it.");
  bytes.resize(length);
  return bytes;
}

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
