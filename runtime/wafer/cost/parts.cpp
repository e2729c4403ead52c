// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/wafer/cost/parts.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "runtime/wafer/cost/collectives.h"

namespace waferpair::wafer {
namespace {

// Up to three digits behind the point, as the profiles have them.
std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  if (value == std::floor(value) && std::abs(value) < 1e15)
    std::snprintf(text, sizeof text, "%.0f", value);
  return text;
}
std::string ceilText(double a, double b) { return "ceil(" + number(a) + " / " + number(b) + ")"; }

void addGemv(const CostModel& model, const Gemv& shape, std::int64_t positions, const Grid& grid,
             std::vector<Term>& terms) {
  const DecodeConstants& c = model.profile().decode;
  const auto held = [&](int size, Axis axis) {
    return size > 0 ? ceilDiv(size, pesAlong(grid, axis)) : ceilDiv(positions, grid.height);
  };
  const std::int64_t kt = held(shape.k, shape.reduce), nt = held(shape.n, across(shape.reduce));
  terms.push_back({"multiply-adds", "Kt ceil(Nt / S)", number(kt) + " " + ceilText(nt, c.lanes),
                   static_cast<double>(kt * ceilDiv(nt, c.lanes)), false});
  terms.push_back({"issuing each row of the tile", "Kt h", number(kt) + " x " + number(c.issue),
                   static_cast<double>(kt) * c.issue, false});
}

void addAllReduce(const CostModel& model, const CostPart& part, std::int64_t positions,
                  const Grid& grid, std::vector<Term>& terms) {
  const DecodeConstants& c = model.profile().decode;
  const int pes = pesAlong(grid, part.axis), groups = model.profile().groups(pes);
  const std::int64_t elements = part.elements > 0 ? part.elements : ceilDiv(positions, grid.height);
  terms.push_back({"distance", "P a", number(pes) + " x " + number(c.hop), pes * c.hop, true});
  terms.push_back(
      {"stages of the reduce", "tau (ceil(P / 2g) + ceil(g / 2))",
       number(c.stage) + " (" + ceilText(pes, 2.0 * groups) + " + " + ceilText(groups, 2) + ")",
       c.stage * allReduceStages(pes, groups), true});
  terms.push_back({"its wavelets", "w ceil(n / 2)",
                   number(c.perWavelet) + " " + ceilText(static_cast<double>(elements), 2),
                   c.perWavelet * static_cast<double>(waveletsOf(elements)), true});
}

// A row to the columns of `to`: B + hops + W + 2 T_R.
void addMove(const CostModel& model, const CostPart& part, int hops, std::vector<Term>& terms) {
  const Machine& machine = model.machine();
  const std::int64_t share = ceilDiv(part.width, part.to.height);
  terms.push_back({"its wavelets", "ceil(n / 2)", ceilText(static_cast<double>(share), 2),
                   static_cast<double>(waveletsOf(share)), true});
  terms.push_back(
      {"distance", "(hops + W) a",
       "(" + number(hops) + " + " + number(part.to.width) + ") x " + number(machine.hopCycles),
       (static_cast<double>(hops) + part.to.width) * machine.hopCycles, true});
  terms.push_back(
      {"ramps", "2 T_R", "2 x " + number(machine.rampCycles), 2.0 * machine.rampCycles, true});
}

}  // namespace

OpCost costOf(const CostModel& model, const CostPart& part, const Grid& grid, double clockGhz) {
  switch (part.kind) {
    case CostPart::Kind::kGemv:
      return model.gemv(part.gemv, grid);
    case CostPart::Kind::kAllReduce:
      return model.allReduce(part.elements, part.axis, grid);
    case CostPart::Kind::kElementwise:
      return model.elementwise(part.elements);
    case CostPart::Kind::kTell: {
      OpCost cost;
      cost.fabric.fixed = broadcastCycles(grid.width, grid.height, 1, model.machine().rampCycles);
      cost.wavelets.fixed = static_cast<double>(grid.width) * grid.height - 1;
      return cost;
    }
    case CostPart::Kind::kMove:
      return model.transfer(part.width, part.hops, part.to);
    case CostPart::Kind::kWaferHop:
      break;
  }
  return model.waferHop(part.width, part.to, clockGhz);
}

