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
  bool layerNorm = false, gated = true;
  bool qkvBias = false, outputBias = false, ffnBias = false;
  bool headNorms = false, postNorms = false;
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
  bool tied = true;
  gguf::TensorType type = gguf::TensorType::kF32;
};

std::vector<TinyArchitecture> tinyArchitectures();
// The first with this label, which must be there.
TinyArchitecture tinyArchitecture(const std::string& label);

inline constexpr int kTinyArchitectureVocabulary = 320;

// Everything but write(). Tensors whose name contains `without` (if not empty) are left out.
gguf::Writer makeTinyArchitecture(const TinyArchitecture& model, const std::string& without = {});

}  // namespace waferpair::test
