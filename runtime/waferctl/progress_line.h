// SPDX-License-Identifier: GPL-3.0-or-later
// A line on standard error that says how far a command is. Nothing is written where standard error
// is no terminal.
#pragma once

#include <chrono>
#include <string>

namespace waferpair::waferctl {

class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine();  // takes the line away
  // Returns true if it is time for another text, which is a few times a second.
  bool due();
  void show(const std::string& text);

 private:
  bool terminal_;
  std::size_t shown_ = 0;  // characters
  std::chrono::steady_clock::time_point next_{};
};

}  // namespace waferpair::waferctl
