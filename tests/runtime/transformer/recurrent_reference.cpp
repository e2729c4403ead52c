// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/runtime/transformer/recurrent_reference.h"

#include <cmath>
#include <vector>

namespace waferpair::transformer {
namespace {

using Eigen::MatrixXd;
using Eigen::RowVectorXd;
using Eigen::VectorXd;

double siluOf(double z) { return z / (1 + std::exp(-z)); }

// The channels of a token behind the convolution.
RowVectorXd convolved(const RecurrentInputs& p, Eigen::Index token) {
  RowVectorXd sum = RowVectorXd::Zero(p.mixed.cols());
  if (p.kernelBias.size() > 0) sum = p.kernelBias;
  for (Eigen::Index i = 0; i < p.kernel.cols() && i <= token; ++i) {
    sum += p.mixed.row(token - i).cwiseProduct(p.kernel.col(p.kernel.cols() - 1 - i).transpose());
  }
  return sum.unaryExpr(&siluOf);
}

RowVectorXd rmsNormed(const RowVectorXd& x, const RowVectorXd& gain) {
  const double mean = x.squaredNorm() / static_cast<double>(x.size());
  return x.cwiseProduct(gain) / std::sqrt(mean + 1e-5);
}

int groupOf(const RecurrentInputs& p, int head) {
  return p.inTurn ? head % p.groups : head / (p.heads / p.groups);
}

double stepOf(const RecurrentInputs& p, Eigen::Index token, int head) {
  return std::log1p(std::exp(p.alpha(token, head) + p.stepBias[head]));
}

}  // namespace

MatrixXd gatedDelta(const RecurrentInputs& p) {
  const int dim = p.stateDim;
  std::vector<MatrixXd> states(static_cast<std::size_t>(p.heads), MatrixXd::Zero(dim, dim));
  MatrixXd out(p.mixed.rows(), p.heads * dim);
  for (Eigen::Index t = 0; t < p.mixed.rows(); ++t) {
    const RowVectorXd mixed = convolved(p, t);
    for (int h = 0; h < p.heads; ++h) {
      const auto unit = [&](int at) -> VectorXd {
        const VectorXd part = mixed.segment(at * dim, dim).transpose();
        return part / std::sqrt(part.squaredNorm() + 1e-6);
      };
      const VectorXd query = unit(groupOf(p, h)) / std::sqrt(static_cast<double>(dim));
      const VectorXd key = unit(p.groups + groupOf(p, h));
      const VectorXd value = mixed.segment((2 * p.groups + h) * dim, dim).transpose();
      const double decay = std::exp(p.rate[h] * stepOf(p, t, h));
      const double strength = 1 / (1 + std::exp(-p.beta(t, h)));
      MatrixXd& state = states[static_cast<std::size_t>(h)];  // [values][keys], as the paper has it
      state = decay * state * (MatrixXd::Identity(dim, dim) - strength * key * key.transpose()) +
              strength * value * key.transpose();
      const RowVectorXd given = (state * query).transpose();
      out.block(t, h * dim, 1, dim) =
          rmsNormed(given, p.gain.row(0))
              .cwiseProduct(p.gates.block(t, h * dim, 1, dim).unaryExpr(&siluOf));
    }
  }
  return out;
}

MatrixXd mambaScan(const RecurrentInputs& p) {
  const auto inner = p.gates.cols();
  const auto dim = inner / p.heads, each = inner / p.groups;
  std::vector<MatrixXd> states(static_cast<std::size_t>(p.heads), MatrixXd::Zero(dim, p.stateDim));
  MatrixXd out(p.mixed.rows(), inner);
  for (Eigen::Index t = 0; t < p.mixed.rows(); ++t) {
    const RowVectorXd mixed = convolved(p, t);
    RowVectorXd row(inner);
    for (int h = 0; h < p.heads; ++h) {
      const VectorXd x = mixed.segment(h * dim, dim).transpose();
      const VectorXd b = mixed.segment(inner + groupOf(p, h) * p.stateDim, p.stateDim).transpose();
      const VectorXd c =
          mixed.segment(inner + (p.groups + groupOf(p, h)) * p.stateDim, p.stateDim).transpose();
      const double step = stepOf(p, t, h);
      MatrixXd& state = states[static_cast<std::size_t>(h)];
      state = std::exp(step * p.rate[h]) * state + step * x * b.transpose();
      row.segment(h * dim, dim) = (state * c + p.passing[h] * x).transpose();
    }
    row = row.cwiseProduct(p.gates.row(t).unaryExpr(&siluOf));
    for (int g = 0; g < p.groups; ++g) {
      out.block(t, g * each, 1, each) = rmsNormed(row.segment(g * each, each), p.gain.row(g));
    }
  }
  return out;
}

}  // namespace waferpair::transformer
