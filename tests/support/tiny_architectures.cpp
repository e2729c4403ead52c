// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/tiny_architectures.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>

namespace waferpair::test {
namespace {

// As DeepSeek-V2-Lite, V2 and V3, Kimi and Youtu are made of parts.
std::vector<TinyArchitecture> tinyLatentArchitectures() {
  using namespace std::string_literals;
  using Keys = decltype(TinyArchitecture::keys);
  const Keys yarn = {{"rope.scaling.type", "yarn"s},
                     {"rope.scaling.factor", 40.0f},
                     {"rope.scaling.original_context_length", 64},
                     {"rope.scaling.yarn_log_multiplier", 0.0707f}};
  const auto with = [](Keys keys, const Keys& more) {
    keys.insert(keys.end(), more.begin(), more.end());
    return keys;
  };
  const Keys experts = {
      {"expert_count", 6}, {"expert_used_count", 3}, {"expert_feed_forward_length", 40}};
  const Keys groups = {{"expert_count", 12},           {"expert_used_count", 3},
                       {"expert_group_count", 4},      {"expert_group_used_count", 2},
                       {"expert_weights_scale", 2.5f}, {"expert_feed_forward_length", 40}};
  const TinyArchitecture lite{.label = "deepseek2 as V2-Lite",
                              .architecture = "deepseek2",
                              .layers = 3,
                              .keys = with(with(experts, yarn), {{"expert_weights_scale", 1.0f}}),
                              .experts = 6,
                              .expertWidth = 40,
                              .latent = {.rank = 40, .plainDim = 24, .ropeDim = 8, .valueDim = 20},
                              .leadingDense = 1,
                              .sharedExperts = 2,
                              .tied = false};
  TinyArchitecture v2 = lite;
  v2.label = "deepseek2 as V2";
  v2.heads = 5;
  v2.keys = with(groups, yarn);
  v2.experts = 12;
  v2.latent = {
      .rank = 24, .queryRank = 36, .plainDim = 16, .ropeDim = 8, .valueDim = 12, .split = true};
  TinyArchitecture v3 = v2;
  v3.label = "deepseek2 as V3";
  v3.keys = with(v2.keys, {{"expert_gating_func", 2}, {"expert_weights_norm", true}});
  v3.sharedExperts = 1;
  v3.selectionBias = true;
  TinyArchitecture kimi = lite;
  kimi.label = "deepseek2 as Kimi";
  kimi.keys = with(experts, {{"expert_weights_norm", true},
                             {"expert_weights_scale", 2.827f},
                             {"expert_group_count", 1},
                             {"expert_group_used_count", 1},
                             {"rope.freq_base", 50000.0f}});
  kimi.latent.split = true;
  kimi.selectionBias = true;  // which says that gates are sigmoids
  TinyArchitecture dense = lite;
  dense.label = "deepseek2 without experts";
  dense.keys = with(yarn, {{"attention.temperature_scale", 0.5f},
                           {"expert_feed_forward_length", 96},
                           {"expert_shared_count", 0}});
  dense.layers = dense.leadingDense = 2;
  dense.experts = dense.sharedExperts = 0;
  // All experts: rounding may tip a choice between equals.
  TinyArchitecture quantized = lite;
  quantized.label = "deepseek2 Q8_0";
  quantized.keys = with(
      yarn, {{"expert_count", 4}, {"expert_used_count", 4}, {"expert_feed_forward_length", 64}});
  quantized.experts = 4;
  quantized.expertWidth = 64;
  quantized.latent = {.rank = 64, .queryRank = 32, .plainDim = 32, .ropeDim = 32, .valueDim = 64};
  quantized.type = gguf::TensorType::kQ8_0;
  TinyArchitecture quantizedSplit = quantized;
  quantizedSplit.label = "deepseek2 Q8_0, split";
  quantizedSplit.latent.split = true;
  TinyArchitecture wide = kimi;
  wide.label = "deepseek2 with heads as published";
  wide.heads = 3;
  wide.latent = {.rank = 512, .plainDim = 128, .ropeDim = 64, .valueDim = 128};
  wide.type = gguf::TensorType::kF16;
  return {lite, v2, v3, kimi, dense, quantized, quantizedSplit, wide};
}

// As Qwen3.5 and its mixtures of experts, and Qwen3-Next, are made of parts.
std::vector<TinyArchitecture> tinyRecurrentArchitectures() {
  const TinyArchitecture dense{
      .label = "qwen35",
      .architecture = "qwen35",
      .layers = 4,
      .headDim = 32,
      .keys = {{"rope.dimension_count", 8}, {"rope.freq_base", 1e7f}},
      .headNorms = true,
      .recurrent = {.kernel = 4, .groups = 2, .heads = 4, .stateDim = 16, .attentionEvery = 2},
      .ffnNorm = "post_attention_norm"};
  TinyArchitecture heads = dense;
  heads.label = "qwen35 with other heads";
  heads.layers = 5;
  heads.heads = 3;
  heads.kvHeads = 1;
  heads.headDim = 24;
  heads.recurrent = {.kernel = 3, .groups = 3, .heads = 3, .stateDim = 20, .attentionEvery = 3};
  heads.tied = false;
  TinyArchitecture quantized = dense;
  quantized.label = "qwen35 Q8_0";
  quantized.layers = 3;
  quantized.recurrent = {.kernel = 4, .groups = 2, .heads = 6, .stateDim = 32, .attentionEvery = 3};
  quantized.type = gguf::TensorType::kQ8_0;
  TinyArchitecture wide = dense;
  wide.label = "qwen35 with heads as published";
  wide.layers = 3;
  wide.heads = 2;
  wide.kvHeads = 1;
  wide.headDim = 256;
  wide.keys = {{"rope.dimension_count", 64}, {"rope.freq_base", 1e7f}};
  wide.recurrent = {.kernel = 4, .groups = 1, .heads = 3, .stateDim = 128, .attentionEvery = 2};
  wide.type = gguf::TensorType::kF16;
  TinyArchitecture experts = dense;
  experts.label = "qwen35moe";
  experts.architecture = "qwen35moe";
  experts.keys.insert(
      experts.keys.end(),
      {{"expert_count", 6}, {"expert_used_count", 3}, {"expert_feed_forward_length", 40}});
  experts.experts = 6;
  experts.expertWidth = 40;
  experts.sharedWidth = 56;
  TinyArchitecture next = experts;
  next.label = "qwen3next";
  next.architecture = "qwen3next";
  next.recurrent = {
      .kernel = 4, .groups = 2, .heads = 4, .stateDim = 16, .attentionEvery = 3, .joined = true};
  next.tied = false;
  TinyArchitecture factors = experts;  // of each matrix; all experts, as with gpt-oss
  factors.label = "qwen35moe NVFP4";
  factors.layers = 2;
  factors.headDim = 16;
  factors.keys = {{"rope.dimension_count", 8},
                  {"rope.freq_base", 1e7f},
                  {"expert_count", 3},
                  {"expert_used_count", 3},
                  {"expert_feed_forward_length", 128}};
  factors.experts = 3;
  factors.expertWidth = 128;
  factors.sharedWidth = 64;
  factors.type = gguf::TensorType::kNVFP4;
  return {dense, heads, quantized, wide, experts, next, factors};
}

// As Granite 4 -h is made of parts, with and without experts.
std::vector<TinyArchitecture> tinyMambaArchitectures() {
  const TinyArchitecture dense{
      .label = "granitehybrid",
      .architecture = "granitehybrid",
      .layers = 5,
      .keys = {{"rope.scaling.finetuned", false},
               {"embedding_scale", 3.0f},
               {"residual_scale", 0.3f},
               {"attention.scale", 0.1f},
               {"logit_scale", 4.0f}},
      .recurrent = {.kernel = 4, .groups = 2, .heads = 4, .stateDim = 16, .headDim = 12},
      .kvHeadsByLayer = {0, 2, 2, 0, 0}};
  TinyArchitecture experts = dense;
  experts.label = "granitehybrid with experts";
  experts.layers = 3;
  experts.feedForward = experts.expertWidth = 40;
  experts.keys.insert(experts.keys.end(), {{"expert_count", 6}, {"expert_used_count", 3}});
  experts.experts = 6;
  experts.sharedWidth = 56;
  experts.recurrent = {.kernel = 3, .groups = 1, .heads = 3, .stateDim = 24, .headDim = 20};
  experts.kvHeadsByLayer = {0, 0, 2};
  TinyArchitecture rotated = dense;
  rotated.label = "granitehybrid as Bamba, Q8_0";
  rotated.layers = 3;
  rotated.keys = {{"rope.scaling.finetuned", true}};
  rotated.recurrent = {.kernel = 4, .groups = 1, .heads = 4, .stateDim = 128, .headDim = 64};
  rotated.kvHeadsByLayer = {0, 2, 0};
  rotated.tied = false;
  rotated.type = gguf::TensorType::kQ8_0;
  return {dense, experts, rotated};
}

}  // namespace

std::vector<TinyArchitecture> tinyArchitectures() {
  using namespace std::string_literals;
  const TinyArchitecture gemma2{.label = "gemma2",
                                .architecture = "gemma2",
                                .layers = 3,
                                .headDim = 32,
                                .keys = {{"attention.sliding_window", 20},
                                         {"attn_logit_softcapping", 2.0f},
                                         {"final_logit_softcapping", 3.0f}},
                                .postNorms = true};
  TinyArchitecture wide = gemma2;  // as many layers as the one that scales its scores otherwise
  wide.label = "gemma2 of 46 layers";
  wide.layers = 46;
  wide.width = 32;
  wide.feedForward = 32;
  TinyArchitecture gptOss{.label = "gpt-oss",
                          .architecture = "gpt-oss",
                          .layers = 3,
                          .headDim = 32,
                          .keys = {{"expert_count", 6},
                                   {"expert_used_count", 3},
                                   {"expert_feed_forward_length", 40},
                                   {"attention.sliding_window", 20},
                                   {"rope.freq_base", 150000.0f},
                                   {"rope.scaling.type", "yarn"s},
                                   {"rope.scaling.factor", 32.0f},
                                   {"rope.scaling.original_context_length", 128}},
                          .qkvBias = true,
                          .outputBias = true,
                          .experts = 6,
                          .expertWidth = 40,
                          .expertBias = true,
                          .sinks = true,
                          .ffnNorm = "post_attention_norm",
                          .tied = false};
  TinyArchitecture gptOssMxfp4 = gptOss;  // all experts: rounding may tip a choice between equals
  gptOssMxfp4.label = "gpt-oss MXFP4";
  gptOssMxfp4.experts = 4;
  gptOssMxfp4.expertWidth = 96;
  gptOssMxfp4.keys[0].second = gptOssMxfp4.keys[1].second = 4;
  gptOssMxfp4.keys[2].second = 96;
  gptOssMxfp4.type = gguf::TensorType::kQ8_0;
  gptOssMxfp4.expertType = gguf::TensorType::kMXFP4;
  std::vector<TinyArchitecture> all = {
      gptOss,
      gptOssMxfp4,
      {.label = "linear",
       .architecture = "llama",
       .keys = {{"rope.scaling.type", "linear"s},
                {"rope.scaling.factor", 4.0f},
                {"rope.freq_base", 100000.0f}}},
      {.label = "llama NVFP4",
       .architecture = "llama",
       .feedForward = 128,
       .tied = false,
       .type = gguf::TensorType::kNVFP4},
      {.label = "old linear", .architecture = "llama", .keys = {{"rope.scale_linear", 2.5f}}},
      {.label = "yarn",
       .architecture = "llama",
       .keys = {{"rope.scaling.type", "yarn"s},
                {"rope.scaling.factor", 4.0f},
                {"rope.scaling.original_context_length", 64}}},
      {.label = "yarn with all its keys",
       .architecture = "llama",
       .headDim = 32,
       .keys = {{"rope.scaling.type", "yarn"s},
                {"rope.scaling.factor", 8.0f},
                {"rope.scaling.original_context_length", 32},
                {"rope.scaling.attn_factor", 1.25f},
                {"rope.scaling.yarn_beta_fast", 4.0f},
                {"rope.scaling.yarn_beta_slow", 0.5f}}},
      {.label = "llama 3", .architecture = "llama", .ropeFactors = 8, .tied = false},
      {.label = "part of a head rotated",
       .architecture = "llama",
       .heads = 3,
       .kvHeads = 1,
       .headDim = 24,
       .keys = {{"rope.dimension_count", 16}}},
      {.label = "mistral", .architecture = "llama", .keys = {{"attention.sliding_window", 20}}},
      {.label = "granite code",
       .architecture = "llama",
       .qkvBias = true,
       .outputBias = true,
       .ffnBias = true},
      {.label = "granite",
       .architecture = "granite",
       .keys = {{"embedding_scale", 3.0f},
                {"residual_scale", 0.3f},
                {"attention.scale", 0.1f},
                {"logit_scale", 4.0f}}},
      {.label = "granite with biases",
       .architecture = "granite",
       .keys = {{"residual_scale", 0.3f}},
       .outputBias = true,
       .ffnBias = true},
      {.label = "granitemoe",
       .architecture = "granitemoe",
       .feedForward = 40,
       .keys = {{"expert_count", 6},
                {"expert_used_count", 3},
                {"embedding_scale", 3.0f},
                {"residual_scale", 0.3f},
                {"attention.scale", 0.1f},
                {"logit_scale", 4.0f}},
       .experts = 6,
       .expertWidth = 40},
      {.label = "seed_oss",
       .architecture = "seed_oss",
       .headDim = 32,
       .keys = {{"rope.freq_base", 1e7f}},
       .qkvBias = true,
       .ffnNorm = "post_attention_norm",
       .tied = false},
      {.label = "qwen2", .architecture = "qwen2", .qkvBias = true},
      {.label = "qwen2 Q8_0",
       .architecture = "qwen2",
       .qkvBias = true,
       .tied = false,
       .type = gguf::TensorType::kQ8_0},
      {.label = "qwen2 with a part of a head rotated",
       .architecture = "qwen2",
       .headDim = 24,
       .keys = {{"rope.dimension_count", 12}},
       .qkvBias = true},
      {.label = "qwen3",
       .architecture = "qwen3",
       .heads = 3,
       .kvHeads = 3,
       .headDim = 32,
       .keys = {{"rope.freq_base", 1e6f}},
       .headNorms = true},
      {.label = "qwen3moe",
       .architecture = "qwen3moe",
       .keys = {{"expert_count", 6}, {"expert_used_count", 3}, {"expert_feed_forward_length", 40}},
       .headNorms = true,
       .experts = 6,
       .expertWidth = 40},
      {.label = "qwen3moe Q8_0",
       .architecture = "qwen3moe",
       .keys = {{"expert_count", 5},
                {"expert_used_count", 5},  // all: rounding may tip a choice between equals
                {"expert_weights_norm", true},
                {"expert_feed_forward_length", 64}},
       .headNorms = true,
       .experts = 5,
       .expertWidth = 64,
       .tied = false,
       .type = gguf::TensorType::kQ8_0},
      {.label = "starcoder2",
       .architecture = "starcoder2",
       .keys = {{"attention.sliding_window", 70}},
       .layerNorm = true,
       .gated = false,
       .qkvBias = true,
       .outputBias = true,
       .ffnBias = true},
      {.label = "mellum",
       .architecture = "mellum",
       .layers = 5,
       .keys = {{"expert_count", 6},
                {"expert_used_count", 3},
                {"expert_feed_forward_length", 40},
                {"expert_weights_scale", 2.5f},
                {"attention.sliding_window", 20},
                {"rope.freq_base", 500000.0f},
                {"rope.scaling.type", "yarn"s},
                {"rope.scaling.factor", 8.0f},
                {"rope.scaling.original_context_length", 64}},
       .headNorms = true,
       .experts = 6,
       .expertWidth = 40,
       .tied = false},
      {.label = "mistral3",
       .architecture = "mistral3",
       .keys = {{"rope.freq_base", 1e6f},
                {"rope.scaling.type", "yarn"s},
                {"rope.scaling.factor", 16.0f},
                {"rope.scaling.original_context_length", 32},
                {"rope.scaling.yarn_beta_fast", 32.0f},
                {"rope.scaling.yarn_beta_slow", 1.0f},
                {"rope.scaling.yarn_log_multiplier", 1.0f},
                {"attention.temperature_scale", 0.5f}}},
      {.label = "mistral3 with other factors",
       .architecture = "mistral3",
       .keys = {{"rope.scaling.type", "yarn"s},
                {"rope.scaling.factor", 8.0f},
                {"rope.scaling.original_context_length", 64},
                {"rope.scaling.yarn_log_multiplier", 0.25f}},
       .qkvBias = true,
       .tied = false},
      {.label = "smollm3",
       .architecture = "smollm3",
       .layers = 5,
       .keys = {{"rope.freq_base", 5e6f}}},
      {.label = "gemma", .architecture = "gemma", .heads = 2, .kvHeads = 1, .headDim = 48},
      gemma2,
      wide,
      {.label = "gemma3",
       .architecture = "gemma3",
       .layers = 7,
       .heads = 2,
       .kvHeads = 1,
       .headDim = 32,
       .keys = {{"attention.sliding_window", 20},
                {"rope.freq_base", 1e6f},
                {"rope.scaling.type", "linear"s},
                {"rope.scaling.factor", 8.0f}},
       .headNorms = true,
       .postNorms = true},
      {.label = "gemma3 with a pattern",
       .architecture = "gemma3",
       .layers = 4,
       .keys = {{"attention.sliding_window", 64},
                {"attention.sliding_window_pattern", 3},
                {"rope.freq_base_swa", 500.0f}},
       .headNorms = true,
       .postNorms = true},
  };
  std::ranges::move(tinyOtherDecoders(), std::back_inserter(all));
  std::ranges::move(tinyLatentArchitectures(), std::back_inserter(all));
  std::ranges::move(tinyRecurrentArchitectures(), std::back_inserter(all));
  std::ranges::move(tinyMambaArchitectures(), std::back_inserter(all));
  return all;
}

TinyArchitecture tinyArchitecture(const std::string& label) {
  for (const TinyArchitecture& model : tinyArchitectures()) {
    if (model.label == label) return model;
  }
  for (const TinyArchitecture& model : tinyEncoders()) {
    if (model.label == label) return model;
  }
  std::abort();
}

}  // namespace waferpair::test
