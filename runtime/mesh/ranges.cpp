// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/mesh/ranges.h"

#include <string>

namespace waferpair::mesh {

base::Result<void> checkRanges(const char* what, std::span<const Range> ranges) {
  for (const Range& range : ranges) {
    if (range.value >= range.least && range.value <= range.most) continue;
    return base::fail(
        std::string(what) + ": " + range.field + " is " + std::to_string(range.value) + ".",
        "It must be from " + std::to_string(range.least) + " to " + std::to_string(range.most) +
            ".");
  }
  return {};
}

}  // namespace waferpair::mesh
