// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/wafer/plan/kv_capacity.h"

#include <algorithm>
#include <vector>

namespace waferpair::wafer {

namespace {

// What of a block does not change with the context.
struct BlockLoad {
  std::int64_t weights = 0;
  int caches = 0;  // layers whose keys and values lie there
  int states = 0;  // of recurrent layers
  bool operator==(const BlockLoad&) const = default;
};

std::vector<BlockLoad> loadsOf(const ModelShape& shape, const Placement& placement) {
  std::vector<BlockLoad> loads;
  for (const Region& region : placement.regions) {
    if (region.kind != RegionKind::kBlock) continue;
    BlockLoad load{region.sram[SramKind::kWeights]};
    for (const LayerSlice& slice : region.slices) {
      if (slice.attention) ++(shape.parts.recurrent.at(slice.layer) ? load.states : load.caches);
    }
    if (loads.empty() || !(loads.back() == load)) loads.push_back(load);
  }
  return loads;
}

}  // namespace

std::int64_t positionsARow(const Layout& layout, const Placement& placement, int chunk) {
  const Grid& grid = placement.block;
  const std::vector<BlockLoad> loads = loadsOf(layout.shape(), placement);
  auto fits = [&](std::int64_t perRow) {
    const int context = static_cast<int>(perRow * grid.height);
    const Candidate c = layout.candidate(grid, context, std::min(chunk, context));
    return std::ranges::all_of(loads, [&](const BlockLoad& load) {
      return layout.holds(c, load.weights, load.caches, load.states);
    });
  };
  std::int64_t low = 0, high = kMostPositions / grid.height;
  while (low < high) {
    const std::int64_t middle = (low + high + 1) / 2;
    if (fits(middle)) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

KvCapacity kvCapacity(const ModelShape& shape, const Machine& machine, const Profile& profile,
                      const Placement& placement) {
  const Layout layout(shape, machine, profile, profile.clockGhz);
  return {positionsARow(layout, placement, placement.chunk), placement.block.height};
}

}  // namespace waferpair::wafer
