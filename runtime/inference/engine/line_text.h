// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace waferpair::inference {

// Returns a line without the blanks at its ends.
inline std::string_view solidPart(std::string_view line) {
  constexpr std::string_view kEdges = " \t\r";
  const std::size_t begin = line.find_first_not_of(kEdges);
  if (begin == std::string_view::npos) return {};
  return line.substr(begin, line.find_last_not_of(kEdges) + 1 - begin);
}

}  // namespace waferpair::inference
