// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/tiny_architectures.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <random>
#include <span>

#include "runtime/tensor/block_formats.h"
#include "tests/support/stored_row.h"
#include "tests/support/tiny_model.h"

namespace waferpair::test {
namespace {

class Tensors {
 public:
  Tensors(gguf::Writer& writer, const TinyArchitecture& model, std::string without)
      : writer_(writer),
        type_(model.type),
        expertType_(model.expertType.value_or(model.type)),
        without_(std::move(without)) {}

  // Scaled so that a product has about the variance of its input; `count` of them, for the experts,
  // if not 0.
  void matrix(const std::string& name, int rows, int cols, int count = 0) {
    std::normal_distribution<float> normal(0, 1 / std::sqrt(static_cast<float>(cols)));
    const gguf::TensorType type = count > 0 ? expertType_ : type_;
    const tensor::Format format = *tensor::findFormat(static_cast<std::uint32_t>(type));
    std::vector<std::byte> data;
    std::vector<float> row(static_cast<std::size_t>(cols));
    for (int r = 0; r < rows * std::max(1, count); ++r) {
      for (float& value : row) value = normal(random_);
      const auto bytes = storedRow(format, row);
      data.insert(data.end(), bytes.begin(), bytes.end());
    }
    std::vector<std::uint64_t> ne{static_cast<std::uint64_t>(cols),
                                  static_cast<std::uint64_t>(rows)};
    if (count > 0) ne.push_back(static_cast<std::uint64_t>(count));
    add(name, type, std::move(ne), data);
  }
  // The matrices of keys and values of all heads: the same numbers in either form.
  void keysAndValues(const std::string& blk, int heads, const TinyLatent& l) {
    std::normal_distribution<float> normal(0, 1 / std::sqrt(static_cast<float>(l.rank)));
    const tensor::Format format = *tensor::findFormat(static_cast<std::uint32_t>(type_));
    const auto rank = static_cast<std::size_t>(l.rank);
    const auto plain = static_cast<std::size_t>(l.plainDim);
    std::vector<std::byte> both, keys, values;
    const auto append = [&](std::vector<std::byte>& to, std::span<const float> row) {
      const auto bytes = storedRow(format, std::vector<float>(row.begin(), row.end()));
      to.insert(to.end(), bytes.begin(), bytes.end());
    };
    for (int head = 0; head < heads; ++head) {
      std::vector<float> turned(rank * plain), row(rank);
      for (int r = 0; r < l.plainDim + l.valueDim; ++r) {
        for (float& value : row) value = normal(random_);
        append(both, row);
        if (r >= l.plainDim) append(values, row);
        for (std::size_t i = 0; r < l.plainDim && i < rank; ++i) {
          turned[i * plain + static_cast<std::size_t>(r)] = row[i];
        }
      }
      for (std::size_t i = 0; i < rank; ++i) {
        append(keys, std::span(turned).subspan(i * plain, plain));
      }
    }
    const auto size = [](int n) { return static_cast<std::uint64_t>(n); };
    if (!l.split) {
      add(blk + "attn_kv_b.weight", type_, {size(l.rank), size(heads * (l.plainDim + l.valueDim))},
          both);
      return;
    }
    add(blk + "attn_k_b.weight", type_, {size(l.plainDim), size(l.rank), size(heads)}, keys);
    add(blk + "attn_v_b.weight", type_, {size(l.rank), size(l.valueDim), size(heads)}, values);
  }
  void gain(const std::string& name, int size) {
    vector(name, size, std::uniform_real_distribution<float>(0.5f, 1.5f));
  }
  // `count` of them, for the experts, if not 0.
  void bias(const std::string& name, int size, int count = 0) {
    vector(name, size, std::normal_distribution<float>(0, 0.5f), count);
  }
  // Less than 0.
  void rates(const std::string& name, int size) {
    vector(name, size, std::uniform_real_distribution<float>(-1, -0.05f));
  }
  void factors(const std::string& name, int size) {
    vector(name, size, std::uniform_real_distribution<float>(1, 8));
  }

