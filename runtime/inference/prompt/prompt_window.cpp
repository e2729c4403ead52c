// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/prompt/prompt_window.h"

#include <algorithm>

namespace waferpair::inference {
namespace {

// The least multiple of a quarter of `budget` that leaves at most `budget` of `size`.
size_t steppedExcess(size_t size, size_t budget) {
  if (size <= budget) return 0;
  const size_t step = std::max<size_t>(budget / 4, 1);
  return (size - budget + step - 1) / step * step;
}

size_t prefixStart(std::string_view text, size_t offset, size_t budget) {
  const size_t least = std::min(steppedExcess(offset, budget), offset);
  if (least == 0) return 0;
  // The first line start at or behind `least`; it stays the same while the cursor moves on.
  const size_t lineEnd = text.find('\n', least - 1);
  if (lineEnd < offset && lineEnd + 1 - least < std::max<size_t>(budget / 4, 1)) return lineEnd + 1;
  size_t start = least;
  while (!isCharacterBoundary(text, start)) ++start;
  return start;
}

size_t suffixEnd(std::string_view text, size_t offset, size_t budget) {
  if (text.size() - offset <= budget) return text.size();
  const std::string_view most = text.substr(offset, budget);
  const size_t lineEnd = most.rfind('\n');
  if (lineEnd != std::string_view::npos) return offset + lineEnd + 1;
  size_t end = offset + budget;
  while (end > offset && !isCharacterBoundary(text, end)) --end;
  return end;
}

}  // namespace

bool isCharacterBoundary(std::string_view text, size_t offset) {
  return offset >= text.size() || (static_cast<unsigned char>(text[offset]) & 0xC0) != 0x80;
}

PromptWindow cutWindow(std::string_view text, size_t offset, size_t prefixBytes, size_t suffixBytes,
                       size_t aroundBytes) {
  const size_t start = prefixStart(text, offset, prefixBytes);
  const size_t end = suffixEnd(text, offset, suffixBytes);
  const size_t first = prefixStart(text.substr(0, start), start, aroundBytes);
  const size_t last = suffixEnd(text, end, aroundBytes);
  return {.prefix = text.substr(start, offset - start),
          .suffix = text.substr(offset, end - offset),
          .above = text.substr(first, start - first),
          .below = text.substr(end, last - end),
          .fromStart = first == 0};
}

size_t tokensToDrop(size_t count, size_t budget) {
  return std::min(steppedExcess(count, budget), count);
}

}  // namespace waferpair::inference
