// SPDX-License-Identifier: GPL-3.0-or-later
// The words of a program's text, line by line, and what statements are made of: numbers, ranges,
// places in SRAM. The first problem is kept, with its line, and ends the reading; what is read
// behind it means nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/mesh/program.h"

namespace waferpair::mesh {

class TextWords {
 public:
  struct IndexRange {
    int first = 0, last = 0;
  };
  struct SramPlace {  // TYPE@ADDRESS/STRIDE/STEP
    Type type = Type::F32;
    std::uint32_t address = 0;
    int stride = 1, step = 0;
  };
  // The words of a line, to be read later.
  struct StatementText {
    std::vector<std::string_view> words;
    int line = 0;
  };

  explicit TextWords(std::string_view text) : text_(text) {}

  // Goes to the next line that has words; false at the end.
  bool nextLine();
  StatementText statement() const { return {words_, line_}; }
  // Goes to the first word of a statement, to read it once more.
  void returnTo(const StatementText& statement);
  int line() const { return line_; }  // 0: none yet

  const std::optional<base::Error>& problem() const { return problem_; }
  void fail(const std::string& what, const std::string& remedy);

  bool more() const { return next_ < words_.size(); }
  std::string_view peek() const { return more() ? words_[next_] : std::string_view(); }
  bool accept(std::string_view word);
  std::string_view word(const char* what);
  void noMore();  // in this line

  // A number that is out of range is a problem; `least` is returned in its place.
  int integer(const char* what, int least, int most) {
    return integerOf(word(what), what, least, most);
  }
  int integerOf(std::string_view from, const char* what, int least, int most);
  float real(std::string_view from);
  IndexRange range(const char* what, int size);  // "3", "1..6" or "*"
  static std::optional<Type> typeOf(std::string_view name);
  SramPlace place(std::string_view from);

 private:
  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 0;
  std::vector<std::string_view> words_;
  std::size_t next_ = 0;
  std::optional<base::Error> problem_;
};

}  // namespace waferpair::mesh
