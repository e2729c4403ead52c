// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/transformer/architectures.h"

namespace waferpair::transformer {
namespace {

// Mistral, CodeLlama, DeepSeek-Coder, SmolLM, Seed-Coder, Codestral and the first Granite Code
// models are files of the architecture llama: their converters write its names and order rows as it
// does.
constexpr Architecture kArchitectures[] = {
    {.name = "deepseek2",
     .experts = true,
     .anyRouting = true,
     .latent = true,
     .draftLayers = true,
     .temperature = true},
    {.name = "gemma",
     .activation = Activation::kGelu,
     .pairs = RopePairs::kHalves,
     .scaleEmbedding = true},
    {.name = "gemma2",
     .activation = Activation::kGelu,
     .pairs = RopePairs::kHalves,
     .postNorms = true,
     .scaleEmbedding = true,
     .softCaps = true,
     .attentionCap = 50,
     .logitCap = 30,
     .window = Presence::kOptional,
     .defaultWindow = 4096,
     .fullAttentionEvery = 2,
     .wideScoresAtLayers = 46},
    {.name = "gemma3",
     .activation = Activation::kGelu,
     .pairs = RopePairs::kHalves,
     .headNorms = true,
     .postNorms = true,
     .scaleEmbedding = true,
     .softCaps = true,
     .window = Presence::kAlways,
     .fullAttentionEvery = 6,
     .windowedRopeBase = 10000,
     .wideScoresAtLayers = 62},
    {.name = "gpt-oss",
     .activation = Activation::kClampedSilu,
     .pairs = RopePairs::kHalves,
     .qkvBias = Presence::kAlways,
     .outputBias = Presence::kAlways,
     .experts = true,
     .expertBias = true,
     .sinks = true,
     .window = Presence::kAlways,
     .fullAttentionEvery = 2,
     .yarnWholePairs = false,
     .ffnNorm = "post_attention_norm"},
    {.name = "granite",
     .qkvBias = Presence::kOptional,
     .outputBias = Presence::kOptional,
     .ffnBias = Presence::kOptional,
     .multipliers = true},
    {.name = "granitehybrid",
     .qkvBias = Presence::kOptional,
     .outputBias = Presence::kOptional,
     .ffnBias = Presence::kOptional,
     .maybeExperts = true,
     .plainWidth = true,
     .mamba = true,
     .sharedExpert = true,
     .multipliers = true},
    {.name = "granitemoe", .experts = true, .plainWidth = true, .multipliers = true},
    {.name = "llama",
     .qkvBias = Presence::kOptional,
     .outputBias = Presence::kOptional,
     .ffnBias = Presence::kOptional,
     .window = Presence::kOptional},
    {.name = "mellum",
     .pairs = RopePairs::kHalves,
     .experts = true,
     .headNorms = true,
     .window = Presence::kOptional,
     .fullAttentionEvery = 4,
     .windowedPlain = true},
    {.name = "mistral3",
     .qkvBias = Presence::kOptional,
     .outputBias = Presence::kOptional,
     .ffnBias = Presence::kOptional,
     .yarnMultiplier = true,
     .temperature = true},
    {.name = "qwen2", .pairs = RopePairs::kHalves, .qkvBias = Presence::kAlways},
    {.name = "qwen3",
     .pairs = RopePairs::kHalves,
     .qkvBias = Presence::kOptional,
     .headNorms = true},
    {.name = "qwen35",
     .pairs = RopePairs::kHalves,
     .delta = true,
     .headsInTurn = true,
     .draftLayers = true,
     .headNorms = true,
     .ffnNorm = "post_attention_norm"},
    {.name = "qwen35moe",
     .pairs = RopePairs::kHalves,
     .experts = true,
     .delta = true,
     .headsInTurn = true,
     .sharedExpert = true,
     .sharedGate = true,
     .draftLayers = true,
     .headNorms = true,
     .ffnNorm = "post_attention_norm"},
    {.name = "qwen3moe", .pairs = RopePairs::kHalves, .experts = true, .headNorms = true},
    {.name = "qwen3next",
     .pairs = RopePairs::kHalves,
     .experts = true,
     .delta = true,
     .sharedExpert = true,
     .sharedGate = true,
     .headNorms = true,
     .ffnNorm = "post_attention_norm"},
    {.name = "seed_oss",
     .pairs = RopePairs::kHalves,
     .qkvBias = Presence::kOptional,
     .ffnNorm = "post_attention_norm"},
    {.name = "smollm3", .noRopeEvery = 4},
    {.name = "starcoder2",
     .norm = NormKind::kLayer,
     .activation = Activation::kGelu,
     .pairs = RopePairs::kHalves,
     .gated = false,
     .qkvBias = Presence::kAlways,
     .outputBias = Presence::kAlways,
     .ffnBias = Presence::kAlways,
     .window = Presence::kOptional},
};

}  // namespace

const Architecture* findArchitecture(std::string_view name) {
  for (const Architecture& architecture : kArchitectures) {
    if (architecture.name == name) return &architecture;
  }
  return nullptr;
}

std::string architectureNames() {
  std::string names;
  for (const Architecture& architecture : kArchitectures) {
    if (!names.empty()) names += ", ";
    names += architecture.name;
  }
  return names;
}

}  // namespace waferpair::transformer