 private:
  template <typename Distribution>
  void vector(const std::string& name, int size, Distribution values, int count = 0) {
    std::vector<float> data(static_cast<std::size_t>(size * std::max(1, count)));
    for (float& value : data) value = values(random_);
    std::vector<std::uint64_t> ne{static_cast<std::uint64_t>(size)};
    if (count > 0) ne.push_back(static_cast<std::uint64_t>(count));
    add(name, gguf::TensorType::kF32, std::move(ne), std::as_bytes(std::span(data)));
  }
  void add(const std::string& name, gguf::TensorType type, std::vector<std::uint64_t> ne,
           std::span<const std::byte> data) {
    if (!without_.empty() && name.find(without_) != std::string::npos) return;
    writer_.addTensor(name, type, std::move(ne), data);
  }

  gguf::Writer& writer_;
  gguf::TensorType type_, expertType_;
  std::string without_;
  std::mt19937 random_{7};
};

void addKeys(gguf::Writer& writer, const TinyArchitecture& m) {
  writer.addString("general.architecture", m.architecture);
  writer.addString("general.name", m.label);
  std::vector<std::pair<const char*, int>> sizes = {
      {"block_count", m.layers},
      {"embedding_length", m.width},
      {"feed_forward_length", m.feedForward},
      {"attention.head_count", m.heads},
      {"context_length", m.contextLength},
  };
  const auto add = [&](std::initializer_list<std::pair<const char*, int>> more) {
    sizes.insert(sizes.end(), more);
  };
  const TinyLatent& l = m.latent;
  if (l.rank == 0) {
    add({{"attention.head_count_kv", m.kvHeads},
         {"attention.key_length", m.headDim},
         {"attention.value_length", m.headDim}});
  } else {
    add({{"attention.kv_lora_rank", l.rank}, {"rope.dimension_count", l.ropeDim}});
    if (l.queryRank > 0) add({{"attention.q_lora_rank", l.queryRank}});
    if (l.split) {
      add({{"attention.head_count_kv", 1},
           {"attention.key_length", l.rank + l.ropeDim},
           {"attention.value_length", l.rank},
           {"attention.key_length_mla", l.plainDim + l.ropeDim},
           {"attention.value_length_mla", l.valueDim}});
    } else {
      add({{"attention.head_count_kv", m.heads},
           {"attention.key_length", l.plainDim + l.ropeDim},
           {"attention.value_length", l.valueDim}});
    }
  }
  if (const TinyRecurrent& r = m.recurrent; r.kernel > 0) {
    add({{"ssm.conv_kernel", r.kernel},
         {"ssm.group_count", r.keyHeads},
         {"ssm.time_step_rank", r.valueHeads},
         {"ssm.state_size", r.headDim},
         {"ssm.inner_size", r.valueHeads * r.headDim}});
    if (r.attentionEvery > 0) add({{"full_attention_interval", r.attentionEvery}});
    const std::vector<std::int32_t> sections = {3, 3, 2, 0};
    writer.addInt32s(m.architecture + ".rope.dimension_sections", sections);
  }
  if (m.sharedWidth > 0) add({{"expert_shared_feed_forward_length", m.sharedWidth}});
  if (m.leadingDense > 0) add({{"leading_dense_block_count", m.leadingDense}});
  if (m.sharedExperts > 0) add({{"expert_shared_count", m.sharedExperts}});
  const std::string prefix = m.architecture + ".";
  for (const auto& [key, size] : sizes) {
    if (std::string_view(key) == "attention.head_count_kv" && !m.kvHeadsByLayer.empty()) {
      writer.addInt32s(prefix + key, m.kvHeadsByLayer);
      continue;
    }
    writer.addUint32(prefix + key, static_cast<std::uint32_t>(size));
  }
  writer.addFloat32(
      prefix + (m.layerNorm ? "attention.layer_norm_epsilon" : "attention.layer_norm_rms_epsilon"),
      1e-5f);
  if (!m.windowByLayer.empty())
    writer.addBools(prefix + "attention.sliding_window_pattern", m.windowByLayer);
  for (const auto& [name, value] : m.keys) {
    const std::string key = prefix + name;
    if (const int* number = std::get_if<int>(&value)) writer.addInt32(key, *number);
    if (const float* number = std::get_if<float>(&value)) writer.addFloat32(key, *number);
    if (const bool* flag = std::get_if<bool>(&value)) writer.addBool(key, *flag);
    if (const std::string* text = std::get_if<std::string>(&value)) writer.addString(key, *text);
  }
}

void addRecurrence(Tensors& tensors, const TinyArchitecture& m, const std::string& blk) {
  const TinyRecurrent& r = m.recurrent;
  const int values = r.valueHeads * r.headDim, channels = 2 * r.keyHeads * r.headDim + values;
  tensors.matrix(blk + "attn_qkv.weight", channels, m.width);
  tensors.matrix(blk + "attn_gate.weight", values, m.width);
  if (r.joined) {
    tensors.matrix(blk + "ssm_ba.weight", 2 * r.valueHeads, m.width);
  } else {
    tensors.matrix(blk + "ssm_beta.weight", r.valueHeads, m.width);
    tensors.matrix(blk + "ssm_alpha.weight", r.valueHeads, m.width);
  }
  tensors.bias(blk + "ssm_conv1d.weight", r.kernel, channels);
  tensors.bias(blk + "ssm_dt.bias", r.valueHeads);
  tensors.rates(blk + "ssm_a", r.valueHeads);
  tensors.gain(blk + "ssm_norm.weight", r.headDim);
  tensors.matrix(blk + "ssm_out.weight", m.width, values);
}

void addLayer(Tensors& tensors, const TinyArchitecture& m, int layer) {
  const std::string blk = "blk." + std::to_string(layer) + ".";
  const int q = m.heads * m.headDim, kv = m.kvHeads * m.headDim;
  const auto norm = [&](const std::string& name) {
    tensors.gain(blk + name + ".weight", m.width);
    if (m.layerNorm) tensors.bias(blk + name + ".bias", m.width);
  };
  const auto project = [&](const std::string& name, int rows, int cols, bool bias) {
    tensors.matrix(blk + name + ".weight", rows, cols);
    if (bias) tensors.bias(blk + name + ".bias", rows);
  };
  norm("attn_norm");
  const int every = m.recurrent.attentionEvery > 0 ? m.recurrent.attentionEvery : 4;
  const bool recurrent = m.recurrent.kernel > 0 && (layer + 1) % every != 0;
  if (recurrent) {
    addRecurrence(tensors, m, blk);
  } else if (const TinyLatent& l = m.latent; l.rank > 0) {
    const int queries = m.heads * (l.plainDim + l.ropeDim);
    if (l.queryRank > 0) {
      project("attn_q_a", l.queryRank, m.width, false);
      tensors.gain(blk + "attn_q_a_norm.weight", l.queryRank);
      project("attn_q_b", queries, l.queryRank, false);
    } else {
      project("attn_q", queries, m.width, false);
    }
    project("attn_kv_a_mqa", l.rank + l.ropeDim, m.width, false);
    tensors.gain(blk + "attn_kv_a_norm.weight", l.rank);
    tensors.keysAndValues(blk, m.heads, l);
    project(m.outputName, m.width, m.heads * l.valueDim, false);
  } else {
    project("attn_q", m.recurrent.kernel > 0 ? 2 * q : q, m.width, m.qkvBias);
    project("attn_k", kv, m.width, m.qkvBias);
    project("attn_v", kv, m.width, m.qkvBias);
    project(m.outputName, m.width, q, m.outputBias);
  }
  if (m.headNorms && !recurrent) {
    tensors.gain(blk + "attn_q_norm.weight", m.headDim);
    tensors.gain(blk + "attn_k_norm.weight", m.headDim);
  }
  if (m.postNorms) tensors.gain(blk + "post_attention_norm.weight", m.width);
  if (m.sinks) tensors.bias(blk + m.sinksName, m.heads);
  norm(m.ffnNorm);
  if (m.experts > 0 && layer >= m.leadingDense) {
    tensors.matrix(blk + "ffn_gate_inp.weight", m.experts, m.width);
    tensors.matrix(blk + "ffn_gate_exps.weight", m.expertWidth, m.width, m.experts);
    tensors.matrix(blk + "ffn_up_exps.weight", m.expertWidth, m.width, m.experts);
    tensors.matrix(blk + "ffn_down_exps.weight", m.width, m.expertWidth, m.experts);
    if (m.expertBias) {
      tensors.bias(blk + "ffn_gate_inp.bias", m.experts);
      tensors.bias(blk + "ffn_gate_exps.bias", m.expertWidth, m.experts);
      tensors.bias(blk + "ffn_up_exps.bias", m.expertWidth, m.experts);
      tensors.bias(blk + "ffn_down_exps.bias", m.width, m.experts);
    }
    if (m.selectionBias) tensors.bias(blk + "exp_probs_b.bias", m.experts);
    if (m.sharedWidth > 0) tensors.bias(blk + "ffn_gate_inp_shexp.weight", m.width);
    if (const int shared = m.sharedExperts * m.expertWidth + m.sharedWidth; shared > 0) {
      project("ffn_gate_shexp", shared, m.width, false);
      project("ffn_up_shexp", shared, m.width, false);
      project("ffn_down_shexp", m.width, shared, false);
    }
    return;
  }
  if (m.gated) project("ffn_gate", m.feedForward, m.width, m.ffnBias);
  project("ffn_up", m.feedForward, m.width, m.ffnBias);
  project("ffn_down", m.width, m.feedForward, m.ffnBias);
  if (m.postNorms) tensors.gain(blk + "post_ffw_norm.weight", m.width);
}

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
  const TinyArchitecture dense{.label = "qwen35",
                               .architecture = "qwen35",
                               .layers = 4,
                               .headDim = 32,
                               .keys = {{"rope.dimension_count", 8}, {"rope.freq_base", 1e7f}},
                               .headNorms = true,
                               .recurrent = {.kernel = 4,
                                             .keyHeads = 2,
                                             .valueHeads = 4,
                                             .headDim = 16,
                                             .attentionEvery = 2},
                               .ffnNorm = "post_attention_norm"};
  TinyArchitecture heads = dense;
  heads.label = "qwen35 with other heads";
  heads.layers = 5;
  heads.heads = 3;
  heads.kvHeads = 1;
  heads.headDim = 24;
  heads.recurrent = {
      .kernel = 3, .keyHeads = 3, .valueHeads = 3, .headDim = 20, .attentionEvery = 3};
  heads.tied = false;
  TinyArchitecture quantized = dense;
  quantized.label = "qwen35 Q8_0";
  quantized.layers = 3;
  quantized.recurrent = {
      .kernel = 4, .keyHeads = 2, .valueHeads = 6, .headDim = 32, .attentionEvery = 3};
  quantized.type = gguf::TensorType::kQ8_0;
  TinyArchitecture wide = dense;
  wide.label = "qwen35 with heads as published";
  wide.layers = 3;
  wide.heads = 2;
  wide.kvHeads = 1;
  wide.headDim = 256;
  wide.keys = {{"rope.dimension_count", 64}, {"rope.freq_base", 1e7f}};
  wide.recurrent = {
      .kernel = 4, .keyHeads = 1, .valueHeads = 3, .headDim = 128, .attentionEvery = 2};
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
  next.recurrent = {.kernel = 4,
                    .keyHeads = 2,
                    .valueHeads = 4,
                    .headDim = 16,
                    .attentionEvery = 3,
                    .joined = true};
  next.tied = false;
  return {dense, heads, quantized, wide, experts, next};
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
  std::ranges::move(tinyLatentArchitectures(), std::back_inserter(all));
  std::ranges::move(tinyRecurrentArchitectures(), std::back_inserter(all));
  return all;
}

TinyArchitecture tinyArchitecture(const std::string& label) {
  for (const TinyArchitecture& model : tinyArchitectures()) {
    if (model.label == label) return model;
  }
  std::abort();
}

gguf::Writer makeTinyArchitecture(const TinyArchitecture& m, const std::string& without) {
  gguf::Writer writer;
  addKeys(writer, m);
  addTinyTokenizer(writer, {.vocabSize = kTinyArchitectureVocabulary});
  Tensors tensors(writer, m, without);
  tensors.matrix("token_embd.weight", kTinyArchitectureVocabulary, m.width);
  if (m.ropeFactors > 0) tensors.factors("rope_freqs.weight", m.ropeFactors);
  for (int layer = 0; layer < m.layers; ++layer) addLayer(tensors, m, layer);
  tensors.gain("output_norm.weight", m.width);
  if (m.layerNorm) tensors.bias("output_norm.bias", m.width);
  if (!m.tied) tensors.matrix("output.weight", kTinyArchitectureVocabulary, m.width);
  return writer;
}

}  // namespace waferpair::test
