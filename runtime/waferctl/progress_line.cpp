// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/waferctl/progress_line.h"

#include <unistd.h>

#include <algorithm>
#include <iostream>

namespace waferpair::waferctl {

ProgressLine::ProgressLine() : terminal_(isatty(STDERR_FILENO) == 1) {}

ProgressLine::~ProgressLine() {
  if (shown_ > 0) std::cerr << '\r' << std::string(shown_, ' ') << '\r' << std::flush;
}

bool ProgressLine::due() {
  const auto now = std::chrono::steady_clock::now();
  if (!terminal_ || now < next_) return false;
  next_ = now + std::chrono::milliseconds(200);
  return true;
}

void ProgressLine::show(const std::string& text) {
  const std::size_t over = std::max(shown_, text.size()) - text.size();
  std::cerr << '\r' << text << std::string(over, ' ') << std::flush;
  shown_ = text.size();
}

}  // namespace waferpair::waferctl
