// SPDX-License-Identifier: GPL-3.0-or-later
// A block of a text that can be folded.
#pragma once

namespace waferpair::editor {

// Lines [first, last], from 0, of which all but the first are hidden.
struct FoldRange {
  int first = 0;
  int last = 0;

  bool operator==(const FoldRange&) const = default;
};

}  // namespace waferpair::editor
