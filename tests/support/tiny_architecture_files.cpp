// SPDX-License-Identifier: GPL-3.0-or-later
// The files of tiny architectures: their keys and tensors.
#include <algorithm>
#include <cmath>
#include <random>
#include <span>

#include "runtime/tensor/block_formats.h"
#include "tests/support/stored_row.h"
#include "tests/support/tiny_architectures.h"
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
    if (type != gguf::TensorType::kNVFP4 || name == "token_embd.weight") return;
    const std::string base = name.substr(0, name.rfind('.'));
    vector(base + ".scale", std::max(1, count), std::uniform_real_distribution<float>(0.6f, 1.4f));
    vector(base + ".input_scale", std::max(1, count), std::uniform_real_distribution<float>(1, 2));
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
  void gain(const std::string& name, int size, int count = 0) {
    vector(name, size, std::uniform_real_distribution<float>(0.5f, 1.5f), count);
  }
  // `count` of them, for the experts, if not 0.
  void bias(const std::string& name, int size, int count = 0) {
    vector(name, size, std::normal_distribution<float>(0, 0.5f), count);
  }
  // Less than 0.
  void rates(const std::string& name, int size, int count = 0) {
    vector(name, size, std::uniform_real_distribution<float>(-1, -0.05f), count);
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
         {"ssm.group_count", r.groups},
         {"ssm.time_step_rank", r.heads},
         {"ssm.state_size", r.stateDim},
         {"ssm.inner_size", r.heads * (r.delta() ? r.stateDim : r.headDim)}});
    if (r.attentionEvery > 0) add({{"full_attention_interval", r.attentionEvery}});
    const std::vector<std::int32_t> sections = {3, 3, 2, 0};
    if (r.delta()) writer.addInt32s(m.architecture + ".rope.dimension_sections", sections);
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

void addDelta(Tensors& tensors, const TinyArchitecture& m, const std::string& blk) {
  const TinyRecurrent& r = m.recurrent;
  const int values = r.heads * r.stateDim, channels = 2 * r.groups * r.stateDim + values;
  tensors.matrix(blk + "attn_qkv.weight", channels, m.width);
  tensors.matrix(blk + "attn_gate.weight", values, m.width);
  if (r.joined) {
    tensors.matrix(blk + "ssm_ba.weight", 2 * r.heads, m.width);
  } else {
    tensors.matrix(blk + "ssm_beta.weight", r.heads, m.width);
    tensors.matrix(blk + "ssm_alpha.weight", r.heads, m.width);
  }
  tensors.bias(blk + "ssm_conv1d.weight", r.kernel, channels);
  tensors.bias(blk + "ssm_dt.bias", r.heads);
  tensors.rates(blk + "ssm_a", r.heads);
  tensors.gain(blk + "ssm_norm.weight", r.stateDim);
  tensors.matrix(blk + "ssm_out.weight", m.width, values);
}

void addMamba(Tensors& tensors, const TinyArchitecture& m, const std::string& blk) {
  const TinyRecurrent& r = m.recurrent;
  const int values = r.heads * r.headDim, channels = 2 * r.groups * r.stateDim + values;
  tensors.matrix(blk + "ssm_in.weight", values + channels + r.heads, m.width);
  tensors.bias(blk + "ssm_conv1d.weight", r.kernel, channels);
  tensors.bias(blk + "ssm_conv1d.bias", channels);
  tensors.bias(blk + "ssm_dt.bias", r.heads);
  tensors.rates(blk + "ssm_a", 1, r.heads);
  tensors.bias(blk + "ssm_d", 1, r.heads);
  tensors.gain(blk + "ssm_norm.weight", values / r.groups, r.groups);
  tensors.matrix(blk + "ssm_out.weight", m.width, values);
}

