// SPDX-License-Identifier: GPL-3.0-or-later
// A line for each thing an operator may want to know later. Never text of documents or prompts,
// never the token. Any thread.
#pragma once

#include <cstdio>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "runtime/base/result.h"

namespace waferpair::server {

class Log {
 public:
  // Writes nowhere.
  Log() = default;
  // Appends to `path`, made with mode 0600; "-" is standard error.
  static base::Result<std::unique_ptr<Log>> open(const std::string& path);
  ~Log();
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  void line(std::string_view text);

 private:
  std::FILE* file_ = nullptr;
  bool owned_ = false;
  std::mutex mutex_;
};

}  // namespace waferpair::server
