// SPDX-License-Identifier: GPL-3.0-or-later
// Small GGUF files with random weights of every architecture that can be run, in the variants that
// real models have.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "runtime/gguf/types.h"
#include "runtime/gguf/writer.h"

namespace waferpair::test {

// Sizes of multi-head latent attention.
struct TinyLatent {
  int rank = 0, queryRank = 0;  // of keys and values, 0: the usual attention; of queries, 0: none
  int plainDim = 0, ropeDim = 0, valueDim = 0;  // of a head
  bool split = false;  // attn_k_b and attn_v_b, and keys, as newer converters write them
};

// Sizes of recurrent layers.
struct TinyRecurrent {
  int kernel = 0;  // 0: there are none
  int groups = 0, heads = 0, stateDim = 0;
  int headDim = 0;         // of Mamba-2; 0: a delta rule, and stateDim
  int attentionEvery = 0;  // full_attention_interval; 0: the file does not say it, and 4
  bool joined = false;     // ssm_ba in place of ssm_beta and ssm_alpha

  bool delta() const { return headDim == 0; }
};

struct TinyArchitecture {
  std::string label;         // for test rows
  std::string architecture;  // general.architecture
  int layers = 2, width = 64, feedForward = 96;
  int heads = 4, kvHeads = 2, headDim = 16;
  int contextLength = 256;
  // Keys without the architecture's name. Sizes of the struct are written too.
  std::vector<std::pair<std::string, std::variant<int, float, std::string, bool>>> keys = {};
  bool layerNorm = false, normBias = true, gated = true;
  bool qkvBias = false, outputBias = false, ffnBias = false;
  bool headNorms = false, postNorms = false, preNorms = true;
  bool jointNorms = false;                     // gains of all heads, not of one
  bool joinedQkv = false, joinedGate = false;  // attn_qkv; ffn_up with the rows of the gate
  bool parallel = false;                       // no norm in front of the ffn
  int experts = 0, expertWidth = 0;  // in place of the ffn; other keys of theirs are in `keys`
  bool expertBias = false;
  std::optional<gguf::TensorType> expertType = {};  // if another than the other matrices'
  TinyLatent latent = {};                           // in place of kvHeads and headDim
  // In place of most layers' attention; the others' has gates, with a delta rule.
  TinyRecurrent recurrent = {};
  int sharedWidth = 0;  // of an expert with a gate of its own beside those that are chosen
  // The first layers have the ffn, the others so many experts beside those that are chosen.
  int leadingDense = 0, sharedExperts = 0;
  bool selectionBias = false;
  bool sinks = false;
  std::string ffnNorm = "ffn_norm", sinksName = "attn_sinks.weight", outputName = "attn_output";
  std::vector<std::int32_t> kvHeadsByLayer = {};  // written in place of kvHeads
  std::vector<bool> windowByLayer = {};           // attention.sliding_window_pattern
  int ropeFactors = 0;                            // size of rope_freqs.weight
  // Of encoders: rows of position_embd and of token_types, and a norm of the sums; norms of sums;
  // no norm in front of the first layer's attention.
  bool encoder = false, embeddingNorm = false, normsSums = false, firstPlain = false;
  int positionRows = 0, typeRows = 0;
  int classes = 0;         // of a head that ranks
  bool denseHead = false;  // in front of it
  int longFactors = 0;     // sizes of rope_factors_long.weight and rope_factors_short.weight
  bool tied = true;
  gguf::TensorType type = gguf::TensorType::kF32;
};

std::vector<TinyArchitecture> tinyArchitectures();
// Some of these: of the architectures whose files have parts joined, or norms elsewhere.
std::vector<TinyArchitecture> tinyOtherDecoders();
// Encoders, which are no part of those: they make states, and no logits.
std::vector<TinyArchitecture> tinyEncoders();
// The first with this label, which must be there.
TinyArchitecture tinyArchitecture(const std::string& label);

inline constexpr int kTinyArchitectureVocabulary = 320;

// Everything but write(). Tensors whose name contains `without` (if not empty) are left out.
gguf::Writer makeTinyArchitecture(const TinyArchitecture& model, const std::string& without = {});

}  // namespace waferpair::test
