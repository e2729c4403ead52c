// SPDX-License-Identifier: GPL-3.0-or-later
// Shapes from JSON: a config.json, a SHAPE.json, one of those that are compiled in.
#include <filesystem>
#include <fstream>
#include <utility>

#include "runtime/base/json_fields.h"
#include "runtime/wafer/machine/data.h"
#include "runtime/wafer/plan/shape.h"

namespace waferpair::wafer {
namespace {

using base::JsonFields;

constexpr std::streamoff kMostFileBytes = 16 << 20;

tensor::Format readFormat(JsonFields& in, const char* key, tensor::Format fallback) {
  if (!in.has(key)) return fallback;
  const std::string name = in.text(key);
  if (in.problem()) return fallback;
  const auto format = tensor::parseFormat(name);
  if (!format) {
    in.fail(key, "is \"" + name.substr(0, 40) + "\".", format.error().remedy);
    return fallback;
  }
  return *format;
}

// The cache is kept in plain FP16 or in blocks of 32.
int readKvBlockBytes(JsonFields& in) {
  const tensor::Format format = readFormat(in, "kv_format", tensor::Format::kF16);
  if (format != tensor::Format::kF16 && format != tensor::Format::kQ8_0) {
    in.fail("kv_format", "is " + std::string(tensor::formatName(format)) + ".",
            "It should be F16 or Q8_0.");
  }
  const tensor::FormatInfo& info = tensor::infoOf(format);
  return LayerParts::kKvBlock / info.block * info.bytes;
}

std::vector<int> readAttentionLayers(JsonFields& in) {
  std::vector<int> layers;
  if (!in.has("attention_layers")) return layers;
  for (const base::Json& layer : in.list("attention_layers")) {
    if (!layer.is_number_integer() || layer < 0 || layer >= kMostLayers) {
      in.fail("attention_layers", "has an entry that is no layer.",
              "It lists numbers of layers, from 0.");
      return {};
    }
    layers.push_back(layer.get<int>());
  }
  return layers;
}

LayerParts readParts(JsonFields& in) {
  in.only({"gated",
           "layer_norm",
           "norm_bias",
           "qkv_bias",
           "output_bias",
           "ffn_bias",
           "head_norms",
           "output_gate",
           "pre_norms",
           "post_norms",
           "parallel_ffn",
           "num_experts",
           "num_experts_per_tok",
           "expert_bias",
           "attention_sinks",
           "sliding_window",
           "sliding_window_pattern",
           "kv_format",
           "leading_dense_layers",
           "dense_intermediate_size",
           "shared_intermediate_size",
           "shared_gate",
           "selection_bias",
           "sigmoid_scores",
           "norm_topk_prob",
           "n_group",
           "topk_group",
           "kv_lora_rank",
           "q_lora_rank",
           "qk_nope_head_dim",
           "qk_rope_head_dim",
           "v_head_dim",
           "conv_kernel",
           "recurrent_groups",
           "recurrent_heads",
           "state_dim",
           "recurrent_head_dim",
           "delta_rule",
           "joined_factors",
           "attention_layers"});
  LayerParts parts;
  parts.gated = in.booleanOr("gated", parts.gated);
  parts.layerNorm = in.booleanOr("layer_norm", false);
  parts.normBias = in.booleanOr("norm_bias", true);
  parts.qkvBias = in.booleanOr("qkv_bias", false);
  parts.outputBias = in.booleanOr("output_bias", false);
  parts.ffnBias = in.booleanOr("ffn_bias", false);
  parts.headNorms = in.booleanOr("head_norms", false);
  parts.outputGate = in.booleanOr("output_gate", false);
  parts.preNorms = in.booleanOr("pre_norms", true);
  parts.postNorms = in.booleanOr("post_norms", false);
  parts.parallel = in.booleanOr("parallel_ffn", false);
  parts.experts = in.integerOr("num_experts", 0, 0, kMostExperts);
  parts.expertsUsed = in.integerOr("num_experts_per_tok", 0, 0, kMostExperts);
  parts.expertBias = in.booleanOr("expert_bias", false);
  parts.sinks = in.integerOr("attention_sinks", 0, 0, kMostHeads);
  parts.window = in.integerOr("sliding_window", 0, 0, kMostContext);
  parts.fullAttentionEvery = in.integerOr("sliding_window_pattern", 0, 0, kMostLayers);
  parts.kvBlockBytes = readKvBlockBytes(in);
  parts.leadingDense = in.integerOr("leading_dense_layers", 0, 0, kMostLayers);
  parts.denseWidth = in.integerOr("dense_intermediate_size", 0, 0, kMostWidth);
  parts.sharedWidth = in.integerOr("shared_intermediate_size", 0, 0, kMostWidth);
  parts.sharedGate = in.booleanOr("shared_gate", false);
  parts.selectionBias = in.booleanOr("selection_bias", false);
  parts.sigmoid = in.booleanOr("sigmoid_scores", false);
  parts.sumsAll = !parts.sigmoid && !in.booleanOr("norm_topk_prob", true);
  parts.expertGroups = in.integerOr("n_group", 1, 1, kMostExperts);
  parts.expertGroupsUsed = in.integerOr("topk_group", parts.expertGroups, 1, kMostExperts);
  parts.latent = {.rank = in.integerOr("kv_lora_rank", 0, 0, kMostWidth),
                  .queryRank = in.integerOr("q_lora_rank", 0, 0, kMostWidth),
                  .plainDim = in.integerOr("qk_nope_head_dim", 0, 0, kMostWidth),
                  .ropeDim = in.integerOr("qk_rope_head_dim", 0, 0, kMostWidth),
                  .valueDim = in.integerOr("v_head_dim", 0, 0, kMostWidth)};
  parts.recurrent = {.kernel = in.integerOr("conv_kernel", 0, 0, kMostKernel),
                     .groups = in.integerOr("recurrent_groups", 0, 0, kMostHeads),
                     .heads = in.integerOr("recurrent_heads", 0, 0, kMostHeads),
                     .stateDim = in.integerOr("state_dim", 0, 0, kMostWidth),
                     .headDim = in.integerOr("recurrent_head_dim", 0, 0, kMostWidth),
                     .delta = in.booleanOr("delta_rule", true),
                     .joined = in.booleanOr("joined_factors", false),
                     .attention = readAttentionLayers(in)};
  return parts;
}

WeightFormats readFormats(JsonFields& in) {
  in.only({"all",
           "embedding",
           "head",
           "query",
           "key",
           "value",
           "output",
           "router",
           "gate",
           "up",
           "down",
           "shared_gate",
           "shared_up",
           "shared_down",
           "query_down",
           "key_to_latent",
           "recurrent_in",
           "recurrent_gate",
           "recurrent_heads",
           "recurrent_out"});
  WeightFormats as = WeightFormats::all(readFormat(in, "all", tensor::Format::kF16));
  for (auto [key, format] :
       {std::pair("embedding", &as.embedding), std::pair("head", &as.head),
        std::pair("query", &as.query), std::pair("key", &as.key), std::pair("value", &as.value),
        std::pair("output", &as.output), std::pair("router", &as.router),
        std::pair("gate", &as.gate), std::pair("up", &as.up), std::pair("down", &as.down),
        std::pair("shared_gate", &as.sharedGate), std::pair("shared_up", &as.sharedUp),
        std::pair("shared_down", &as.sharedDown), std::pair("query_down", &as.queryDown),
        std::pair("key_to_latent", &as.keyToLatent), std::pair("recurrent_in", &as.recurrentIn),
        std::pair("recurrent_gate", &as.recurrentGate),
        std::pair("recurrent_heads", &as.recurrentHeads),
        std::pair("recurrent_out", &as.recurrentOut)}) {
    *format = readFormat(in, key, *format);
  }
  return as;
}

// The fields by which config.json files say how many experts there are, or that most layers have
// something else in place of attention.
void refuseUnknownLayers(JsonFields& in) {
  for (const char* key : {"linear_num_value_heads", "mamba_n_heads", "mamba_num_heads"}) {
    if (!in.has(key)) continue;
    in.fail(key, "says that there are recurrent layers, and there is no \"parts\".",
            "Add \"parts\": {\"conv_kernel\": ..., \"recurrent_heads\": ...} and what else "
            "its layers have.");
  }
  for (const char* key : {"num_local_experts", "num_experts", "n_routed_experts"}) {
    if (!in.has(key) || in.integer(key, 0, 1 << 30) <= 1) continue;
    in.fail(key, "says a mixture of experts, and there is no \"parts\".",
            "Add \"parts\": {\"num_experts\": ..., \"num_experts_per_tok\": ...} and what else "
            "its layers have, with the width of one expert as \"intermediate_size\".");
  }
}

int readHeadDim(JsonFields& in, const ModelShape& s) {
  if (in.has("head_dim")) return in.integer("head_dim", 1, kMostWidth);
  if (s.heads <= 0) return 0;
  if (s.hiddenSize % s.heads != 0) {
    in.fail("hidden_size", "is not a multiple of num_attention_heads.",
            "Add \"head_dim\", the width of one head.");
  }
  return s.hiddenSize / s.heads;
}

}  // namespace

base::Result<ModelShape> parseShape(std::string_view text, std::string name) {
  const std::string where = name.empty() ? "The model's shape" : name;
  const auto json = base::parseJsonObject(text, where);
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
  s.tiedEmbeddings = in.booleanOr("tie_word_embeddings", false);
  s.headDim = readHeadDim(in, s);
  if (in.has("source")) s.source = in.text("source");
  s.guess = in.booleanOr("guess", false);
  if (in.has("parts")) {
    JsonFields parts = in.part("parts");
    s.parts = readParts(parts);
    in.adopt(parts);
  } else {
    refuseUnknownLayers(in);
  }
  if (in.has("weights")) {
    JsonFields weights = in.part("weights");
    s.formats = readFormats(weights);
    in.adopt(weights);
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

base::Result<ModelShape> findShape(std::string_view name) {
  if (auto text = findData("shapes", name)) return parseShape(*text, std::string(name));
  return base::fail("There is no shape \"" + std::string(name) + "\".",
                    "Known are: " + joinNames(shapeNames()) + "; or name a file.");
}

std::vector<std::string> shapeNames() { return dataNames("shapes"); }

base::Result<ModelShape> loadShape(const std::string& nameOrPath) {
  std::error_code ignored;
  const bool named =
      nameOrPath.find('/') == std::string::npos &&
      (findData("shapes", nameOrPath) || !std::filesystem::exists(nameOrPath, ignored));
  return named ? findShape(nameOrPath) : readShape(nameOrPath);
}

}  // namespace waferpair::wafer
