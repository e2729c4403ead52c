// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/tokenizer/byte_alphabet.h"

#include <array>

#include "runtime/base/utf8.h"

namespace waferpair::tokenizer {
namespace {

// Printable Latin-1 stands for itself; the other 68 bytes take U+0100 and up, in order.
constexpr char32_t kShifted = 0x100;
constexpr int kShiftedCount = 68;

constexpr bool standsForItself(int byte) {
  return (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xff && byte != 0xad);
}

constexpr auto kShiftedBytes = [] {
  std::array<unsigned char, kShiftedCount> bytes{};
  std::size_t count = 0;
  for (int byte = 0; byte < 256; ++byte) {
    if (!standsForItself(byte)) bytes[count++] = static_cast<unsigned char>(byte);
  }
  return bytes;
}();

}  // namespace

std::string spellByte(unsigned char byte) {
  char32_t character = byte;
  for (std::size_t i = 0; i < kShiftedBytes.size(); ++i) {
    if (kShiftedBytes[i] == byte) character = kShifted + static_cast<char32_t>(i);
  }
  if (character < 0x80) return {static_cast<char>(character)};
  return {static_cast<char>(0xc0 | (character >> 6)), static_cast<char>(0x80 | (character & 0x3f))};
}

std::optional<std::string> unspell(std::string_view token) {
  std::string bytes;
  for (std::size_t at = 0; at < token.size();) {
    const base::Utf8 next = base::decodeUtf8(token.substr(at));
    if (next.kind != base::Utf8::kCharacter) return std::nullopt;
    if (next.character < kShifted && standsForItself(static_cast<int>(next.character))) {
      bytes += static_cast<char>(next.character);
    } else if (next.character >= kShifted && next.character < kShifted + kShiftedCount) {
      bytes += static_cast<char>(kShiftedBytes[next.character - kShifted]);
    } else {
      return std::nullopt;
    }
    at += next.length;
  }
  return bytes;
}

}  // namespace waferpair::tokenizer
