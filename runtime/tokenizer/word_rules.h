// SPDX-License-Identifier: GPL-3.0-or-later
// The parts that pre-tokenizers are put together from: each rule does what a regular expression of
// the published tokenizers does, but in linear time. Private to this room.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>

#include "runtime/tokenizer/characters.h"

namespace waferpair::tokenizer {

// A rule that returns how many characters from `at` on it takes; 0 if it does not apply. It sees
// only the characters before `last`, as if the text ended there.
using WordRule = std::size_t (*)(const Characters& text, std::size_t at, std::size_t last);

// Returns how many characters from `at` on `in` holds for.
template <typename Predicate>
std::size_t countWhile(const Characters& text, std::size_t at, std::size_t last, Predicate&& in) {
  const std::size_t first = at;
  while (at < last && in(text[at])) ++at;
  return at - first;
}

// An alternative of the expressions that came with GPT-4's cl100k and after:
//   contraction | [^\r\n...]?letters+ | \p{N}{1,n} |  ?symbols+[\r\n]* | \s*[\r\n]+ |
//   \s+(?!\S) | \s+
// Kimi's has [\p{Han}]+ in front of all, and no such character in words of letters.
struct WordShape {
  enum Contraction : std::uint8_t {
    kNone,
    kInFront,  // a word of its own: (?i:'s|'t|'re|'ve|'m|'ll|'d)
    kBehind,   // part of the word in front of it
  };
  Contraction contraction = kInFront;
  std::uint8_t letters = kLetter;
  bool cased = false;  // words are cut in front of capitals: [\p{Lu}...]*[\p{Ll}...]+
  std::uint8_t notInFront = kLetter | kNumber;  // beside \r\n; any other may begin a word
  bool nameAfterPunctuation = false;            // first of all [ASCII punctuation][A-Za-z]+
  std::size_t digits = 3;                       // most in a word
  std::uint8_t symbols = 0;                     // 0: all but spaces, letters and numbers
  std::uint8_t notSymbols = kSpace | kLetter | kNumber;
  bool newlinesAfterSymbols = true;
  bool slashesAfterSymbols = false;  // [\r\n/]*
  bool hanApart = false;             // of a cased shape
};

// GPT-2: 's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
std::size_t gpt2Word(const Characters& text, std::size_t at, std::size_t last);

std::size_t shapedWord(const WordShape& shape, const Characters& text, std::size_t at,
                       std::size_t last);
template <WordShape kShape>
std::size_t shapedWord(const Characters& text, std::size_t at, std::size_t last) {
  return shapedWord(kShape, text, at, last);
}

// \p{N}{1,most}
template <std::size_t kMost>
std::size_t numbers(const Characters& text, std::size_t at, std::size_t last) {
  const std::size_t end = kMost < last - at ? at + kMost : last;
  return countWhile(text, at, end, [](const Character& c) { return c.is(kNumber); });
}
inline constexpr std::size_t kAnyNumber = std::numeric_limits<std::size_t>::max();

// [\r\n]
std::size_t newline(const Characters& text, std::size_t at, std::size_t last);
// \s+$
std::size_t spacesAtEnd(const Characters& text, std::size_t at, std::size_t last);

// \s?[...]+
template <typename Predicate>
std::size_t spaceAndRun(const Characters& text, std::size_t at, std::size_t last, Predicate&& in) {
  if (text[at].is(kSpace)) {
    const std::size_t length = countWhile(text, at + 1, last, in);
    if (length != 0) return 1 + length;
  }
  return countWhile(text, at, last, in);
}
template <std::uint8_t kClasses>
std::size_t spaceAndRun(const Characters& text, std::size_t at, std::size_t last) {
  return spaceAndRun(text, at, last, [](const Character& c) { return c.is(kClasses); });
}

struct CharacterRange {
  char32_t first, last;
};
// Returns true if sorted ranges hold a character.
template <std::size_t kCount>
bool inRanges(const CharacterRange (&ranges)[kCount], char32_t character) {
  const auto* range =
      std::upper_bound(std::begin(ranges), std::end(ranges), character,
                       [](char32_t c, const CharacterRange& r) { return c < r.first; });
  return range != std::begin(ranges) && character <= std::prev(range)->last;
}

}  // namespace waferpair::tokenizer
