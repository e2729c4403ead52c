// SPDX-License-Identifier: GPL-3.0-or-later
// The ops of a model on the wafer, and what each costs.
#pragma once

#include <string>
#include <vector>

#include "runtime/wafer/cost/cost.h"
#include "runtime/wafer/cost/parts.h"
#include "runtime/wafer/plan/placement.h"

namespace waferpair::wafer {

enum class OpKind {
  kEmbed,   // a row of the embedding, to the first block
  kNorm,    // RMS norm or layer norm
  kMatmul,  // one weight matrix
  kBias,    // a vector added to the result of one, or to the sums of a softmax
  kChoice,  // the experts with the largest scores
  kScore,   // q K^T
  kSoftmax,
  kAttend,    // scores V
  kConvolve,  // each channel with those of the positions before
  kRecur,     // the state of the positions before, asked and changed
  kTransfer,  // activations to the next region
  kSample,    // argmax over the vocabulary
  kPool,      // the states of a text, added up
};
const char* opKindName(OpKind kind);

// Ops of one layer, in order, as GGUF names its tensors (N is the layer):
//   blk.N.attn_norm  blk.N.attn_q  blk.N.attn_k  blk.N.attn_v  blk.N.attn_score  blk.N.attn_softmax
//   blk.N.attn_mix  blk.N.attn_output  blk.N.ffn_norm  blk.N.ffn_gate  blk.N.ffn_up  blk.N.ffn_down
// and blk.N.transfer where the next op is in another region. Before them token_embd, after them
// output_norm, output, sample. By the shape's parts there are more: blk.N.attn_q.bias attn_k.bias
// attn_v.bias attn_q_norm attn_k_norm after attn_v, attn_output.bias post_attention_norm after
// attn_output, ffn_gate_inp ffn_choice ffn_gate_exps ffn_up_exps ffn_down_exps in place of the FFN
// of a layer with experts, ffn_gate.bias ffn_up.bias after ffn_up, ffn_down.bias post_ffw_norm
// after ffn_down; attn_sinks after attn_softmax; ffn_gate_inp.bias ffn_gate_exps.bias
// ffn_up_exps.bias ffn_down_exps.bias after what they are added to; and no ffn_gate without a gate.
// With latent attention attn_norm, attn_q or attn_q_a, attn_kv_a_mqa, attn_q_a_norm, attn_q_b,
// attn_kv_a_norm, attn_k_b come before attn_score, and attn_v_b after attn_mix. exp_probs_b.bias
// comes after the router, ffn_gate_shexp ffn_up_shexp after what goes up to the experts,
// ffn_down_shexp last, and with a gate of what that gives ffn_gate_inp_shexp after the router.
// A recurrent layer has attn_norm, then of the delta rule attn_qkv attn_gate ssm_ba, or ssm_beta
// ssm_alpha, ssm_conv1d ssm_delta ssm_norm ssm_out, of Mamba-2's ssm_in ssm_conv1d ssm_conv1d.bias
// ssm_scan ssm_norm ssm_out, in place of attention. Where a layer is cut (LayerSlice),
// blk.N.attn.transfer or blk.N.ffn.1.transfer lies at the cut, and the ops of a further part of its
// feed-forward are called ffn_gate.2 ffn_up.2 ffn_down.2, and so on. gpt-oss files call their
// ffn_norm post_attention_norm. A feed-forward that is parallel to attention has no ffn_norm;
// layers that norm what they add alone have no attn_norm either. Rotary positions, residual adds,
// activations, scales and soft caps are elementwise on the tiles of their neighbors: the profile's
// constants include them, so they are no ops of their own. Rotated pairs are neighbors, as the host
// orders the rows of W_q and W_k. One all-reduce sums q, k and v (charged to attn_v), one gate and
// up (charged to ffn_up).
// An encoder's end with layers of attn_output_norm and layer_output_norm, where sums are normed,
// and in place of output and sample it has pool, of every row. What it adds to rows of the
// embedding, and their norm, are part of token_embd.
struct Op {
  OpKind kind = OpKind::kMatmul;
  std::string name;
  int layer = -1;     // -1 before and after the layers
  int region = 0;     // index into Placement::regions
  bool tail = false;  // on the head: runs only for rows whose logits are asked for
  SramUse sram;       // weights and cache that it keeps on each PE of its region
  OpCost decode;      // of one row

