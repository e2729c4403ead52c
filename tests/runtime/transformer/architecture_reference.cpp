// SPDX-License-Identifier: GPL-3.0-or-later
// Sources: the models' papers and published modeling code. llama: pairs of neighbors (files order
// the rows so), and deepseek2. The others: halves of a head, as GPT-NeoX. YaRN: arXiv 2309.00071.
#include "tests/runtime/transformer/architecture_reference.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <cstring>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "runtime/tensor/block_formats.h"
#include "tests/runtime/transformer/recurrent_reference.h"
#include "tests/runtime/transformer/reference_parts.h"

namespace waferpair::transformer {
namespace {

double gelu(double z) {
  return 0.5 * z * (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (z + 0.044715 * z * z * z)));
}
double squaredRelu(double z) { return z > 0 ? z * z : 0; }

}  // namespace

// A matrix [rows][columns] or, of one row, a vector.
MatrixXd Reference::weights(const std::string& tensor) const {
  const gguf::TensorInfo* info = file_.findTensor(tensor);
  if (info == nullptr) std::abort();  // the test wrote a file without it
  const auto format = *tensor::findFormat(static_cast<std::uint32_t>(info->type));
  std::vector<float> values(info->elements());
  tensor::dequantizeRow(format, file_.data(*info).data(), values);
  // A factor for all of it, or for each expert.
  const std::string factors = tensor.substr(0, tensor.rfind('.')) + ".scale";
  if (const gguf::TensorInfo* of = file_.findTensor(factors); of != nullptr) {
    std::vector<float> each(of->elements());
    std::memcpy(each.data(), file_.data(*of).data(), each.size() * sizeof(float));
    const std::size_t size = values.size() / each.size();
    for (std::size_t i = 0; i < values.size(); ++i) values[i] *= each[i / size];
  }
  using RowMajor = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const auto cols = static_cast<Eigen::Index>(info->ne[0]);
  const auto rows = static_cast<Eigen::Index>(values.size()) / cols;
  return Eigen::Map<const RowMajor>(values.data(), rows, cols).cast<double>();
}

// Root mean square, or mean and variance; one gain (and bias) for each column.
MatrixXd Reference::norm(const MatrixXd& x, const std::string& tensor) const {
  const RowVectorXd gain = weights(tensor + ".weight");
  MatrixXd out(x.rows(), x.cols());
  for (Eigen::Index t = 0; t < x.rows(); ++t) {
    RowVectorXd row = x.row(t);
    if (hasLayerNorm()) row.array() -= row.mean();
    const double variance = row.squaredNorm() / static_cast<double>(row.size());
    out.row(t) = row.cwiseProduct(gain) / std::sqrt(variance + 1e-5);
    if (hasLayerNorm() && !isCohere()) out.row(t) += weights(tensor + ".bias");
  }
  return out;
}

MatrixXd Reference::project(const MatrixXd& x, const std::string& tensor) const {
  MatrixXd out = x * weights(tensor + ".weight").transpose();
  if (file_.findTensor(tensor + ".bias") != nullptr) {
    out.rowwise() += RowVectorXd(weights(tensor + ".bias"));
  }
  return out;
}

int Reference::kvHeads(int layer) const {
  const auto all = file_.integers(name_ + ".attention.head_count_kv");
  return all ? static_cast<int>((*all)[static_cast<std::size_t>(layer)])
             : size("attention.head_count_kv");
}

bool Reference::isRecurrent(int layer) const {
  if (is("granitehybrid")) return kvHeads(layer) == 0;
  return mostlyRecurrent() &&
         (layer + 1) % static_cast<int>(key("full_attention_interval", 4)) != 0;
}

bool Reference::sliding(int layer) const {
  if (is("gemma2") || is("gpt-oss")) return layer % 2 == 0;
  if (is("gemma3")) {
    const int period = static_cast<int>(key("attention.sliding_window_pattern", 6));
    return (layer + 1) % period != 0;
  }
  const bool hasWindow = key("attention.sliding_window", 0) > 0;
  if (isOneOf({"mellum", "olmo2", "exaone4", "cohere2"})) return hasWindow && layer % 4 != 3;
  return hasWindow;
}

// arXiv 2501.18795: each fourth layer of SmolLM3 has no positions; nor have those of Cohere 2 and
// EXAONE 4 that see everything, where others do not.
bool Reference::turns(int layer) const {
  if (!*file_.booleanOr(name_ + ".rope.scaling.finetuned", true)) return false;
  if (is("smollm3")) return layer % 4 != 3;
  const bool hasWindows = key("attention.sliding_window", 0) > 0;
  return !(is("cohere2") || (is("exaone4") && hasWindows)) || sliding(layer);
}

