// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/wafer/plan/shape.h"

#include <algorithm>

namespace waferpair::wafer {

WeightFormats WeightFormats::all(tensor::Format f) {
  return {f, f, f, f, f, f, f, f, f, f, f, f, f, f, f, f, f, f, f};
}

int ModelShape::attentionLayers() const {
  return parts.recurrent.kernel > 0 ? static_cast<int>(parts.recurrent.attention.size()) : layers;
}

namespace {

// Weights of what takes a layer from one position to others.
std::int64_t mixerParameters(const ModelShape& s, int layer) {
  const std::int64_t d = s.hiddenSize, q = s.queryWidth(), kv = s.kvWidth();
  if (const RecurrentParts& r = s.parts.recurrent; r.at(layer)) {
    return d * r.inputWidth() + std::int64_t{r.valueWidth()} * d;
  }
  if (const LatentParts& l = s.parts.latent; l.rank > 0) {
    const std::int64_t queries = std::int64_t{s.heads} * (l.plainDim + l.ropeDim);
    return (l.queryRank > 0 ? l.queryRank * (d + queries) : d * queries) + d * kv +
           std::int64_t{s.heads} * l.rank * (l.plainDim + l.valueDim) + d * s.heads * l.valueDim;
  }
  return (s.parts.outputGate ? 3 : 2) * d * q + 2 * d * kv;
}

}  // namespace

std::int64_t ModelShape::layerParameters(int layer, int experts) const {
  const std::int64_t d = hiddenSize, matrices = parts.gated ? 3 : 2;
  const std::int64_t count = mixerParameters(*this, layer);
  if (parts.experts == 0) return count + matrices * d * intermediateSize;
  if (!parts.hasExperts(layer)) return count + matrices * d * parts.denseWidth;
  const std::int64_t router = d * (parts.experts + (parts.sharedGate ? 1 : 0));
  return count + router +
         matrices * d * (std::int64_t{experts} * intermediateSize + parts.sharedWidth);
}

std::int64_t ModelShape::parameters() const {
  std::int64_t count = (tiedEmbeddings ? 1 : 2) * std::int64_t{hiddenSize} * vocabSize;
  for (int layer = 0; layer < layers; ++layer) count += layerParameters(layer, parts.experts);
  return count;
}

std::int64_t ModelShape::activeParameters() const {
  std::int64_t count = std::int64_t{hiddenSize} * vocabSize;  // the head alone
  for (int layer = 0; layer < layers; ++layer) {
    count += layerParameters(layer, std::max(1, parts.expertsUsed));
  }
  return count;
}

namespace {

base::Result<void> checkLatent(const ModelShape& s, const std::string& where) {
  const LatentParts& l = s.parts.latent;
  if (l.rank == 0) return {};
  if (s.kvHeads != 1 || s.headDim != l.rank + l.ropeDim) {
    return base::fail(where + ": latent attention has one KV head, of kv_lora_rank and " +
                          "qk_rope_head_dim values.",
                      "Set \"num_key_value_heads\" to 1 and \"head_dim\" to " +
                          std::to_string(l.rank + l.ropeDim) + ".");
  }
  const std::int64_t widest = std::max(l.plainDim + l.ropeDim, l.valueDim);
  if (s.heads * widest <= kMostWidth) return {};
  return base::fail(where + ": \"num_attention_heads\" times the width of a head is over " +
                        std::to_string(kMostWidth) + ".",
                    "Check \"qk_nope_head_dim\" and \"v_head_dim\".");
}

base::Result<void> checkRecurrent(const ModelShape& s, const std::string& where) {
  const RecurrentParts& r = s.parts.recurrent;
  if (r.kernel == 0) return {};
  if (r.heads % r.groups != 0) {
    return base::fail(where + ": \"recurrent_heads\" do not share \"recurrent_groups\" equally.",
                      "The first should be a multiple of the second.");
  }
  if (std::int64_t{2} * r.groups * r.stateDim + std::int64_t{2} * r.heads * (r.headDim + 1) >
      kMostWidth) {
    return base::fail(where + ": a position takes over " + std::to_string(kMostWidth) +
                          " values to a recurrent layer.",
                      "Check \"recurrent_groups\", \"recurrent_heads\", \"state_dim\" and "
                      "\"recurrent_head_dim\".");
  }
  int before = -1;
  for (const int layer : r.attention) {
    if (layer <= before || layer >= s.layers) {
      return base::fail(
          where + ": \"attention_layers\" has " + std::to_string(layer) + " behind " +
              std::to_string(before) + ".",
          "It lists layers in order, from 0 to " + std::to_string(s.layers - 1) + ".");
    }
    before = layer;
  }
  return {};
}

base::Result<void> checkExperts(const ModelShape& s, const std::string& where) {
  const LayerParts& p = s.parts;
  if (p.expertGroups <= 1 && p.leadingDense < s.layers) return {};
  if (p.leadingDense >= s.layers) {
    return base::fail(where + ": \"leading_dense_layers\" leave none with experts.",
                      "There should be fewer than \"num_hidden_layers\".");
  }
  const int each = p.experts / p.expertGroups;
  if (p.experts % p.expertGroups == 0 && p.expertGroupsUsed * each >= p.expertsUsed) return {};
  return base::fail(where + ": \"n_group\" or \"topk_group\" do not fit the experts.",
                    "\"n_group\" should divide \"num_experts\", and the groups that are used "
                    "have \"num_experts_per_tok\" experts at least.");
}

}  // namespace

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
      {"leading_dense_layers", s.parts.leadingDense, 0, s.parts.experts > 0 ? kMostLayers : 0},
      {"dense_intermediate_size", s.parts.denseWidth, s.parts.leadingDense > 0, kMostWidth},
      {"shared_intermediate_size", s.parts.sharedWidth, 0, kMostWidth},
      {"n_group", s.parts.expertGroups, 1, kMostExperts},
      {"topk_group", s.parts.expertGroupsUsed, 1, s.parts.expertGroups},
      {"kv_lora_rank", s.parts.latent.rank, 0, kMostWidth},
      {"q_lora_rank", s.parts.latent.queryRank, 0, kMostWidth},
      {"qk_nope_head_dim", s.parts.latent.plainDim, s.parts.latent.rank > 0, kMostWidth},
      {"qk_rope_head_dim", s.parts.latent.ropeDim, s.parts.latent.rank > 0, kMostWidth},
      {"v_head_dim", s.parts.latent.valueDim, s.parts.latent.rank > 0, kMostWidth},
      {"conv_kernel", s.parts.recurrent.kernel, 0, kMostKernel},
      {"recurrent_groups", s.parts.recurrent.groups, s.parts.recurrent.kernel > 0, kMostHeads},
      {"recurrent_heads", s.parts.recurrent.heads, s.parts.recurrent.kernel > 0, kMostHeads},
      {"state_dim", s.parts.recurrent.stateDim, s.parts.recurrent.kernel > 0, kMostWidth},
      {"recurrent_head_dim", s.parts.recurrent.headDim, s.parts.recurrent.kernel > 0, kMostWidth},
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
  if ((s.parts.outputGate ? 2 : 1) * std::int64_t{s.heads} * s.headDim > kMostWidth) {
    return base::fail(where + ": \"num_attention_heads\" times \"head_dim\" is over " +
                          std::to_string(kMostWidth) + ".",
                      "Check both fields.");
  }
  if (auto ok = checkLatent(s, where); !ok) return tl::unexpected(ok.error());
  if (auto ok = checkRecurrent(s, where); !ok) return tl::unexpected(ok.error());
  if (auto ok = checkExperts(s, where); !ok) return tl::unexpected(ok.error());
  return s;
}

}  // namespace waferpair::wafer
