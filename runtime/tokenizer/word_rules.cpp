// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/tokenizer/word_rules.h"

#include "runtime/tokenizer/han_ranges.h"

namespace waferpair::tokenizer {
namespace {

bool isHan(const Character& c) { return c.value >= kHan[0].first && inRanges(kHan, c.value); }
bool isSpace(const Character& c) { return c.is(kSpace); }

// Returns the character to compare with the letter of a contraction. U+017F is the other small s,
// which expressions that ignore case treat as an s.
char32_t folded(char32_t c) {
  if (c >= 'A' && c <= 'Z') return c + ('a' - 'A');
  return c == 0x17f ? 's' : c;
}

// 's 't 're 've 'm 'll 'd
std::size_t contraction(const Characters& text, std::size_t at, std::size_t last, bool anyCase) {
  if (at + 1 >= last || text[at].value != '\'') return 0;
  const auto letter = [&](std::size_t i) {
    return anyCase ? folded(text[i].value) : text[i].value;
  };
  const char32_t one = letter(at + 1);
  if (one == 's' || one == 't' || one == 'm' || one == 'd') return 2;
  if (at + 2 >= last) return 0;
  const char32_t two = letter(at + 2);
  const bool pair =
      (one == 'r' && two == 'e') || (one == 'v' && two == 'e') || (one == 'l' && two == 'l');
  return pair ? 3 : 0;
}

// \s+(?!\S)|\s+: of several spaces the last is left to a word that follows.
std::size_t spaces(const Characters& text, std::size_t at, std::size_t last) {
  const std::size_t count = countWhile(text, at, last, isSpace);
  return count > 1 && at + count < last ? count - 1 : count;
}

// \s*[\r\n]+: through the last newline among the spaces.
std::size_t spacesToNewline(const Characters& text, std::size_t at, std::size_t last) {
  std::size_t count = countWhile(text, at, last, isSpace);
  while (count > 0 && !text[at + count - 1].isNewline()) --count;
  return count;
}

bool isAsciiLetter(const Character& c) { return c.value < 128 && c.is(kLetter); }
bool isAsciiPunctuation(const Character& c) {
  return c.value < 128 && c.is(kPunctuation | kSymbol);
}

// [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+, the end of it; `at` if there is none.
// If no small letter follows the capitals, the greedy first part gives back characters until the
// second can begin, which is at the last that may be in both.
std::size_t casedEnd(const Characters& text, std::size_t at, std::size_t last, bool hanApart) {
  constexpr std::uint8_t kBoth = kOtherLetter | kMark;
  const auto countOf = [&](std::size_t from, std::uint8_t classes) {
    return countWhile(text, from, last,
                      [=](const Character& c) { return c.is(classes) && !(hanApart && isHan(c)); });
  };
  std::size_t end = at + countOf(at, kCapital | kBoth);
  const std::size_t small = countOf(end, kSmall | kBoth);
  if (small != 0) return end + small;
  while (end > at && !text[end - 1].is(kBoth)) --end;
  return end;
}

std::size_t casedLength(const Characters& text, std::size_t at, std::size_t last, bool extra,
                        bool hanApart) {
  if (extra) {
    const std::size_t end = casedEnd(text, at + 1, last, hanApart);
    if (end > at + 1) return end - at;
  }
  if (const std::size_t end = casedEnd(text, at, last, hanApart); end > at) return end - at;
  // Capitals alone: nothing that could stand in the second part is among them.
  const std::size_t start = extra ? at + 1 : at;
  const std::size_t capitals =
      countWhile(text, start, last, [](const Character& c) { return c.is(kCapital); });
  return capitals != 0 ? start + capitals - at : 0;
}

std::size_t letters(const WordShape& shape, const Characters& text, std::size_t at,
                    std::size_t last) {
  const bool extra = !text[at].isNewline() && !text[at].is(shape.notInFront) && at + 1 < last;
  if (shape.cased) return casedLength(text, at, last, extra, shape.hanApart);
  const auto in = [&](const Character& c) { return c.is(shape.letters); };
  if (extra) {
    if (const std::size_t length = countWhile(text, at + 1, last, in); length != 0) {
      return 1 + length;
    }
  }
  return countWhile(text, at, last, in);
}

std::size_t symbols(const WordShape& shape, const Characters& text, std::size_t at,
                    std::size_t last) {
  const auto in = [&](const Character& c) {
    return !c.is(shape.notSymbols) && (shape.symbols == 0 || c.is(shape.symbols));
  };
  const std::size_t start = text[at].value == ' ' ? at + 1 : at;
  const std::size_t count = countWhile(text, start, last, in);
  if (count == 0) return 0;
  const std::size_t end = start + count;
  const std::size_t behind = countWhile(text, end, last, [&](const Character& c) {
    return shape.newlinesAfterSymbols &&
           (c.isNewline() || (shape.slashesAfterSymbols && c.value == '/'));
  });
  return end + behind - at;
}

}  // namespace

std::size_t gpt2Word(const Characters& text, std::size_t at, std::size_t last) {
  if (const std::size_t length = contraction(text, at, last, false); length != 0) return length;
  const std::size_t start = text[at].value == ' ' && at + 1 < last ? at + 1 : at;
  constexpr std::uint8_t kKinds = kLetter | kNumber | kSpace;
  const auto kindOf = [](const Character& c) {
    return c.is(kLetter) ? static_cast<std::uint8_t>(kLetter)
                         : static_cast<std::uint8_t>(c.classes & kKinds);
  };
  const std::uint8_t kind = kindOf(text[start]);
  if (kind == kSpace) return spaces(text, at, last);
  const auto same = [&](const Character& c) { return kindOf(c) == kind; };
  return start - at + countWhile(text, start, last, same);
}

std::size_t shapedWord(const WordShape& shape, const Characters& text, std::size_t at,
                       std::size_t last) {
  if (shape.hanApart) {
    if (const std::size_t length = countWhile(text, at, last, isHan); length != 0) return length;
  }
  if (shape.contraction == WordShape::kInFront) {
    if (const std::size_t length = contraction(text, at, last, true); length != 0) return length;
  }
  if (shape.nameAfterPunctuation && isAsciiPunctuation(text[at])) {
    const std::size_t name = countWhile(text, at + 1, last, isAsciiLetter);
    if (name != 0) return 1 + name;
  }
  if (const std::size_t length = letters(shape, text, at, last); length != 0) {
    if (shape.contraction != WordShape::kBehind) return length;
    return length + contraction(text, at + length, last, true);
  }
  const std::size_t most = std::min(last, shape.digits < last - at ? at + shape.digits : last);
  const std::size_t digits =
      countWhile(text, at, most, [](const Character& c) { return c.is(kNumber); });
  if (digits != 0) return digits;
  if (const std::size_t length = symbols(shape, text, at, last); length != 0) return length;
  if (const std::size_t length = spacesToNewline(text, at, last); length != 0) return length;
  return spaces(text, at, last);
}

std::size_t newline(const Characters& text, std::size_t at, std::size_t) {
  return text[at].isNewline() ? 1 : 0;
}

std::size_t spacesAtEnd(const Characters& text, std::size_t at, std::size_t last) {
  // A run is looked at from its first space only, else a long one would be looked at again and
  // again. (A piece that begins within a run and has nothing else is whole either way.)
  if (!isSpace(text[at]) || (at > 0 && isSpace(text[at - 1]))) return 0;
  const std::size_t count = countWhile(text, at, last, isSpace);
  return at + count == last ? count : 0;
}

}  // namespace waferpair::tokenizer
