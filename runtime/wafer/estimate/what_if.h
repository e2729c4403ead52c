// SPDX-License-Identifier: GPL-3.0-or-later
// Machines that nobody has built: a machine with some of its numbers changed, and the profile and
// the shape that go with it. What was changed is written into the machine, and travels with it.
#pragma once

#include <optional>
#include <string_view>

#include "runtime/wafer/cost/cost.h"
#include "runtime/wafer/cost/profile.h"
#include "runtime/wafer/machine/machine.h"
#include "runtime/wafer/plan/shape.h"

namespace waferpair::wafer {

// The precision of weights and multiply-adds. Below 16 bits a PE has 16 / bits times as many lanes;
// weights and their scales take what Q8_0 or Q4_0 does, elements of the cache 8 bits and a scale.
// Activations, sums and what the fabric carries stay FP16.
enum class Precision { kFp16, kFp8, kInt8, kInt4 };
base::Result<Precision> parsePrecision(std::string_view name);  // "fp16", "FP8", "int8", "int4"

// Absent: as it is.
struct WhatIf {
  std::optional<int> lanes = {};      // FP16 lanes of a PE; the kernels' own change as much
  std::optional<int> sramBytes = {};  // of a PE
  std::optional<int> hopCycles = {};
  std::optional<Grid> fabric = {};
  std::optional<double> clockGhz = {};  // within the machine's presets it changes no machine
  std::optional<Precision> precision = {};
};

// Changes all three, or says which flag is out of range and why, and changes nothing.
base::Result<void> imagine(const WhatIf& changes, Machine& machine, Profile& profile,
                           ModelShape& shape);

}  // namespace waferpair::wafer