double Reference::yarnFrequency(double plain, int pair, int dims) const {
  const double context = key("rope.scaling.original_context_length", 0);
  const double base = key("rope.freq_base", 10000);
  const auto dimensionOf = [&](double rotations) {
    return dims * std::log(context / (rotations * 2 * std::numbers::pi)) / (2 * std::log(base));
  };
  double low = dimensionOf(key("rope.scaling.yarn_beta_fast", 32));
  double high = dimensionOf(key("rope.scaling.yarn_beta_slow", 1));
  if (!is("gpt-oss")) {  // whose configuration says "truncate": false
    low = std::floor(low);
    high = std::ceil(high);
  }
  low = std::max(low, 0.0);
  high = std::min(high, dims - 1.0);
  if (low == high) high += 0.001;
  double ramp = (pair - low) / (high - low);
  ramp = ramp < 0 ? 0 : ramp > 1 ? 1 : ramp;
  return ramp * plain / key("rope.scaling.factor", 1) + (1 - ramp) * plain;
}

double Reference::frequency(int pair, int dims, int layer) const {
  if (is("gemma3") && sliding(layer)) {
    return std::pow(key("rope.freq_base_swa", 10000), -2.0 * pair / dims);
  }
  double plain = std::pow(key("rope.freq_base", 10000), -2.0 * pair / dims);
  if (file_.findTensor("rope_freqs.weight") != nullptr) {
    plain /= weights("rope_freqs.weight")(0, pair);
  }
  if (file_.findTensor("rope_factors_long.weight") != nullptr) {
    const bool isLong = size("context_length") > size("rope.scaling.original_context_length");
    return plain /
           weights(isLong ? "rope_factors_long.weight" : "rope_factors_short.weight")(0, pair);
  }
  if ((is("mellum") || is("olmo2")) && sliding(layer)) return plain;
  const std::string type(*file_.stringOr(name_ + ".rope.scaling.type", "linear"));
  if (type == "yarn") return yarnFrequency(plain, pair, dims);
  return plain / key("rope.scaling.factor", key("rope.scale_linear", 1));
}

// Pairs of a head as complex numbers, multiplied by e^(i angle).
MatrixXd Reference::rotated(const MatrixXd& rows, int headDim, int layer) const {
  const int dims = static_cast<int>(key("rope.dimension_count", headDim));
  const bool neighbors = granite() || isCohere() ||
                         isOneOf({"llama", "smollm3", "mistral3", "deepseek2", "glm4", "chatglm",
                                  "ernie4_5", "ernie4_5-moe"});
  double magnitude = 1;
  const bool isPlain = (is("mellum") || is("olmo2")) && sliding(layer);
  if (file_.findTensor("rope_factors_long.weight") != nullptr) {
    magnitude = key("rope.scaling.attn_factor", 1);
  }
  if (!isPlain && *file_.stringOr(name_ + ".rope.scaling.type", "none") == "yarn") {
    magnitude =
        key("rope.scaling.attn_factor", 1) * (0.1 * std::log(key("rope.scaling.factor", 1)) + 1);
  }
  if (is("deepseek2")) magnitude = 1;  // mscale over mscale_all_dim, which are equal
  if (is("mistral3")) {  // attention_factor of its configuration: mscale over mscale_all_dim
    magnitude /=
        0.1 * key("rope.scaling.yarn_log_multiplier", 0) * std::log(key("rope.scaling.factor", 1)) +
        1;
  }
  MatrixXd out = rows;
  for (Eigen::Index t = 0; t < rows.rows(); ++t) {
    for (Eigen::Index head = 0; head < rows.cols(); head += headDim) {
      for (int pair = 0; pair < dims / 2; ++pair) {
        const Eigen::Index a = head + (neighbors ? 2 * pair : pair);
        const Eigen::Index b = neighbors ? a + 1 : a + dims / 2;
        const std::complex<double> turned =
            std::complex(rows(t, a), rows(t, b)) *
            std::polar(magnitude, static_cast<double>(t) * frequency(pair, dims, layer));
        out(t, a) = turned.real();
        out(t, b) = turned.imag();
      }
    }
  }
  return out;
}

