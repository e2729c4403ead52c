// SPDX-License-Identifier: GPL-3.0-or-later
// Checks of the sizes that configurations and kernels are given.
#pragma once

#include <cstdint>
#include <span>

#include "runtime/base/result.h"

namespace waferpair::mesh {

// The FP16 elements that the largest SRAM holds, and a bound for a dimension of a whole region:
// sizes computed from them do not overflow, and validate() finds those that don't fit.
inline constexpr std::int64_t kMostInPe = std::int64_t{1} << 15;
inline constexpr std::int64_t kMostInRegion = std::int64_t{1} << 24;

struct Range {
  const char* field;
  std::int64_t value, least, most;
};

// The error names the first field that is outside, as one of `what`.
base::Result<void> checkRanges(const char* what, std::span<const Range> ranges);

}  // namespace waferpair::mesh
