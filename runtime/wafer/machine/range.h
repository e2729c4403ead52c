// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers that a user names, and their limits.
#pragma once

#include <string>

#include "runtime/base/result.h"

namespace waferpair::wafer {

// Returns a number in up to ten digits: "1.1", "268435456", "nan".
std::string numberText(double value);

// The error: "--lanes is 0, out of range: WHY. It should be from 1 to 1024."
base::Result<void> checkRange(const std::string& flag, double value, double low, double high,
                              const std::string& why);

}  // namespace waferpair::wafer
