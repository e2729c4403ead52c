// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>

namespace waferpair::inference {

// Replaces bytes [start, end) of a text in UTF-8; in a list, offsets are of the text after the
// edits before.
struct DocumentEdit {
  std::size_t start = 0;
  std::size_t end = 0;
  std::string text;
};

}  // namespace waferpair::inference
