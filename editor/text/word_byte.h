// SPDX-License-Identifier: GPL-3.0-or-later
// Kinds of bytes of UTF-8. Those of words are ASCII letters, digits, underscore, and all beyond
// ASCII.
#pragma once

namespace waferpair::editor {

constexpr bool isDigitByte(char c) { return c >= '0' && c <= '9'; }
// Within a line: a line end is none.
constexpr bool isBlankByte(char c) { return c == ' ' || c == '\t'; }

constexpr bool isWordByte(char c) {
  return isDigitByte(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         (c & 0x80) != 0;
}

}  // namespace waferpair::editor
