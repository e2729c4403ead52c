// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/wafer/plan/load.h"

#include <algorithm>
#include <numeric>

namespace waferpair::wafer {

double LoadTime::totalBytes() const { return std::accumulate(bytes.begin(), bytes.end(), 0.0); }

LoadTime loadTimeOf(const Plan& plan) {
  LoadTime load;
  load.bytes.resize(plan.placement.wafers);
  for (const Region& region : plan.placement.regions) {
    load.bytes[region.wafer] += static_cast<double>(region.rect.area()) *
                                    static_cast<double>(region.sram[SramKind::kWeights]) +
                                static_cast<double>(region.sram[SramKind::kCode]);
  }
  const auto most = std::max_element(load.bytes.begin(), load.bytes.end());
  load.slowest = static_cast<int>(most - load.bytes.begin());
  load.seconds = 8 * *most / plan.machine.ioBitsPerSecond;
  load.cycles = load.seconds * plan.clockGhz * 1e9;
  return load;
}

}  // namespace waferpair::wafer
