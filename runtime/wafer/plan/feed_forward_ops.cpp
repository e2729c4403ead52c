// SPDX-License-Identifier: GPL-3.0-or-later
// The ops of a feed-forward, which may be a mixture of experts.
#include <cassert>
#include <utility>

#include "runtime/wafer/plan/op_build.h"

namespace waferpair::wafer {
namespace {

// A matrix of each expert. A row goes through those it uses.
Op expertsOp(const CostModel& model, const char* name, const Gemv& shape, tensor::Format format,
             const LayerParts& parts, const Grid& grid, bool align) {
  Op op = weightOp(model, name, shape, format, grid, align, parts.expertsUsed);
  op.experts = parts.experts;
  op.expertsUsed = parts.expertsUsed;
  op.sram[SramKind::kWeights] *= parts.experts;
  return op;
}

// The scores lie along x. The largest of all, with its number, once for each expert to be used.
Op choiceOp(const CostModel& model, const LayerParts& parts, const Grid& grid) {
  Op op;
  op.kind = OpKind::kChoice;
  op.name = "ffn_choice";
  op.reductions = 2 * parts.expertsUsed;
  addElementwise(op, model, static_cast<int>(ceilDiv(parts.experts, grid.width)), grid,
                 parts.expertsUsed);
  addSum(op, model, 2, Axis::kX, grid, parts.expertsUsed);
  if (parts.sumsAll) {
    addSum(op, model, 1, Axis::kX, grid);
    ++op.reductions;
  }
  if (parts.expertGroups > 1) {  // the best of each first, or with sigmoids the best two
    const int bests = parts.sigmoid ? 2 : 1;
    addElementwise(op, model, share(parts.experts, grid.width), grid, bests);
    addSum(op, model, parts.expertGroups, Axis::kX, grid, bests);
    op.reductions += bests;
  }
  return op;
}

// A bias of each expert. A row gets those of the experts it uses.
Op expertsBiasOp(const CostModel& model, const char* name, int width, const LayerParts& parts,
                 Axis along, const Grid& grid) {
  Op op = biasOp(model, name, width, along, grid, parts.expertsUsed);
  op.elements *= parts.expertsUsed;
  op.sram[SramKind::kWeights] *= parts.experts;
  return op;
}

// A mixture's part, without the norm.
void addExperts(std::vector<Op>& ops, const CostModel& model, const LayerWidths& w,
                const Grid& grid, const Columns& columns) {
  const int d = w.hidden, f = columns.to - columns.from;
  const bool first = columns.from == 0, last = columns.to == w.intermediate;
  const LayerParts& has = w.parts;
  const WeightFormats& as = w.formats;
  const int e = has.experts, used = has.expertsUsed;
  if (first) {
    ops.push_back(weightOp(model, "ffn_gate_inp", {d, e, Axis::kY}, as.router, grid, true));
    if (!has.sharedGate) addSum(ops.back(), model, share(e, grid.width), Axis::kY, grid);
    if (has.expertBias) ops.push_back(biasOp(model, "ffn_gate_inp.bias", e, Axis::kX, grid));
    if (has.sharedGate) {  // one sum for both
      ops.push_back(
          weightOp(model, "ffn_gate_inp_shexp", {d, 1, Axis::kY}, as.router, grid, false));
      addSum(ops.back(), model, share(e, grid.width) + 1, Axis::kY, grid);
    }
    if (has.selectionBias) ops.push_back(biasOp(model, "exp_probs_b.bias", e, Axis::kX, grid));
    ops.push_back(choiceOp(model, has, grid));
  }
  ops.push_back(expertsOp(model, "ffn_gate_exps", {d, f, Axis::kY}, as.gate, has, grid, true));
  ops.push_back(expertsOp(model, "ffn_up_exps", {d, f, Axis::kY}, as.up, has, grid, false));
  const int shared = first ? has.sharedWidth : 0, sums = 2 * used * share(f, grid.width);
  if (shared == 0) addSum(ops.back(), model, sums, Axis::kY, grid);
  if (has.expertBias) {
    ops.push_back(expertsBiasOp(model, "ffn_gate_exps.bias", f, has, Axis::kX, grid));
    ops.push_back(expertsBiasOp(model, "ffn_up_exps.bias", f, has, Axis::kX, grid));
  }
  if (shared > 0) {  // one sum for all that goes up
    const Gemv up{d, shared, Axis::kY};
    ops.push_back(weightOp(model, "ffn_gate_shexp", up, as.sharedGate, grid, false));
    ops.push_back(weightOp(model, "ffn_up_shexp", up, as.sharedUp, grid, false));
    addSum(ops.back(), model, sums + 2 * share(shared, grid.width), Axis::kY, grid);
  }
  // Each PE adds up what its tiles of the experts give, so that one sum goes along the row.
  ops.push_back(expertsOp(model, "ffn_down_exps", {f, d, Axis::kX}, as.down, has, grid, true));
  if (shared == 0) addSum(ops.back(), model, share(d, grid.height), Axis::kX, grid);
  if (has.expertBias && last) {
    ops.push_back(expertsBiasOp(model, "ffn_down_exps.bias", d, has, Axis::kY, grid));
  }
  if (shared > 0) {
    ops.push_back(
        weightOp(model, "ffn_down_shexp", {shared, d, Axis::kX}, as.sharedDown, grid, true));
    addSum(ops.back(), model, share(d, grid.height), Axis::kX, grid);
  }
}

// Adds the ops of one feed-forward for all tokens.
void addDense(std::vector<Op>& ops, const CostModel& model, const LayerWidths& w, const Grid& grid,
              int layer, const Columns& columns) {
  const int d = w.hidden, n = columns.to - columns.from;
  const bool last = columns.to == w.columns(layer);
  const LayerParts& has = w.parts;
  const WeightFormats& as = w.formats;
  const bool leads = has.experts > 0;  // a layer without experts before those with
  const tensor::Format gate = leads ? as.sharedGate : as.gate;
  const tensor::Format up = leads ? as.sharedUp : as.up;
  const tensor::Format down = leads ? as.sharedDown : as.down;
  if (has.gated) ops.push_back(weightOp(model, "ffn_gate", {d, n, Axis::kY}, gate, grid, true));
  ops.push_back(weightOp(model, "ffn_up", {d, n, Axis::kY}, up, grid, !has.gated));
  addSum(ops.back(), model, (has.gated ? 2 : 1) * share(n, grid.width), Axis::kY, grid);
  if (has.ffnBias) {
    if (has.gated) ops.push_back(biasOp(model, "ffn_gate.bias", n, Axis::kX, grid));
    ops.push_back(biasOp(model, "ffn_up.bias", n, Axis::kX, grid));
  }
  ops.push_back(weightOp(model, "ffn_down", {n, d, Axis::kX}, down, grid, true));
  addSum(ops.back(), model, share(d, grid.height), Axis::kX, grid);
  if (has.ffnBias && last) ops.push_back(biasOp(model, "ffn_down.bias", d, Axis::kY, grid));
  if (has.postNorms && last) {
    ops.push_back(
        normOp(model, has.normsSums ? "layer_output_norm" : "post_ffw_norm", d, has, grid));
  }
}

}  // namespace

int LayerWidths::columns(int layer) const {
  return parts.experts > 0 && !parts.hasExperts(layer) ? parts.denseWidth : intermediate;
}

std::vector<Op> feedForwardOps(const CostModel& model, const LayerWidths& w, const Grid& grid,
                               int layer, const Columns& columns) {
  assert(columns.from >= 0 && columns.from < columns.to && columns.to <= w.columns(layer));
  std::vector<Op> ops;
  if (columns.from == 0 && w.parts.hasFfnNorm()) {
    ops.push_back(normOp(model, "ffn_norm", w.hidden, w.parts, grid));
  }
  if (w.parts.hasExperts(layer)) {
    addExperts(ops, model, w, grid, columns);
  } else {
    addDense(ops, model, w, grid, layer, columns);
  }
  for (Op& op : ops) {
    op.part = columns.part;
    if (op.part > 0) op.name += "." + std::to_string(op.part + 1);
  }
  return ops;
}

std::vector<Op> feedForwardOps(const CostModel& model, const LayerWidths& w, const Grid& grid,
                               int layer) {
  return feedForwardOps(model, w, grid, layer, {0, w.columns(layer)});
}

}  // namespace waferpair::wafer
