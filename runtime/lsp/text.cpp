// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/lsp/text.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace waferpair::lsp {
namespace {

bool continues(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

// Units of a character, by its first byte.
std::int64_t unitsOf(char lead, PositionUnit unit) {
  const auto byte = static_cast<unsigned char>(lead);
  const int bytes = byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
  return unit == PositionUnit::kUtf8 ? bytes : bytes == 4 ? 2 : 1;
}

bool endsLine(std::string_view text, std::size_t at) {
  return text[at] == '\n' || (text[at] == '\r' && (at + 1 == text.size() || text[at + 1] != '\n'));
}

// The starts of the lines that begin behind line breaks that end in [from, to).
std::vector<std::size_t> startsIn(std::string_view text, std::size_t from, std::size_t to) {
  std::vector<std::size_t> starts;
  for (std::size_t at = from; at < to; ++at)
    if (endsLine(text, at)) starts.push_back(at + 1);
  return starts;
}

}  // namespace

Text::Text(std::string utf8) : utf8_(std::move(utf8)), starts_{0} {
  const auto found = startsIn(utf8_, 0, utf8_.size());
  starts_.insert(starts_.end(), found.begin(), found.end());
}

std::optional<std::size_t> Text::offsetOf(Position position, PositionUnit unit) const {
  if (position.line < 0 || position.character < 0) return std::nullopt;
  if (std::cmp_greater_equal(position.line, starts_.size())) return std::nullopt;
  const auto line = static_cast<std::size_t>(position.line);
  std::size_t at = starts_[line];
  const std::size_t end = lineEnd(line);
  std::int64_t left = position.character;
  while (left > 0 && at < end) {
    left -= unitsOf(utf8_[at], unit);
    do ++at;
    while (at < end && continues(utf8_[at]));
  }
  if (left < 0) return std::nullopt;
  return at;
}

Position Text::positionOf(std::size_t offset, PositionUnit unit) const {
  assert(offset <= utf8_.size());
  const std::size_t line = lineAt(offset);
  Position position{.line = static_cast<std::int64_t>(line)};
  for (std::size_t at = starts_[line]; at < offset; ++at)
    if (!continues(utf8_[at])) position.character += unitsOf(utf8_[at], unit);
  return position;
}

void Text::replace(std::size_t start, std::size_t end, std::string_view with) {
  assert(start <= end && end <= utf8_.size());
  utf8_.replace(start, end - start, with);
  // A CR in front of the edit may have met an LF, or lost it; so does one at the edit's end.
  const std::size_t from = start > 0 ? start - 1 : 0;
  const std::size_t to = start + with.size();
  const auto first = std::upper_bound(starts_.begin() + 1, starts_.end(), from);
  const auto last = std::upper_bound(first, starts_.end(), end);
  const auto shift =
      static_cast<std::ptrdiff_t>(with.size()) - static_cast<std::ptrdiff_t>(end - start);
  for (auto it = last; it != starts_.end(); ++it)
    *it = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(*it) + shift);
  const auto found = startsIn(utf8_, from, to);
  starts_.insert(starts_.erase(first, last), found.begin(), found.end());
}

std::string_view Text::linePrefix(std::size_t offset) const {
  const std::size_t start = starts_[lineAt(offset)];
  return std::string_view(utf8_).substr(start, offset - start);
}

std::size_t Text::lineAt(std::size_t offset) const {
  return static_cast<std::size_t>(std::upper_bound(starts_.begin(), starts_.end(), offset) -
                                  starts_.begin()) -
         1;
}

std::size_t Text::lineEnd(std::size_t line) const {
  if (line + 1 == starts_.size()) return utf8_.size();
  std::size_t end = starts_[line + 1] - 1;
  if (utf8_[end] == '\n' && end > starts_[line] && utf8_[end - 1] == '\r') --end;
  return end;
}

}  // namespace waferpair::lsp