void addLayer(Tensors& tensors, const TinyArchitecture& m, int layer) {
  const std::string blk = "blk." + std::to_string(layer) + ".";
  const int q = m.heads * m.headDim, kv = m.kvHeads * m.headDim;
  const auto norm = [&](const std::string& name) {
    tensors.gain(blk + name + ".weight", m.width);
    if (m.layerNorm && m.normBias) tensors.bias(blk + name + ".bias", m.width);
  };
  const auto project = [&](const std::string& name, int rows, int cols, bool bias) {
    tensors.matrix(blk + name + ".weight", rows, cols);
    if (bias) tensors.bias(blk + name + ".bias", rows);
  };
  if (m.preNorms && !(m.firstPlain && layer == 0)) norm("attn_norm");
  const int every = m.recurrent.attentionEvery > 0 ? m.recurrent.attentionEvery : 4;
  const bool attends = m.kvHeadsByLayer.empty()
                           ? (layer + 1) % every == 0
                           : m.kvHeadsByLayer[static_cast<std::size_t>(layer)] > 0;
  const bool recurrent = m.recurrent.kernel > 0 && !attends;
  const bool gated = m.recurrent.kernel > 0 && m.recurrent.delta();
  if (recurrent) {
    m.recurrent.delta() ? addDelta(tensors, m, blk) : addMamba(tensors, m, blk);
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
  } else if (m.joinedQkv) {
    project("attn_qkv", q + 2 * kv, m.width, m.qkvBias);
    project(m.outputName, m.width, q, m.outputBias);
  } else {
    project("attn_q", gated ? 2 * q : q, m.width, m.qkvBias);
    project("attn_k", kv, m.width, m.qkvBias);
    project("attn_v", kv, m.width, m.qkvBias);
    project(m.outputName, m.width, q, m.outputBias);
  }
  if (m.headNorms && !recurrent) {
    tensors.gain(blk + "attn_q_norm.weight", m.jointNorms ? q : m.headDim);
    tensors.gain(blk + "attn_k_norm.weight", m.jointNorms ? kv : m.headDim);
  }
  if (m.postNorms) tensors.gain(blk + "post_attention_norm.weight", m.width);
  if (m.normsSums) norm("attn_output_norm");
  if (m.sinks) tensors.bias(blk + m.sinksName, m.heads);
  if (m.preNorms && !m.parallel) norm(m.ffnNorm);
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
    if (m.sharedWidth > 0 && gated) tensors.bias(blk + "ffn_gate_inp_shexp.weight", m.width);
    if (const int shared = m.sharedExperts * m.expertWidth + m.sharedWidth; shared > 0) {
      project("ffn_gate_shexp", shared, m.width, false);
      project("ffn_up_shexp", shared, m.width, false);
      project("ffn_down_shexp", m.width, shared, false);
    }
    return;
  }
  if (m.gated && !m.joinedGate) project("ffn_gate", m.feedForward, m.width, m.ffnBias);
  project("ffn_up", m.joinedGate ? 2 * m.feedForward : m.feedForward, m.width, m.ffnBias);
  project("ffn_down", m.width, m.feedForward, m.ffnBias);
  if (m.postNorms) tensors.gain(blk + "post_ffw_norm.weight", m.width);
  if (m.normsSums) norm("layer_output_norm");
}

}  // namespace

gguf::Writer makeTinyArchitecture(const TinyArchitecture& m, const std::string& without) {
  gguf::Writer writer;
  addKeys(writer, m);
  addTinyTokenizer(writer, {.vocabSize = kTinyArchitectureVocabulary});
  Tensors tensors(writer, m, without);
  tensors.matrix("token_embd.weight", kTinyArchitectureVocabulary, m.width);
  if (m.positionRows > 0) tensors.matrix("position_embd.weight", m.positionRows, m.width);
  if (m.typeRows > 0) tensors.matrix("token_types.weight", m.typeRows, m.width);
  if (m.embeddingNorm) {
    tensors.gain("token_embd_norm.weight", m.width);
    if (m.normBias) tensors.bias("token_embd_norm.bias", m.width);
  }
  if (m.classes > 0) {
    tensors.matrix("cls.output.weight", m.classes, m.width);
    tensors.bias("cls.output.bias", m.classes);
  }
  if (m.denseHead) {
    tensors.matrix("cls.weight", m.width, m.width);
    if (m.firstPlain) tensors.gain("cls.norm.weight", m.width);
    if (!m.firstPlain) tensors.bias("cls.bias", m.width);
  }
  if (m.ropeFactors > 0) tensors.factors("rope_freqs.weight", m.ropeFactors);
  if (m.longFactors > 0) {
    tensors.factors("rope_factors_long.weight", m.longFactors);
    tensors.factors("rope_factors_short.weight", m.longFactors);
  }
  for (int layer = 0; layer < m.layers; ++layer) addLayer(tensors, m, layer);
  if (!m.normsSums) tensors.gain("output_norm.weight", m.width);
  if (!m.normsSums && m.layerNorm && m.normBias) tensors.bias("output_norm.bias", m.width);
  if (!m.tied && !m.encoder) tensors.matrix("output.weight", kTinyArchitectureVocabulary, m.width);
  return writer;
}

}  // namespace waferpair::test