  // The prefill part, for a chunk of rows: the matrix product, or all-reduces along the rows, or
  // the cycles by which one row follows another: its wavelets on each link, or its bytes on the way
  // to another wafer.
  Gemm gemm;
  Axis sums = Axis::kY;  // of a matrix: along which decode sums its product
  int reductions = 0;
  double streamed = 0;
  int elements = 0;  // of a row of a bias, or that a convolution multiplies

  // The experts that each have a matrix of their own, or the heads, all of which are used. They are
  // taken to get equal parts of a chunk's rows.
  int experts = 0, expertsUsed = 0;

  int part = 0;  // of a feed-forward that is cut: which of its parts this is in, from 0

  int window = 0;  // of attention: charged for so many positions at most; 0 = all there are

  std::vector<CostPart> parts = {};  // that `decode` adds up
};

// Widths of a layer's matrices, and what else it has.
struct LayerWidths {
  int hidden = 0;        // d
  int query = 0;         // of q and of the attended values
  int keyValue = 0;      // of k and of v
  int intermediate = 0;  // f
  LayerParts parts = {};
  WeightFormats formats = {};

  // Of a layer's feed-forward: how many columns it has, each expert of it if it has some.
  int columns(int layer) const;

  static LayerWidths of(const ModelShape& shape);
  // Returns the widths as WaferLLM counts: attention is d x d throughout, whatever the heads.
  static LayerWidths published(const ModelShape& shape);
};

// The ops of a layer with a cache of `context` positions; names without "blk.N.". A windowed layer
// reserves the cache of all of them, as the host does, and is charged for those it attends to.
std::vector<Op> layerOps(const CostModel& model, const LayerWidths& widths, const Grid& grid,
                         int context, int layer = 0);
// The two halves of these: attention, or the recurrence of a layer that has one in its place, and
// the feed-forward. Of that all, or those of some of its columns.
std::vector<Op> attentionOps(const CostModel& model, const LayerWidths& widths, const Grid& grid,
                             int context, int layer = 0);
std::vector<Op> feedForwardOps(const CostModel& model, const LayerWidths& widths, const Grid& grid,
                               int layer);
// Columns of a feed-forward (of each of its experts), of those that blocks share. The first part
// has the norm, the router and what all tokens use beside the experts too, the last what follows
// the sum.
struct Columns {
  int from = 0, to = 0;
  int part = 0;  // from 0
};
std::vector<Op> feedForwardOps(const CostModel& model, const LayerWidths& widths, const Grid& grid,
                               int layer, const Columns& columns);
// Elements of a row that go on from a part of a feed-forward to the next: the normed input, the
// residual stream and what has been summed (in one, unless a norm comes between), the choice.
int cutWidth(const ModelShape& shape, int layer);

// The bytes of the embedding's tile on a PE.
std::int64_t embeddingBytes(const ModelShape& shape, const Grid& grid);
// Token id to its column of the embedding, and the row from there to the first block.
Op embedOp(const CostModel& model, const ModelShape& shape, const Region& embedding,
           const Region& first, double clockGhz);
// From a block to the next region: what has to go there by where the block's last layer is cut.
Op transferOp(const CostModel& model, const ModelShape& shape, const Region& from, const Region& to,
              double clockGhz);
// Final norm, lm_head and argmax on a head of this grid; of an encoder norm and pooling.
std::vector<Op> tailOps(const CostModel& model, const ModelShape& shape, const Grid& head);

// Returns the cycles of one row with `positions` in the cache, itself included.
Cycles rowCycles(const CostModel& model, const Op& op, std::int64_t positions, const Grid& grid);
// The closed form of that, term by term: of a row, or of a chunk of rows that is one GEMM.
std::vector<Term> rowTerms(const CostModel& model, const Op& op, std::int64_t positions,
                           const Grid& grid, double clockGhz);
std::vector<Term> chunkTerms(const CostModel& model, const Op& op, std::int64_t rows,
                             std::int64_t positions, const Grid& grid);
// Returns the cycles of a chunk of `rows` that ends at `positions`, for an op of the body (not the
// tail).
Cycles chunkCycles(const CostModel& model, const Op& op, std::int64_t rows, std::int64_t positions,
                   const Grid& grid);

}  // namespace waferpair::wafer
