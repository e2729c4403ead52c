// SPDX-License-Identifier: GPL-3.0-or-later
// Ends a stream of text in front of the first of some strings. Text that could be the beginning of
// one is held back until it is known.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace waferpair::inference {

class StopStrings {
 public:
  // Empty strings are ignored.
  explicit StopStrings(std::vector<std::string> strings);

  // What may be shown after `text` came; nothing once found().
  std::string push(std::string_view text);
  bool found() const { return found_; }
  // The stream is over without one: what was held back.
  std::string flush();

 private:
  std::vector<std::string> strings_;
  std::string held_;
  bool found_ = false;
};

}  // namespace waferpair::inference
