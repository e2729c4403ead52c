// SPDX-License-Identifier: GPL-3.0-or-later
// Text as characters with the Unicode properties that pre-tokenizers ask for. Private to this room.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace waferpair::tokenizer {

// A character has at most one of these, by its general category, and kSpace beside it. None:
// control and format characters, private use, unassigned.
enum CharacterClass : std::uint8_t {
  kCapital = 1,      // Lu, Lt
  kSmall = 2,        // Ll
  kOtherLetter = 4,  // Lm, Lo
  kMark = 8,         // M
  kNumber = 16,      // N
  kPunctuation = 32,
  kSymbol = 64,
  kSpace = 128,  // the property White_Space
  kLetter = kCapital | kSmall | kOtherLetter,
};

struct Character {
  char32_t value;
  std::uint8_t classes;
  std::size_t end;  // offset behind it
  bool is(std::uint8_t any) const { return (classes & any) != 0; }
  bool isNewline() const { return value == '\n' || value == '\r'; }
};

using Characters = std::vector<Character>;

// Bytes that do not form a character are read as U+FFFD, which is a symbol.
Characters readCharacters(std::string_view text);

}  // namespace waferpair::tokenizer