// Of heads with a key in common llama.cpp's converter has each n-th in files of Qwen3.5; in those
// of Qwen3-Next they come together, as do their rows of ssm_ba.
MatrixXd Reference::recurrence(const MatrixXd& x, const std::string& blk) const {
  RecurrentInputs parts{.kernel = weights(blk + "ssm_conv1d.weight"),
                        .stepBias = weights(blk + "ssm_dt.bias"),
                        .gain = weights(blk + "ssm_norm.weight"),
                        .groups = size("ssm.group_count"),
                        .heads = size("ssm.time_step_rank"),
                        .stateDim = size("ssm.state_size"),
                        .inTurn = !is("qwen3next")};
  if (is("granitehybrid")) {
    const MatrixXd all = project(x, blk + "ssm_in");
    const int inner = size("ssm.inner_size");
    parts.gates = all.leftCols(inner);
    parts.mixed = all.middleCols(inner, parts.kernel.rows());
    parts.alpha = all.rightCols(parts.heads);
    parts.kernelBias = weights(blk + "ssm_conv1d.bias");
    parts.rate = weights(blk + "ssm_a").transpose();
    parts.passing = weights(blk + "ssm_d").transpose();
    parts.inTurn = false;
    return project(mambaScan(parts), blk + "ssm_out");
  }
  parts.rate = weights(blk + "ssm_a");
  parts.mixed = project(x, blk + "attn_qkv");
  parts.gates = project(x, blk + "attn_gate");
  if (is("qwen3next")) {
    const int ratio = parts.heads / parts.groups;
    const MatrixXd both = project(x, blk + "ssm_ba");
    parts.beta.resize(x.rows(), parts.heads);
    parts.alpha.resize(x.rows(), parts.heads);
    for (int g = 0; g < parts.groups; ++g) {
      parts.beta.middleCols(g * ratio, ratio) = both.middleCols(2 * g * ratio, ratio);
      parts.alpha.middleCols(g * ratio, ratio) = both.middleCols((2 * g + 1) * ratio, ratio);
    }
  } else {
    parts.beta = project(x, blk + "ssm_beta");
    parts.alpha = project(x, blk + "ssm_alpha");
  }
  return project(gatedDelta(parts), blk + "ssm_out");
}

MatrixXd Reference::normedHeads(const MatrixXd& x, int headDim, const std::string& tensor) const {
  MatrixXd out(x.rows(), x.cols());
  for (Eigen::Index at = 0; at < x.cols(); at += headDim) {
    out.middleCols(at, headDim) = norm(x.middleCols(at, headDim), tensor);
  }
  return out;
}

MatrixXd Reference::attention(const MatrixXd& x, const std::string& blk, int layer) const {
  if (is("deepseek2")) return latentAttention(x, blk);
  if (isRecurrent(layer)) return recurrence(x, blk);
  const int heads = size("attention.head_count"), kvHeads = this->kvHeads(layer);
  const int headDim = size("attention.key_length");
  MatrixXd q, k, v, gates;
  if (file_.findTensor(blk + "attn_qkv.weight") != nullptr) {
    const MatrixXd all = project(x, blk + "attn_qkv");
    q = all.leftCols(heads * headDim);
    k = all.middleCols(heads * headDim, kvHeads * headDim);
    v = all.rightCols(kvHeads * headDim);
  } else {
    q = project(x, blk + "attn_q");
    k = project(x, blk + "attn_k");
    v = project(x, blk + "attn_v");
  }
  if (mostlyRecurrent()) {  // each head has its gates behind its query
    const MatrixXd both = q;
    q.resize(x.rows(), heads * headDim);
    gates.resize(x.rows(), heads * headDim);
    for (int h = 0; h < heads; ++h) {
      q.middleCols(h * headDim, headDim) = both.middleCols(2 * h * headDim, headDim);
      gates.middleCols(h * headDim, headDim) = both.middleCols((2 * h + 1) * headDim, headDim);
    }
  }
  if (is("olmo2")) {
    q = norm(q, blk + "attn_q_norm");
    k = norm(k, blk + "attn_k_norm");
  } else if (mostlyRecurrent() || isOneOf({"qwen3", "qwen3moe", "mellum", "gemma3", "exaone4"}) ||
             file_.findTensor(blk + "attn_q_norm.weight") != nullptr) {
    q = normedHeads(q, headDim, blk + "attn_q_norm");
    k = normedHeads(k, headDim, blk + "attn_k_norm");
  }
  if (turns(layer)) {
    q = rotated(q, headDim, layer);
    k = rotated(k, headDim, layer);
  }
  for (Eigen::Index t = 0; is("mistral3") && t < q.rows(); ++t) {  // llama_4_scaling_beta
    const double passed =
        std::floor(static_cast<double>(t) / key("rope.scaling.original_context_length", 0));
    q.row(t) *= 1 + key("attention.temperature_scale", 0) * std::log(1 + passed);
  }
  k = k.unaryExpr(&asHalf).eval();
  v = v.unaryExpr(&asHalf).eval();

  double scale = 1 / std::sqrt(static_cast<double>(headDim));
  if (granite()) scale = key("attention.scale", scale);
  if (is("gemma2") && size("block_count") == 46) {  // query_pre_attn_scalar of the 27B model
    scale = 1 / std::sqrt(static_cast<double>(size("embedding_length")) / heads);
  }
  const double cap = is("gemma2") ? key("attn_logit_softcapping", 50) : 0;
  const auto window = static_cast<Eigen::Index>(key("attention.sliding_window", 0));
  const MatrixXd sinks = is("gpt-oss") ? weights(blk + "attn_sinks.weight") : MatrixXd();
  MatrixXd out(q.rows(), q.cols());
  for (int h = 0; h < heads; ++h) {
    const int at = h / (heads / kvHeads) * headDim;
    for (Eigen::Index t = 0; t < q.rows(); ++t) {
      const Eigen::Index first = sliding(layer) ? std::max<Eigen::Index>(0, t - window + 1) : 0;
      VectorXd s = k.block(first, at, t + 1 - first, headDim) *
                   q.block(t, h * headDim, 1, headDim).transpose() * scale;
      if (cap > 0) s = cap * (s / cap).array().tanh();
      // A sink is one score more, of a position without a value.
      const double sink = sinks.size() > 0 ? sinks(0, h) : -INFINITY;
      const double top = std::max(s.maxCoeff(), sink);
      s = (s.array() - top).exp();
      out.block(t, h * headDim, 1, headDim) = s.transpose() / (s.sum() + std::exp(sink - top)) *
                                              v.block(first, at, t + 1 - first, headDim);
    }
  }
  if (gates.size() > 0) out.array() /= 1 + (-gates.array()).exp();
  return project(out, blk + "attn_output");
}

