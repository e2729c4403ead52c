// SPDX-License-Identifier: GPL-3.0-or-later
// Products with weights of F32, F16 and BF16, with 16 rows in a register.
#include "runtime/tensor/avx512.h"

namespace waferpair::tensor::avx512 {
namespace {

inline __m512 join(const float* low, const float* high) {
  const __m512 both = _mm512_castps256_ps512(_mm256_loadu_ps(low));
  return _mm512_insertf32x8(both, _mm256_loadu_ps(high), 1);
}
inline __m512 join(const Half* low, const Half* high) { return joinHalves(low, high); }
inline __m512 join(const BFloat* low, const BFloat* high) {
  return joinBFloats(&low->bits, &high->bits);
}

// P pairs of panels by N tokens. Even and odd columns are summed apart: two independent chains for
// each output hide the latency of FMA.
template <typename T, int P, int N>
void tileFloats(const PackedMatrix& weights, int panel, int panels, const Rows& rows, int token,
                float* out, std::int64_t outStride, bool add) {
  const int cols = weights.cols();
  const float* x = rows.values + static_cast<std::int64_t>(token) * cols;
  const T* low[P];
  const T* high[P];
  for (int p = 0; p < P; ++p) {
    const int first = panel + p * kPair, second = panels > p * kPair + 1 ? first + 1 : first;
    low[p] = reinterpret_cast<const T*>(weights.panel(first));
    high[p] = reinterpret_cast<const T*>(weights.panel(second));
  }
  __m512 even[P][N], odd[P][N];
  for (int p = 0; p < P; ++p) {
    for (int t = 0; t < N; ++t) even[p][t] = odd[p][t] = _mm512_setzero_ps();
  }
  const auto step = [&](int k, __m512(&sums)[P][N]) {
    for (int p = 0; p < P; ++p) {
      const std::int64_t at = static_cast<std::int64_t>(k) * kPanel;
      const __m512 column = join(low[p] + at, high[p] + at);
      for (int t = 0; t < N; ++t) {
        const __m512 value = _mm512_set1_ps(x[static_cast<std::int64_t>(t) * cols + k]);
        sums[p][t] = _mm512_fmadd_ps(column, value, sums[p][t]);
      }
    }
  };
  int k = 0;
  for (; k + 1 < cols; k += 2) {
    step(k, even);
    step(k + 1, odd);
  }
  if (k < cols) step(k, even);
  for (int p = 0; p < P; ++p) {
    const int first = (panel + p * kPair) * kPanel;
    const int here = std::min((panels - p * kPair) * kPanel, weights.rows() - first);
    for (int t = 0; t < N; ++t) {
      store(_mm512_add_ps(even[p][t], odd[p][t]), here, out + (token + t) * outStride + first, add);
    }
  }
}

template <typename T>
void matmulOf(const PackedMatrix& weights, PanelRange panels, const Rows& x, float* out,
              std::int64_t outStride, bool add) {
  forEachTile(panels, x.count, [&]<int P, int N>(int panel, int token, int here) {
    tileFloats<T, P, N>(weights, panel, here, x, token, out, outStride, add);
  });
}

}  // namespace

void matmulFloats(const PackedMatrix& weights, PanelRange panels, const Rows& x, float* out,
                  std::int64_t outStride, bool add) {
  switch (weights.format()) {
    case Format::kF32:
      return matmulOf<float>(weights, panels, x, out, outStride, add);
    case Format::kF16:
      return matmulOf<Half>(weights, panels, x, out, outStride, add);
    case Format::kBF16:
      return matmulOf<BFloat>(weights, panels, x, out, outStride, add);
    default:
      return;
  }
}

}  // namespace waferpair::tensor::avx512
