// SPDX-License-Identifier: GPL-3.0-or-later
// The other end of a window's automation socket: one JSON-RPC request a line, one answer a line.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "runtime/base/result.h"

namespace waferpair::waferctl {

// The socket of the only window that can be driven; an error where there is none, or several.
base::Result<std::string> findIdeSocket();

class IdeClient {
 public:
  // Refuses a socket at whose other end is another user.
  static base::Result<IdeClient> connect(const std::string& path);
  IdeClient(IdeClient&& other) noexcept;
  IdeClient& operator=(IdeClient&&) = delete;
  ~IdeClient();

  // Waits for the answer as long as it takes. An error is the window's own, with its remedy, or
  // says that the connection broke.
  base::Result<nlohmann::json> call(const std::string& method, const nlohmann::json& params);

 private:
  explicit IdeClient(int fd) : fd_(fd) {}
  base::Result<std::string> readLine();

  int fd_;
  int lastId_ = 0;
  std::string unread_;  // beyond the last line
};

}  // namespace waferpair::waferctl
