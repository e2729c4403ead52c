// SPDX-License-Identifier: GPL-3.0-or-later
// Which tensors a model of a shape has, and what becomes of each. Private to this room.
#pragma once

#include <vector>

#include "runtime/transformer/tensor_loader.h"

namespace waferpair::transformer {

struct ModelWeights {
  std::vector<LayerWeights> layers;
  std::vector<float> outputNorm, outputNormBias, ropeFactors;
  RankingHead ranking;
  EmbeddingParts embeddingParts;
  tensor::PackedMatrix output;
  const gguf::TensorInfo* embedding = nullptr;  // not null without an error
  std::vector<std::byte> embeddingSums;         // embeddings with adapters; empty without
};

// What is missing or wrong is the loader's error.
ModelWeights loadWeights(TensorLoader& load, const Config& config,
                         const LoadProgress& progress = {});

}  // namespace waferpair::transformer
