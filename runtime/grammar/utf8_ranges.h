// SPDX-License-Identifier: GPL-3.0-or-later
// Ranges of characters as rows of ranges of bytes.
#pragma once

#include <cstdint>
#include <vector>

namespace waferpair::grammar {

inline constexpr std::uint32_t kLastCharacter = 0x10ffff;

struct CharacterRange {
  std::uint32_t first = 0;
  std::uint32_t last = 0;  // inclusive
};

struct ByteRange {
  std::uint8_t first = 0;
  std::uint8_t last = 0;  // inclusive
};

// Rows that together spell exactly the characters of the range in UTF-8. Surrogates, which are no
// characters, are left out.
std::vector<std::vector<ByteRange>> utf8Ranges(CharacterRange range);

// Sorted, without overlaps.
std::vector<CharacterRange> merged(std::vector<CharacterRange> ranges);
// Every character that is in none of them.
std::vector<CharacterRange> complement(const std::vector<CharacterRange>& ranges);

}  // namespace waferpair::grammar
