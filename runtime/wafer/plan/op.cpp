// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/wafer/plan/op.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "runtime/wafer/plan/op_build.h"

namespace waferpair::wafer {
namespace {

using Kind = CostPart::Kind;

// PEs between two regions of one wafer: down to the same row, then over the gap between them.
int hopsBetween(const Rect& from, const Rect& to) {
  const int gap = std::max({0, to.x - (from.x + from.width), from.x - (to.x + to.width)});
  return std::abs(to.y - from.y) + gap;
}

void addMove(Op& op, const CostModel& model, int width, const Region& from, const Region& to,
             double clockGhz) {
  CostPart part{.kind = Kind::kWaferHop, .width = width, .to = to.rect.grid()};
  if (from.wafer == to.wafer) {
    part.kind = Kind::kMove;
    part.hops = hopsBetween(from.rect, to.rect);
  }
  addPart(op, model, part, from.rect.grid(), clockGhz);
}

// Cycles by which a row follows the one before.
double rowInterval(const CostModel& model, int width, const Region& from, const Region& to,
                   double clockGhz) {
  const auto wavelets = static_cast<double>(waveletsOf(ceilDiv(width, to.rect.height)));
  return from.wafer == to.wafer ? wavelets
                                : std::max(wavelets, model.waferLinkCycles(width, clockGhz));
}

}  // namespace

const char* opKindName(OpKind kind) {
  static constexpr const char* kNames[] = {"embed",    "norm",    "matmul", "bias",     "choice",
                                           "score",    "softmax", "attend", "convolve", "recur",
                                           "transfer", "sample",  "pool"};
  return kNames[static_cast<int>(kind)];
}

LayerWidths LayerWidths::of(const ModelShape& s) {
  return {s.hiddenSize, s.queryWidth(), s.kvWidth(), s.intermediateSize, s.parts, s.formats};
}

LayerWidths LayerWidths::published(const ModelShape& s) {
  return {s.hiddenSize, s.hiddenSize, s.hiddenSize, s.intermediateSize, {}};
}

std::vector<Op> layerOps(const CostModel& model, const LayerWidths& w, const Grid& grid,
                         int context, int layer) {
  std::vector<Op> ops = attentionOps(model, w, grid, context, layer);
  for (Op& op : feedForwardOps(model, w, grid, layer)) ops.push_back(std::move(op));
  return ops;
}

int cutWidth(const ModelShape& s, int layer) {
  const int choice = s.parts.hasExperts(layer) ? 2 * s.parts.expertsUsed : 0;
  // Without norms in front the input is the residual stream.
  return (s.parts.postNorms && s.parts.preNorms ? 3 : 2) * s.hiddenSize + choice;
}

std::int64_t embeddingBytes(const ModelShape& shape, const Grid& grid) {
  std::int64_t bytes =
      matrixTileBytes(shape.formats.embedding, shape.hiddenSize, shape.vocabSize, Axis::kY, grid);
  if (shape.parts.addedRows > 0) {
    bytes += matrixTileBytes(tensor::Format::kF16, shape.hiddenSize, shape.parts.addedRows,
                             Axis::kY, grid);
  }
  if (shape.parts.embeddingNorm) {
    bytes +=
        (shape.parts.normBias ? 2 : 1) * kElementBytes * ceilDiv(shape.hiddenSize, grid.height);
  }
  return bytes;
}

Op embedOp(const CostModel& model, const ModelShape& shape, const Region& embedding,
           const Region& first, double clockGhz) {
  const Grid grid = embedding.rect.grid();
  Op op;
  op.kind = OpKind::kEmbed;
  op.name = "token_embd";
  addMove(op, model, shape.hiddenSize, embedding, first, clockGhz);
  addPart(op, model, {.kind = Kind::kTell}, grid);  // which token it is
  const int rows = share(shape.hiddenSize, grid.height);
  if (shape.parts.addedRows > 0) addElementwise(op, model, rows, grid);
  if (shape.parts.embeddingNorm) {  // the mean, and the variance
    addElementwise(op, model, rows, grid);
    addSum(op, model, 1, Axis::kY, grid, 2);
  }
  op.streamed = rowInterval(model, shape.hiddenSize, embedding, first, clockGhz);
  op.sram[SramKind::kWeights] = embeddingBytes(shape, grid);
  return op;
}

Op transferOp(const CostModel& model, const ModelShape& shape, const Region& from, const Region& to,
              double clockGhz) {
  Op op;
  op.kind = OpKind::kTransfer;
  op.name = "transfer";
  int width = shape.hiddenSize;
  if (!from.slices.empty()) {
    const LayerSlice& last = from.slices.back();
    if (last.to == 0) {
      op.name = "attn.transfer";
      if (shape.parts.parallel) width *= 2;  // the normed input goes on beside the sum
    } else if (last.to < shape.columns(last.layer)) {
      width = cutWidth(shape, last.layer);
      op.part = last.part;
      op.name = "ffn." + std::to_string(last.part + 1) + ".transfer";
    }
  }
  addMove(op, model, width, from, to, clockGhz);
  op.streamed = rowInterval(model, width, from, to, clockGhz);
  return op;
}

std::vector<Op> tailOps(const CostModel& model, const ModelShape& shape, const Grid& head) {
  const int columns = share(shape.vocabSize, head.width);
  std::vector<Op> ops;
  if (shape.parts.hasFinalNorm())
    ops.push_back(normOp(model, "output_norm", shape.hiddenSize, shape.parts, head));
  if (shape.parts.encoder) {
    Op pool;
    pool.kind = OpKind::kPool;
    pool.name = "pool";
    addElementwise(pool, model, share(shape.hiddenSize, head.height), head);
    pool.elements = shape.hiddenSize;
    ops.push_back(pool);
    return ops;  // of every row
  }
  ops.push_back(weightOp(model, "output", {shape.hiddenSize, shape.vocabSize, Axis::kY},
                         shape.formats.head, head, true));
  addSum(ops.back(), model, columns, Axis::kY, head);

  Op sample;
  sample.kind = OpKind::kSample;
  sample.name = "sample";
  addElementwise(sample, model, columns, head);
  addSum(sample, model, 2, Axis::kX, head);  // the largest logit and its token
  ops.push_back(sample);
  for (Op& op : ops) op.tail = true;
  return ops;
}

}  // namespace waferpair::wafer
