// SPDX-License-Identifier: GPL-3.0-or-later
// The shape of a model, from the metadata of a GGUF file: sizes, and what its layers are made of.
// Keys begin with the architecture's name; <a> stands for it below.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/transformer/architectures.h"

namespace waferpair::gguf {
class File;
}

namespace waferpair::transformer {

// The way rotary positions are stretched over more of them than a model was first trained for.
struct RopeScaling {
  enum class Kind { kNone, kLinear, kYarn };
  Kind kind = Kind::kNone;    // <a>.rope.scaling.type
  float factor = 1;           // <a>.rope.scaling.factor: so many times as many positions
  float attentionFactor = 1;  // <a>.rope.scaling.attn_factor: of the rotated values; YaRN, and long
  float originalContext =
      0;                    // <a>.rope.scaling.original_context_length; contexts only, as the rest
  float logMultiplier = 0;  // <a>.rope.scaling.yarn_log_multiplier: of what YaRN takes back
  float scoreMultiplier = 0;  // the same key with latent attention: of what scores grow by
  float betaFast = 32;        // <a>.rope.scaling.yarn_beta_fast
  float betaSlow = 1;         // <a>.rope.scaling.yarn_beta_slow
  bool wholePairs = true;     // the bounds that these two give are rounded to whole pairs
};

// Multi-head latent attention (arXiv 2405.04434): the keys and values of all heads are products of
// one short vector of the position, its latent; beside it a position has one more key, the same for
// all heads, which alone is rotated. It is computed in its absorbed form: a head's query is taken
// through its matrix of keys, transposed, so that scores are sums over latents and rotated keys,
// and what is attended to is a latent, which goes through the head's matrix of values afterwards.
// So there is one KV head, whose key is {rotated, latent} and whose values are its keys.
struct LatentAttention {
  int rank = 0;        // <a>.attention.kv_lora_rank: of a latent; 0: attention of the usual kind
  int queryRank = 0;   // <a>.attention.q_lora_rank: of what queries are made from; 0: the width
  int plainDim = 0;    // of a head's query, what is not rotated
  int valueDim = 0;    // of a head's value: <a>.attention.value_length_mla
  bool split = false;  // attn_k_b, attn_v_b in place of attn_kv_b
};

// Layers that keep a state of all that was before in place of keys and values. Each head has a
// matrix S [stateDim][headDim], which a position changes by a key and a value and is asked by a
// query; what it gives is gated and normed. Queries, keys and values pass a short convolution over
// the last positions first, channel by channel; heads of one group have queries and keys in common.
//   kDelta (arXiv 2412.06464):  S <- decay S;  S <- S + key (beta (value - S^T key))^T
//   kDecay (Mamba-2, arXiv 2405.21060):  S <- decay S + key (step value)^T
// It gives S^T query, with kDecay and value times a weight of the head.
struct RecurrentLayers {
  enum class Rule { kDelta, kDecay };
  Rule rule = Rule::kDelta;
  int kernel = 0;    // <a>.ssm.conv_kernel: positions of the convolution; 0: no such layers
  int groups = 0;    // <a>.ssm.group_count: of keys and queries
  int heads = 0;     // <a>.ssm.time_step_rank: of values, as many, or a multiple
  int stateDim = 0;  // <a>.ssm.state_size: of keys
  int headDim = 0;   // <a>.ssm.inner_size / heads: of values; kDelta: stateDim
  std::vector<bool> attention = {};  // by layer: it has attention
  bool inTurn = false;  // the heads of a group come in turn with the others', not one after another
  bool joined = false;  // ssm_ba in place of ssm_beta and ssm_alpha

