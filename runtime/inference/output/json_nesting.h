// SPDX-License-Identifier: GPL-3.0-or-later
// Follows a JSON object or list, letter by letter, to its end.
#pragma once

namespace waferpair::inference {

class JsonNesting {
 public:
  // Takes the next letter, of which the first is a bracket. Returns whether the value ends with it.
  bool endsWith(char c) {
    if (inString_) {
      inString_ = escaped_ || c != '"';
      escaped_ = !escaped_ && c == '\\';
    } else if (c == '"') {
      inString_ = true;
    } else if (c == '{' || c == '[') {
      ++depth_;
    } else if (c == '}' || c == ']') {
      return --depth_ == 0;
    }
    return false;
  }

 private:
  int depth_ = 0;
  bool inString_ = false, escaped_ = false;
};

}  // namespace waferpair::inference
