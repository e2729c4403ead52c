// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/strict/weights.h"

#include <algorithm>

namespace waferpair::strict {

namespace {

// The packed matrix maps `cols` values to `rows`: here they are rows and columns.
Matrix transposed(const tensor::PackedMatrix& packed) {
  Matrix matrix{.rows = packed.cols(), .columns = packed.rows(), .values = {}};
  const auto columns = static_cast<std::size_t>(matrix.columns);
  matrix.values.resize(static_cast<std::size_t>(matrix.rows) * columns);
  std::vector<float> row(static_cast<std::size_t>(matrix.rows));
  for (std::size_t n = 0; n < columns; ++n) {
    packed.row(static_cast<int>(n), row);
    for (std::size_t k = 0; k < row.size(); ++k) {
      matrix.values[k * columns + n] = tensor::toHalf(row[k]);
    }
  }
  return matrix;
}

Matrix withRows(const Matrix& matrix, const std::vector<int>& rows) {
  Matrix ordered{.rows = matrix.rows, .columns = matrix.columns, .values = {}};
  for (int row : rows) {
    ordered.values.insert(ordered.values.end(), matrix.row(row), matrix.row(row) + matrix.columns);
  }
  return ordered;
}

std::vector<float> rounded(std::vector<float> values) {
  std::ranges::transform(values, values.begin(), roundHalf);
  return values;
}

}  // namespace

base::Result<std::shared_ptr<const Weights>> Weights::make(
    std::shared_ptr<const transformer::Model> model, const Layout& layout) {
  if (auto ok = check(model->config()); !ok) return tl::unexpected(ok.error());
  auto weights = std::make_shared<Weights>();
  weights->layout = layout;
  weights->mixed = mixedOrder(model->config(), layout.block.width);
  for (int i = 0; i < model->config().layers; ++i) {
    const transformer::LayerWeights& from = model->layer(i);
    weights->layers.push_back({.query = transposed(from.query),
                               .key = transposed(from.key),
                               .value = transposed(from.value),
                               .output = withRows(transposed(from.output), weights->mixed.rows),
                               .gate = transposed(from.gate),
                               .up = transposed(from.up),
                               .down = transposed(from.down),
                               .attentionNorm = rounded(from.attnNorm),
                               .ffnNorm = rounded(from.ffnNorm),
                               .queryBias = rounded(from.queryBias),
                               .keyBias = rounded(from.keyBias),
                               .valueBias = rounded(from.valueBias)});
  }
  weights->finalNorm = rounded(model->outputNorm());
  weights->head = transposed(model->output());
  weights->model = std::move(model);
  return weights;
}

std::vector<float> Weights::embedding(int token) const {
  std::vector<float> row(static_cast<std::size_t>(model->config().width));
  model->embed(token, row);
  return rounded(std::move(row));
}

}  // namespace waferpair::strict
