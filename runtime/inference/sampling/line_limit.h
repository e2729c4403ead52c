// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>

namespace waferpair::inference {

// Cuts a stream of text in front of the end of its last allowed line.
class LineLimit {
 public:
  explicit LineLimit(int lines) : left_(lines), limited_(lines > 0) {}

  // True when `text` was cut: the stream ends here.
  bool cut(std::string& text) {
    if (!limited_) return false;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '\n') {
        if (written_ && --left_ == 0) {
          text.resize(i);
          return true;
        }
        written_ = false;
      } else if (text[i] != ' ' && text[i] != '\t' && text[i] != '\r') {
        written_ = true;
      }
    }
    return false;
  }

 private:
  int left_;
  bool limited_;
  bool written_ = false;  // the present line holds more than blanks
};

}  // namespace waferpair::inference
