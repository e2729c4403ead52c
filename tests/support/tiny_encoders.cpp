// SPDX-License-Identifier: GPL-3.0-or-later
// Tiny models as BERT, Nomic's and ModernBERT are made of parts.
#include <string>
#include <vector>

#include "tests/support/tiny_architectures.h"

namespace waferpair::test {

std::vector<TinyArchitecture> tinyEncoders() {
  using namespace std::string_literals;
  const TinyArchitecture bert{.label = "bert",
                              .architecture = "bert",
                              .layers = 3,
                              .width = 32,
                              .feedForward = 48,
                              .kvHeads = 4,
                              .headDim = 8,
                              .contextLength = 128,
                              .keys = {{"attention.causal", false}, {"pooling_type", 2}},
                              .layerNorm = true,
                              .gated = false,
                              .qkvBias = true,
                              .outputBias = true,
                              .ffnBias = true,
                              .preNorms = false,
                              .encoder = true,
                              .embeddingNorm = true,
                              .normsSums = true,
                              .positionRows = 128,
                              .typeRows = 2};
  TinyArchitecture ranking = bert;
  ranking.label = "bert that ranks";
  ranking.keys[1].second = 4;
  ranking.classes = 1;
  ranking.denseHead = true;
  TinyArchitecture quantized = bert;
  quantized.label = "bert Q8_0";
  quantized.width = 64;
  quantized.feedForward = 96;
  quantized.headDim = 16;
  quantized.type = gguf::TensorType::kQ8_0;
  const TinyArchitecture nomic{
      .label = "nomic-bert",
      .architecture = "nomic-bert",
      .layers = 3,
      .width = 64,
      .feedForward = 48,
      .kvHeads = 4,
      .contextLength = 128,
      .keys = {{"attention.causal", false}, {"pooling_type", 1}, {"rope.freq_base", 1000.0f}},
      .layerNorm = true,
      .preNorms = false,
      .joinedQkv = true,
      .encoder = true,
      .embeddingNorm = true,
      .normsSums = true,
      .typeRows = 2};
  const TinyArchitecture modern{.label = "modern-bert",
                                .architecture = "modern-bert",
                                .layers = 5,
                                .width = 64,
                                .feedForward = 48,
                                .kvHeads = 4,
                                .contextLength = 128,
                                .keys = {{"attention.causal", false},
                                         {"pooling_type", 2},
                                         {"rope.freq_base", 160000.0f},
                                         {"rope.scaling.type", "none"s},
                                         {"attention.sliding_window", 16},
                                         {"attention.sliding_window_pattern", 3}},
                                .layerNorm = true,
                                .normBias = false,
                                .joinedQkv = true,
                                .joinedGate = true,
                                .encoder = true,
                                .embeddingNorm = true,
                                .firstPlain = true};
  TinyArchitecture granite = modern;  // Granite Embedding R2
  granite.label = "modern-bert with SiLU";
  granite.keys.emplace_back("hidden_activation", "silu"s);
  granite.keys.emplace_back("rope.freq_base_swa", 20000.0f);
  TinyArchitecture judge = modern;
  judge.label = "modern-bert that ranks";
  judge.keys[1].second = 4;
  judge.classes = 2;
  judge.denseHead = true;
  return {bert, ranking, quantized, nomic, modern, granite, judge};
}

}  // namespace waferpair::test
