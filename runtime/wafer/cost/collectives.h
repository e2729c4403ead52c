// SPDX-License-Identifier: GPL-3.0-or-later
// Cycles of collectives on the mesh, after "Near-Optimal Wafer-Scale Reduce" (HPDC'24), which finds
// these within 4 % of the hardware. P PEs stand in a row, each with B wavelets; `ramp` is T_R.
#pragma once

namespace waferpair::wafer {

// The general form: max(C, E / N + L) + (2 T_R + 1) D.
struct SpatialCost {
  double contention = 0;  // C: most wavelets through one PE
  double energy = 0;      // E: hops of all wavelets
  double links = 0;       // N
  double distance = 0;    // L: longest path
  double depth = 0;       // D: messages that wait for one another

  double cycles(double ramp) const;
};

double broadcastCycles(double pes, double wavelets, double ramp);
double broadcastCycles(double width, double height, double wavelets, double ramp);
double starReduceCycles(double pes, double wavelets, double ramp);
double chainReduceCycles(double pes, double wavelets, double ramp);
double treeReduceCycles(double pes, double wavelets, double ramp);
// Chains within groups of sqrt(P), then a chain over their ends.
double twoPhaseReduceCycles(double pes, double wavelets, double ramp);
double ringAllReduceCycles(double pes, double wavelets, double ramp);
// The two-level K-tree of WaferLLM (OSDI'25) without software: P + (2 T_R + 1) (ceil(P / 2g) +
// ceil(g / 2)) + 3 B, in groups of g PEs.
double kTreeAllReduceCycles(double pes, double wavelets, double group, double ramp);

}  // namespace waferpair::wafer
