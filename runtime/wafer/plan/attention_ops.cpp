// SPDX-License-Identifier: GPL-3.0-or-later
// The ops of attention, of the usual kind and latent.
#include "runtime/wafer/plan/op_build.h"

namespace waferpair::wafer {
namespace {

// A matrix of each head. A row goes through all of them.
Op headsOp(const CostModel& model, const char* name, const Gemv& shape, int heads,
           tensor::Format format, const Grid& grid) {
  Op op = weightOp(model, name, shape, format, grid, true, heads);
  op.experts = op.expertsUsed = heads;
  op.sram[SramKind::kWeights] *= heads;
  return op;
}

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
  if (has.hasAttentionNorm(layer)) ops.push_back(normOp(model, "attn_norm", d, has, grid));
  const int asked = has.outputGate ? 2 * q : q;  // behind each head's query its gate
  ops.push_back(weightOp(model, "attn_q", {d, asked, Axis::kY}, as.query, grid, true));
  ops.push_back(weightOp(model, "attn_k", {d, kv, Axis::kY}, as.key, grid, false));
  ops.push_back(weightOp(model, "attn_v", {d, kv, Axis::kY}, as.value, grid, false));
  addSum(ops.back(), model, share(asked, grid.width) + 2 * share(kv, grid.width), Axis::kY, grid);
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
  if (has.postNorms) {
    ops.push_back(
        normOp(model, has.normsSums ? "attn_output_norm" : "post_attention_norm", d, has, grid));
  }
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
  ops.push_back(normOp(model, "attn_norm", d, w.parts, grid));
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

}  // namespace

std::vector<Op> attentionOps(const CostModel& model, const LayerWidths& w, const Grid& grid,
                             int context, int layer) {
  if (w.parts.recurrent.at(layer)) return recurrenceOps(model, w, grid);
  std::vector<Op> ops;
  if (w.parts.latent.rank > 0) {
    addLatentAttention(ops, model, w, grid, context, layer);
  } else {
    addAttention(ops, model, w, grid, context, layer);
  }
  return ops;
}

}  // namespace waferpair::wafer
