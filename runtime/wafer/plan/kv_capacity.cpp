// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/wafer/plan/kv_capacity.h"

#include <algorithm>

namespace waferpair::wafer {

std::int64_t positionsARow(const Layout& layout, const Grid& grid, int layers, int chunk) {
  auto fits = [&](std::int64_t perRow) {
    const int context = static_cast<int>(perRow * grid.height);
    return layout.layersThatFit(layout.candidate(grid, context, std::min(chunk, context))) >=
           layers;
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
  return {positionsARow(layout, placement.block, placement.layersPerBlock, placement.chunk),
          placement.block.height};
}

}  // namespace waferpair::wafer
