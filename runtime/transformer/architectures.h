// SPDX-License-Identifier: GPL-3.0-or-later
// The traits of each architecture beyond what the metadata of a file say: the one table of their
// names. Everything else in this room composes the traits and does not ask for the name.
#pragma once

#include <string>
#include <string_view>

namespace waferpair::transformer {

enum class NormKind { kRms, kLayer };
enum class Activation { kSilu, kGelu, kClampedSilu, kSquaredRelu, kExactGelu };
// The pairs of a head's values that a rotary position turns: (2i, 2i + 1), or (i, i + half) as
// NeoX.
enum class RopePairs { kNeighbors, kHalves };
enum class Presence { kNever, kOptional, kAlways };
// What the scores of experts become before the largest are chosen.
enum class Gating { kSoftmax, kSigmoid };

struct Architecture {
  std::string_view name;  // general.architecture, and the prefix of the metadata keys
  NormKind norm = NormKind::kRms;
  Activation activation = Activation::kSilu;
  RopePairs pairs = RopePairs::kNeighbors;
  bool normBias = true;     // layer norms have biases
  bool gated = true;        // ffn: act(gate) * up, else act(up)
  bool joinedGate = false;  // ffn_up has the rows of the gate and, behind them, those of up
  bool joinedQkv = false;   // files may have attn_qkv in place of attn_q, attn_k and attn_v
  Presence qkvBias = Presence::kNever;
  Presence outputBias = Presence::kNever;
  Presence ffnBias = Presence::kNever;
  bool experts = false;       // the ffn of a layer is several, of which a router chooses some
  bool maybeExperts = false;  // the file says whether it is
  bool plainWidth = false;    // feed_forward_length is that of an expert
  bool anyRouting = false;    // the file says how experts are chosen, and which layers have them
  // With anyRouting: scores are a softmax, and shares add up to 1, where the file does not say so.
  bool softmaxRouting = false;
  bool latent = false;  // multi-head latent attention
  // Most layers are recurrent: by a delta rule, and the others have a gate behind attention; or as
  // in Mamba-2.
  bool delta = false, mamba = false;
  bool headsInTurn = false;   // the heads of recurrent layers that have a key in common
  bool sharedExpert = false;  // every token uses one more expert
  bool sharedGate = false;    // as far as a gate of its says
  bool draftLayers = false;   // the last nextn_predict_layers guess further tokens: they are left
  bool expertBias = false;    // of the router, and of gate, up and down of each expert
  bool sinks = false;         // each head has a logit that joins its softmax, with no value
  Presence headNorms = Presence::kNever;  // each head of q and k is normed
  bool jointNorms = false;                // all heads of q, or of k, are normed as one vector
  bool preNorms = true;                   // what attention and FFN take is normed
  bool postNorms = false;       // what attention and FFN give is normed before it is added
  bool normsSums = false;       // it is added first, and the sum is normed; with postNorms
  bool parallel = false;        // the FFN takes what attention takes, and both are added at once
  bool scaleEmbedding = false;  // by sqrt(width)
  bool multipliers = false;     // embedding_scale, residual_scale, attention.scale, logit_scale
  bool logitFactor = false;     // logit_scale multiplies logits, which it divides with multipliers
  bool softCaps = false;        // attn_logit_softcapping, final_logit_softcapping
  float attentionCap = 0, logitCap = 0;  // soft caps where the file has none; 0: none
  // Sliding windows, and how many layers see everything where the file does not say so.
  Presence window = Presence::kNever;
  int defaultWindow = 0;       // of kOptional; 0: none
  int fullAttentionEvery = 0;  // each n-th layer; 0: none
  // Windowed layers turn by this base, and positions unscaled; 0: as the others do.
  float windowedRopeBase = 0;
  bool windowedPlain = false;             // windowed layers turn by the usual base, unscaled
  bool windowedAlone = false;             // where there are windows, windowed layers alone turn
  bool longFactors = false;               // rope_factors_long, rope_factors_short, by the context
  bool yarnWholePairs = true;             // YaRN's bounds are rounded to whole pairs
  bool yarnMultiplier = false;            // rope.scaling.yarn_log_multiplier
  bool temperature = false;               // attention.temperature_scale
  std::string_view ffnNorm = "ffn_norm";  // what files call the norm in front of the ffn
  // Models of texts that are there: each token sees all of its text, and no head follows.
  bool encoder = false;
  bool embeddingNorm = false;  // of an encoder: rows of the embedding are normed
  bool firstPlain = false;     // of an encoder: the first layer's attention takes them as they are
  bool windowsAround = false;  // windows reach half as far to either side
  bool fullFirst = false;      // of each fullAttentionEvery layers the first sees everything
  int noRopeEvery = 0;         // each n-th layer does not rotate; 0: all do
  // Models of so many layers divide scores by sqrt(width / heads) rather than sqrt(headDim).
  int wideScoresAtLayers = 0;
};

// Null if it cannot be run.
const Architecture* findArchitecture(std::string_view name);
// "gemma2, gemma3, granite, ...": for messages.
std::string architectureNames();

}  // namespace waferpair::transformer
