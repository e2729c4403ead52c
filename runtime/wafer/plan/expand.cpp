// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/wafer/plan/expand.h"

#include <algorithm>
#include <cassert>

namespace waferpair::wafer {
namespace {

// Fills the PEs of each region on this wafer with value(region index).
template <typename T, typename Value>
void expand(const Plan& plan, int wafer, T outside, std::span<T> plane, Value value) {
  assert(static_cast<std::int64_t>(plane.size()) == plan.machine.peCount());
  std::fill(plane.begin(), plane.end(), outside);
  const std::vector<Region>& regions = plan.placement.regions;
  for (std::size_t i = 0; i < regions.size(); ++i) {
    if (regions[i].wafer != wafer) continue;
    const Rect& rect = regions[i].rect;
    const T each = value(i);
    for (int y = rect.y; y < rect.y + rect.height; ++y) {
      auto row = plane.begin() + std::int64_t{y} * plan.machine.fabricWidth + rect.x;
      std::fill(row, row + rect.width, each);
    }
  }
}

}  // namespace

std::vector<RegionActivity> regionActivity(const Plan& plan, const CounterSnapshot& before,
                                           const CounterSnapshot& after) {
  const std::vector<Region>& regions = plan.placement.regions;
  std::vector<RegionActivity> activity(regions.size());
  const std::uint64_t cycles = after.totals.cycles() - before.totals.cycles();
  if (cycles == 0) return activity;
  for (std::size_t i = 0; i < plan.ops.size(); ++i) {
    const OpCount& from = before.ops[i];
    const OpCount& to = after.ops[i];
    RegionActivity& region = activity[plan.ops[i].region];
    region.compute += static_cast<double>(to.computeCycles - from.computeCycles);
    region.fabric += static_cast<double>(to.fabricCycles - from.fabricCycles);
    region.wavelets += static_cast<double>(to.wavelets - from.wavelets);
  }
  for (std::size_t i = 0; i < regions.size(); ++i) {
    activity[i].compute /= static_cast<double>(cycles);
    activity[i].fabric /= static_cast<double>(cycles);
    activity[i].wavelets /= static_cast<double>(cycles) * regions[i].rect.area();
  }
  return activity;
}

void expandUtilization(const Plan& plan, std::span<const RegionActivity> activity, int wafer,
                       std::span<float> plane) {
  expand(plan, wafer, 0.0F, plane,
         [&](std::size_t i) { return static_cast<float>(activity[i].compute); });
}

void expandFabric(const Plan& plan, std::span<const RegionActivity> activity, int wafer,
                  std::span<float> plane) {
  expand(plan, wafer, 0.0F, plane,
         [&](std::size_t i) { return static_cast<float>(activity[i].wavelets); });
}

void expandSram(const Plan& plan, SramKind kind, int wafer, std::span<std::int32_t> plane) {
  const std::int32_t outside = kind == SramKind::kFree ? plan.machine.sramBytes : 0;
  expand(plan, wafer, outside, plane, [&](std::size_t i) {
    return static_cast<std::int32_t>(plan.placement.regions[i].sram[kind]);
  });
}

}  // namespace waferpair::wafer
