// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/grammar/utf8_ranges.h"

#include <algorithm>

namespace waferpair::grammar {
namespace {

// The last character of each length, and where the surrogates are.
constexpr std::uint32_t kBounds[] = {0x7f, 0x7ff, 0xd7ff, 0xdfff, 0xffff, kLastCharacter};

std::vector<std::uint8_t> encode(std::uint32_t c) {
  const auto tail = [&](int shift) {
    return static_cast<std::uint8_t>(0x80 | (c >> shift & 0x3f));
  };
  if (c < 0x80) return {static_cast<std::uint8_t>(c)};
  if (c < 0x800) return {static_cast<std::uint8_t>(0xc0 | c >> 6), tail(0)};
  if (c < 0x10000) return {static_cast<std::uint8_t>(0xe0 | c >> 12), tail(6), tail(0)};
  return {static_cast<std::uint8_t>(0xf0 | c >> 18), tail(12), tail(6), tail(0)};
}

// Cuts a range of one encoded length until each byte of the last character is independent of those
// before it.
void split(CharacterRange range, std::vector<std::vector<ByteRange>>& rows) {
  const auto first = encode(range.first), last = encode(range.last);
  for (std::size_t i = 1; i < first.size(); ++i) {
    const std::uint32_t mask = (1u << 6 * i) - 1;
    if ((range.first & ~mask) == (range.last & ~mask)) continue;
    std::uint32_t cut = 0;  // the last character of the first part
    if ((range.first & mask) != 0)
      cut = range.first | mask;
    else if ((range.last & mask) != mask)
      cut = (range.last & ~mask) - 1;
    else
      continue;
    split({range.first, cut}, rows);
    return split({cut + 1, range.last}, rows);
  }
  std::vector<ByteRange>& row = rows.emplace_back();
  for (std::size_t i = 0; i < first.size(); ++i) row.push_back({first[i], last[i]});
}

}  // namespace

std::vector<std::vector<ByteRange>> utf8Ranges(CharacterRange range) {
  std::vector<std::vector<ByteRange>> rows;
  std::uint32_t from = 0;
  for (const std::uint32_t bound : kBounds) {
    const CharacterRange part{std::max(range.first, from), std::min(range.last, bound)};
    if (part.first <= part.last && bound != 0xdfff) split(part, rows);
    from = bound + 1;
  }
  return rows;
}

std::vector<CharacterRange> merged(std::vector<CharacterRange> ranges) {
  std::sort(ranges.begin(), ranges.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<CharacterRange> all;
  for (const CharacterRange& range : ranges) {
    if (!all.empty() && range.first <= all.back().last + 1)
      all.back().last = std::max(all.back().last, range.last);
    else
      all.push_back(range);
  }
  return all;
}

std::vector<CharacterRange> complement(const std::vector<CharacterRange>& ranges) {
  std::vector<CharacterRange> rest;
  std::uint32_t from = 0;
  for (const CharacterRange& range : merged(ranges)) {
    if (range.first > from) rest.push_back({from, range.first - 1});
    from = range.last + 1;
  }
  if (from <= kLastCharacter) rest.push_back({from, kLastCharacter});
  return rest;
}

}  // namespace waferpair::grammar
