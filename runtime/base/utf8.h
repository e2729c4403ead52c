// SPDX-License-Identifier: GPL-3.0-or-later
// UTF-8 from anywhere, one character at a time.
#pragma once

#include <cstddef>
#include <string_view>

namespace waferpair::base {

inline constexpr char32_t kReplacement = 0xfffd;

struct Utf8 {
  enum Kind {
    kCharacter,
    kInvalid,    // these bytes cannot begin a character, whatever follows
    kTruncated,  // the text ends within a character
  };
  Kind kind = kInvalid;
  char32_t character = kReplacement;
  std::size_t length =
      1;  // bytes; of an invalid sequence, the longest part that could have begun one
};

// The first character of a text that is not empty.
inline Utf8 decodeUtf8(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {Utf8::kCharacter, lead, 1};
  if (lead < 0xc2 || lead > 0xf4) return {};
  const std::size_t length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  // The second byte's range keeps out overlong forms, surrogates and what lies beyond U+10FFFF.
  const unsigned char low = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
  const unsigned char high = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
  char32_t character = lead & (0x7fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if (i == text.size()) return {Utf8::kTruncated, kReplacement, i};
    const unsigned char next = byte(i);
    if (next < (i == 1 ? low : 0x80) || next > (i == 1 ? high : 0xbf)) {
      return {Utf8::kInvalid, kReplacement, i};
    }
    character = (character << 6) | (next & 0x3fu);
  }
  return {Utf8::kCharacter, character, length};
}

inline bool isUtf8(std::string_view text) {
  while (!text.empty()) {
    const Utf8 first = decodeUtf8(text);
    if (first.kind != Utf8::kCharacter) return false;
    text.remove_prefix(first.length);
  }
  return true;
}

}  // namespace waferpair::base