std::vector<Term> termsOf(const CostModel& model, const CostPart& part, std::int64_t positions,
                          const Grid& grid, double clockGhz) {
  const DecodeConstants& c = model.profile().decode;
  const Machine& machine = model.machine();
  std::vector<Term> terms;
  switch (part.kind) {
    case CostPart::Kind::kGemv:
      addGemv(model, part.gemv, positions, grid, terms);
      break;
    case CostPart::Kind::kAllReduce:
      addAllReduce(model, part, positions, grid, terms);
      break;
    case CostPart::Kind::kElementwise:
      terms.push_back({"one vector operation", "ceil(n / S) + h",
                       ceilText(part.elements, c.lanes) + " + " + number(c.issue),
                       static_cast<double>(ceilDiv(part.elements, c.lanes)) + c.issue, false});
      break;
    case CostPart::Kind::kTell:
      terms.push_back({"one wavelet to every PE", "W + H + 2 T_R",
                       number(grid.width) + " + " + number(grid.height) + " + 2 x " +
                           number(machine.rampCycles),
                       broadcastCycles(grid.width, grid.height, 1, machine.rampCycles), true});
      break;
    case CostPart::Kind::kMove:
      addMove(model, part, part.hops, terms);
      break;
    case CostPart::Kind::kWaferHop:
      addMove(model, part, 0, terms);
      terms.push_back({"latency to the next wafer", "t f",
                       number(machine.waferHopSeconds * 1e6) + " us x " + number(clockGhz) + " GHz",
                       machine.waferHopSeconds * clockGhz * 1e9, true});
      terms.push_back({"its bytes on the links", "16 n f / B",
                       "16 x " + number(part.width) + " x " + number(clockGhz) + " GHz / " +
                           number(machine.ioBitsPerSecond / 1e12) + " Tb/s",
                       model.waferLinkCycles(part.width, clockGhz), true});
      break;
  }
  for (Term& term : terms) {
    if (part.times == 1) continue;
    term.cycles *= part.times;
    term.numbers = number(part.times) + " x (" + term.numbers + ")";
  }
  return terms;
}

std::vector<Term> termsOf(const CostModel& model, const Gemm& shape, std::int64_t rows,
                          std::int64_t positions, const Grid& grid) {
  const PrefillConstants& c = model.profile().prefill;
  const std::int64_t steps = std::max(grid.width, grid.height);
  const std::int64_t mt = ceilDiv(rows, grid.height);
  const std::int64_t kt = ceilDiv(shape.k ? shape.k : positions, steps);
  const std::int64_t nt = ceilDiv(shape.n ? shape.n : positions, grid.width);
  const auto left = static_cast<double>(waveletsOf(shape.transposed ? mt * nt : mt * kt));
  const auto right = static_cast<double>(waveletsOf(kt * nt));
  const double skews = shape.align ? std::floor(static_cast<double>(steps) / 2) : 0;
  std::vector<Term> terms;
  terms.push_back({"multiply-adds", "P Kt Nt (ceil(Mt / S) + h')",
                   number(steps) + " x " + number(kt) + " x " + number(nt) + " (" +
                       ceilText(mt, c.lanes) + " + " + number(c.issue) + ")",
                   static_cast<double>(steps * kt * nt) * (ceilDiv(mt, c.lanes) + c.issue), false});
  terms.push_back({"steps of the shift", "P step", number(steps) + " x " + number(c.step),
                   steps * c.step, true});
  terms.push_back({"tiles shifted", "P w (left + right)",
                   number(steps) + " x " + number(c.perWavelet) + " (" + number(left) + " + " +
                       number(right) + ")",
                   steps * c.perWavelet * (left + right), true});
  if (skews > 0)
    terms.push_back({"skewing the left operand", "P / 2 (step + w left)",
                     number(skews) + " (" + number(c.step) + " + " + number(c.perWavelet) + " x " +
                         number(left) + ")",
                     skews * (c.step + c.perWavelet * left), true});
  return terms;
}

}  // namespace waferpair::wafer
