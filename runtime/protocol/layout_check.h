// SPDX-License-Identifier: GPL-3.0-or-later
// Checks that pictures may be drawn from a layout that came from outside.
#pragma once

#include <cstddef>
#include <string>

#include "runtime/protocol/telemetry.h"

namespace waferpair::protocol {

inline constexpr int kMaxWafers = 1024;
inline constexpr int kMaxFabric = 4096;             // PEs a side; the view draws no larger wafer
inline constexpr std::size_t kMaxParts = 65'536;    // regions, ops: OpSpan counts ops in 16 bits
inline constexpr std::size_t kMaxNameBytes = 4096;  // of a machine, profile, model, region or op

// Empty if rectangles lie on the fabric, ops name regions there are, the kinds of SRAM fit a PE and
// no number is absurd. Else what is wrong, by the field's name: "regions[2].width is 9000, ...".
std::string problemOf(const WaferLayout& layout);

}  // namespace waferpair::protocol
