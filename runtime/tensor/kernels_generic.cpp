// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels in plain C++: what every CPU can run, and the plainest statement of what each one
// computes.
#include <algorithm>
#include <array>
#include <cmath>

#include "runtime/tensor/kernel_tables.h"

namespace waferpair::tensor {
namespace {

using Lanes = std::array<float, kPanel>;  // one value for each row of a panel

float widen(float value) { return value; }
float widen(Half value) { return toFloat(value); }

void store(const Lanes& sums, const PackedMatrix& weights, int panel, float* out, bool add) {
  const int first = panel * kPanel;
  const int rows = std::min(kPanel, weights.rows() - first);
  for (int r = 0; r < rows; ++r) out[first + r] = add ? out[first + r] + sums[r] : sums[r];
}

template <typename T>
Lanes dotPlain(const T* panel, const float* x, int cols) {
  Lanes sums{};
  for (int k = 0; k < cols; ++k) {
    for (int r = 0; r < kPanel; ++r) sums[r] += widen(panel[k * kPanel + r]) * x[k];
  }
  return sums;
}

// Sums of products are exact integers within a block of 32 columns.
Lanes dotQ8(const std::int8_t* quants, const Half* scales, const std::int8_t* x,
            const float* xScales, int cols) {
  Lanes sums{};
  for (int b = 0; b < cols / kBlock; ++b) {
    std::array<std::int32_t, kPanel> dot{};
    for (int k = 0; k < kBlock; k += 4) {
      for (int r = 0; r < kPanel; ++r) {
        for (int j = 0; j < 4; ++j) dot[r] += quants[k * kPanel + r * 4 + j] * x[k + j];
      }
    }
    for (int r = 0; r < kPanel; ++r) {
      sums[r] += static_cast<float>(dot[r]) * (toFloat(scales[r]) * xScales[b]);
    }
    quants += kBlock * kPanel;
    scales += kPanel;
    x += kBlock;
  }
  return sums;
}

void matmul(const PackedMatrix& weights, PanelRange panels, const Rows& x, float* out,
            std::int64_t outStride, bool add) {
  const int cols = weights.cols();
  for (int p = panels.first; p < panels.last; ++p) {
    for (int t = 0; t < x.count; ++t) {
      const float* values = x.values + static_cast<std::int64_t>(t) * cols;
      Lanes sums{};
      switch (weights.format()) {
        case Format::kF32:
          sums = dotPlain(weights.f32(p), values, cols);
          break;
        case Format::kF16:
          sums = dotPlain(weights.f16(p), values, cols);
          break;
        case Format::kQ8_0:
          sums = dotQ8(weights.quants(p), weights.scales(p),
                       x.quants + static_cast<std::int64_t>(t) * cols,
                       x.scales + static_cast<std::int64_t>(t) * (cols / kBlock), cols);
          break;
      }
      store(sums, weights, p, out + t * outStride, add);
    }
  }
}

void quantize(const float* values, int n, std::int8_t* quants, float* scales) {
  for (int b = 0; b < n / kBlock; ++b, values += kBlock, quants += kBlock) {
    float largest = 0;
    for (int i = 0; i < kBlock; ++i) largest = std::max(largest, std::abs(values[i]));
    scales[b] = largest / kMostQuant;
    const float inverse = largest > kLeastMagnitude ? kMostQuant / largest : 0;
    for (int i = 0; i < kBlock; ++i) {
      // The comparison is false for NaN, whose conversion would be undefined.
      const float rounded = std::nearbyint(values[i] * inverse);
      quants[i] =
          std::abs(rounded) <= kMostQuant ? static_cast<std::int8_t>(rounded) : std::int8_t{0};
    }
  }
}

void rmsNorm(const float* x, const float* gain, int n, float epsilon, float* out) {
  Lanes squares{};
  for (int i = 0; i < n; ++i) squares[i % kPanel] += x[i] * x[i];
  float sum = 0;
  for (const float s : squares) sum += s;
  const float inverse = 1 / std::sqrt(sum / static_cast<float>(n) + epsilon);
  for (int i = 0; i < n; ++i) out[i] = gain[i] * (x[i] * inverse);
}

void rope(float* x, const float* cosSin, int n) {
  for (int i = 0; i + 1 < n; i += 2) {
    const float a = x[i], b = x[i + 1], cosine = cosSin[i], sine = cosSin[i + 1];
    x[i] = a * cosine - b * sine;
    x[i + 1] = a * sine + b * cosine;
  }
}

void siluMul(float* gate, const float* up, int n) {
  for (int i = 0; i < n; ++i) gate[i] = gate[i] / (1 + std::exp(-gate[i])) * up[i];
}

void attendChunk(const float* query, int heads, int headDim, float scale, const KvHead& kv,
                 int first, int last, float* max, float* sum, float* out) {
  const int count = last - first;
  const Half* keys = kv.keys + static_cast<std::int64_t>(first) * headDim;
  const Half* values = kv.values + static_cast<std::int64_t>(first) * headDim;
  for (int h = 0; h < heads; ++h, query += headDim, out += headDim) {
    std::array<float, kChunk> scores{};
    for (int p = 0; p < count; ++p) {
      const Half* key = keys + p / kKeyBlock * kKeyBlock * headDim + p % kKeyBlock;
      float dot = 0;
      for (int d = 0; d < headDim; ++d) dot += query[d] * toFloat(key[d * kKeyBlock]);
      scores[p] = dot * scale;
    }
    max[h] = *std::max_element(scores.begin(), scores.begin() + count);
    sum[h] = 0;
    std::fill(out, out + headDim, 0.0f);
    for (int p = 0; p < count; ++p) {
      const float weight = std::exp(scores[p] - max[h]);
      sum[h] += weight;
      for (int d = 0; d < headDim; ++d) out[d] += weight * toFloat(values[p * headDim + d]);
    }
  }
}

void toFloats(const Half* values, int n, float* out) {
  for (int i = 0; i < n; ++i) out[i] = toFloat(values[i]);
}

void toHalves(const float* values, int n, Half* out) {
  for (int i = 0; i < n; ++i) out[i] = toHalf(values[i]);
}

}  // namespace

const Kernels& genericKernels() {
  static constexpr Kernels table{"generic", matmul,      quantize, rmsNorm, rope,
                                 siluMul,   attendChunk, toFloats, toHalves};
  return table;
}

}  // namespace waferpair::tensor
