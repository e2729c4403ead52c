// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/base/guest_file.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <cstring>
#include <utility>

namespace waferpair::base {
namespace {

constexpr std::size_t kMiB = 1 << 20;

std::string kindOf(mode_t mode) {
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a FIFO";
  if (S_ISSOCK(mode)) return "a socket";
  if (S_ISLNK(mode)) return "a link";
  return "a device";
}

tl::unexpected<Error> refused(const std::string& path, const std::string& kind) {
  return fail(path + " is " + kind + ", not a file.",
              "Put an ordinary file in its place, or remove it.");
}

tl::unexpected<Error> unreadable(const std::string& path) {
  return fail(path + " cannot be read: " + std::strerror(errno) + ".",
              "Make it readable, or remove it.");
}

tl::unexpected<Error> tooLong(const std::string& path, std::size_t most) {
  const std::string bound =
      most % kMiB == 0 ? std::to_string(most / kMiB) + " MiB" : std::to_string(most >> 10) + " KiB";
  return fail(path + " is longer than " + bound + ".", "Shorten it.");
}

bool isAbsent(int error) { return error == ENOENT || error == ENOTDIR; }

}  // namespace

Result<std::optional<GuestFile>> GuestFile::open(const std::string& path, Links links) {
  const bool follow = links == Links::kFollow;
  // Opening some devices does something: look first. What is opened is looked at again, as it may
  // be another file by then.
  struct stat status;
  if ((follow ? ::stat(path.c_str(), &status) : ::lstat(path.c_str(), &status)) != 0) {
    if (isAbsent(errno)) return std::nullopt;
    return unreadable(path);
  }
  if (!S_ISREG(status.st_mode)) return refused(path, kindOf(status.st_mode));
  const int descriptor = ::open(
      path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY | (follow ? 0 : O_NOFOLLOW));
  if (descriptor < 0) {
    if (isAbsent(errno)) return std::nullopt;
    return unreadable(path);
  }
  GuestFile file(path, descriptor);
  if (::fstat(descriptor, &file.status_) != 0) return unreadable(path);
  if (!S_ISREG(file.status_.st_mode)) return refused(path, kindOf(file.status_.st_mode));
  return file;
}

GuestFile::GuestFile(GuestFile&& other) noexcept
    : path_(std::move(other.path_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      status_(other.status_) {}

GuestFile& GuestFile::operator=(GuestFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(descriptor_, other.descriptor_);
  std::swap(status_, other.status_);
  return *this;
}

GuestFile::~GuestFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

bool GuestFile::isOfKernel() const {
  struct statfs system;
  if (::fstatfs(descriptor_, &system) != 0) return false;
  switch (static_cast<unsigned long>(system.f_type)) {
    case PROC_SUPER_MAGIC:
    case SYSFS_MAGIC:
    case DEBUGFS_MAGIC:
    case TRACEFS_MAGIC:
    case CGROUP_SUPER_MAGIC:
    case CGROUP2_SUPER_MAGIC:
    case SECURITYFS_MAGIC:
      return true;
    default:
      return false;
  }
}

Result<std::size_t> GuestFile::read(char* to, std::size_t most, std::size_t from) const {
  assert(descriptor_ >= 0);
  std::size_t length = 0;
  while (length < most) {
    const ssize_t got =
        ::pread(descriptor_, to + length, most - length, static_cast<off_t>(from + length));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return unreadable(path_);
    if (got == 0) break;
    length += static_cast<std::size_t>(got);
  }
  return length;
}

Result<std::optional<std::string>> readGuestFile(const std::string& path, std::size_t most,
                                                 Links links) {
  const auto file = GuestFile::open(path, links);
  if (!file) return tl::unexpected(file.error());
  if (!*file) return std::nullopt;
  if ((*file)->isOfKernel()) return refused(path, "what the kernel says of a program");
  if ((*file)->size() > most) return tooLong(path, most);
  std::string bytes;
  std::size_t length = 0;
  // One byte more than is told or allowed shows whether there is more.
  while (length == bytes.size() && length <= most) {
    const std::size_t wanted = std::max(length, (*file)->size()) + (length == 0 ? 1 : 4096);
    bytes.resize(std::min(wanted, most + 1));
    const auto got = (*file)->read(bytes.data() + length, bytes.size() - length, length);
    if (!got) return tl::unexpected(got.error());
    length += *got;
  }
  if (length > most) return tooLong(path, most);
  bytes.resize(length);
  return bytes;
}

}  // namespace waferpair::base
