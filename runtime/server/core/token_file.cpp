// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/core/token_file.h"

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

#include "runtime/base/private_folder.h"

namespace waferpair::server {
namespace {

namespace fs = std::filesystem;

constexpr size_t kDigits = 64;
constexpr std::string_view kExtension = ".token";

std::string systemError() { return std::strerror(errno); }

bool isToken(std::string_view text) {
  return text.size() == kDigits && text.find_first_not_of("0123456789abcdef") == text.npos;
}

enum class Holder { kNobody, kLiveServer, kSomethingElse };

// Returns the holder of the file at `path`, whether it looks like a token file or not.
Holder holderOf(const std::string& path, std::string* token = nullptr) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (fd < 0) return errno == ENOENT ? Holder::kNobody : Holder::kSomethingElse;
  const auto found = tokenIn(fd);
  Holder holder = Holder::kSomethingElse;
  if (found) holder = base::FileLock::isHeld(fd) ? Holder::kLiveServer : Holder::kNobody;
  if (found && token) *token = *found;
  close(fd);
  return holder;
}

// While it lives, no other process replaces or removes token files in `folder`. It is used only in
// a folder that is the user's alone: anyone who can open another may hold its lock forever.
class FolderLock {
 public:
  explicit FolderLock(const std::string& folder)
      : fd_(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)) {
    struct stat info;
    if (fd_ < 0 || fstat(fd_, &info) != 0 || info.st_uid != geteuid() || (info.st_mode & 077) != 0)
      return;
    while (flock(fd_, LOCK_EX) != 0 && errno == EINTR) {
    }
  }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  ~FolderLock() {
    if (fd_ >= 0) close(fd_);
  }

 private:
  int fd_;
};

std::optional<unsigned> numberIn(std::string_view digits) {
  unsigned number = 0;
  const char* end = digits.data() + digits.size();
  const auto parsed = std::from_chars(digits.data(), end, number);
  return parsed.ec == std::errc() && parsed.ptr == end ? std::optional(number) : std::nullopt;
}

// "PORT.token", or "PORT.token.PID", which is one that was never put in place.
struct TokenName {
  std::uint16_t port = 0;
  bool unfinished = false;

  static std::optional<TokenName> of(fs::path name) {
    const bool unfinished = name.extension() != kExtension;
    if (unfinished) {
      const std::string pid = name.extension().string();
      if (pid.size() < 2 || !numberIn(std::string_view(pid).substr(1))) return std::nullopt;
      name = name.stem();
    }
    const auto port = numberIn(name.stem().string());
    if (name.extension() != kExtension || !port || *port > 65535) return std::nullopt;
    return TokenName{static_cast<std::uint16_t>(*port), unfinished};
  }
};

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

std::optional<std::string> tokenIn(int fd) {
  std::array<char, kDigits + 2> buffer;
  const ssize_t got = pread(fd, buffer.data(), buffer.size(), 0);
  if (got != static_cast<ssize_t>(kDigits + 1) || buffer[kDigits] != '\n') return std::nullopt;
  std::string token(buffer.data(), kDigits);
  return isToken(token) ? std::optional(token) : std::nullopt;
}

bool equalInConstantTime(std::string_view a, std::string_view b) {
  // The length of a token is not a secret.
  if (a.size() != b.size()) return false;
  volatile unsigned char difference = 0;
  for (size_t i = 0; i < a.size(); ++i)
    difference = difference | static_cast<unsigned char>(a[i] ^ b[i]);
  return difference == 0;
}

base::Result<std::string> TokenFile::directory() {
  return base::privateFolder("Choose another place with --token-file.");
}

base::Result<TokenFile> TokenFile::create(const std::string& path) {
  const auto failure = [&path](const char* doing) {
    return base::fail("The token file " + path + " cannot be " + doing + ": " + systemError() + ".",
                      "Choose another place with --token-file.");
  };
  auto token = randomToken();
  if (!token) return tl::unexpected(token.error());
  const FolderLock alone(fs::path(path).parent_path().string());
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
  // with the lock already held. The name is ours alone by O_EXCL; gone wrong, the file goes.
  const std::string unfinished = path + "." + std::to_string(getpid());
  auto lock = base::FileLock::create(unfinished);
  if (!lock) return failure("made");
  if (fchmod(lock->descriptor(), 0600) != 0 || !writeAll(lock->descriptor(), *token + "\n"))
    return failure("written");
  if (!lock->moveTo(path)) return failure("put in place");
  return TokenFile(std::move(*lock), std::move(*token));
}

void removeTokensOfDeadServers() {
  const auto directory = TokenFile::directory();
  if (!directory) return;
  const FolderLock quiet(*directory);
  std::error_code error;
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(*directory, error))
    files.push_back(entry.path());
  for (const fs::path& path : files) {
    const auto name = TokenName::of(path.filename());
    if (!name) continue;
    // It can be locked, so its server is dead; and it goes with the lock.
    auto leftover = base::FileLock::take(path.string());
    if (leftover && !name->unfinished && !tokenIn(leftover->descriptor())) leftover->leave();
  }
}

std::vector<RunningServer> runningServers() {
  std::vector<RunningServer> servers;
  const auto directory = TokenFile::directory();
  if (!directory) return servers;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(*directory, error)) {
    const auto name = TokenName::of(entry.path().filename());
    if (!name || name->unfinished) continue;
    RunningServer server{name->port, {}};
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
