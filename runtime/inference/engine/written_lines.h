// SPDX-License-Identifier: GPL-3.0-or-later
// The latest lines of a text that a model goes on with. A small one would write the same ones again
// and again.
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>

namespace waferpair::inference {

class WrittenLines {
 public:
  static constexpr std::size_t kKept = 64;
  // A line is not repeated within so many, one of at least kLong bytes within all that are kept,
  // and none twice. Of little but marks, it may stand twice within so many.
  static constexpr std::size_t kNear = 6, kLong = 12;
  // So many lines in a row may differ in their names and numbers only. Further apart, too, unless
  // one has a name of at least kWord bytes that stands in none of the lines.
  static constexpr std::size_t kAlike = 3, kWord = 3;

  // The text goes on with this.
  void add(std::string_view text);
  // The line that is begun has more than blanks.
  bool isInLine() const;
  // Whether the line that is begun would be a repetition, if it went on with `rest` and ended.
  // Closing brackets never are.
  bool wouldRepeat(std::string_view rest) const;

 private:
  bool tellsSomethingNew(std::string_view line) const;

  struct Written {
    std::string text;   // without indentation
    std::string shape;  // with one letter for each name and number
  };
  std::deque<Written> lines_;
  std::string begun_;  // of the last one, with its indentation
};

}  // namespace waferpair::inference
