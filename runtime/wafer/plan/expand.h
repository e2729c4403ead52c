// SPDX-License-Identifier: GPL-3.0-or-later
// From regions to every PE: planes of fabricWidth x fabricHeight values, row by row from the north,
// for one wafer of a placement. PEs outside all regions get zero.
#pragma once

#include <cstdint>
#include <span>

#include "runtime/wafer/plan/counters.h"
#include "runtime/wafer/plan/plan.h"

namespace waferpair::wafer {

// The activity of a region between two snapshots of the same program.
struct RegionActivity {
  double compute = 0;   // fraction of the wafer's time in which its PEs issued arithmetic, 0..1
  double fabric = 0;    // fraction in which they sent, received or waited for wavelets, 0..1
  double wavelets = 0;  // wavelets that each of its PEs passed on, a cycle
};

// Returns the activity by region of the placement. All zero when no cycle went by in between.
std::vector<RegionActivity> regionActivity(const Plan& plan, const CounterSnapshot& before,
                                           const CounterSnapshot& after);

// `plane` has machine.peCount() values; anything else is a programming error.
void expandUtilization(const Plan& plan, std::span<const RegionActivity> activity, int wafer,
                       std::span<float> plane);
void expandFabric(const Plan& plan, std::span<const RegionActivity> activity, int wafer,
                  std::span<float> plane);
// Bytes of one kind on each PE. kFree covers unused PEs too: they are all free.
void expandSram(const Plan& plan, SramKind kind, int wafer, std::span<std::int32_t> plane);

}  // namespace waferpair::wafer
