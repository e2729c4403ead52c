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

namespace waferpair::transformer {
namespace {

using Eigen::MatrixXd;
using Eigen::RowVectorXd;
using Eigen::VectorXd;

double asHalf(double value) { return tensor::toFloat(tensor::toHalf(static_cast<float>(value))); }
double silu(double z) { return z / (1 + std::exp(-z)); }
double plainSwiglu(double gate, double up) { return silu(gate) * up; }
double swigluOfGptOss(double gate, double up) {
  gate = std::min(gate, 7.0);
  up = std::max(-7.0, std::min(up, 7.0));
  return gate / (1 + std::exp(-1.702 * gate)) * (up + 1);
}
double gelu(double z) {
  return 0.5 * z * (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (z + 0.044715 * z * z * z)));
}

class Reference {
 public:
  explicit Reference(const gguf::File& file)
      : file_(file), name_(*file.string("general.architecture")) {}
  MatrixXd logits(std::span<const std::int32_t> tokens) const;

 private:
  bool is(const char* name) const { return name_ == name; }
  bool gemma() const { return is("gemma") || is("gemma2") || is("gemma3"); }
  bool granite() const { return is("granite") || is("granitemoe") || is("granitehybrid"); }
  // Files of these call the norm in front of the feed-forward so.
  bool hasPostName() const { return is("gpt-oss") || is("seed_oss") || mostlyRecurrent(); }
  bool mostlyRecurrent() const { return is("qwen35") || is("qwen35moe") || is("qwen3next"); }
  double key(const char* key, double fallback) const {
    return *file_.numberOr(name_ + "." + key, fallback);
  }
  int size(const char* key) const { return static_cast<int>(*file_.integer(name_ + "." + key)); }
  MatrixXd weights(const std::string& tensor) const;

  MatrixXd norm(const MatrixXd& x, const std::string& tensor) const;
  MatrixXd project(const MatrixXd& x, const std::string& tensor) const;
  bool sliding(int layer) const;
  double frequency(int pair, int dims, int layer) const;
  double yarnFrequency(double frequency, int pair, int dims) const;
  MatrixXd rotated(const MatrixXd& rows, int headDim, int layer) const;
  MatrixXd attention(const MatrixXd& x, const std::string& blk, int layer) const;
  MatrixXd latentAttention(const MatrixXd& x, const std::string& blk) const;
  int kvHeads(int layer) const;
  bool isRecurrent(int layer) const;
  MatrixXd recurrence(const MatrixXd& x, const std::string& blk) const;
  MatrixXd headMatrix(const std::string& blk, int head, bool values) const;
  RowVectorXd shares(const RowVectorXd& scores, const std::string& blk) const;
  MatrixXd mixture(const MatrixXd& x, const std::string& blk) const;
  MatrixXd feedForward(const MatrixXd& x, const std::string& blk) const;

