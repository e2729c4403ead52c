// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/wafer/cost/cost.h"

#include <algorithm>
#include <cmath>

#include "runtime/wafer/cost/collectives.h"

namespace waferpair::wafer {
namespace {

// Hops of one wavelet of the all-reduce along one line: chains to the middle of each group, a chain
// over the groups, and the broadcast of the sum.
double allReduceHops(int pes, int groups) {
  const double group = static_cast<double>(pes) / groups;
  return std::max(0.0, (pes - groups) + (pes - group) + (pes - 1.0));
}

}  // namespace

int allReduceStages(int pes, int groups) {
  return static_cast<int>(ceilDiv(pes, 2LL * groups) + ceilDiv(groups, 2));
}

Growth& Growth::operator+=(const Growth& o) {
  fixed += o.fixed;
  perRow += o.perRow;
  perVector += o.perVector;
  perPair += o.perPair;
  return *this;
}

OpCost& OpCost::operator+=(const OpCost& o) {
  compute += o.compute;
  fabric += o.fabric;
  wavelets += o.wavelets;
  return *this;
}

Cycles& Cycles::operator+=(const Cycles& o) {
  compute += o.compute;
  fabric += o.fabric;
  wavelets += o.wavelets;
  return *this;
}

OpCost CostModel::gemv(const Gemv& shape, const Grid& grid) const {
  const DecodeConstants& c = profile_.decode;
  const std::int64_t kt = ceilDiv(shape.k, pesAlong(grid, shape.reduce));
  const std::int64_t nt = ceilDiv(shape.n, pesAlong(grid, across(shape.reduce)));
  OpCost cost;
  if (shape.k == 0) {
    cost.compute.perRow = static_cast<double>(ceilDiv(nt, c.lanes)) + c.issue;
  } else if (shape.n == 0) {
    cost.compute.fixed = static_cast<double>(kt) * c.issue;
    cost.compute.perVector = static_cast<double>(kt);
  } else {
    cost.compute.fixed = static_cast<double>(kt) * (ceilDiv(nt, c.lanes) + c.issue);
  }
  return cost;
}

OpCost CostModel::allReduce(int elements, Axis axis, const Grid& grid) const {
  const DecodeConstants& c = profile_.decode;
  const int pes = pesAlong(grid, axis);
  const int groups = profile_.groups(pes);
  const double hops = allReduceHops(pes, groups) * pesAlong(grid, across(axis));
  OpCost cost;
  cost.fabric.fixed = pes * c.hop + c.stage * allReduceStages(pes, groups);
  if (elements == 0) {
    cost.fabric.perPair = c.perWavelet;
    cost.wavelets.perPair = hops;
  } else {
    const double wavelets = static_cast<double>(waveletsOf(elements));
    cost.fabric.fixed += c.perWavelet * wavelets;
    cost.wavelets.fixed = hops * wavelets;
  }
  return cost;
}

OpCost CostModel::elementwise(int elements) const {
  const DecodeConstants& c = profile_.decode;
  OpCost cost;
  cost.compute.fixed = static_cast<double>(ceilDiv(elements, c.lanes)) + c.issue;
  return cost;
}

OpCost CostModel::transfer(int width, int hops, const Grid& to) const {
  const double wavelets = static_cast<double>(waveletsOf(ceilDiv(width, to.height)));
  const double distance = (static_cast<double>(hops) + to.width) * machine_.hopCycles;
  OpCost cost;
  cost.fabric.fixed = broadcastCycles(distance, wavelets, machine_.rampCycles);
  cost.wavelets.fixed = wavelets * (static_cast<double>(hops) + to.width) * to.height;
  return cost;
}

OpCost CostModel::waferHop(int width, const Grid& to, double clockGhz) const {
  OpCost cost = transfer(width, 0, to);
  cost.fabric.fixed += machine_.waferHopSeconds * clockGhz * 1e9 + waferLinkCycles(width, clockGhz);
  return cost;
}

Cycles CostModel::gemm(const Gemm& shape, std::int64_t rows, std::int64_t positions,
                       const Grid& grid) const {
  const PrefillConstants& c = profile_.prefill;
  // k is cut into as many slices as there are steps, one slice on each PE of the longer side.
  const std::int64_t steps = std::max(grid.width, grid.height);
  const std::int64_t mt = ceilDiv(rows, grid.height);
  const std::int64_t kt = ceilDiv(shape.k ? shape.k : positions, steps);
  const std::int64_t nt = ceilDiv(shape.n ? shape.n : positions, grid.width);
  const double left = static_cast<double>(waveletsOf(shape.transposed ? mt * nt : mt * kt));
  const double right = static_cast<double>(waveletsOf(kt * nt));
  const double skews = shape.align ? std::floor(steps / 2.0) : 0;
  const double pes = static_cast<double>(grid.width) * grid.height;
  Cycles cycles;
  cycles.compute = static_cast<double>(steps * kt * nt) * (ceilDiv(mt, c.lanes) + c.issue);
  cycles.fabric =
      steps * (c.step + c.perWavelet * (left + right)) + skews * (c.step + c.perWavelet * left);
  // Tiles move two PEs a step (the interleave that closes the ring without a long wire); partial
  // scores move to their neighbor.
  cycles.wavelets =
      pes * (steps * (left * (shape.transposed ? 1 : 2) + 2 * right) + 2 * skews * left);
  return cycles;
}

Cycles CostModel::rowReductions(int times, std::int64_t rows, const Grid& grid) const {
  const int share = static_cast<int>(ceilDiv(rows, grid.height));
  const OpCost one = allReduce(std::max(1, share), Axis::kX, grid);
  return {0, times * one.fabric.fixed, times * one.wavelets.fixed};
}

Cycles CostModel::rowElementwise(int width, std::int64_t rows, const Grid& grid) const {
  const PrefillConstants& c = profile_.prefill;
  const std::int64_t columns = ceilDiv(width, grid.width);
  const std::int64_t share = ceilDiv(rows, grid.height);
  return {static_cast<double>(columns) * (ceilDiv(share, c.lanes) + c.issue), 0, 0};
}

double CostModel::rearrange(double bytes, const Grid& grid) const {
  constexpr double kWaveletBytes = 4;
  const double wavelets = bytes / kWaveletBytes * grid.width * grid.height;
  const double links = std::min(grid.width, grid.height);
  return wavelets / 4 / links + (grid.width + grid.height) * machine_.hopCycles;
}

Cycles CostModel::at(const OpCost& cost, std::int64_t positions, const Grid& grid) const {
  const std::int64_t rows = ceilDiv(positions, grid.height);
  const int lanes = profile_.decode.lanes;
  return {cost.compute.at(rows, lanes), cost.fabric.at(rows, lanes), cost.wavelets.at(rows, lanes)};
}

}  // namespace waferpair::wafer
