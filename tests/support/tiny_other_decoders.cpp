// SPDX-License-Identifier: GPL-3.0-or-later
// Tiny models as Phi, GLM, Command R, Aya, EXAONE, OLMo, Nemotron and ERNIE are made of parts.
#include <string>
#include <vector>

#include "tests/support/tiny_architectures.h"

namespace waferpair::test {
namespace {

using namespace std::string_literals;

TinyArchitecture tinyPhi3() {
  return {.label = "phi3",
          .architecture = "phi3",
          .width = 32,
          .feedForward = 48,
          .keys = {{"rope.dimension_count", 16},
                   {"rope.scaling.original_context_length", 256},
                   {"attention.sliding_window", 0}},
          .joinedQkv = true,
          .joinedGate = true,
          .tied = false};
}

TinyArchitecture tinyGlm4() {
  return {.label = "glm4",
          .architecture = "glm4",
          .width = 32,
          .feedForward = 48,
          .keys = {{"rope.dimension_count", 8}, {"rope.freq_base", 1e5f}},
          .postNorms = true,
          .joinedGate = true,
          .tied = false};
}

TinyArchitecture tinyOlmo2() {
  return {.label = "olmo2",
          .architecture = "olmo2",
          .width = 32,
          .feedForward = 48,
          .keys = {{"rope.freq_base", 5e5f}},
          .headNorms = true,
          .postNorms = true,
          .preNorms = false,
          .jointNorms = true,
          .tied = false};
}

TinyArchitecture tinyExaone4() {
  return {.label = "exaone4",
          .architecture = "exaone4",
          .width = 32,
          .feedForward = 48,
          .keys = {{"rope.freq_base", 1e6f}, {"rope.scaling.type", "none"s}},
          .headNorms = true,
          .postNorms = true,
          .preNorms = false,
          .ropeFactors = 8};
}

TinyArchitecture tinyCohere2() {
  return {.label = "cohere2",
          .architecture = "cohere2",
          .layers = 5,
          .width = 32,
          .feedForward = 48,
          .keys = {{"logit_scale", 0.25f},
                   {"attention.sliding_window", 20},
                   {"rope.freq_base", 5e4f},
                   {"rope.scaling.type", "none"s},
                   {"rope.dimension_count", 16}},
          .layerNorm = true,
          .normBias = false,
          .parallel = true};
}

TinyArchitecture tinyGlm4Moe() {
  return {.label = "glm4moe",
          .architecture = "glm4moe",
          .layers = 3,
          .width = 32,
          .feedForward = 48,
          .keys = {{"expert_count", 6},
                   {"expert_used_count", 3},
                   {"expert_feed_forward_length", 24},
                   {"expert_weights_norm", true},
                   {"expert_weights_scale", 2.5f},
                   {"expert_group_count", 1},
                   {"expert_group_used_count", 1},
                   {"rope.freq_base", 1e6f},
                   {"rope.dimension_count", 8}},
          .qkvBias = true,
          .headNorms = true,
          .experts = 6,
          .expertWidth = 24,
          .leadingDense = 1,
          .sharedExperts = 1,
          .selectionBias = true,
          .ffnNorm = "post_attention_norm",
          .tied = false};
}

}  // namespace

std::vector<TinyArchitecture> tinyOtherDecoders() {
  TinyArchitecture window = tinyPhi3();  // as Phi-3-mini with a context of 4K
  window.label = "phi3 with a window";
  window.keys[2].second = 20;
  TinyArchitecture longer = tinyPhi3();  // as those with one of 128K; Phi-4-mini turns a part
  longer.label = "phi3 of a long context";
  longer.keys = {{"rope.dimension_count", 12},
                 {"rope.scaling.original_context_length", 64},
                 {"rope.scaling.attn_factor", 1.19f}};
  longer.longFactors = 6;
  longer.tied = true;
  TinyArchitecture shorter = longer;
  shorter.label = "phi3 of a short context";
  shorter.keys[1].second = 256;
  shorter.keys.emplace_back("rope.scaling.type", "longrope"s);
  TinyArchitecture quantizedPhi = tinyPhi3();
  quantizedPhi.label = "phi3 Q8_0";
  quantizedPhi.width = 64;
  quantizedPhi.feedForward = 96;
  quantizedPhi.type = gguf::TensorType::kQ8_0;
  TinyArchitecture joinedGlm = tinyGlm4();
  joinedGlm.label = "glm4 with joined parts and biases";
  joinedGlm.joinedQkv = joinedGlm.qkvBias = true;
  TinyArchitecture olmo3 = tinyOlmo2();
  olmo3.label = "olmo2 as OLMo 3";
  olmo3.layers = 5;
  olmo3.keys = {{"rope.freq_base", 5e5f},
                {"rope.scaling.type", "yarn"s},
                {"rope.scaling.factor", 8.0f},
                {"rope.scaling.original_context_length", 64},
                {"attention.sliding_window", 20}};
  olmo3.windowByLayer = {true, true, true, false, true};
  TinyArchitecture windows = tinyExaone4();
  windows.label = "exaone4 with windows";
  windows.layers = 5;
  windows.keys.emplace_back("attention.sliding_window", 20);
  windows.windowByLayer = {true, true, true, false, true};
  TinyArchitecture air = tinyGlm4Moe();
  air.label = "glm4moe as GLM-4.5-Air";
  air.headNorms = false;
  TinyArchitecture quantizedCohere = tinyCohere2();
  quantizedCohere.label = "cohere2 Q8_0";
  quantizedCohere.layers = 4;
  quantizedCohere.width = 64;
  quantizedCohere.feedForward = 96;
  quantizedCohere.type = gguf::TensorType::kQ8_0;
  return {
      tinyPhi3(),
      window,
      longer,
      shorter,
      quantizedPhi,
      tinyGlm4(),
      joinedGlm,
      {.label = "chatglm",
       .architecture = "chatglm",
       .width = 32,
       .feedForward = 48,
       .keys = {{"rope.dimension_count", 8}, {"rope.freq_base", 5e5f}},
       .qkvBias = true,
       .joinedQkv = true,
       .joinedGate = true,
       .tied = false},
      tinyOlmo2(),
      olmo3,
      {.label = "exaone",
       .architecture = "exaone",
       .width = 32,
       .feedForward = 48,
       .keys = {{"rope.dimension_count", 16}, {"rope.freq_base", 5e5f}},
       .ropeFactors = 8},
      tinyExaone4(),
      windows,
      {.label = "command-r",
       .architecture = "command-r",
       .width = 32,
       .feedForward = 48,
       .keys = {{"logit_scale", 0.0625f}, {"rope.freq_base", 8e6f}, {"rope.scaling.type", "none"s}},
       .layerNorm = true,
       .normBias = false,
       .parallel = true},
      tinyCohere2(),
      quantizedCohere,
      {.label = "nemotron",
       .architecture = "nemotron",
       .width = 32,
       .feedForward = 48,
       .keys = {{"rope.dimension_count", 8}, {"rope.scaling.type", "none"s}},
       .layerNorm = true,
       .gated = false,
       .tied = false},
      {.label = "nemotron with biases",
       .architecture = "nemotron",
       .width = 32,
       .feedForward = 48,
       .keys = {{"rope.dimension_count", 8}, {"rope.scaling.type", "none"s}},
       .layerNorm = true,
       .gated = false,
       .outputBias = true,
       .ffnBias = true,
       .tied = false},
      {.label = "ernie4_5",
       .architecture = "ernie4_5",
       .width = 32,
       .feedForward = 48,
       .keys = {{"rope.freq_base", 5e5f}}},
      {.label = "ernie4_5-moe",
       .architecture = "ernie4_5-moe",
       .layers = 3,
       .width = 32,
       .feedForward = 48,
       .keys = {{"expert_count", 6},
                {"expert_used_count", 3},
                {"expert_feed_forward_length", 24},
                {"expert_shared_feed_forward_length", 48},
                {"interleave_moe_layer_step", 1},
                {"rope.freq_base", 5e5f}},
       .experts = 6,
       .expertWidth = 24,
       .leadingDense = 1,
       .sharedExperts = 2,
       .selectionBias = true},
      tinyGlm4Moe(),
      air,
  };
}

}  // namespace waferpair::test
