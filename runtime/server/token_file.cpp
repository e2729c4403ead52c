// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/token_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <utility>

namespace waferpair::server {
namespace {

namespace fs = std::filesystem;

constexpr size_t kDigits = 64;
constexpr std::string_view kExtension = ".token";

std::string systemError() { return std::strerror(errno); }

base::Result<std::string> randomToken() {
  std::array<unsigned char, kDigits / 2> bytes;
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    return base::fail("No random numbers from the system: " + systemError() + ".");
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string token;
  for (const unsigned char byte : bytes) {
    token += kHex[byte >> 4];
    token += kHex[byte & 15];
  }
  return token;
}

bool isToken(std::string_view text) {
  return text.size() == kDigits && text.find_first_not_of("0123456789abcdef") == text.npos;
}

// The token, if the open file holds exactly one.
std::optional<std::string> tokenIn(int fd) {
  std::array<char, kDigits + 2> buffer;
  const ssize_t got = pread(fd, buffer.data(), buffer.size(), 0);
  if (got != static_cast<ssize_t>(kDigits + 1) || buffer[kDigits] != '\n') return std::nullopt;
  std::string token(buffer.data(), kDigits);
  return isToken(token) ? std::optional(token) : std::nullopt;
}

enum class Holder { kNobody, kLiveServer, kSomethingElse };

// Who the file at `path` belongs to, a token file by its looks or not.
Holder holderOf(const std::string& path, std::string* token = nullptr) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (fd < 0) return errno == ENOENT ? Holder::kNobody : Holder::kSomethingElse;
  const auto found = tokenIn(fd);
  Holder holder = Holder::kSomethingElse;
  if (found) holder = flock(fd, LOCK_EX | LOCK_NB) == 0 ? Holder::kNobody : Holder::kLiveServer;
  if (found && token) *token = *found;
  close(fd);
  return holder;
}

bool writeAll(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t put = write(fd, text.data(), text.size());
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    text.remove_prefix(static_cast<size_t>(put));
  }
  return true;
}

}  // namespace

bool equalInConstantTime(std::string_view a, std::string_view b) {
  // The length of a token is no secret.
  if (a.size() != b.size()) return false;
  volatile unsigned char difference = 0;
  for (size_t i = 0; i < a.size(); ++i)
    difference = difference | static_cast<unsigned char>(a[i] ^ b[i]);
  return difference == 0;
}

base::Result<std::string> TokenFile::directory() {
  std::string path;
  if (const char* runtime = std::getenv("XDG_RUNTIME_DIR"); runtime && *runtime == '/')
    path = std::string(runtime) + "/waferpair";
  else if (const char* home = std::getenv("HOME"); home && *home == '/')
    // A folder of its own: the editor keeps its state beside it, with the rights it likes.
    path = std::string(home) + "/.local/state/waferpair/servers";
  else
    return base::fail("Neither XDG_RUNTIME_DIR nor HOME names a folder for the access token.",
                      "Set one of them, or choose a file with --token-file.");
  std::error_code error;
  fs::create_directories(fs::path(path).parent_path(), error);
  if (mkdir(path.c_str(), 0700) != 0 && errno != EEXIST)
    return base::fail("The folder " + path + " cannot be made: " + systemError() + ".",
                      "Choose another place with --token-file.");
  struct stat info;
  if (lstat(path.c_str(), &info) != 0 || !S_ISDIR(info.st_mode) || info.st_uid != geteuid() ||
      (info.st_mode & 077) != 0)
    return base::fail(path + " is not a folder that only you can enter.",
                      "Run: chmod 700 " + path + " (or remove it).");
  return path;
}

base::Result<TokenFile> TokenFile::create(const std::string& path) {
  const auto failure = [&path](const char* doing) {
    return base::fail("The token file " + path + " cannot be " + doing + ": " + systemError() + ".",
                      "Choose another place with --token-file.");
  };
  auto token = randomToken();
  if (!token) return tl::unexpected(token.error());
  switch (holderOf(path)) {
    case Holder::kLiveServer:
      return base::fail("The token file " + path + " belongs to a server that runs.",
                        "Stop that server, or choose another --token-file.");
    case Holder::kSomethingElse:
      return base::fail(path + " exists and is not a token file.", "Choose another --token-file.");
    case Holder::kNobody:
      break;
  }
  // Written and locked under a name of its own first: whoever sees it at `path` sees all of it,
  // with the lock already held. The name is ours alone by O_EXCL.
  const std::string unfinished = path + "." + std::to_string(getpid());
  const int fd = open(unfinished.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd < 0) return failure("made");
  TokenFile file(unfinished, *token, fd);  // removes it on the ways out below
  if (fchmod(fd, 0600) != 0 || flock(fd, LOCK_EX | LOCK_NB) != 0 || !writeAll(fd, *token + "\n"))
    return failure("written");
  if (rename(unfinished.c_str(), path.c_str()) != 0) return failure("put in place");
  file.path_ = path;
  return file;
}

TokenFile::TokenFile(std::string path, std::string token, int fd)
    : path_(std::move(path)), token_(std::move(token)), fd_(fd) {}

TokenFile::TokenFile(TokenFile&& other) noexcept
    : path_(std::move(other.path_)),
      token_(std::move(other.token_)),
      fd_(std::exchange(other.fd_, -1)) {}

TokenFile& TokenFile::operator=(TokenFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(token_, other.token_);
  std::swap(fd_, other.fd_);
  return *this;
}

TokenFile::~TokenFile() {
  if (fd_ < 0) return;
  // Only if it is still this file: someone may have replaced it.
  struct stat ours, there;
  if (fstat(fd_, &ours) == 0 && lstat(path_.c_str(), &there) == 0 && ours.st_ino == there.st_ino &&
      ours.st_dev == there.st_dev)
    unlink(path_.c_str());
  close(fd_);
}

std::vector<RunningServer> runningServers() {
  std::vector<RunningServer> servers;
  const auto directory = TokenFile::directory();
  if (!directory) return servers;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(*directory, error)) {
    if (entry.path().extension() != kExtension) continue;
    const std::string stem = entry.path().stem().string();
    RunningServer server;
    const auto parsed = std::from_chars(stem.data(), stem.data() + stem.size(), server.port);
    if (parsed.ec != std::errc() || parsed.ptr != stem.data() + stem.size()) continue;
    if (holderOf(entry.path().string(), &server.token) == Holder::kLiveServer)
      servers.push_back(std::move(server));
  }
  std::sort(servers.begin(), servers.end(),
            [](const RunningServer& a, const RunningServer& b) { return a.port < b.port; });
  return servers;
}

base::Result<std::string> readToken(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0)
    return base::fail("The token file " + path + " cannot be read: " + systemError() + ".",
                      "waferd names its token file when it starts.");
  auto token = tokenIn(fd);
  close(fd);
  if (!token)
    return base::fail(path + " is not a token file of waferd.",
                      "waferd names its token file when it starts.");
  return *token;
}

}  // namespace waferpair::server
