// SPDX-License-Identifier: GPL-3.0-or-later
// What the ops cost: of a row, and of a chunk of rows that is one GEMM.
#include <algorithm>
#include <utility>

#include "runtime/wafer/plan/op.h"

namespace waferpair::wafer {

Cycles rowCycles(const CostModel& model, const Op& op, std::int64_t positions, const Grid& grid) {
  if (op.window > 0) positions = std::min<std::int64_t>(positions, op.window);
  return model.at(op.decode, positions, grid);
}

std::vector<Term> rowTerms(const CostModel& model, const Op& op, std::int64_t positions,
                           const Grid& grid, double clockGhz) {
  if (op.window > 0) positions = std::min<std::int64_t>(positions, op.window);
  std::vector<Term> terms;
  for (const CostPart& part : op.parts) {
    for (Term& term : termsOf(model, part, positions, grid, clockGhz))
      terms.push_back(std::move(term));
  }
  return terms;
}

namespace {

// Experts one after another, each with an equal part of the rows' choices.
Cycles expertsChunk(const CostModel& model, const Op& op, std::int64_t rows, std::int64_t positions,
                    const Grid& grid) {
  const std::int64_t choices = rows * op.expertsUsed;
  const std::int64_t busy = std::min<std::int64_t>(op.experts, choices);
  Cycles cycles = model.gemm(op.gemm, ceilDiv(choices, busy), positions, grid);
  for (double* part : {&cycles.compute, &cycles.fabric, &cycles.wavelets}) {
    *part *= static_cast<double>(busy);
  }
  return cycles;
}

}  // namespace

std::vector<Term> chunkTerms(const CostModel& model, const Op& op, std::int64_t rows,
                             std::int64_t positions, const Grid& grid) {
  if (op.window > 0) positions = std::min(positions, rows + op.window - 1);
  const bool product =
      op.kind == OpKind::kMatmul || op.kind == OpKind::kScore || op.kind == OpKind::kAttend;
  if (product && op.experts == 0) return termsOf(model, op.gemm, rows, positions, grid);
  const Cycles cycles = chunkCycles(model, op, rows, positions, grid);
  std::vector<Term> terms;
  if (cycles.compute > 0)
    terms.push_back({"arithmetic of all rows", "", "", cycles.compute, false});
  if (cycles.fabric > 0) terms.push_back({"fabric of all rows", "", "", cycles.fabric, true});
  return terms;
}

Cycles chunkCycles(const CostModel& model, const Op& op, std::int64_t rows, std::int64_t positions,
                   const Grid& grid) {
  // The rows of a chunk see `window` positions each, one further on than the row before.
  if (op.window > 0) positions = std::min(positions, rows + op.window - 1);
  switch (op.kind) {
    case OpKind::kMatmul:
      if (op.experts > 0) return expertsChunk(model, op, rows, positions, grid);
      [[fallthrough]];
    case OpKind::kScore:
    case OpKind::kAttend:
      return model.gemm(op.gemm, rows, positions, grid);
    case OpKind::kNorm:
    case OpKind::kSoftmax:
    case OpKind::kChoice:
      return model.rowReductions(op.reductions, rows, grid);
    case OpKind::kBias:
    case OpKind::kConvolve:
    case OpKind::kPool:
      return model.rowElementwise(op.elements, rows, grid);
    case OpKind::kRecur: {  // a state is of all rows before: they go one after another
      Cycles cycles = model.at(op.decode, positions, grid);
      for (double* part : {&cycles.compute, &cycles.fabric, &cycles.wavelets}) {
        *part *= static_cast<double>(rows);
      }
      return cycles;
    }
    case OpKind::kEmbed:
    case OpKind::kTransfer:
    case OpKind::kSample:
      break;
  }
  Cycles cycles = model.at(op.decode, positions, grid);
  cycles.fabric += op.streamed * static_cast<double>(rows - 1);
  cycles.wavelets *= static_cast<double>(rows);
  return cycles;
}

}  // namespace waferpair::wafer