  int keyWidth() const { return groups * stateDim; }
  int valueWidth() const { return heads * headDim; }
  int channels() const { return 2 * keyWidth() + valueWidth(); }
  int groupOf(int head) const { return inTurn ? head % groups : head / (heads / groups); }
  // Where the channels of each kind begin: queries, keys, values; of kDecay values, keys, queries.
  int firstQuery() const { return rule == Rule::kDelta ? 0 : valueWidth() + keyWidth(); }
  int firstKey() const { return rule == Rule::kDelta ? keyWidth() : valueWidth(); }
  int firstValue() const { return rule == Rule::kDelta ? 2 * keyWidth() : 0; }
  // What else a position puts in, of each head: beta and alpha; of kDecay the step.
  int extras() const { return rule == Rule::kDelta ? 2 * heads : heads; }
};

// How an embedding model makes one vector of the states of a text's tokens, or a model that ranks
// texts judges them by these.
enum class Pooling {
  kNone,  // it is no embedding model, as far as its file says
  kMean,  // their mean
  kCls,   // the first
  kLast,  // the last
  kRank,  // one of these, which a head of its own tells the text's class from
};

struct Config {
  std::string architecture;  // general.architecture
  std::string name;          // general.name, may be empty
  int layers = 0;            // <a>.block_count, without those that only drafts need
  int width = 0;             // <a>.embedding_length: d
  int feedForward = 0;       // <a>.feed_forward_length, of an expert expert_feed_forward_length: f
  int experts = 0;           // <a>.expert_count: each layer has so many ffns; 0: one and no router
  int expertsUsed = 0;       // <a>.expert_used_count: by each token
  float expertScale = 1;     // <a>.expert_weights_scale: of what they give together
  // Of those models with experts that say so: the first layers have one ffn and no router, of a
  // width of its own; the others have one more beside the experts, which every token uses.
  int leadingDense = 0;      // <a>.leading_dense_block_count
  int denseFeedForward = 0;  // <a>.feed_forward_length
  // <a>.expert_shared_count times that of an expert, or expert_shared_feed_forward_length; 0: none.
  int sharedFeedForward = 0;
  Gating gating = Gating::kSoftmax;  // <a>.expert_gating_func
  bool sharesAddUp = true;           // <a>.expert_weights_norm: those of the chosen, to 1
  bool sharedGate = false;  // what the one more gives is scaled by the sigmoid of a product with x
  bool selectionBias = false;  // exp_probs_b is added to what experts are chosen by, and no more
  // Experts are of so many groups, of which some are chosen first, by their best expert, or with a
  // sigmoid by their best two.
  int expertGroups = 1;       // <a>.expert_group_count
  int expertGroupsUsed = 1;   // <a>.expert_group_used_count
  int heads = 0;              // <a>.attention.head_count
  int kvHeads = 0;            // <a>.attention.head_count_kv
  int headDim = 0;            // <a>.attention.key_length, else width / heads
  LatentAttention latent;     // with a rank, headDim is that and ropeDim, and kvHeads is 1
  RecurrentLayers recurrent;  // in place of most layers' attention
  int ropeDim = 0;            // <a>.rope.dimension_count: leading values of a head that are rotated
  float ropeBase = 10000;     // <a>.rope.freq_base
  RopeScaling ropeScaling;
  float normEpsilon = 1e-5f;    // <a>.attention.layer_norm_rms_epsilon, or layer_norm_epsilon
  int contextLength = 0;        // <a>.context_length: positions it was trained for, at most 2^18
  int vocabSize = 0;            // rows of token_embd.weight
  bool tiedEmbeddings = false;  // no output.weight: the head is token_embd.weight

  NormKind norm = NormKind::kRms;
  Activation activation = Activation::kSilu;
  RopePairs pairs = RopePairs::kNeighbors;  // in the file: Model reorders halves to neighbors
  bool normBias = true;
  bool gated = true;
  bool joinedGate = false;  // ffn_up has the rows of the gate first
  bool joinedQkv = false;   // attn_qkv has the rows of attn_q, attn_k and attn_v
  bool qkvBias = false, outputBias = false, ffnBias = false;  // layer 0 has such tensors
  bool expertBias = false;
  bool sinks = false;
  bool headNorms = false;
  bool jointNorms = false;  // with headNorms: all heads at once
  bool outputGate = false;  // attn_q has a gate behind each query, of what its head attends to
  bool preNorms = true;
  bool postNorms = false;
  bool normsSums = false;                 // x = norm(x + what is added), with postNorms
  bool parallel = false;                  // x += attention(norm(x)) + ffn(norm(x)), of one norm
  std::string_view ffnNorm = "ffn_norm";  // blk.N.<this>.weight
  // The tensor of the file that divides the frequencies: rope_freqs.weight, or of those for long
  // and short contexts the one for contextLength; empty: none.
  std::string_view ropeFactors;

