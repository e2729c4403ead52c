// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/strict/arithmetic.h"

#include <algorithm>
#include <cmath>
#include <limits>

#ifdef WAFERPAIR_HAVE_AVX2
#include "runtime/base/cpu_features.h"
#endif
#include "runtime/mesh/arithmetic.h"
#include "runtime/mesh/collectives.h"
#include "runtime/strict/arithmetic_avx2.h"

namespace waferpair::strict {

namespace {

#ifdef WAFERPAIR_HAVE_AVX2
bool hasAvx2() {
  static const bool has = base::hasAvx2AndF16c();
  return has;
}
#endif

}  // namespace

void multiplyTile(std::span<const float> in, const tensor::Half* tile, std::size_t pitch,
                  std::span<float> out) {
  std::size_t first = 0;
#ifdef WAFERPAIR_HAVE_AVX2
  if (hasAvx2()) first = avx2::multiplyTile(in, tile, pitch, out);
#endif
  std::fill(out.begin() + static_cast<std::ptrdiff_t>(first), out.end(), 0.0f);
  for (std::size_t k = 0; k < in.size(); ++k) {
    for (std::size_t n = first; n < out.size(); ++n) {
      const float weight = tensor::toFloat(tile[k * pitch + n]);
      mesh::compute(mesh::Op::Fmac, mesh::Type::F16, &out[n], &in[k], &weight, 1);
      out[n] = roundHalf(out[n]);
    }
  }
}

void addHalves(std::span<float> to, std::span<const float> from) {
  std::size_t first = 0;
#ifdef WAFERPAIR_HAVE_AVX2
  if (hasAvx2()) first = avx2::addHalves(to, from);
#endif
  for (std::size_t i = first; i < to.size(); ++i) to[i] = roundHalf(to[i] + from[i]);
}

KTree::KTree(int pes, int group) : pes_(pes) {
  for (const mesh::Message& message : mesh::kTreeMessages(pes, group)) {
    messages_.push_back({message.from, message.to});
  }
}

std::span<const float> KTree::sumHalves(std::span<float> parts) const {
  const std::size_t n = parts.size() / static_cast<std::size_t>(pes_);
  const auto part = [&](int pe) { return parts.subspan(static_cast<std::size_t>(pe) * n, n); };
  for (const Message& message : messages_) addHalves(part(message.to), part(message.from));
  return part(messages_.empty() ? 0 : messages_.back().to);
}

float KTree::sumFloats(std::span<float> parts) const {
  for (const Message& message : messages_) parts[message.to] += parts[message.from];
  return parts[messages_.empty() ? 0 : messages_.back().to];
}

void gemv(const Matrix& matrix, std::span<const float> x, int rowsEach, const KTree& sums,
          std::span<float> out) {
  const auto columns = static_cast<std::size_t>(matrix.columns);
  std::vector<float> parts(static_cast<std::size_t>(sums.pes()) * columns);
  for (int pe = 0; pe < sums.pes(); ++pe) {
    const int begin = std::min(pe * rowsEach, matrix.rows);
    const int end = std::min(begin + rowsEach, matrix.rows);
    const auto part = std::span(parts).subspan(static_cast<std::size_t>(pe) * columns, columns);
    multiplyTile(x.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin)),
                 matrix.row(begin), columns, part);
    // Rows of zeros behind the matrix make a sum of -0 positive.
    if (end - begin < rowsEach) {
      for (float& value : part) value += 0.0f;
    }
  }
  std::ranges::copy(sums.sumHalves(parts), out.begin());
}

void rmsNorm(std::span<const float> x, std::span<const float> gain, float epsilon, int each,
             const KTree& sums, std::span<float> out) {
  std::vector<float> parts(static_cast<std::size_t>(sums.pes()));
  for (std::size_t i = 0; i < x.size(); ++i) {
    float& sum = parts[i / static_cast<std::size_t>(each)];
    sum = std::fma(x[i], x[i], sum);
  }
  const float mean = sums.sumFloats(parts) * (1 / static_cast<float>(x.size()));
  const float root = std::sqrt(mean + epsilon);
  const float scale = 1 / root;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const float scaled = roundHalf(x[i] * scale);
    out[i] = roundHalf(scaled * gain[i]);
  }
}

void softmax(std::span<float> scores, float scale, const RowOrder& order, const KTree& sums) {
  float largest = -std::numeric_limits<float>::infinity();
  for (float& score : scores) {
    score = roundHalf(score * scale);
    largest = std::max(largest, score);
  }
  for (float& score : scores) score = roundHalf(std::exp(roundHalf(score - largest)));
  std::vector<float> parts(static_cast<std::size_t>(sums.pes()));
  for (std::size_t row = 0; row < order.positions.size(); ++row) {
    for (int position : order.positions[row]) parts[row] += scores[position];
  }
  const float share = 1 / sums.sumFloats(parts);
  for (float& score : scores) score = roundHalf(score * share);
}

void siluMul(std::span<float> gate, std::span<const float> up) {
  for (std::size_t i = 0; i < gate.size(); ++i) {
    const float rate = 1 / (1 + std::exp(-gate[i]));
    const float activated = gate[i] * rate;
    gate[i] = roundHalf(activated * up[i]);
  }
}

void rope(std::span<float> vector, std::span<const float> cosSin) {
  for (std::size_t i = 0; i + 1 < vector.size(); i += 2) {
    const float a = vector[i], b = vector[i + 1];
    vector[i] = roundHalf(a * cosSin[i] - b * cosSin[i + 1]);
    vector[i + 1] = roundHalf(a * cosSin[i + 1] + b * cosSin[i]);
  }
}

}  // namespace waferpair::strict
