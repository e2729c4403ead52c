// SPDX-License-Identifier: GPL-3.0-or-later
// How the line at the cursor goes on if it goes on as a line does that stands behind alike text,
// with the names replaced that are other ones here. Code is often written by analogy:
//
//   jv_free(a);          here b stands where there a did, so behind "jv_free(" comes "b);"
//   jv_free(|
//
// Texts are compared backwards from the cursor, piece by piece (words of a name, line breaks with
// their indentation, blanks, signs). Where they differ, up to kWidest pieces on either side are
// passed over, if two pieces agree in front of these: the names replaced.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace waferpair::inference {

struct AlikeLine {
  std::string rest = {};  // of the line, behind the cursor, without the line break
  // How much agrees in front of it: a word or a line break counts 1, other things less, and what
  // was replaced against it.
  double agreement = 0;
  int replaced = 0;          // places in front of it that differ
  std::size_t distance = 0;  // pieces from the cursor to it; 0 in what is gone

  bool operator==(const AlikeLine&) const = default;
};

// The limits of what is looked at.
struct AlikeLimits {
  static constexpr std::size_t kMostAbove = 24576, kMostBelow = 12288;  // bytes
  static constexpr std::size_t kMostLines = 16;                         // that are told
  static constexpr std::size_t kMostAgreeing = 48;  // pieces in front of the cursor
  static constexpr int kMostReplaced = 6;
  static constexpr std::size_t kWidest = 6;  // pieces
};

// Returns the lines that agree the most, best first, each another text. `above` ends and `below`
// begins at the cursor; `gone` are lines that were removed there.
std::vector<AlikeLine> alikeLines(std::string_view above, std::string_view below,
                                  std::string_view gone);

}  // namespace waferpair::inference