  const gguf::File& file_;
  const std::string name_;
};

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

// Root mean square, or for starcoder2 mean and variance; one gain (and bias) for each column.
MatrixXd Reference::norm(const MatrixXd& x, const std::string& tensor) const {
  const RowVectorXd gain = weights(tensor + ".weight");
  MatrixXd out(x.rows(), x.cols());
  for (Eigen::Index t = 0; t < x.rows(); ++t) {
    RowVectorXd row = x.row(t);
    if (is("starcoder2")) row.array() -= row.mean();
    const double variance = row.squaredNorm() / static_cast<double>(row.size());
    out.row(t) = row.cwiseProduct(gain) / std::sqrt(variance + 1e-5);
    if (is("starcoder2")) out.row(t) += weights(tensor + ".bias");
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
  return is("mellum") ? hasWindow && layer % 4 != 3 : hasWindow;
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
  if (is("mellum") && sliding(layer)) return plain;
  const std::string type(*file_.stringOr(name_ + ".rope.scaling.type", "linear"));
  if (type == "yarn") return yarnFrequency(plain, pair, dims);
  return plain / key("rope.scaling.factor", key("rope.scale_linear", 1));
}

// Pairs of a head as complex numbers, multiplied by e^(i angle).
MatrixXd Reference::rotated(const MatrixXd& rows, int headDim, int layer) const {
  const int dims = static_cast<int>(key("rope.dimension_count", headDim));
  const bool neighbors =
      is("llama") || granite() || is("smollm3") || is("mistral3") || is("deepseek2");
  double magnitude = 1;
  const bool isPlain = is("mellum") && sliding(layer);
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

// The matrix of keys without positions, or of values, of one head: [sizes][rank].
MatrixXd Reference::headMatrix(const std::string& blk, int head, bool values) const {
  const int rank = size("attention.kv_lora_rank"), rope = size("rope.dimension_count");
  const bool split = file_.findTensor(blk + "attn_kv_b.weight") == nullptr;
  const int plain = size(split ? "attention.key_length_mla" : "attention.key_length") - rope;
  const int value = size(split ? "attention.value_length_mla" : "attention.value_length");
  if (split && values) return weights(blk + "attn_v_b.weight").middleRows(head * value, value);
  if (split) return weights(blk + "attn_k_b.weight").middleRows(head * rank, rank).transpose();
  const MatrixXd both =
      weights(blk + "attn_kv_b.weight").middleRows(head * (plain + value), plain + value);
  return values ? both.bottomRows(value) : both.topRows(plain);
}

// arXiv 2405.04434, section 2.1, not absorbed: keys and values of each head are made of the
// latents. The scale of scores is DeepSeek's modeling code's, whose mscale_all_dim files have ten
// times smaller.
MatrixXd Reference::latentAttention(const MatrixXd& x, const std::string& blk) const {
  const int heads = size("attention.head_count"), rank = size("attention.kv_lora_rank");
  const int rope = size("rope.dimension_count");
  const MatrixXd q =
      file_.findTensor(blk + "attn_q_a.weight") == nullptr
          ? project(x, blk + "attn_q")
          : project(norm(project(x, blk + "attn_q_a"), blk + "attn_q_a_norm"), blk + "attn_q_b");
  const MatrixXd compressed = project(x, blk + "attn_kv_a_mqa");
  const MatrixXd latents =
      norm(compressed.leftCols(rank), blk + "attn_kv_a_norm").unaryExpr(&asHalf);
  const MatrixXd common = rotated(compressed.rightCols(rope), rope, 0).unaryExpr(&asHalf);
  const int each = static_cast<int>(q.cols()) / heads;
  const double mscaleAllDim = key("rope.scaling.yarn_log_multiplier", 0) / 0.1;
  const double mscale = 0.1 * mscaleAllDim * std::log(key("rope.scaling.factor", 1)) + 1;
  const double scale = mscale * mscale / std::sqrt(static_cast<double>(each));
  std::vector<MatrixXd> all;
  for (int h = 0; h < heads; ++h) {
    MatrixXd query = q.middleCols(h * each, each);
    query.rightCols(rope) = rotated(query.rightCols(rope), rope, 0);
    MatrixXd keys(x.rows(), each);
    keys << latents * headMatrix(blk, h, false).transpose(), common;
    const MatrixXd values = latents * headMatrix(blk, h, true).transpose();
    MatrixXd out(x.rows(), values.cols());
    for (Eigen::Index t = 0; t < x.rows(); ++t) {
      const double passed =
          std::floor(static_cast<double>(t) / key("rope.scaling.original_context_length", 1e9));
      const double grown = 1 + key("attention.temperature_scale", 0) * std::log(1 + passed);
      VectorXd s = keys.topRows(t + 1) * query.row(t).transpose() * scale * grown;
      s = (s.array() - s.maxCoeff()).exp();
      out.row(t) = s.transpose() / s.sum() * values.topRows(t + 1);
    }
    all.push_back(std::move(out));
  }
  MatrixXd out(x.rows(), heads * all.front().cols());
  for (int h = 0; h < heads; ++h) out.middleCols(h * all[0].cols(), all[0].cols()) = all[h];
  return project(out, blk + "attn_output");
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

MatrixXd Reference::attention(const MatrixXd& x, const std::string& blk, int layer) const {
  if (is("deepseek2")) return latentAttention(x, blk);
  if (isRecurrent(layer)) return recurrence(x, blk);
  const int heads = size("attention.head_count"), kvHeads = this->kvHeads(layer);
  const int headDim = size("attention.key_length");
  MatrixXd q = project(x, blk + "attn_q"), k = project(x, blk + "attn_k"), gates;
  if (mostlyRecurrent()) {  // each head has its gates behind its query
    const MatrixXd both = q;
    q.resize(x.rows(), heads * headDim);
    gates.resize(x.rows(), heads * headDim);
    for (int h = 0; h < heads; ++h) {
      q.middleCols(h * headDim, headDim) = both.middleCols(2 * h * headDim, headDim);
      gates.middleCols(h * headDim, headDim) = both.middleCols((2 * h + 1) * headDim, headDim);
    }
  }
  if (mostlyRecurrent() || is("qwen3") || is("qwen3moe") || is("mellum") || is("gemma3")) {
    for (int h = 0; h < heads; ++h) {
      q.middleCols(h * headDim, headDim) =
          norm(q.middleCols(h * headDim, headDim), blk + "attn_q_norm");
    }
    for (int h = 0; h < kvHeads; ++h) {
      k.middleCols(h * headDim, headDim) =
          norm(k.middleCols(h * headDim, headDim), blk + "attn_k_norm");
    }
  }
  const bool rotates = *file_.booleanOr(name_ + ".rope.scaling.finetuned", true);
  if (rotates &&
      (!is("smollm3") || layer % 4 != 3)) {  // arXiv 2501.18795: each fourth layer has no positions
    q = rotated(q, headDim, layer);
    k = rotated(k, headDim, layer);
  }
  for (Eigen::Index t = 0; is("mistral3") && t < q.rows(); ++t) {  // llama_4_scaling_beta
    const double passed =
        std::floor(static_cast<double>(t) / key("rope.scaling.original_context_length", 0));
    q.row(t) *= 1 + key("attention.temperature_scale", 0) * std::log(1 + passed);
  }
  k = k.unaryExpr(&asHalf);
  const MatrixXd v = project(x, blk + "attn_v").unaryExpr(&asHalf);

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

// DeepSeek's modeling code: MoEGate of V2 (greedy, group_limited_greedy) and of V3 (noaux_tc).
RowVectorXd Reference::shares(const RowVectorXd& scores, const std::string& blk) const {
  const bool biased = file_.findTensor(blk + "exp_probs_b.bias") != nullptr;
  const bool sigmoid = key("expert_gating_func", biased ? 2 : 1) == 2;
  RowVectorXd values = sigmoid ? RowVectorXd((1 + (-scores.array()).exp()).inverse())
                               : RowVectorXd(scores.array().exp() / scores.array().exp().sum());
  RowVectorXd by = values;
  if (biased) by += RowVectorXd(weights(blk + "exp_probs_b.bias"));
  const auto groups = static_cast<Eigen::Index>(key("expert_group_count", 1));
  const auto open = static_cast<std::size_t>(key("expert_group_used_count", 1));
  const Eigen::Index each = scores.size() / groups;
  std::vector<std::pair<double, Eigen::Index>> order;
  for (Eigen::Index g = 0; g < groups; ++g) {
    std::vector<double> sorted(by.begin() + g * each, by.begin() + (g + 1) * each);
    std::sort(sorted.rbegin(), sorted.rend());
    order.emplace_back(sigmoid && groups > 1 ? sorted[0] + sorted[1] : sorted[0], g);
  }
  std::sort(order.rbegin(), order.rend());
  for (std::size_t i = open; i < order.size(); ++i) {
    by.segment(order[i].second * each, each).setConstant(-INFINITY);
  }
  std::vector<double> sorted(by.begin(), by.end());
  std::sort(sorted.rbegin(), sorted.rend());
  const double least = sorted[static_cast<std::size_t>(size("expert_used_count") - 1)];
  for (Eigen::Index e = 0; e < values.size(); ++e) {
    if (by[e] < least) values[e] = 0;
  }
  if (*file_.booleanOr(name_ + ".expert_weights_norm", false)) values /= values.sum();
  return values;
}

// Computes all experts of all tokens and adds up each token's best, by their part of the softmax
// over all experts, made to add up to 1.
MatrixXd Reference::mixture(const MatrixXd& x, const std::string& blk) const {
  const int experts = size("expert_count"), used = size("expert_used_count");
  const MatrixXd scores = project(x, blk + "ffn_gate_inp");
  const MatrixXd gates = weights(blk + "ffn_gate_exps.weight");
  const MatrixXd ups = weights(blk + "ffn_up_exps.weight");
  const MatrixXd downs = weights(blk + "ffn_down_exps.weight");
  const Eigen::Index f = gates.rows() / experts, d = x.cols();
  MatrixXd shares = scores.array().exp();
  for (Eigen::Index t = 0; is("deepseek2") && t < x.rows(); ++t) {
    shares.row(t) = this->shares(scores.row(t), blk);
  }
  for (Eigen::Index t = 0; !is("deepseek2") && t < x.rows(); ++t) {
    shares.row(t) /= shares.row(t).sum();
    std::vector<double> sorted(shares.row(t).begin(), shares.row(t).end());
    std::sort(sorted.rbegin(), sorted.rend());
    const double least = sorted[static_cast<std::size_t>(used - 1)];
    shares.row(t) = shares.row(t).unaryExpr([=](double s) { return s < least ? 0.0 : s; });
    shares.row(t) /= shares.row(t).sum();
  }
  MatrixXd out = MatrixXd::Zero(x.rows(), d);
  for (int e = 0; e < experts; ++e) {
    const auto product = [&](const MatrixXd& in, const MatrixXd& all, Eigen::Index rows,
                             const char* bias) -> MatrixXd {
      MatrixXd result = in * all.middleRows(e * rows, rows).transpose();
      if (is("gpt-oss")) result.rowwise() += RowVectorXd(weights(blk + bias).row(e));
      return result;
    };
    const MatrixXd gate = product(x, gates, f, "ffn_gate_exps.bias");
    const MatrixXd up = product(x, ups, f, "ffn_up_exps.bias");
    const MatrixXd hidden = gate.binaryExpr(up, is("gpt-oss") ? &swigluOfGptOss : &plainSwiglu);
    out += key("expert_weights_scale", 1) * shares.col(e).asDiagonal() *
           product(hidden, downs, d, "ffn_down_exps.bias");
  }
  if (file_.findTensor(blk + "ffn_up_shexp.weight") == nullptr) return out;
  const MatrixXd gate = project(x, blk + "ffn_gate_shexp").unaryExpr(&silu);
  const MatrixXd hidden = gate.cwiseProduct(project(x, blk + "ffn_up_shexp"));
  const MatrixXd shared = project(hidden, blk + "ffn_down_shexp");
  if (file_.findTensor(blk + "ffn_gate_inp_shexp.weight") == nullptr) return out + shared;
  const VectorXd openness =
      (1 / (1 + (-project(x, blk + "ffn_gate_inp_shexp").array()).exp())).matrix();
  return out + openness.asDiagonal() * shared;
}

MatrixXd Reference::feedForward(const MatrixXd& x, const std::string& blk) const {
  if (file_.findTensor(blk + "ffn_gate_exps.weight") != nullptr) return mixture(x, blk);
  const MatrixXd up = project(x, blk + "ffn_up");
  if (is("starcoder2")) return project(up.unaryExpr(&gelu), blk + "ffn_down");
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
    MatrixXd added = attention(norm(x, blk + "attn_norm"), blk, layer);
    if (gemma() && !is("gemma")) added = norm(added, blk + "post_attention_norm");
    x += residual * added;
    added = feedForward(norm(x, blk + (hasPostName() ? "post_attention_norm" : "ffn_norm")), blk);
    if (gemma() && !is("gemma")) added = norm(added, blk + "post_ffw_norm");
    x += residual * added;
  }
  const bool tied = file_.findTensor("output.weight") == nullptr;
  MatrixXd out = norm(x, "output_norm") * (tied ? embedding : weights("output.weight")).transpose();
  if (granite()) out /= key("logit_scale", 1);
  if (is("gemma2")) {
    const double cap = key("final_logit_softcapping", 30);
    out = (out / cap).array().tanh() * cap;
  }
  return out;
}

}  // namespace

MatrixXd architectureLogits(const gguf::File& file, std::span<const std::int32_t> tokens) {
  return Reference(file).logits(tokens);
}

}  // namespace waferpair::transformer
