// SPDX-License-Identifier: GPL-3.0-or-later
// Products with weights of F32, F16 and BF16.
#include "runtime/tensor/neon.h"

namespace waferpair::tensor::neon {
namespace {

inline Lanes load(const BFloat* at) { return loadBFloats(at); }

// P panels by N tokens. Even and odd columns are summed apart: independent chains for each output
// hide the latency of FMA.
template <typename T, int P, int N>
void tileFloats(const PackedMatrix& weights, int panel, const float* x, float* out,
                std::int64_t outStride, bool add) {
  const int cols = weights.cols();
  const T* w[P];
  for (int p = 0; p < P; ++p) w[p] = reinterpret_cast<const T*>(weights.panel(panel + p));
  Lanes even[P][N], odd[P][N];
  for (int p = 0; p < P; ++p) {
    for (int t = 0; t < N; ++t) even[p][t] = odd[p][t] = all(0);
  }
  const auto step = [&](int k, Lanes(&sums)[P][N]) {
    for (int p = 0; p < P; ++p) {
      const Lanes column = load(w[p] + static_cast<std::int64_t>(k) * kPanel);
      for (int t = 0; t < N; ++t) {
        sums[p][t] = fma(column, x[static_cast<std::int64_t>(t) * cols + k], sums[p][t]);
      }
    }
  };
  int k = 0;
  for (; k + 1 < cols; k += 2) {
    step(k, even);
    step(k + 1, odd);
  }
  if (k < cols) step(k, even);
#pragma GCC unroll 2  // sums that are indexed would not stay in registers
  for (int p = 0; p < P; ++p) {
    const int first = (panel + p) * kPanel;
#pragma GCC unroll 4
    for (int t = 0; t < N; ++t) {
      storeRows(even[p][t] + odd[p][t], weights.rows() - first, out + t * outStride + first, add);
    }
  }
}

template <typename T>
void matmulOf(const PackedMatrix& weights, PanelRange panels, const Rows& x, float* out,
              std::int64_t outStride, bool add) {
  forEachTile(panels, x.count, [&]<int P, int N>(int panel, int token) {
    const float* values = x.values + static_cast<std::int64_t>(token) * weights.cols();
    tileFloats<T, P, N>(weights, panel, values, out + token * outStride, outStride, add);
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

}  // namespace waferpair::tensor::neon
