// SPDX-License-Identifier: GPL-3.0-or-later
// Sources: BERT (arXiv 1810.04805), Nomic Embed (arXiv 2402.01613), ModernBERT (arXiv 2412.13663),
// and their published modeling code.
#include "tests/runtime/transformer/encoder_reference.h"

#include <cmath>
#include <complex>
#include <cstdlib>
#include <string>
#include <vector>

#include "runtime/tensor/block_formats.h"

namespace waferpair::transformer {
namespace {

using Eigen::MatrixXd;
using Eigen::RowVectorXd;

double asHalf(double value) { return tensor::toFloat(tensor::toHalf(static_cast<float>(value))); }
double gelu(double z) { return 0.5 * z * (1 + std::erf(z / std::sqrt(2))); }
double silu(double z) { return z / (1 + std::exp(-z)); }

class Encoder {
 public:
  explicit Encoder(const gguf::File& file)
      : file_(file), name_(*file.string("general.architecture")) {}
  MatrixXd states(std::span<const std::int32_t> tokens, int secondFrom) const;

 private:
  bool has(const std::string& tensor) const { return file_.findTensor(tensor) != nullptr; }
  double key(const char* key, double fallback) const {
    return *file_.numberOr(name_ + "." + key, fallback);
  }
  MatrixXd weights(const std::string& tensor) const;
  MatrixXd norm(const MatrixXd& x, const std::string& tensor) const;
  MatrixXd project(const MatrixXd& x, const std::string& tensor) const;
  MatrixXd attention(const MatrixXd& x, const std::string& blk, int layer) const;
  MatrixXd feedForward(const MatrixXd& x, const std::string& blk) const;

