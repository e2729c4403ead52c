// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/wafer/cost/collectives.h"

#include <algorithm>
#include <cmath>

namespace waferpair::wafer {

double SpatialCost::cycles(double ramp) const {
  const double moving = links > 0 ? energy / links + distance : distance;
  return std::max(contention, moving) + (2 * ramp + 1) * depth;
}

double broadcastCycles(double pes, double wavelets, double ramp) {
  return wavelets + pes + 2 * ramp;
}

double broadcastCycles(double width, double height, double wavelets, double ramp) {
  return wavelets + width + height - 2 + 2 * ramp + 1;
}

double starReduceCycles(double pes, double wavelets, double ramp) {
  return wavelets * (pes - 1) + 2 * ramp + 1;
}

double chainReduceCycles(double pes, double wavelets, double ramp) {
  return wavelets + (2 * ramp + 2) * (pes - 1);
}

double treeReduceCycles(double pes, double wavelets, double ramp) {
  if (pes < 2) return 0;
  const double levels = std::ceil(std::log2(pes));
  return SpatialCost{.contention = wavelets * levels,
                     .energy = wavelets * pes * levels / 2,
                     .links = pes - 1,
                     .distance = pes - 1,
                     .depth = levels}
      .cycles(ramp);
}

double twoPhaseReduceCycles(double pes, double wavelets, double ramp) {
  if (pes < 2) return 0;
  const double root = std::sqrt(pes);
  return SpatialCost{.contention = 2 * wavelets,
                     .energy = 2 * wavelets * (pes - root),
                     .links = pes - 1,
                     .distance = pes - 1,
                     .depth = 2 * root - 2}
      .cycles(ramp);
}

double ringAllReduceCycles(double pes, double wavelets, double ramp) {
  if (pes < 2) return 0;
  return 2 * (pes - 1) * wavelets / pes + 4 * pes - 6 + 2 * (pes - 1) * (2 * ramp + 1);
}

double kTreeAllReduceCycles(double pes, double wavelets, double group, double ramp) {
  if (pes < 2) return 0;
  const double stages = std::ceil(pes / (2 * group)) + std::ceil(group / 2);
  return pes + (2 * ramp + 1) * stages + 3 * wavelets;
}

}  // namespace waferpair::wafer