MatrixXd Reference::feedForward(const MatrixXd& x, const std::string& blk) const {
  if (file_.findTensor(blk + "ffn_gate_exps.weight") != nullptr) return mixture(x, blk);
  const MatrixXd up = project(x, blk + "ffn_up");
  if (is("starcoder2")) return project(up.unaryExpr(&gelu), blk + "ffn_down");
  if (is("nemotron")) return project(up.unaryExpr(&squaredRelu), blk + "ffn_down");
  if (isOneOf({"phi3", "glm4", "chatglm"})) {
    const Eigen::Index f = up.cols() / 2;
    return project(up.leftCols(f).unaryExpr(&silu).cwiseProduct(up.rightCols(f)), blk + "ffn_down");
  }
  const MatrixXd gate = project(x, blk + "ffn_gate").unaryExpr(gemma() ? &gelu : &silu);
  return project(gate.cwiseProduct(up), blk + "ffn_down");
}

MatrixXd Reference::logits(std::span<const std::int32_t> tokens) const {
  const MatrixXd embedding = weights("token_embd.weight");
  MatrixXd x(static_cast<Eigen::Index>(tokens.size()), embedding.cols());
  for (Eigen::Index t = 0; t < x.rows(); ++t) {
    x.row(t) = embedding.row(tokens[static_cast<std::size_t>(t)]);
  }
  if (gemma()) x *= std::sqrt(static_cast<double>(embedding.cols()));
  if (granite()) x *= key("embedding_scale", 1);
  const double residual = granite() ? key("residual_scale", 1) : 1;
  const int layers = size("block_count") - static_cast<int>(key("nextn_predict_layers", 0));
  for (int layer = 0; layer < layers; ++layer) {
    const std::string blk = "blk." + std::to_string(layer) + ".";
    if (isCohere()) {
      const MatrixXd normed = norm(x, blk + "attn_norm");
      x += attention(normed, blk, layer) + feedForward(normed, blk);
      continue;
    }
    const bool both = (gemma() && !is("gemma")) || is("glm4") || normsAfter();
    MatrixXd added = attention(normsAfter() ? x : norm(x, blk + "attn_norm"), blk, layer);
    if (both) added = norm(added, blk + "post_attention_norm");
    x += residual * added;
    const std::string second = blk + (hasPostName() ? "post_attention_norm" : "ffn_norm");
    added = feedForward(normsAfter() ? x : norm(x, second), blk);
    if (both) added = norm(added, blk + "post_ffw_norm");
    x += residual * added;
  }
  const bool tied = file_.findTensor("output.weight") == nullptr;
  MatrixXd out = norm(x, "output_norm") * (tied ? embedding : weights("output.weight")).transpose();
  if (granite()) out /= key("logit_scale", 1);
  if (isCohere()) out *= key("logit_scale", 1);
  if (is("gemma2")) {
    const double cap = key("final_logit_softcapping", 30);
    out = (out / cap).array().tanh() * cap;
  }
  return out;
}

MatrixXd architectureLogits(const gguf::File& file, std::span<const std::int32_t> tokens) {
  return Reference(file).logits(tokens);
}

}  // namespace waferpair::transformer