  const gguf::File& file_;
  const std::string name_;
};

MatrixXd Encoder::weights(const std::string& tensor) const {
  const gguf::TensorInfo* info = file_.findTensor(tensor);
  if (info == nullptr) std::abort();  // the test wrote a file without it
  const auto format = *tensor::findFormat(static_cast<std::uint32_t>(info->type));
  std::vector<float> values(info->elements());
  tensor::dequantizeRow(format, file_.data(*info).data(), values);
  using RowMajor = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const auto cols = static_cast<Eigen::Index>(info->ne[0]);
  const auto rows = static_cast<Eigen::Index>(values.size()) / cols;
  return Eigen::Map<const RowMajor>(values.data(), rows, cols).cast<double>();
}

MatrixXd Encoder::norm(const MatrixXd& x, const std::string& tensor) const {
  MatrixXd out = x;
  const RowVectorXd gain = weights(tensor + ".weight");
  for (Eigen::Index t = 0; t < x.rows(); ++t) {
    const RowVectorXd centered = x.row(t).array() - x.row(t).mean();
    out.row(t) = centered.cwiseProduct(gain) / std::sqrt(centered.array().square().mean() + 1e-5);
    if (has(tensor + ".bias")) out.row(t) += weights(tensor + ".bias");
  }
  return out;
}

MatrixXd Encoder::project(const MatrixXd& x, const std::string& tensor) const {
  MatrixXd out = x * weights(tensor + ".weight").transpose();
  if (has(tensor + ".bias")) out.rowwise() += RowVectorXd(weights(tensor + ".bias"));
  return out;
}

MatrixXd Encoder::attention(const MatrixXd& x, const std::string& blk, int layer) const {
  const auto heads = static_cast<Eigen::Index>(key("attention.head_count", 1));
  const Eigen::Index width = x.cols(), dim = width / heads;
  MatrixXd q, k, v;
  if (has(blk + "attn_qkv.weight")) {
    const MatrixXd all = project(x, blk + "attn_qkv");
    q = all.leftCols(width);
    k = all.middleCols(width, width);
    v = all.rightCols(width);
  } else {
    q = project(x, blk + "attn_q");
    k = project(x, blk + "attn_k");
    v = project(x, blk + "attn_v");
  }
  // ModernBERT: layers 0, 3, 6 see everything, the others half a window to either side.
  const bool local = name_ == "modern-bert" && layer % 3 != 0;
  const double base = local ? key("rope.freq_base_swa", 10000) : key("rope.freq_base", 10000);
  const auto turn = [&](MatrixXd& rows) {
    for (Eigen::Index t = 0; t < rows.rows(); ++t) {
      for (Eigen::Index at = 0; at < width; at += dim) {
        for (Eigen::Index i = 0; i < dim / 2; ++i) {
          const double angle =
              static_cast<double>(t) * std::pow(base, -2.0 * static_cast<double>(i) / double(dim));
          const std::complex<double> turned =
              std::complex(rows(t, at + i), rows(t, at + i + dim / 2)) * std::polar(1.0, angle);
          rows(t, at + i) = turned.real();
          rows(t, at + i + dim / 2) = turned.imag();
        }
      }
    }
  };
  if (name_ != "bert") {
    turn(q);
    turn(k);
  }
  k = k.unaryExpr(&asHalf).eval();
  v = v.unaryExpr(&asHalf).eval();
  const double reach = local ? key("attention.sliding_window", 0) / 2 : 1e9;
  MatrixXd out(x.rows(), width);
  for (Eigen::Index at = 0; at < width; at += dim) {
    MatrixXd scores = q.middleCols(at, dim) * k.middleCols(at, dim).transpose() /
                      std::sqrt(static_cast<double>(dim));
    for (Eigen::Index t = 0; t < x.rows(); ++t) {
      for (Eigen::Index s = 0; s < x.rows(); ++s) {
        if (std::abs(static_cast<double>(t - s)) > reach) scores(t, s) = -INFINITY;
      }
      scores.row(t) = (scores.row(t).array() - scores.row(t).maxCoeff()).exp().eval();
      scores.row(t) /= scores.row(t).sum();
    }
    out.middleCols(at, dim) = scores * v.middleCols(at, dim);
  }
  return project(out, blk + "attn_output");
}

MatrixXd Encoder::feedForward(const MatrixXd& x, const std::string& blk) const {
  const MatrixXd up = project(x, blk + "ffn_up");
  if (name_ == "bert") return project(up.unaryExpr(&gelu), blk + "ffn_down");
  if (name_ == "nomic-bert") {
    const MatrixXd gate = project(x, blk + "ffn_gate").unaryExpr(&silu);
    return project(gate.cwiseProduct(up), blk + "ffn_down");
  }
  const bool isSilu = *file_.stringOr(name_ + ".hidden_activation", "gelu") == "silu";
  const Eigen::Index f = up.cols() / 2;
  const MatrixXd gate = up.leftCols(f).unaryExpr(isSilu ? &silu : &gelu);
  return project(gate.cwiseProduct(up.rightCols(f)), blk + "ffn_down");
}

MatrixXd Encoder::states(std::span<const std::int32_t> tokens, int secondFrom) const {
  const MatrixXd embedding = weights("token_embd.weight");
  MatrixXd x(static_cast<Eigen::Index>(tokens.size()), embedding.cols());
  for (Eigen::Index t = 0; t < x.rows(); ++t) {
    x.row(t) = embedding.row(tokens[static_cast<std::size_t>(t)]);
    if (has("token_types.weight")) x.row(t) += weights("token_types.weight").row(t >= secondFrom);
    if (has("position_embd.weight")) x.row(t) += weights("position_embd.weight").row(t);
  }
  x = norm(x, "token_embd_norm");
  const int layers = static_cast<int>(key("block_count", 0));
  for (int layer = 0; layer < layers; ++layer) {
    const std::string blk = "blk." + std::to_string(layer) + ".";
    if (name_ == "modern-bert") {
      x += attention(layer == 0 ? x : norm(x, blk + "attn_norm"), blk, layer);
      x += feedForward(norm(x, blk + "ffn_norm"), blk);
      continue;
    }
    x = norm(x + attention(x, blk, layer), blk + "attn_output_norm");
    x = norm(x + feedForward(x, blk), blk + "layer_output_norm");
  }
  return name_ == "modern-bert" ? norm(x, "output_norm") : x;
}

}  // namespace

MatrixXd encoderStates(const gguf::File& file, std::span<const std::int32_t> tokens,
                       int secondFrom) {
  return Encoder(file).states(tokens, secondFrom);
}

}  // namespace waferpair::transformer
