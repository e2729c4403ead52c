// SPDX-License-Identifier: GPL-3.0-or-later
// Checks that closing brackets close something: the bracket opened last in the text in front of
// them, unless the rest of the cursor's line closes it already.
//
// Strings and comments are told apart as far as that is cheap. If the text's own brackets do not
// fit, as behind an #if or where it is not understood, no bracket that follows is refused.
#pragma once

#include <string>
#include <string_view>

#include "runtime/inference/sampling/text_check.h"

namespace waferpair::inference {

// Reads code of one family of languages byte by byte. Any bytes will do.
class BracketReader {
 public:
  enum class Family { kNone, kC, kJavaScript, kPython };
  // Returns the family by a file's name; kNone: its brackets mean nothing.
  static Family familyOf(std::string_view fileName);
  // Tells the family by the code alone, by how its lines end: kC, kPython or kNone.
  static Family guess(std::string_view code);

  // `complete`: the text is read from its beginning, so nothing can be open but what was seen.
  BracketReader(Family family, bool complete) : family_(family), complete_(complete) {}

  // False from the first closing bracket on that does not fit, as fits().
  bool read(std::string_view bytes);
  bool fits() const { return fits_; }
  const std::string& open() const { return open_; }  // the innermost is the last
  bool inCode() const { return mode_ == Mode::kCode; }

 private:
  enum class Mode {
    kCode,
    kLineComment,
    kBlockComment,
    kString,        // up to quote_
    kTripleString,  // up to three of these
    kCharacter,     // behind ': one byte and another ', or it was none
  };
  void readByte(char byte);
  void readCode(char byte);
  void bracket(char byte);
  void openString(char quote);

  Family family_;
  bool complete_;
  bool fits_ = true;
  std::string open_;
  Mode mode_ = Mode::kCode;
  char quote_ = 0;
  char last_ = 0;   // byte, if it may change what the next one means
  int quotes_ = 0;  // in a row; of a string that may become, or end, a triple one
  int inCharacter_ = 0;
};

class BracketCheck : public TextCheck {
 public:
  // `reader` has read the text in front of the cursor; `suffix` is the text behind it.
  BracketCheck(BracketReader reader, std::string_view suffix);

  std::unique_ptr<TextCheck> clone() const override {
    return std::make_unique<BracketCheck>(*this);
  }
  Verdict judge(std::string_view bytes) const override;
  void came(std::string_view bytes) override;

 private:
  BracketReader reader_;
  std::size_t reserved_ = 0;  // on the cursor's line at least so many stay open
};

}  // namespace waferpair::inference
