// SPDX-License-Identifier: GPL-3.0-or-later
// The secret that lets a client in: 256 random bits in a file that only the user can read, as long
// as its server lives. The server keeps the file locked, and the kernel lets go of the lock when
// the server dies in whatever way: so a file that can be locked is a leftover and not a server.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/base/file_lock.h"
#include "runtime/base/result.h"

namespace waferpair::server {

// A new secret: 64 hexadecimal digits.
base::Result<std::string> randomToken();
// The secret, if the open file holds exactly one, and a newline.
std::optional<std::string> tokenIn(int fd);

// True if equal; the time it takes tells nothing about where they differ.
bool equalInConstantTime(std::string_view a, std::string_view b);

class TokenFile {
 public:
  // Returns the folder where servers put their tokens: base::privateFolder().
  static base::Result<std::string> directory();

  // Makes `path` with mode 0600 and a fresh token. The file appears complete or not at all. A
  // leftover of a dead server is replaced; any other file there is an error.
  static base::Result<TokenFile> create(const std::string& path);

  const std::string& path() const { return lock_.path(); }
  const std::string& token() const { return token_; }  // 64 hexadecimal digits

 private:
  TokenFile(base::FileLock lock, std::string token)
      : lock_(std::move(lock)), token_(std::move(token)) {}

  base::FileLock lock_;  // removes the file when it goes
  std::string token_;
};

// Removes the files that killed servers left in directory(), and none of a server that lives.
void removeTokensOfDeadServers();

// A server that runs now, as a client on this computer finds it.
struct RunningServer {
  std::uint16_t port = 0;
  std::string token;
};

// Returns the running servers by the token files of directory(), each with the port in the file's
// name.
std::vector<RunningServer> runningServers();

// The token in a file; the error names the file.
base::Result<std::string> readToken(const std::string& path);

}  // namespace waferpair::server
