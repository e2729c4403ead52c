// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/transformer/config.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/gguf/file.h"
#include "runtime/transformer/config_positions.h"
#include "runtime/transformer/metadata_reader.h"

namespace waferpair::transformer {
namespace {

// Bounds keep every product of two sizes within an int, the activations within a few hundred
// megabytes, and stop absurd files early. They lie above the largest models of these architectures,
// but for the context: of a longer one so much is used.
constexpr std::int64_t kMostWidth = 1 << 15, kMostFeedForward = 1 << 18;
constexpr std::int64_t kMostHeads = 1024, kMostHeadDim = 512, kMostQueryWidth = 1 << 15;
// Of latent attention in its absorbed form, whose one KV head is wide.
constexpr std::int64_t kMostLatent = 1024, kMostLatentQueryWidth = 1 << 17;
constexpr std::int64_t kMostGivenContext = 1 << 24;
constexpr std::int64_t kMostKernel = 16, kMostInner = 1 << 15;
constexpr std::int64_t kMostVocab = 1 << 20, kMostExperts = 1 << 10;
constexpr std::uint64_t kMostTypes = 1024;
constexpr const char* kNoPositions = "asks for positions, but there is no position_embd.weight";

// In any layer.
bool hasTensor(const gguf::File& file, std::string_view end) {
  const auto tensors = file.tensors();
  return std::any_of(tensors.begin(), tensors.end(),
                     [&](const gguf::TensorInfo& info) { return info.name.ends_with(end); });
}

// Files say the sizes of the absorbed form, and in *_mla those of a head; older ones say those of a
// head in the usual keys.
void readLatent(MetadataReader& read, const gguf::File& file, Config& c) {
  LatentAttention& l = c.latent;
  l.rank = read.size("attention.kv_lora_rank", 1, kMostLatent);
  l.queryRank = read.sizeOr("attention.q_lora_rank", 0, 0, kMostWidth);
  c.ropeDim = read.size("rope.dimension_count", 2, kMostHeadDim);
  if (c.ropeDim % 2 != 0) read.reject("rope.dimension_count", "must be even");
  c.kvHeads = 1;
  c.headDim = c.ropeDim + l.rank;
  const bool absorbed = read.has("attention.key_length_mla");
  const char* keyLength = absorbed ? "attention.key_length_mla" : "attention.key_length";
  l.plainDim = read.size(keyLength, c.ropeDim + 1, c.ropeDim + kMostHeadDim) - c.ropeDim;
  l.valueDim = read.size(absorbed ? "attention.value_length_mla" : "attention.value_length", 1,
                         kMostHeadDim);
  if (absorbed) {
    read.sizeOr("attention.head_count_kv", 1, 1, 1);
    read.sizeOr("attention.key_length", c.headDim, c.headDim, c.headDim);
    read.sizeOr("attention.value_length", l.rank, l.rank, l.rank);
  } else {  // of all heads, or of the one that they share
    const int kvHeads = read.sizeOr("attention.head_count_kv", c.heads, 1, c.heads);
    if (kvHeads != 1 && kvHeads != c.heads) {
      read.reject("attention.head_count_kv", "is neither 1 nor head_count");
    }
  }
  if (std::int64_t{c.heads} * c.headDim > kMostLatentQueryWidth ||
      c.plainQueryWidth() > kMostLatentQueryWidth || c.attendedWidth() > kMostLatentQueryWidth) {
    read.reject("attention.head_count",
                "times the width of a head is more than " + std::to_string(kMostLatentQueryWidth));
  }
  l.split = !hasTensor(file, ".attn_kv_b.weight");
}

void readSizes(MetadataReader& read, const gguf::File& file, const Architecture& a, Config& c) {
  c.layers = read.size("block_count", 1, kMostLayers);
  c.width = read.size("embedding_length", 1, kMostWidth);
  c.contextLength = static_cast<int>(
      std::min<std::int64_t>(read.size("context_length", 1, kMostGivenContext), kMostContext));
  c.heads = read.size("attention.head_count", 1, kMostHeads);
  if (a.draftLayers) c.layers -= read.sizeOr("nextn_predict_layers", 0, 0, c.layers - 1);
  if (a.latent) return readLatent(read, file, c);
  // Where it differs from layer to layer, those without any are recurrent.
  const char* kvHeads = "attention.head_count_kv";
  const auto each = a.delta || a.mamba ? read.sizesOf(kvHeads) : std::nullopt;
  c.kvHeads = each ? read.oneBesidesZero(kvHeads, *each, c.heads)
                   : read.sizeOr(kvHeads, c.heads, 1, c.heads);
  if (c.heads % c.kvHeads != 0) {
    read.reject("attention.head_count_kv", "does not divide head_count");
  }
  c.headDim = read.sizeOr("attention.key_length", c.width / c.heads, 2, kMostHeadDim);
  if (c.headDim % 2 != 0) read.reject("attention.key_length", "must be even");
  if (std::int64_t{c.heads} * c.headDim > kMostQueryWidth) {
    read.reject("attention.key_length",
                "times head_count is more than " + std::to_string(kMostQueryWidth));
  }
  read.sizeOr("attention.value_length", c.headDim, c.headDim, c.headDim);
}

// The layers with attention: as a number says, or a flag for each, or where there are KV heads.
void readAttentionLayers(MetadataReader& read, const Architecture& a, Config& c) {
  const char *every = "full_attention_interval", *flags = "attention.recurrent_layers";
  const char* heads = "attention.head_count_kv";
  const auto layers = static_cast<std::size_t>(c.layers);
  std::vector<bool>& attention = c.recurrent.attention;
  const int interval = a.delta ? read.sizeOr(every, 4, 1, kMostLayers) : 1;
  for (int layer = 1; layer <= c.layers; ++layer) attention.push_back(layer % interval == 0);
  const char* by = every;
  if (const auto recurrent = read.flagsOf(flags)) {
    by = flags;
    if (recurrent->size() < layers) return read.reject(flags, "has too few entries");
    for (std::size_t i = 0; i < layers; ++i) attention[i] = !(*recurrent)[i];
  } else if (const auto counts = read.sizesOf(heads);
             counts && std::ranges::count(*counts, 0) > 0) {
    by = heads;
    if (counts->size() < layers) return read.reject(heads, "has too few entries");
    for (std::size_t i = 0; i < layers; ++i) attention[i] = (*counts)[i] > 0;
  }
  if (c.attentionLayers() == 0) read.reject(by, "leaves no layer with attention");
}

void readRecurrent(MetadataReader& read, const gguf::File& file, const Architecture& a, Config& c) {
  if (!a.delta && !a.mamba) return;
  using Rule = RecurrentLayers::Rule;
  RecurrentLayers& r = c.recurrent;
  r.rule = a.delta ? Rule::kDelta : Rule::kDecay;
  r.kernel = read.size("ssm.conv_kernel", 1, kMostKernel);
  r.stateDim = read.size("ssm.state_size", 1, kMostHeadDim);
  r.groups = read.size("ssm.group_count", 1, kMostHeads);
  r.heads = read.size("ssm.time_step_rank", 1, kMostHeads);
  const int inner = read.sizeOr("ssm.inner_size", r.heads * r.stateDim, 1, kMostInner);
  r.headDim = inner / r.heads;
  if (inner % r.heads != 0 || r.headDim > kMostHeadDim) {
    read.reject("ssm.inner_size", "is no size of ssm.time_step_rank heads");
  } else if (a.delta && r.headDim != r.stateDim) {
    read.reject("ssm.inner_size", "is not ssm.time_step_rank times ssm.state_size");
  }
  if (r.heads % r.groups != 0) {
    read.reject("ssm.group_count", "does not divide ssm.time_step_rank");
  }
  if (r.keyWidth() > kMostInner) {
    read.reject("ssm.state_size",
                "times ssm.group_count is more than " + std::to_string(kMostInner));
  }
  r.inTurn = read.flagOr("ssm.v_head_reordered", a.headsInTurn);  // as Ollama's files say it
  r.joined = hasTensor(file, ".ssm_ba.weight");
  readAttentionLayers(read, a, c);
  c.outputGate = a.delta;
  if (!a.delta) return;
  // Of pictures: the tokens of a text have the same position in all sections.
  for (const char* key : {"rope.dimension_sections", "mrope_sections", "rope.mrope_section",
                          "rope.mrope_interleaved"}) {
    read.ignore(key);
  }
  if (!read.flagOr("norm_top_k_prob", true)) read.reject("norm_top_k_prob", "is false");
}

// Groups of experts, some of which are chosen first.
void readGroups(MetadataReader& read, Config& c) {
  const char* count = "expert_group_count";
  const char* used = "expert_group_used_count";
  c.expertGroups = std::max(1, read.sizeOr(count, 1, 0, c.experts));
  c.expertGroupsUsed = read.sizeOr(used, c.expertGroups, 0, c.expertGroups);
  if (c.expertGroups == 1) c.expertGroupsUsed = 1;
  const int each = c.experts / c.expertGroups;
  if (c.experts % c.expertGroups != 0) read.reject(count, "does not divide expert_count");
  if (c.expertGroupsUsed * each < c.expertsUsed) {
    read.reject(used, "groups have fewer experts than expert_used_count");
  }
  if (c.gating == Gating::kSigmoid && c.expertGroups > 1 && each < 2) {
    read.reject(count, "leaves less than two experts to a group");
  }
}

// Layers with and without experts, and how those are chosen.
void readRouting(MetadataReader& read, const gguf::File& file, const Architecture& a, Config& c) {
  c.leadingDense = read.sizeOr("leading_dense_block_count", 0, 0, kMostLayers);
  c.experts = read.sizeOr("expert_count", 0, 0, kMostExperts);
  if (c.experts == 0 || c.leadingDense >= c.layers) {
    c.experts = c.leadingDense = 0;
    c.feedForward = read.size("feed_forward_length", 1, kMostFeedForward);
    for (const char* key :
         {"expert_feed_forward_length", "expert_used_count", "expert_shared_count",
          "expert_weights_scale", "expert_weights_norm", "expert_gating_func", "expert_group_count",
          "expert_group_used_count"}) {
      read.ignore(key);
    }
    return;
  }
  c.feedForward = read.size("expert_feed_forward_length", 1, kMostFeedForward);
  if (c.leadingDense > 0) {
    c.denseFeedForward = read.size("feed_forward_length", 1, kMostFeedForward);
  } else {
    read.ignore("feed_forward_length");
  }
  c.expertsUsed = read.size("expert_used_count", 1, c.experts);
  const int shared = read.sizeOr("expert_shared_count", 0, 0, kMostExperts);
  for (const auto& [key, count] :
       {std::pair("expert_used_count", c.expertsUsed), std::pair("expert_shared_count", shared)}) {
    if (std::int64_t{count} * c.feedForward > kMostFeedForward) {
      read.reject(
          key, "times expert_feed_forward_length is more than " + std::to_string(kMostFeedForward));
      return;
    }
  }
  c.sharedFeedForward =
      read.sizeOr("expert_shared_feed_forward_length", shared * c.feedForward, 0, kMostFeedForward);
  read.neutral("interleave_moe_layer_step", 1);
  c.selectionBias = hasTensor(file, ".exp_probs_b.bias");
  // Files that do not say it, or 0, are of models that have such a bias just if they take sigmoids.
  // 3 is a softmax over the chosen.
  int gating = read.sizeOr("expert_gating_func", 0, 0, 255);
  if (gating == 0) gating = c.selectionBias && !a.softmaxRouting ? 2 : 1;
  if (gating > 3) {
    read.reject("expert_gating_func", "is " + std::to_string(gating) + ", which is not supported");
  }
  c.gating = gating == 2 ? Gating::kSigmoid : Gating::kSoftmax;
  c.sharesAddUp = read.flagOr("expert_weights_norm", a.softmaxRouting) || gating == 3;
  const float scale = read.notNegativeOr("expert_weights_scale", 0);
  if (scale > 0) c.expertScale = scale;
  readGroups(read, c);
}

void readFfn(MetadataReader& read, const gguf::File& file, const Architecture& a, Config& c) {
  if (a.anyRouting) return readRouting(read, file, a, c);
  const bool none = a.maybeExperts && read.sizeOr("expert_count", 0, 0, kMostExperts) == 0;
  if (none || (!a.experts && !a.maybeExperts)) {
    c.feedForward = read.size("feed_forward_length", 1, kMostFeedForward);
    read.neutral("expert_count", 0);
    read.neutral("expert_used_count", 0);
    return;
  }
  const char* width = a.plainWidth ? "feed_forward_length" : "expert_feed_forward_length";
  c.feedForward = read.size(width, 1, kMostFeedForward);
  // Of layers without experts, and there are none.
  if (!a.plainWidth) read.ignore("feed_forward_length");
  c.experts = read.size("expert_count", 1, kMostExperts);
  c.expertsUsed = read.size("expert_used_count", 1, c.experts);
  if (std::int64_t{c.expertsUsed} * c.feedForward > kMostFeedForward) {
    read.reject("expert_used_count", "times expert_feed_forward_length is more than " +
                                         std::to_string(kMostFeedForward));
  }
  if (a.sharedExpert) {
    c.sharedFeedForward = read.sizeOr("expert_shared_feed_forward_length", 0, 0, kMostFeedForward);
    c.sharedGate = a.sharedGate && c.sharedFeedForward > 0;
  }
  read.neutral("expert_shared_count", 0);
  // Softmax over all, of which the chosen parts are made to add up to 1, or over the chosen: the
  // same numbers.
  if (const int gating = read.sizeOr("expert_gating_func", 1, 0, 255); gating != 1 && gating != 3) {
    read.reject("expert_gating_func", "is " + std::to_string(gating) + ", which is not supported");
  }
  // Files have 0 or 1 where there is none.
  const float scale = read.notNegativeOr("expert_weights_scale", 0);
  if (scale > 0) c.expertScale = scale;
  if (!read.flagOr("expert_weights_norm", true)) read.reject("expert_weights_norm", "is false");
}

void readScales(MetadataReader& read, const Architecture& a, Config& c) {
  const int squared = a.wideScoresAtLayers == c.layers ? c.width / c.heads : c.headDim;
  c.attentionScale = 1 / std::sqrt(static_cast<float>(squared));
  if (a.latent) {
    const RopeScaling& scaling = c.ropeScaling;
    const float grown =
        scaling.factor > 1 ? 1 + scaling.scoreMultiplier * std::log(scaling.factor) : 1;
    c.attentionScale = grown * grown / std::sqrt(static_cast<float>(c.latent.plainDim + c.ropeDim));
  }
  if (a.scaleEmbedding) c.embeddingScale = std::sqrt(static_cast<float>(c.width));
  if (a.multipliers) {
    c.embeddingScale = read.positiveOr("embedding_scale", 1);
    c.residualScale = read.positiveOr("residual_scale", 1);
    c.logitScale = 1 / read.positiveOr("logit_scale", 1);
    const float scale = read.notNegativeOr("attention.scale", 0);
    if (scale > 0) c.attentionScale = scale;
    // Such a model without rotary positions says so here.
    if (!read.flagOr("rope.scaling.finetuned", true)) {
      if (!a.mamba) read.reject("rope.scaling.finetuned", "is false, which is not supported");
      c.noRopeEvery = 1;
    }
  }
  if (a.logitFactor) c.logitScale = read.positiveOr("logit_scale", 1);
  if (a.softCaps) {
    c.attentionCap =
        read.notNegativeOr("attn_logit_softcapping", static_cast<double>(a.attentionCap));
    c.logitCap = read.notNegativeOr("final_logit_softcapping", static_cast<double>(a.logitCap));
  }
}

void readTemperature(MetadataReader& read, const Architecture& a, Config& c) {
  if (!a.temperature) return;
  c.temperature = read.notNegativeOr("attention.temperature_scale", 0);
  c.temperatureSpan = c.ropeScaling.originalContext > 0 ? c.ropeScaling.originalContext
                                                        : static_cast<float>(c.contextLength);
  if (a.latent) {
    c.temperatureSpan =
        read.positiveOr("attention.temperature_length", static_cast<double>(c.temperatureSpan));
  }
}

void readPooling(MetadataReader& read, const gguf::File& file, const Architecture& a, Config& c) {
  constexpr std::uint64_t kMostClasses = 64;
  const gguf::TensorInfo* head = file.findTensor("cls.output.weight");
  // An encoder with a head was trained to rank.
  const Pooling usual = c.encoder && head != nullptr ? Pooling::kRank : Pooling::kNone;
  c.pooling = static_cast<Pooling>(read.sizeOr("pooling_type", static_cast<std::int64_t>(usual), 0,
                                               static_cast<std::int64_t>(Pooling::kRank)));
  read.ignore("classifier.output_labels");
  if (c.encoder) {
    const Pooling before = a.firstPlain ? Pooling::kMean : Pooling::kCls;
    c.rankPooling = static_cast<Pooling>(read.sizeOr(
        "classifier.pooling_type", static_cast<std::int64_t>(before),
        static_cast<std::int64_t>(Pooling::kMean), static_cast<std::int64_t>(Pooling::kLast)));
  }
  if (c.pooling != Pooling::kRank) return;
  if (head == nullptr || head->ne.size() != 2 || head->ne[1] > kMostClasses)
    return read.reject("pooling_type",
                       "is 4: this is a reranking model, but its head is no matrix "
                       "cls.output.weight of at most 64 rows");
  c.classes = static_cast<int>(head->ne[1]);
  const auto separator = file.integer("tokenizer.ggml.seperator_token_id");
  if (c.typeRows > 1 && separator && *separator >= 0 && *separator < kMostVocab) {
    c.separator = static_cast<int>(*separator);
  }
}

// What only encoders have.
void readEncoder(MetadataReader& read, const gguf::File& file, const Architecture& a, Config& c) {
  c.encoder = a.encoder;
  c.embeddingNorm = a.embeddingNorm;
  c.firstPlain = a.firstPlain;
  c.windowsAround = a.windowsAround;
  c.fullFirst = a.fullFirst;
  c.normsSums = a.normsSums;
  const bool causal = read.flagOr("attention.causal", !a.encoder);
  if (causal == a.encoder) read.reject("attention.causal", causal ? "is true" : "is false");
  if (!a.encoder) return;
  c.positionRows = file.findTensor("position_embd.weight") != nullptr;
  if (a.noRopeEvery == 1 && !c.positionRows) read.reject("context_length", kNoPositions);
  const gguf::TensorInfo* types = file.findTensor("token_types.weight");
  if (types != nullptr && types->ne.size() == 2) {
    c.typeRows = static_cast<int>(std::min<std::uint64_t>(types->ne[1], kMostTypes));
  }
  // Of the gate: ModernBERT's own is "gelu"; Granite Embedding's is "silu".
  const std::string activation = a.gated ? read.textOr("hidden_activation", "") : std::string();
  if (activation == "silu") {
    c.activation = Activation::kSilu;
  } else if (!activation.empty() && activation != "gelu") {
    read.reject("hidden_activation", "is \"" + activation + "\", which is not supported");
  }
}

void readTraits(MetadataReader& read, const gguf::File& file, const Architecture& a, Config& c) {
  c.norm = a.norm;
  c.activation = a.activation;
  c.pairs = a.pairs;
  c.normBias = a.normBias;
  c.gated = a.gated;
  c.joinedGate = a.joinedGate;
  c.joinedQkv = a.joinedQkv && hasTensor(file, ".attn_qkv.weight");
  c.expertBias = a.expertBias;
  c.sinks = a.sinks;
  c.ffnNorm = a.ffnNorm;
  c.jointNorms = a.jointNorms;
  c.preNorms = a.preNorms;
  c.postNorms = a.postNorms;
  c.parallel = a.parallel;
  c.windowedAlone = a.windowedAlone;
  if (a.noRopeEvery > 0) c.noRopeEvery = a.noRopeEvery;
  const char* epsilon[] = {"attention.layer_norm_rms_epsilon", "attention.layer_norm_epsilon"};
  c.normEpsilon = read.positiveOr(epsilon[a.norm == NormKind::kLayer], 1e-5);
  read.ignore(epsilon[a.norm != NormKind::kLayer]);

  // The metadata do not say which biases there are: the first layer does that may have them.
  const auto decide = [&](Presence presence, const std::string& tensor) {
    return presence == Presence::kAlways ||
           (presence == Presence::kOptional && file.findTensor(tensor) != nullptr);
  };
  int layer = 0;
  while (c.isRecurrent(layer) && layer + 1 < c.layers) ++layer;
  const std::string blk = "blk." + std::to_string(layer) + ".";
  c.qkvBias = decide(a.qkvBias, blk + (c.joinedQkv ? "attn_qkv.bias" : "attn_q.bias"));
  c.outputBias = decide(a.outputBias, blk + "attn_output.bias");
  c.ffnBias = decide(a.ffnBias, "blk.0.ffn_up.bias");
  c.headNorms = decide(a.headNorms, blk + "attn_q_norm.weight");
}

}  // namespace

int Config::attentionLayers() const {
  if (recurrent.kernel == 0) return layers;
  const auto& attention = recurrent.attention;
  return static_cast<int>(std::count(attention.begin(), attention.end(), true));
}

float Config::queryScale(int position) const {
  if (temperature == 0) return 1;
  return 1 + temperature * std::log1p(std::floor(static_cast<float>(position) / temperatureSpan));
}

base::Result<Config> readConfig(const gguf::File& file) {
  if (file.stringOr("general.type", "").value_or("") == "adapter")
    return base::fail(file.name() + ": is an adapter, and no model by itself.",
                      "Add it to the model that it was trained for.");
  const auto name = file.string("general.architecture");
  if (!name) return tl::unexpected(name.error());
  const Architecture* architecture = findArchitecture(*name);
  if (architecture == nullptr) {
    return base::fail(file.name() + ": is a model of the architecture \"" + std::string(*name) +
                          "\", which cannot be run.",
                      "Use a model of one of these: " + architectureNames() + ".");
  }

  MetadataReader read(file, *name);
  Config config;
  config.architecture = architecture->name;
  config.name = file.stringOr("general.name", "").value_or("");
  readSizes(read, file, *architecture, config);
  readRecurrent(read, file, *architecture, config);
  readFfn(read, file, *architecture, config);
  readRope(read, file, *architecture, config);
  readWindow(read, *architecture, config);
  readScales(read, *architecture, config);
  readTemperature(read, *architecture, config);
  readTraits(read, file, *architecture, config);
  readEncoder(read, file, *architecture, config);
  readPooling(read, file, *architecture, config);
  for (const char* key : {"vocab_size", "tensor_data_layout", "rope.scaling.finetuned"}) {
    read.ignore(key);
  }
  read.refuseOthers();
  if (!read.ok()) return tl::unexpected(read.error());

  const gguf::TensorInfo* embedding = file.findTensor("token_embd.weight");
  if (embedding == nullptr || embedding->ne.size() != 2 ||
      embedding->ne[1] > static_cast<std::uint64_t>(kMostVocab)) {
    return base::fail(file.name() + ": lacks a matrix token_embd.weight of at most " +
                          std::to_string(kMostVocab) + " rows.",
                      "The file was put together wrongly; get it again.");
  }
  config.vocabSize = static_cast<int>(embedding->ne[1]);
  config.tiedEmbeddings = config.encoder || file.findTensor("output.weight") == nullptr;
  return config;
}

}  // namespace waferpair::transformer
