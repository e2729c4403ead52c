// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/core/user_token.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>

#include "runtime/base/output_file.h"
#include "runtime/base/private_folder.h"
#include "runtime/server/core/token_file.h"

namespace waferpair::server {
namespace {

constexpr const char* kRemedy = "Choose another folder with XDG_STATE_HOME.";

base::Result<std::string> tokenPath() {
  auto folder = base::privateStateFolder("access", kRemedy);
  if (!folder) return folder;
  return *folder + "/token";
}

// What nobody else can have read or written: so it is no link either.
std::optional<std::string> privateToken(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (fd < 0) return std::nullopt;
  struct stat info;
  const bool isPrivate = fstat(fd, &info) == 0 && S_ISREG(info.st_mode) &&
                         info.st_uid == geteuid() && (info.st_mode & 077) == 0;
  auto token = isPrivate ? tokenIn(fd) : std::nullopt;
  close(fd);
  return token;
}

}  // namespace

std::optional<std::string> userToken() {
  const auto folder = base::findPrivateStateFolder("access");
  return folder ? privateToken(*folder + "/token") : std::nullopt;
}

base::Result<std::string> needUserToken() {
  if (auto token = userToken()) return std::move(*token);
  return renewUserToken();
}

base::Result<std::string> renewUserToken() {
  const auto path = tokenPath();
  if (!path) return path;
  auto token = randomToken();
  if (!token) return token;
  // Whoever reads it meanwhile reads all of the old one or all of the new one.
  const std::string unfinished = *path + "." + std::to_string(getpid());
  const auto failure = [&](const std::string& named) {
    auto error = base::fail(named + " cannot be written: " + std::strerror(errno) + ".", kRemedy);
    unlink(unfinished.c_str());
    return error;
  };
  unlink(unfinished.c_str());  // of a process that died
  const int fd = open(unfinished.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0) return failure(unfinished);
  const std::string line = *token + "\n";
  const bool written = fchmod(fd, 0600) == 0 &&
                       base::writeAll(fd, std::as_bytes(std::span(line))) && base::syncFile(fd);
  if (close(fd) != 0 || !written) return failure(unfinished);
  if (std::rename(unfinished.c_str(), path->c_str()) != 0) return failure(*path);
  return token;
}

}  // namespace waferpair::server
