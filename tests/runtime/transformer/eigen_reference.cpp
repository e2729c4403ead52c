// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/runtime/transformer/eigen_reference.h"

#include <cmath>
#include <string>
#include <vector>

#include "runtime/tensor/block_formats.h"

namespace waferpair::transformer {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// A matrix [rows][columns] or, of one row, a vector.
MatrixXd weights(const gguf::File& file, const std::string& name) {
  const gguf::TensorInfo* info = file.findTensor(name);
  const tensor::Format format = *tensor::findFormat(static_cast<std::uint32_t>(info->type));
  std::vector<float> values(info->elements());
  tensor::dequantizeRow(format, file.data(*info).data(), values);
  const auto cols = static_cast<Eigen::Index>(info->ne[0]);
  using RowMajor = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  return Eigen::Map<const RowMajor>(values.data(), static_cast<Eigen::Index>(values.size()) / cols,
                                    cols)
      .cast<double>();
}

MatrixXd norm(const MatrixXd& x, const MatrixXd& gain, double epsilon) {
  MatrixXd out = x;
  for (Eigen::Index t = 0; t < x.rows(); ++t) {
    const double rms = std::sqrt(x.row(t).squaredNorm() / static_cast<double>(x.cols()) + epsilon);
    out.row(t) = x.row(t).cwiseProduct(gain.row(0)) / rms;
  }
  return out;
}

// Pairs of neighbors in each head, turned by position * base^(-2i / ropeDim).
void rotate(MatrixXd& rows, const Config& c) {
  for (Eigen::Index t = 0; t < rows.rows(); ++t) {
    for (Eigen::Index head = 0; head < rows.cols(); head += c.headDim) {
      for (int i = 0; i < c.ropeDim; i += 2) {
        const double frequency = std::pow(static_cast<double>(c.ropeBase), -double(i) / c.ropeDim);
        const Eigen::Rotation2Dd turn(static_cast<double>(t) * frequency);
        const Eigen::Vector2d pair =
            turn * Eigen::Vector2d(rows(t, head + i), rows(t, head + i + 1));
        rows(t, head + i) = pair[0];
        rows(t, head + i + 1) = pair[1];
      }
    }
  }
}

double asHalf(double value) { return tensor::toFloat(tensor::toHalf(static_cast<float>(value))); }

MatrixXd attention(const MatrixXd& q, const MatrixXd& k, const MatrixXd& v, const Config& c) {
  MatrixXd out(q.rows(), q.cols());
  for (int h = 0; h < c.heads; ++h) {
    const int kvAt = h / c.groupSize() * c.headDim;
    for (Eigen::Index t = 0; t < q.rows(); ++t) {
      const auto keys = k.block(0, kvAt, t + 1, c.headDim);
      const auto values = v.block(0, kvAt, t + 1, c.headDim);
      VectorXd weights = keys * q.block(t, h * c.headDim, 1, c.headDim).transpose();
      weights /= std::sqrt(static_cast<double>(c.headDim));
      weights = (weights.array() - weights.maxCoeff()).exp();
      out.block(t, h * c.headDim, 1, c.headDim) = (weights.transpose() / weights.sum()) * values;
    }
  }
  return out;
}

}  // namespace

MatrixXd referenceStates(const Model& model, std::span<const std::int32_t> tokens) {
  const Config& c = model.config();
  const gguf::File& file = model.file();
  const MatrixXd embedding = weights(file, "token_embd.weight");
  MatrixXd x(static_cast<Eigen::Index>(tokens.size()), c.width);
  for (Eigen::Index t = 0; t < x.rows(); ++t) {
    x.row(t) = embedding.row(tokens[static_cast<std::size_t>(t)]);
  }
  for (int layer = 0; layer < c.layers; ++layer) {
    const auto w = [&](const char* name) {
      return weights(file, "blk." + std::to_string(layer) + "." + name + ".weight");
    };
    const MatrixXd in = norm(x, w("attn_norm"), static_cast<double>(c.normEpsilon));
    MatrixXd q = in * w("attn_q").transpose();
    MatrixXd k = in * w("attn_k").transpose();
    const MatrixXd v = (in * w("attn_v").transpose()).unaryExpr(&asHalf);
    rotate(q, c);
    rotate(k, c);
    x += attention(q, k.unaryExpr(&asHalf), v, c) * w("attn_output").transpose();
    const MatrixXd middle = norm(x, w("ffn_norm"), static_cast<double>(c.normEpsilon));
    const MatrixXd gate = (middle * w("ffn_gate").transpose()).unaryExpr([](double z) {
      return z / (1 + std::exp(-z));
    });
    x += gate.cwiseProduct(middle * w("ffn_up").transpose()) * w("ffn_down").transpose();
  }
  return norm(x, weights(file, "output_norm.weight"), static_cast<double>(c.normEpsilon));
}

MatrixXd referenceLogits(const Model& model, std::span<const std::int32_t> tokens) {
  const bool tied = model.config().tiedEmbeddings;
  return referenceStates(model, tokens) *
         weights(model.file(), tied ? "token_embd.weight" : "output.weight").transpose();
}

}  // namespace waferpair::transformer
