// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/jinja/text.h"

#include <algorithm>
#include <utility>

namespace waferpair::jinja {

Text::Text(std::string bytes, Origin origin) : bytes_(std::move(bytes)) {
  if (origin != Origin::kTemplate) marks_.assign(bytes_.size(), origin);
}

bool Text::isForeign(std::size_t from, std::size_t count) const {
  if (marks_.empty() || from >= size()) return false;
  const auto begin = marks_.begin() + static_cast<std::ptrdiff_t>(from);
  const auto end = begin + static_cast<std::ptrdiff_t>(std::min(count, size() - from));
  return std::find(begin, end, Origin::kMessage) != end;
}

Text& Text::append(const Text& other, std::size_t from, std::size_t count) {
  count = std::min(count, other.size() - from);
  if (!other.marks_.empty() || !marks_.empty()) {
    marks_.resize(size(), Origin::kTemplate);
    const std::size_t old = marks_.size();
    marks_.resize(old + count, Origin::kTemplate);
    if (!other.marks_.empty())
      std::copy_n(other.marks_.begin() + static_cast<std::ptrdiff_t>(from), count,
                  marks_.begin() + static_cast<std::ptrdiff_t>(old));
  }
  bytes_.append(other.bytes_, from, count);
  return *this;
}

Text& Text::append(std::string_view bytes, Origin origin) {
  if (origin != Origin::kTemplate || !marks_.empty()) {
    marks_.resize(size(), Origin::kTemplate);
    marks_.resize(size() + bytes.size(), origin);
  }
  bytes_ += bytes;
  return *this;
}

Text Text::part(std::size_t from, std::size_t count) const {
  Text part;
  if (from < size()) part.append(*this, from, count);
  return part;
}

std::vector<Text::Run> Text::runs() const {
  std::vector<Run> runs;
  const std::string_view all = bytes_;
  for (std::size_t from = 0; from < size();) {
    std::size_t end = size();
    if (!marks_.empty()) {
      end = from + 1;
      while (end < size() && marks_[end] == marks_[from]) ++end;
    }
    runs.push_back({all.substr(from, end - from), originAt(from)});
    from = end;
  }
  return runs;
}

std::size_t characterBytes(std::string_view text, std::size_t at) {
  const auto lead = static_cast<unsigned char>(text[at]);
  std::size_t length = 1;
  if (lead >= 0xC2 && lead < 0xE0) length = 2;
  if (lead >= 0xE0 && lead < 0xF0) length = 3;
  if (lead >= 0xF0 && lead < 0xF5) length = 4;
  if (at + length > text.size()) return 1;
  for (std::size_t i = 1; i < length; ++i)
    if ((static_cast<unsigned char>(text[at + i]) & 0xC0) != 0x80) return 1;
  return length;
}

std::size_t characterCount(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size(); at += characterBytes(text, at)) ++count;
  return count;
}

std::vector<std::size_t> characterStarts(std::string_view text) {
  std::vector<std::size_t> starts;
  starts.reserve(text.size() + 1);
  for (std::size_t at = 0; at < text.size(); at += characterBytes(text, at)) starts.push_back(at);
  starts.push_back(text.size());
  return starts;
}

char32_t codePointAt(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return static_cast<char32_t>(static_cast<unsigned char>(text[at + i]));
  };
  constexpr char32_t kReplacement = 0xFFFD;
  switch (characterBytes(text, at)) {
    case 2:
      return (byte(0) & 0x1F) << 6 | (byte(1) & 0x3F);
    case 3:
      return (byte(0) & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F);
    case 4:
      return (byte(0) & 0x07) << 18 | (byte(1) & 0x3F) << 12 | (byte(2) & 0x3F) << 6 |
             (byte(3) & 0x3F);
    default:
      return byte(0) < 0x80 ? byte(0) : kReplacement;
  }
}

void appendCodePoint(std::string& text, char32_t point) {
  const auto push = [&](char32_t byte) { text += static_cast<char>(byte); };
  if (point < 0x80) {
    push(point);
  } else if (point < 0x800) {
    push(0xC0 | point >> 6);
    push(0x80 | (point & 0x3F));
  } else if (point < 0x10000) {
    push(0xE0 | point >> 12);
    push(0x80 | (point >> 6 & 0x3F));
    push(0x80 | (point & 0x3F));
  } else {
    push(0xF0 | point >> 18);
    push(0x80 | (point >> 12 & 0x3F));
    push(0x80 | (point >> 6 & 0x3F));
    push(0x80 | (point & 0x3F));
  }
}

bool isPythonSpace(char32_t point) {
  return (point >= 0x09 && point <= 0x0D) || (point >= 0x1C && point <= 0x20) || point == 0x85 ||
         point == 0xA0 || point == 0x1680 || (point >= 0x2000 && point <= 0x200A) ||
         point == 0x2028 || point == 0x2029 || point == 0x202F || point == 0x205F ||
         point == 0x3000;
}

}  // namespace waferpair::jinja
