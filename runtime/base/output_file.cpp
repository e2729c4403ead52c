// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/base/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cassert>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

namespace waferpair::base {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBufferBytes = std::size_t{64} << 10;
constexpr int kMostLinks = 40;  // as the kernel's
constexpr int kMostNames = 100;

Error writeError(const std::string& path, int error) {
  return {path + ": cannot be written: " + std::strerror(error) + ".", writeRemedy(error)};
}

// Returns the path that the links lead to, whether something is there or not. Returns an empty
// path, with errno set, for a circle of links.
std::string targetOf(const std::string& path) {
  fs::path target = path;
  for (int links = 0; links <= kMostLinks; ++links) {
    std::error_code error;
    const fs::path next = fs::read_symlink(target, error);
    if (error) return target.string();  // no link, or nothing at all
    target = next.is_absolute() ? next : target.parent_path() / next;
  }
  errno = ELOOP;
  return {};
}

std::string nameOfPart(const fs::path& target, OutputFile::Unfinished unfinished, int number) {
  const std::string suffix = number > 1 ? "-" + std::to_string(number) : "";
  if (unfinished == OutputFile::Unfinished::kRemove) return target.string() + ".part" + suffix;
  fs::path name = target;
  return name.replace_extension().string() + ".unfinished" + suffix + target.extension().string();
}

}  // namespace

bool writeAll(int fd, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t put = ::write(fd, bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put == 0) errno = EIO;
    if (put <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(put));
  }
  return true;
}

bool syncFile(int fd) {
  while (fsync(fd) != 0) {
    if (errno == EINTR) continue;
    // File systems without such a thing say that the call is not for them.
    return errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP;
  }
  return true;
}

bool syncFolderOf(const std::string& path) {
  std::string folder = fs::path(path).parent_path().string();
  if (folder.empty()) folder = ".";
  const int fd = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return errno == EACCES;  // one may write to a folder that one may not list
  const bool synced = syncFile(fd);
  const int error = errno;
  close(fd);
  errno = error;
  return synced;
}

std::string writeRemedy(int error) {
  switch (error) {
    case ENOSPC:
    case EDQUOT:
      return "Make room on that disk, or name a file on another.";
    case EIO:
      return "Check that disk, or name a file on another.";
    case EFBIG:
      return "Raise the limit on file sizes (ulimit -f), or name a file on another disk.";
    case ENOENT:
    case ENOTDIR:
      return "Make its folder, or name a file in another.";
    case ENAMETOOLONG:
      return "Choose a shorter name.";
    case EISDIR:
    case ENODEV:
    case ELOOP:
      return "Choose another name.";
    default:
      return "Name a file in a folder that you may write to.";
  }
}

Result<OutputFile> OutputFile::create(const std::string& path, Unfinished unfinished) {
  const std::string target = targetOf(path);
  if (target.empty()) return tl::unexpected(writeError(path, path.empty() ? ENOENT : errno));
  struct stat info;
  const bool replaces = stat(target.c_str(), &info) == 0;
  if (replaces && !S_ISREG(info.st_mode)) {
    if (S_ISDIR(info.st_mode)) return tl::unexpected(writeError(path, EISDIR));
    return fail(path + ": cannot be written: it is not a regular file.", writeRemedy(ENODEV));
  }
  // A rename would not ask whether it is write-protected.
  if (replaces && faccessat(AT_FDCWD, target.c_str(), W_OK, AT_EACCESS) != 0)
    return tl::unexpected(writeError(path, errno));
  for (int number = 1; number <= kMostNames; ++number) {
    std::string part = nameOfPart(target, unfinished, number);
    const int fd = open(part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (fd < 0 && errno == EEXIST) continue;
    if (fd < 0) break;
    OutputFile file(path, target, std::move(part), fd, unfinished);
    if (replaces && fchmod(fd, info.st_mode & 0777) != 0) {
      Error failed = file.failure();
      file.discard();
      return tl::unexpected(std::move(failed));
    }
    return file;
  }
  return tl::unexpected(writeError(path, errno));
}

OutputFile::OutputFile(std::string path, std::string target, std::string part, int fd,
                       Unfinished unfinished)
    : path_(std::move(path)),
      target_(std::move(target)),
      part_(std::move(part)),
      fd_(fd),
      unfinished_(unfinished) {}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : path_(std::move(other.path_)),
      target_(std::move(other.target_)),
      part_(std::exchange(other.part_, {})),
      fd_(std::exchange(other.fd_, -1)),
      unfinished_(other.unfinished_),
      buffer_(std::exchange(other.buffer_, {})) {}

OutputFile::~OutputFile() {
  if (unfinished_ == Unfinished::kRemove) {
    discard();
  } else if (fd_ >= 0) {
    (void)flush();  // as far as it goes
    close(fd_);
  }
}

void OutputFile::discard() {
  if (fd_ >= 0) close(std::exchange(fd_, -1));
  if (!part_.empty()) unlink(part_.c_str());
  part_.clear();
}

Error OutputFile::failure() const { return writeError(path_, errno); }

Result<void> OutputFile::write(std::span<const std::byte> bytes) {
  assert(fd_ >= 0);
  if (buffer_.size() + bytes.size() > kBufferBytes) {
    if (auto flushed = flush(); !flushed) return flushed;
  }
  if (bytes.size() < kBufferBytes) {
    buffer_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return {};
  }
  if (!writeAll(fd_, bytes)) return tl::unexpected(failure());
  return {};
}

Result<void> OutputFile::write(std::string_view text) {
  return write(std::as_bytes(std::span(text)));
}

Result<void> OutputFile::flush() {
  assert(fd_ >= 0);
  const bool written = writeAll(fd_, std::as_bytes(std::span(buffer_)));
  buffer_.clear();  // never twice: a part of it may be in the file
  if (!written) return tl::unexpected(failure());
  return {};
}

Result<void> OutputFile::keep() {
  if (auto flushed = flush(); !flushed) return flushed;
  if (!syncFile(fd_)) return tl::unexpected(failure());
  // A network file system may tell only now that its disk is full.
  if (close(std::exchange(fd_, -1)) != 0 || rename(part_.c_str(), target_.c_str()) != 0) {
    Error failed = failure();
    if (unfinished_ == Unfinished::kRemove) discard();
    return tl::unexpected(std::move(failed));
  }
  part_.clear();
  if (!syncFolderOf(target_)) return tl::unexpected(failure());
  return {};
}

}  // namespace waferpair::base
