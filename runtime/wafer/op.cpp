// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/wafer/op.h"

#include <algorithm>
#include <cstdlib>

#include "runtime/wafer/collectives.h"

namespace waferpair::wafer {
namespace {

Op weightOp(const CostModel& model, const char* name, const Gemv& shape, const Grid& grid,
            bool align) {
  Op op;
  op.kind = OpKind::kMatmul;
  op.name = name;
  op.decode = model.gemv(shape, grid);
  op.gemm = {.k = shape.k, .n = shape.n, .align = align};
  const bool inputDown = shape.reduce == Axis::kY;
  op.sram[SramKind::kWeights] =
      tileBytes(inputDown ? shape.k : shape.n, inputDown ? shape.n : shape.k, grid);
  return op;
}

Op normOp(const CostModel& model, const char* name, int width, const Grid& grid) {
  Op op;
  op.kind = OpKind::kNorm;
  op.name = name;
  op.decode = model.allReduce(1, Axis::kY, grid);
  op.reductions = 1;
  // The gains lie along y like the activations, the same on every column.
  op.sram[SramKind::kWeights] = kElementBytes * ceilDiv(width, grid.height);
  return op;
}

// PEs between two regions of one wafer: down to the same row, then over the gap between them.
int hopsBetween(const Rect& from, const Rect& to) {
  const int gap = std::max({0, to.x - (from.x + from.width), from.x - (to.x + to.width)});
  return std::abs(to.y - from.y) + gap;
}

OpCost moveCost(const CostModel& model, int width, const Region& from, const Region& to,
                double clockGhz) {
  return from.wafer == to.wafer
             ? model.transfer(width, hopsBetween(from.rect, to.rect), to.rect.grid())
             : model.waferHop(width, to.rect.grid(), clockGhz);
}

int share(int size, int pes) { return static_cast<int>(ceilDiv(size, pes)); }

}  // namespace

const char* opKindName(OpKind kind) {
  static constexpr const char* kNames[] = {"embed",   "norm",   "matmul",   "score",
                                           "softmax", "attend", "transfer", "sample"};
  return kNames[static_cast<int>(kind)];
}

LayerWidths LayerWidths::of(const ModelShape& s) {
  return {s.hiddenSize, s.queryWidth(), s.kvWidth(), s.intermediateSize};
}

LayerWidths LayerWidths::published(const ModelShape& s) {
  return {s.hiddenSize, s.hiddenSize, s.hiddenSize, s.intermediateSize};
}

std::vector<Op> layerOps(const CostModel& model, const LayerWidths& w, const Grid& grid,
                         int context) {
  const int d = w.hidden, q = w.query, kv = w.keyValue, f = w.intermediate;
  std::vector<Op> ops;
  ops.reserve(12);
  // The residual stream lies along y. Products alternate their axis, so that each finds its input
  // where the last one left its sum: y -> x (q, k, v), x -> y (scores), y -> x (values), x -> y.
  ops.push_back(normOp(model, "attn_norm", d, grid));
  ops.push_back(weightOp(model, "attn_q", {d, q, Axis::kY}, grid, true));
  ops.push_back(weightOp(model, "attn_k", {d, kv, Axis::kY}, grid, false));
  ops.push_back(weightOp(model, "attn_v", {d, kv, Axis::kY}, grid, false));
  ops.back().decode +=
      model.allReduce(share(q, grid.width) + 2 * share(kv, grid.width), Axis::kY, grid);

  Op score;
  score.kind = OpKind::kScore;
  score.name = "attn_score";
  score.decode = model.gemv({q, 0, Axis::kX}, grid);
  score.decode += model.allReduce(0, Axis::kX, grid);
  score.gemm = {.k = q, .n = 0, .transposed = true};
  score.sram[SramKind::kKv] = tileBytes(context, kv, grid);
  ops.push_back(score);

  Op softmax;
  softmax.kind = OpKind::kSoftmax;
  softmax.name = "attn_softmax";
  softmax.decode = model.allReduce(1, Axis::kY, grid);   // maximum
  softmax.decode += model.allReduce(1, Axis::kY, grid);  // sum
  softmax.reductions = 2;
  ops.push_back(softmax);

  Op mix;
  mix.kind = OpKind::kAttend;
  mix.name = "attn_mix";
  mix.decode = model.gemv({0, q, Axis::kY}, grid);
  mix.decode += model.allReduce(share(q, grid.width), Axis::kY, grid);
  mix.gemm = {.k = 0, .n = q, .align = true};
  mix.sram[SramKind::kKv] = tileBytes(context, kv, grid);
  ops.push_back(mix);

  ops.push_back(weightOp(model, "attn_output", {q, d, Axis::kX}, grid, true));
  ops.back().decode += model.allReduce(share(d, grid.height), Axis::kX, grid);
  ops.push_back(normOp(model, "ffn_norm", d, grid));
  ops.push_back(weightOp(model, "ffn_gate", {d, f, Axis::kY}, grid, true));
  ops.push_back(weightOp(model, "ffn_up", {d, f, Axis::kY}, grid, false));
  ops.back().decode += model.allReduce(2 * share(f, grid.width), Axis::kY, grid);
  ops.push_back(weightOp(model, "ffn_down", {f, d, Axis::kX}, grid, true));
  ops.back().decode += model.allReduce(share(d, grid.height), Axis::kX, grid);
  return ops;
}

Op embedOp(const CostModel& model, const ModelShape& shape, const Region& embedding,
           const Region& first, double clockGhz) {
  const Grid grid = embedding.rect.grid();
  Op op;
  op.kind = OpKind::kEmbed;
  op.name = "token_embd";
  op.decode = moveCost(model, shape.hiddenSize, embedding, first, clockGhz);
  // One wavelet tells every PE of the embedding which token it is.
  op.decode.fabric.fixed += broadcastCycles(grid.width, grid.height, 1, model.machine().rampCycles);
  op.decode.wavelets.fixed += static_cast<double>(embedding.rect.area() - 1);
  op.streamed = static_cast<int>(waveletsOf(ceilDiv(shape.hiddenSize, first.rect.height)));
  op.sram[SramKind::kWeights] = tileBytes(shape.hiddenSize, shape.vocabSize, grid);
  return op;
}

Op transferOp(const CostModel& model, const ModelShape& shape, const Region& from, const Region& to,
              double clockGhz) {
  Op op;
  op.kind = OpKind::kTransfer;
  op.name = "transfer";
  op.decode = moveCost(model, shape.hiddenSize, from, to, clockGhz);
  op.streamed = static_cast<int>(waveletsOf(ceilDiv(shape.hiddenSize, to.rect.height)));
  return op;
}

std::vector<Op> tailOps(const CostModel& model, const ModelShape& shape, const Grid& head) {
  const int columns = share(shape.vocabSize, head.width);
  std::vector<Op> ops;
  ops.push_back(normOp(model, "output_norm", shape.hiddenSize, head));
  ops.push_back(
      weightOp(model, "output", {shape.hiddenSize, shape.vocabSize, Axis::kY}, head, true));
  ops.back().decode += model.allReduce(columns, Axis::kY, head);

  Op sample;
  sample.kind = OpKind::kSample;
  sample.name = "sample";
  const DecodeConstants& c = model.profile().decode;
  sample.decode.compute.fixed = static_cast<double>(ceilDiv(columns, c.lanes)) + c.issue;
  // The largest logit and its token.
  sample.decode += model.allReduce(2, Axis::kX, head);
  ops.push_back(sample);
  for (Op& op : ops) op.tail = true;
  return ops;
}

Cycles chunkCycles(const CostModel& model, const Op& op, std::int64_t rows, std::int64_t positions,
                   const Grid& grid) {
  switch (op.kind) {
    case OpKind::kMatmul:
    case OpKind::kScore:
    case OpKind::kAttend:
      return model.gemm(op.gemm, rows, positions, grid);
    case OpKind::kNorm:
    case OpKind::kSoftmax:
      return model.rowReductions(op.reductions, rows, grid);
    case OpKind::kEmbed:
    case OpKind::kTransfer:
    case OpKind::kSample:
      break;
  }
  Cycles cycles = model.at(op.decode, positions, grid);
  cycles.fabric += static_cast<double>(op.streamed) * (rows - 1);
  cycles.wavelets *= static_cast<double>(rows);
  return cycles;
}

}  // namespace waferpair::wafer
