// SPDX-License-Identifier: GPL-3.0-or-later
// Latent attention and mixtures of experts.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "tests/runtime/transformer/reference_parts.h"

namespace waferpair::transformer {
namespace {

double plainSwiglu(double gate, double up) { return silu(gate) * up; }
double swigluOfGptOss(double gate, double up) {
  gate = std::min(gate, 7.0);
  up = std::max(-7.0, std::min(up, 7.0));
  return gate / (1 + std::exp(-1.702 * gate)) * (up + 1);
}

}  // namespace

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

// DeepSeek's modeling code: MoEGate of V2 (greedy, group_limited_greedy) and of V3 (noaux_tc).
RowVectorXd Reference::shares(const RowVectorXd& scores, const std::string& blk) const {
  const bool biased = file_.findTensor(blk + "exp_probs_b.bias") != nullptr;
  const bool sigmoid = key("expert_gating_func", biased && !is("ernie4_5-moe") ? 2 : 1) == 2;
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
  if (*file_.booleanOr(name_ + ".expert_weights_norm", is("ernie4_5-moe"))) values /= values.sum();
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
  for (Eigen::Index t = 0; routesByFile() && t < x.rows(); ++t) {
    shares.row(t) = this->shares(scores.row(t), blk);
  }
  for (Eigen::Index t = 0; !routesByFile() && t < x.rows(); ++t) {
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

}  // namespace waferpair::transformer
