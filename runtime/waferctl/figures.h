// SPDX-License-Identifier: GPL-3.0-or-later
// Figures in words: which are of this computer and which of the emulated wafer.
#pragma once

#include <string>

#include "runtime/waferctl/source.h"

namespace waferpair::waferctl {

// "812.5", "0.021", or "-" for null.
std::string figure(const Json& value);

// "wse3 emulated with profile waferllm-2025 at 1.1 GHz"
std::string waferName(const Json& waferTimings);

// Two lines about one {reason, usage, timings}.
std::string describe(const Json& outcome);

}  // namespace waferpair::waferctl
