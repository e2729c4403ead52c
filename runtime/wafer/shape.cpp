// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/wafer/shape.h"

#include <fstream>
#include <utility>

#include "runtime/wafer/json_fields.h"

namespace waferpair::wafer {
namespace {

// Far beyond any model, and small enough that no product of three overflows 64 bits.
constexpr int kMostWidth = 1 << 20;
constexpr int kMostLayers = 1 << 12;
constexpr int kMostHeads = 1 << 14;
constexpr int kMostExperts = 1 << 10;
constexpr int kMostVocabulary = 1 << 24;
constexpr int kMostContext = 1 << 24;
constexpr std::streamoff kMostFileBytes = 16 << 20;

}  // namespace

WeightFormats WeightFormats::all(tensor::Format f) { return {f, f, f, f, f, f, f, f, f, f}; }

std::int64_t ModelShape::parameters() const {
  const std::int64_t d = hiddenSize;
  const std::int64_t attention = 2 * d * queryWidth() + 2 * d * kvWidth();
  const std::int64_t ffn = (parts.gated ? 3 : 2) * d * intermediateSize;
  const std::int64_t experts = parts.experts;  // the router has a row for each
  const std::int64_t layer = attention + (experts > 0 ? experts * (ffn + d) : ffn);
  return layers * layer + (tiedEmbeddings ? 1 : 2) * d * vocabSize;
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

base::Result<ModelShape> parseShape(std::string_view text, std::string name) {
  const std::string where = name.empty() ? "The model's shape" : name;
  auto json = JsonFields::parse(text, where);
  if (!json) return tl::unexpected(json.error());
  JsonFields in(*json, where);
  ModelShape s;
  s.name = std::move(name);
  s.hiddenSize = in.integer("hidden_size", 1, kMostWidth);
  s.intermediateSize = in.integer("intermediate_size", 1, kMostWidth);
  s.layers = in.integer("num_hidden_layers", 1, kMostLayers);
  s.heads = in.integer("num_attention_heads", 1, kMostHeads);
  s.kvHeads = in.integerOr("num_key_value_heads", s.heads, 1, kMostHeads);
  s.vocabSize = in.integer("vocab_size", 1, kMostVocabulary);
  s.maxContext = in.integerOr("max_position_embeddings", 0, 1, kMostContext);
  s.tiedEmbeddings = in.flagOr("tie_word_embeddings", false);
  if (in.has("head_dim")) {
    s.headDim = in.integer("head_dim", 1, kMostWidth);
  } else if (s.heads > 0) {
    if (s.hiddenSize % s.heads != 0) {
      in.setError("\"hidden_size\" is not a multiple of \"num_attention_heads\".",
                  "Add \"head_dim\", the width of one head.");
    }
    s.headDim = s.hiddenSize / s.heads;
  }
  if (auto ok = in.check(); !ok) return tl::unexpected(ok.error());
  return checkShape(std::move(s));
}

base::Result<ModelShape> readShape(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) return base::fail(path + ": cannot be read.", "Check the path and its permissions.");
  const std::streamoff size = file.tellg();
  if (size < 0) return base::fail(path + ": is not a file.", "Name a config.json.");
  if (size > kMostFileBytes) {
    return base::fail(path + ": is over 16 MiB.", "A config.json is a few kB; check the path.");
  }
  std::string text(static_cast<std::size_t>(size), '\0');
  file.seekg(0);
  if (!file.read(text.data(), size)) {
    return base::fail(path + ": cannot be read.", "Check that it is a file.");
  }
  return parseShape(text, path);
}

}  // namespace waferpair::wafer
