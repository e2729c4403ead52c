// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels in plain C++: what every CPU can run, and the plainest statement of what each one
// computes.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "runtime/tensor/kernel_tables.h"

namespace waferpair::tensor {
namespace {

using Lanes = std::array<float, kPanel>;  // one value for each row of a panel
static_assert(kPanel == kKeyBlock);

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

// Sums of products are exact integers within a block of 32 columns. The four columns of x go to all
// rows, and the 32 products of a group are added lane by lane: loops that compilers vectorize.
Lanes dotQ8(const std::int8_t* quants, const Half* scales, const std::int8_t* x,
            const float* xScales, int cols) {
  constexpr int kGroup = 4;
  constexpr int kProducts = kPanel * kGroup;
  Lanes sums{};
  for (int b = 0; b < cols / kBlock; ++b) {
    std::array<std::int32_t, kProducts> products{};
    for (int k = 0; k < kBlock; k += kGroup, quants += kProducts, x += kGroup) {
      std::array<std::int8_t, kProducts> repeated;
      for (int r = 0; r < kPanel; ++r) std::memcpy(&repeated[r * kGroup], x, kGroup);
      for (int i = 0; i < kProducts; ++i) {
        products[i] += static_cast<std::int16_t>(quants[i] * repeated[i]);  // at most 127 * 127
      }
    }
    for (int r = 0; r < kPanel; ++r) {
      const std::int32_t dot = products[r * kGroup] + products[r * kGroup + 1] +
                               products[r * kGroup + 2] + products[r * kGroup + 3];
      sums[r] += static_cast<float>(dot) * (toFloat(scales[r]) * xScales[b]);
    }
    scales += kPanel;
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

// Squares are added in eight lanes, as the vector kernels do: the error grows with n / 8.
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
    for (int p = 0; p < count;
         p += kKeyBlock) {  // the last block may go past count, not past the cache
      const Half* block = keys + p * headDim;
      Lanes dots{};
      for (int d = 0; d < headDim; ++d) {
        for (int i = 0; i < kKeyBlock; ++i) dots[i] += query[d] * toFloat(block[d * kKeyBlock + i]);
      }
      for (int i = 0; i < kKeyBlock; ++i) scores[p + i] = dots[i] * scale;
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
