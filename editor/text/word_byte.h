// SPDX-License-Identifier: GPL-3.0-or-later
// The bytes of words in UTF-8: ASCII letters, digits, underscore, and all beyond ASCII.
#pragma once

namespace waferpair::editor {

constexpr bool isWordByte(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         (c & 0x80) != 0;
}

}  // namespace waferpair::editor
