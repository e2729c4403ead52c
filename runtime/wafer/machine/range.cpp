// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/wafer/machine/range.h"

#include <cstdio>

namespace waferpair::wafer {

std::string numberText(double value) {
  char digits[32];
  std::snprintf(digits, sizeof(digits), "%.10g", value);
  return digits;
}

base::Result<void> checkRange(const std::string& flag, double value, double low, double high,
                              const std::string& why) {
  if (value >= low && value <= high) return {};
  return base::fail(flag + " is " + numberText(value) + ", out of range: " + why + ".",
                    "It should be from " + numberText(low) + " to " + numberText(high) + ".");
}

}  // namespace waferpair::wafer