  float embeddingScale = 1;
  float residualScale = 1;   // of what attention and FFN add to the residual stream
  float attentionScale = 0;  // of a score: 1 / sqrt(headDim) unless the file says otherwise
  float logitScale = 1;      // logits are multiplied by it
  float attentionCap = 0;    // soft cap of scores; 0 = none
  // Queries grow with the position p, by 1 + temperature * log(1 + floor(p / temperatureSpan)).
  float temperature = 0;      // <a>.attention.temperature_scale
  float temperatureSpan = 0;  // the context that rotary positions were first trained for
  float logitCap = 0;         // soft cap of logits; 0 = none

  int window = 0;              // <a>.attention.sliding_window: positions, the token's own included
  int fullAttentionEvery = 0;  // each n-th layer sees all positions; 0: with a window, none does
  float windowedRopeBase = 0;  // of windowed layers; 0: they turn as the others do
  int noRopeEvery = 0;         // each n-th layer does not rotate; 0: all do
  bool windowedAlone = false;  // with a window, windowed layers alone rotate

  Pooling pooling = Pooling::kNone;      // <a>.pooling_type
  int classes = 0;                       // with kRank: the rows of its head
  Pooling rankPooling = Pooling::kLast;  // with kRank: of what the head sees

  // Of encoders, whose tokens see all of their text: it goes through the model in one step.
  bool encoder = false;
  bool embeddingNorm = false;
  bool firstPlain = false;     // the first layer has no norm in front of attention
  bool windowsAround = false;  // a window reaches half as far to either side
  bool fullFirst = false;      // layers 0, n, 2 n see everything, n being fullAttentionEvery
  bool positionRows = false;   // position_embd is added to the rows of the embedding
  int typeRows = 0;            // of token_types, whose first is added to them, too
  // The token behind which a pair's second text begins, whose tokens get the second of these rows.
  int separator = -1;

  int queryWidth() const { return heads * headDim; }
  int kvWidth() const { return kvHeads * headDim; }
  // Of what queries are before they are absorbed, and of what W_o is applied to.
  int plainQueryWidth() const { return heads * (latent.plainDim + ropeDim); }
  int attendedWidth() const { return latent.rank > 0 ? heads * latent.valueDim : queryWidth(); }
  bool keysOnly() const { return latent.rank > 0; }  // of the KV cache: values are the keys
  bool isRecurrent(int layer) const {
    return recurrent.kernel > 0 && !recurrent.attention[static_cast<std::size_t>(layer)];
  }
  int attentionLayers() const;
  bool hasExperts(int layer) const { return experts > 0 && layer >= leadingDense; }
  // Of a layer's ffn that is no expert: the only one, or the one beside the experts; 0: none.
  int denseWidth(int layer) const {
    if (experts == 0) return feedForward;
    return hasExperts(layer) ? sharedFeedForward : denseFeedForward;
  }
  int groupSize() const { return heads / kvHeads; }  // query heads that share a KV head
  float queryScale(int position) const;              // 1 without a temperature
  bool rotates(int layer) const {
    if (windowedAlone && window > 0 && windowOf(layer) == 0) return false;
    return noRopeEvery == 0 || (layer + 1) % noRopeEvery != 0;
  }
  // Positions that a layer attends to at most; 0 = all.
  int windowOf(int layer) const {
    const int turn = layer + (fullFirst ? 0 : 1);
    return fullAttentionEvery > 0 && turn % fullAttentionEvery == 0 ? 0 : window;
  }
  bool hasFinalNorm() const { return !normsSums; }
  bool hasAttentionNorm(int layer) const { return preNorms && !(firstPlain && layer == 0); }
};

// The error names the file and the key: one that is missing or out of range, and also one that asks
// for a computation that is not there, as any key of the architecture does that is not known.
base::Result<Config> readConfig(const gguf::File& file);

}  // namespace waferpair::transformer
