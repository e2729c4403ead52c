// SPDX-License-Identifier: GPL-3.0-or-later
// Characters of ASCII, whatever the locale.
#pragma once

#include <string>
#include <string_view>

namespace waferpair::exclusions {

constexpr bool isDigit(char c) { return c >= '0' && c <= '9'; }
constexpr bool isLower(char c) { return c >= 'a' && c <= 'z'; }
constexpr bool isUpper(char c) { return c >= 'A' && c <= 'Z'; }
constexpr bool isLetter(char c) { return isLower(c) || isUpper(c); }
constexpr bool isAlnum(char c) { return isLetter(c) || isDigit(c); }
constexpr bool isBlank(char c) { return c == ' ' || c == '\t'; }
constexpr char lowered(char c) { return isUpper(c) ? static_cast<char>(c - 'A' + 'a') : c; }

inline std::string lowered(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = lowered(c);
  return lower;
}

}  // namespace waferpair::exclusions
