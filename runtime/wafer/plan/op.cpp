// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/wafer/plan/op.h"

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <utility>

namespace waferpair::wafer {
namespace {

using Kind = CostPart::Kind;

int share(int size, int pes) { return static_cast<int>(ceilDiv(size, pes)); }

// Adds what an op does, and what that costs.
void add(Op& op, const CostModel& model, const CostPart& part, const Grid& grid,
         double clockGhz = 0) {
  const OpCost once = costOf(model, part, grid, clockGhz);
  for (int i = 0; i < part.times; ++i) op.decode += once;
  op.parts.push_back(part);
}
void addProduct(Op& op, const CostModel& model, const Gemv& shape, const Grid& grid,
                int times = 1) {
  add(op, model, {.kind = Kind::kGemv, .times = times, .gemv = shape}, grid);
}
void addSum(Op& op, const CostModel& model, int elements, Axis axis, const Grid& grid,
            int times = 1) {
  add(op, model, {.kind = Kind::kAllReduce, .times = times, .elements = elements, .axis = axis},
      grid);
}
void addElementwise(Op& op, const CostModel& model, int elements, const Grid& grid, int times = 1) {
  add(op, model, {.kind = Kind::kElementwise, .times = times, .elements = elements}, grid);
}

Op weightOp(const CostModel& model, const char* name, const Gemv& shape, tensor::Format format,
            const Grid& grid, bool align, int times = 1) {
  Op op;
  op.kind = OpKind::kMatmul;
  op.name = name;
  addProduct(op, model, shape, grid, times);
  op.gemm = {.k = shape.k, .n = shape.n, .align = align};
  op.sums = shape.reduce;
  op.sram[SramKind::kWeights] = matrixTileBytes(format, shape.k, shape.n, shape.reduce, grid);
  return op;
}

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

// A matrix of each head. A row goes through all of them.
Op headsOp(const CostModel& model, const char* name, const Gemv& shape, int heads,
           tensor::Format format, const Grid& grid) {
  Op op = weightOp(model, name, shape, format, grid, true, heads);
  op.experts = op.expertsUsed = heads;
  op.sram[SramKind::kWeights] *= heads;
  return op;
}

// Returns the norm of a vector along y. A layer norm sums twice, for the mean and for the variance.
Op normOp(const CostModel& model, const char* name, int width, bool layerNorm, const Grid& grid) {
  Op op;
  op.kind = OpKind::kNorm;
  op.name = name;
  op.reductions = layerNorm ? 2 : 1;
  addSum(op, model, 1, Axis::kY, grid, op.reductions);
  // The gains (and biases) lie along y like the activations, the same on every column.
  op.sram[SramKind::kWeights] = op.reductions * kElementBytes * ceilDiv(width, grid.height);
  return op;
}

// Returns the norm of each head of a vector along x. As elsewhere, the heads count as one of the
// whole width.
Op headNormOp(const CostModel& model, const char* name, int width, const Grid& grid) {
  Op op;
  op.kind = OpKind::kNorm;
  op.name = name;
  addSum(op, model, 1, Axis::kX, grid);
  op.reductions = 1;
  op.sram[SramKind::kWeights] = kElementBytes * ceilDiv(width, grid.width);
  return op;
}

// It lies as the result of its matrix does, the same on every PE across.
Op biasOp(const CostModel& model, const char* name, int width, Axis along, const Grid& grid,
          int times = 1) {
  const auto elements = static_cast<int>(ceilDiv(width, pesAlong(grid, along)));
  Op op;
  op.kind = OpKind::kBias;
  op.name = name;
  addElementwise(op, model, elements, grid, times);
  op.elements = width;
  op.sram[SramKind::kWeights] = kElementBytes * elements;
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
  add(op, model, part, from.rect.grid(), clockGhz);
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
  static constexpr const char* kNames[] = {"embed", "norm",    "matmul", "bias",     "choice",
                                           "score", "softmax", "attend", "transfer", "sample"};
  return kNames[static_cast<int>(kind)];
}

LayerWidths LayerWidths::of(const ModelShape& s) {
  return {s.hiddenSize, s.queryWidth(), s.kvWidth(), s.intermediateSize, s.parts, s.formats};
}

LayerWidths LayerWidths::published(const ModelShape& s) {
  return {s.hiddenSize, s.hiddenSize, s.hiddenSize, s.intermediateSize, {}};
}

namespace {

// Scores of `q` values, their softmax, and what they mix: `mixed` values.
void addScores(std::vector<Op>& ops, const CostModel& model, const LayerWidths& w, int mixed,
               const Grid& grid, int context, int layer) {
  // The bytes of the keys, which the values take once more unless they are the same.
  const LayerParts& has = w.parts;
  const int q = w.query, kv = w.keyValue;
  const std::int64_t cacheBytes = ceilDiv(
      tileBytes(context, kv, grid) / kElementBytes * has.kvBlockBytes, LayerParts::kKvBlock);
  Op score;
  score.kind = OpKind::kScore;
  score.name = "attn_score";
  addProduct(score, model, {q, 0, Axis::kX}, grid);
  addSum(score, model, 0, Axis::kX, grid);
  score.gemm = {.k = q, .n = 0, .transposed = true};
  score.sram[SramKind::kKv] = cacheBytes;
  score.window = has.windowOf(layer);
  ops.push_back(score);

  Op softmax;
  softmax.kind = OpKind::kSoftmax;
  softmax.name = "attn_softmax";
  addSum(softmax, model, 1, Axis::kY, grid, 2);  // the maximum, and the sum
  softmax.reductions = 2;
  ops.push_back(softmax);

  if (has.sinks > 0) ops.push_back(biasOp(model, "attn_sinks", has.sinks, Axis::kX, grid));

  Op mix;
  mix.kind = OpKind::kAttend;
  mix.name = "attn_mix";
  addProduct(mix, model, {0, mixed, Axis::kY}, grid);
  addSum(mix, model, share(mixed, grid.width), Axis::kY, grid);
  mix.gemm = {.k = 0, .n = mixed, .align = true};
  if (has.latent.rank == 0) mix.sram[SramKind::kKv] = cacheBytes;
  mix.window = has.windowOf(layer);
  ops.push_back(mix);
}

void addAttention(std::vector<Op>& ops, const CostModel& model, const LayerWidths& w,
                  const Grid& grid, int context, int layer) {
  const int d = w.hidden, q = w.query, kv = w.keyValue;
  const LayerParts& has = w.parts;
  const WeightFormats& as = w.formats;
  // The residual stream lies along y. Products alternate their axis, so that each finds its input
  // where the last one left its sum: y -> x (q, k, v), x -> y (scores), y -> x (values), x -> y.
  ops.push_back(normOp(model, "attn_norm", d, has.layerNorm, grid));
  ops.push_back(weightOp(model, "attn_q", {d, q, Axis::kY}, as.query, grid, true));
  ops.push_back(weightOp(model, "attn_k", {d, kv, Axis::kY}, as.key, grid, false));
  ops.push_back(weightOp(model, "attn_v", {d, kv, Axis::kY}, as.value, grid, false));
  addSum(ops.back(), model, share(q, grid.width) + 2 * share(kv, grid.width), Axis::kY, grid);
  if (has.qkvBias) {
    ops.push_back(biasOp(model, "attn_q.bias", q, Axis::kX, grid));
    ops.push_back(biasOp(model, "attn_k.bias", kv, Axis::kX, grid));
    ops.push_back(biasOp(model, "attn_v.bias", kv, Axis::kX, grid));
  }
  if (has.headNorms) {
    ops.push_back(headNormOp(model, "attn_q_norm", q, grid));
    ops.push_back(headNormOp(model, "attn_k_norm", kv, grid));
  }

  addScores(ops, model, w, q, grid, context, layer);
  ops.push_back(weightOp(model, "attn_output", {q, d, Axis::kX}, as.output, grid, true));
  addSum(ops.back(), model, share(d, grid.height), Axis::kX, grid);
  if (has.outputBias) ops.push_back(biasOp(model, "attn_output.bias", d, Axis::kY, grid));
  if (has.postNorms) ops.push_back(normOp(model, "post_attention_norm", d, has.layerNorm, grid));
}

// Latent attention is one product longer than the usual one if queries are made from the hidden
// state, two if not, and a head's products with its matrices are not with those of others. So
// twice, or once, a vector has to be turned from x to y or back: a sum along the other axis to
// which the PEs that hold an element give it and the others nothing.
void addLatentAttention(std::vector<Op>& ops, const CostModel& model, const LayerWidths& w,
                        const Grid& grid, int context, int layer) {
  const int d = w.hidden, heads = w.query / w.keyValue;
  const LatentParts& l = w.parts.latent;
  const WeightFormats& as = w.formats;
  const int queries = heads * (l.plainDim + l.ropeDim), values = heads * l.valueDim;
  const bool low = l.queryRank > 0;
  const int first = low ? l.queryRank : queries;
  ops.push_back(normOp(model, "attn_norm", d, w.parts.layerNorm, grid));
  ops.push_back(weightOp(model, low ? "attn_q_a" : "attn_q", {d, first, Axis::kY},
                         low ? as.queryDown : as.query, grid, true));
  ops.push_back(weightOp(model, "attn_kv_a_mqa", {d, w.keyValue, Axis::kY}, as.key, grid, false));
  addSum(ops.back(), model, share(first, grid.width) + share(w.keyValue, grid.width), Axis::kY,
         grid);
  if (low) {
    ops.push_back(headNormOp(model, "attn_q_a_norm", first, grid));
    ops.push_back(weightOp(model, "attn_q_b", {first, queries, Axis::kX}, as.query, grid, true));
    addSum(ops.back(), model, share(queries, grid.height), Axis::kX, grid);
  }
  ops.push_back(headNormOp(model, "attn_kv_a_norm", l.rank, grid));
  ops.push_back(
      headsOp(model, "attn_k_b", {l.plainDim, l.rank, Axis::kY}, heads, as.keyToLatent, grid));
  if (!low) addSum(ops.back(), model, share(queries, grid.height), Axis::kX, grid);  // turned
  // The rotated values go along, to the columns of the keys.
  addSum(ops.back(), model, share(w.query, grid.width), Axis::kY, grid);
  addScores(ops, model, w, heads * l.rank, grid, context, layer);
  ops.push_back(headsOp(model, "attn_v_b", {l.rank, l.valueDim, Axis::kX}, heads, as.value, grid));
  addSum(ops.back(), model, share(values, grid.height), Axis::kX, grid);
  addSum(ops.back(), model, share(values, grid.width), Axis::kY, grid);  // turned
  ops.push_back(weightOp(model, "attn_output", {values, d, Axis::kX}, as.output, grid, true));
  addSum(ops.back(), model, share(d, grid.height), Axis::kX, grid);
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
    addSum(ops.back(), model, share(e, grid.width), Axis::kY, grid);
    if (has.expertBias) ops.push_back(biasOp(model, "ffn_gate_inp.bias", e, Axis::kX, grid));
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

// That of one feed-forward for all tokens.
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
  if (has.postNorms && last) ops.push_back(normOp(model, "post_ffw_norm", d, has.layerNorm, grid));
}

}  // namespace

int LayerWidths::columns(int layer) const {
  return parts.experts > 0 && !parts.hasExperts(layer) ? parts.denseWidth : intermediate;
}

std::vector<Op> attentionOps(const CostModel& model, const LayerWidths& w, const Grid& grid,
                             int context, int layer) {
  std::vector<Op> ops;
  if (w.parts.latent.rank > 0) {
    addLatentAttention(ops, model, w, grid, context, layer);
  } else {
    addAttention(ops, model, w, grid, context, layer);
  }
  return ops;
}

std::vector<Op> feedForwardOps(const CostModel& model, const LayerWidths& w, const Grid& grid,
                               int layer, const Columns& columns) {
  assert(columns.from >= 0 && columns.from < columns.to && columns.to <= w.columns(layer));
  std::vector<Op> ops;
  if (columns.from == 0) {
    ops.push_back(normOp(model, "ffn_norm", w.hidden, w.parts.layerNorm, grid));
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

std::vector<Op> layerOps(const CostModel& model, const LayerWidths& w, const Grid& grid,
                         int context, int layer) {
  std::vector<Op> ops = attentionOps(model, w, grid, context, layer);
  for (Op& op : feedForwardOps(model, w, grid, layer)) ops.push_back(std::move(op));
  return ops;
}

int cutWidth(const ModelShape& s, int layer) {
  const int choice = s.parts.hasExperts(layer) ? 2 * s.parts.expertsUsed : 0;
  return (s.parts.postNorms ? 3 : 2) * s.hiddenSize + choice;
}

std::int64_t embeddingBytes(const ModelShape& shape, const Grid& grid) {
  return matrixTileBytes(shape.formats.embedding, shape.hiddenSize, shape.vocabSize, Axis::kY,
                         grid);
}

Op embedOp(const CostModel& model, const ModelShape& shape, const Region& embedding,
           const Region& first, double clockGhz) {
  const Grid grid = embedding.rect.grid();
  Op op;
  op.kind = OpKind::kEmbed;
  op.name = "token_embd";
  addMove(op, model, shape.hiddenSize, embedding, first, clockGhz);
  add(op, model, {.kind = Kind::kTell}, grid);  // which token it is
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
  ops.push_back(normOp(model, "output_norm", shape.hiddenSize, shape.parts.layerNorm, head));
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
