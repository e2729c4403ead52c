// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/wafer/plan/shape.h"

#include <algorithm>

namespace waferpair::wafer {

WeightFormats WeightFormats::all(tensor::Format f) { return {f, f, f, f, f, f, f, f, f, f}; }

std::int64_t ModelShape::parameters() const {
  const std::int64_t d = hiddenSize;
  const std::int64_t attention = 2 * d * queryWidth() + 2 * d * kvWidth();
  const std::int64_t ffn = (parts.gated ? 3 : 2) * d * intermediateSize;
  const std::int64_t experts = parts.experts;  // the router has a row for each
  const std::int64_t layer = attention + (experts > 0 ? experts * (ffn + d) : ffn);
  return layers * layer + (tiedEmbeddings ? 1 : 2) * d * vocabSize;
}

std::int64_t ModelShape::activeParameters() const {
  ModelShape one = *this;
  one.parts.experts = 0;
  one.tiedEmbeddings = true;  // the head alone
  const std::int64_t d = hiddenSize;
  // A router and the other experts that are used, beside the one that is counted as a plain FFN.
  const std::int64_t ffn = (parts.gated ? 3 : 2) * d * intermediateSize;
  const std::int64_t router = d * parts.experts;
  return one.parameters() + layers * (router + std::max(0, parts.expertsUsed - 1) * ffn);
}

base::Result<ModelShape> checkShape(ModelShape s) {
  const std::string where = s.name.empty() ? "The model's shape" : s.name;
  struct Limit {
    const char* field;
    int value, low, high;
  };
  const Limit limits[] = {
      {"hidden_size", s.hiddenSize, 1, kMostWidth},
      {"intermediate_size", s.intermediateSize, 1, kMostWidth},
      {"num_hidden_layers", s.layers, 1, kMostLayers},
      {"num_attention_heads", s.heads, 1, kMostHeads},
      {"num_key_value_heads", s.kvHeads, 1, kMostHeads},
      {"head_dim", s.headDim, 1, kMostWidth},
      {"vocab_size", s.vocabSize, 1, kMostVocabulary},
      {"max_position_embeddings", s.maxContext, 0, kMostContext},
      {"num_experts", s.parts.experts, 0, kMostExperts},
      {"num_experts_per_tok", s.parts.expertsUsed, s.parts.experts > 0, s.parts.experts},
      {"attention_sinks", s.parts.sinks, 0, kMostHeads},
      {"sliding_window", s.parts.window, 0, kMostContext},
      {"sliding_window_pattern", s.parts.fullAttentionEvery, 0, kMostLayers},
  };
  for (const Limit& limit : limits) {
    if (limit.value >= limit.low && limit.value <= limit.high) continue;
    return base::fail(where + ": \"" + limit.field + "\" is " + std::to_string(limit.value) + ".",
                      "It should be from " + std::to_string(limit.low) + " to " +
                          std::to_string(limit.high) + ".");
  }
  if (s.heads % s.kvHeads != 0) {
    return base::fail(where + ": " + std::to_string(s.heads) +
                          " \"num_attention_heads\" do not share " + std::to_string(s.kvHeads) +
                          " \"num_key_value_heads\" equally.",
                      "The first should be a multiple of the second.");
  }
  if (std::int64_t{s.heads} * s.headDim > kMostWidth) {
    return base::fail(where + ": \"num_attention_heads\" times \"head_dim\" is over " +
                          std::to_string(kMostWidth) + ".",
                      "Check both fields.");
  }
  return s;
}

}  // namespace waferpair::wafer
