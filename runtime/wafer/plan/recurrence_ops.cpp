// SPDX-License-Identifier: GPL-3.0-or-later
// The ops of a recurrent layer's first half (RecurrentParts).
//
// Channels, gates and values lie along x, where the first product leaves them, the same on every
// row of PEs, and so does the convolution. A head's state lies where its values are along x, and
// along y by its keys, so queries and keys are turned first, for which the PEs that hold an element
// give it to a sum along the other axis. Of the state as it was before,
//   S' = decay S + k a^T   gives   S'^T q = decay S^T q + (k . q) a,
// so one pass and one sum give both what the delta rule puts in and what the query gets.
#include "runtime/wafer/plan/op_build.h"

namespace waferpair::wafer {
namespace {

constexpr int kStateBytes = 4;  // of an element: FP32, as the authors of such models keep it

Op convolutionOp(const CostModel& model, const RecurrentParts& r, const Grid& grid) {
  const int channels = share(r.channels(), grid.width);
  Op op;
  op.kind = OpKind::kConvolve;
  op.name = "ssm_conv1d";
  addElementwise(op, model, channels, grid, r.kernel);
  op.elements = r.kernel * r.channels();
  op.sram[SramKind::kWeights] = std::int64_t{kElementBytes} * r.kernel * channels;
  op.sram[SramKind::kKv] = std::int64_t{kElementBytes} * (r.kernel - 1) * channels;
  return op;
}

// Asks the state of the positions before, and adds what this one puts in.
Op recurrenceOp(const CostModel& model, const RecurrentParts& r, const Grid& grid) {
  const int values = share(r.valueWidth(), grid.width), heads = share(r.heads, grid.width);
  const int keys = share(r.stateDim, grid.height);
  Op op;
  op.kind = OpKind::kRecur;
  op.name = r.delta ? "ssm_delta" : "ssm_scan";
  addSum(op, model, 2 * r.groups * keys, Axis::kX, grid);  // turned: queries and keys
  const Gemv ask{r.stateDim, r.valueWidth(), Axis::kY};
  // The delta rule asks for what the key stands for, too, and has both made of length 1. Their
  // lengths and k . q come along.
  addProduct(op, model, ask, grid, r.delta ? 2 : 1);
  addSum(op, model, (r.delta ? 2 : 1) * values + (r.delta ? 3 : 1) * heads, Axis::kY, grid);
  addElementwise(op, model, values, grid, r.delta ? 4 : 3);  // what is put in, what the query gets
  addElementwise(op, model, values, grid, 2 * keys);         // decay S, and k a^T
  // Each head has the rate of its decay and the bias of its steps, and of Mamba-2 what passes by.
  op.sram[SramKind::kWeights] = std::int64_t{kElementBytes} * (r.delta ? 2 : 3) * heads;
  op.sram[SramKind::kKv] = std::int64_t{kStateBytes} * keys * values;
  return op;
}

}  // namespace

std::vector<Op> recurrenceOps(const CostModel& model, const LayerWidths& w, const Grid& grid) {
  const RecurrentParts& r = w.parts.recurrent;
  const WeightFormats& as = w.formats;
  const int d = w.hidden, values = r.valueWidth();
  std::vector<Op> ops;
  const auto input = [&](const char* name, int width, tensor::Format format, bool align) {
    ops.push_back(weightOp(model, name, {d, width, Axis::kY}, format, grid, align));
  };
  ops.push_back(normOp(model, "attn_norm", d, w.parts, grid));
  if (r.delta) {
    input("attn_qkv", r.channels(), as.recurrentIn, true);
    input("attn_gate", values, as.recurrentGate, false);
    if (r.joined) input("ssm_ba", 2 * r.heads, as.recurrentHeads, false);
    if (!r.joined) input("ssm_beta", r.heads, as.recurrentHeads, false);
    if (!r.joined) input("ssm_alpha", r.heads, as.recurrentHeads, false);
  } else {
    input("ssm_in", r.inputWidth(), as.recurrentIn, true);
  }
  addSum(ops.back(), model, share(r.inputWidth(), grid.width), Axis::kY, grid);
  ops.push_back(convolutionOp(model, r, grid));
  if (!r.delta) ops.push_back(biasOp(model, "ssm_conv1d.bias", r.channels(), Axis::kX, grid));
  ops.push_back(recurrenceOp(model, r, grid));
  ops.push_back(headNormOp(model, "ssm_norm", values, grid));
  ops.push_back(weightOp(model, "ssm_out", {values, d, Axis::kX}, as.recurrentOut, grid, true));
  addSum(ops.back(), model, share(d, grid.height), Axis::kX, grid);
  if (w.parts.postNorms) ops.push_back(normOp(model, "post_attention_norm", d, w.parts, grid));
  return ops;
}

}  // namespace waferpair::wafer
