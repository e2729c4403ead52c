// SPDX-License-Identifier: GPL-3.0-or-later
// Products with weights of F32, F16 and BF16 in vector registers of any width.
//
// `L` says what a register is and does, and `L::Columns<T>` where the columns lie of the panels
// that it holds the rows of (avx2_matmul_floats.cpp has the plainest one). It must have internal
// linkage, so that no other file can get a copy of this that it cannot run.
#pragma once

#include <algorithm>

#include "runtime/tensor/kernel_tables.h"

namespace waferpair::tensor {

template <typename L>
class LanesMatmulFloats {
 public:
  static void matmul(const PackedMatrix& weights, PanelRange panels, const Rows& x, float* out,
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

 private:
  using Floats = typename L::Floats;

  template <typename T>
  static void matmulOf(const PackedMatrix& weights, PanelRange panels, const Rows& x, float* out,
                       std::int64_t outStride, bool add) {
    L::forEachTile(panels, x.count, [&]<int P, int N>(int panel, int token, int here) {
      const float* values = x.values + static_cast<std::int64_t>(token) * weights.cols();
      tile<T, P, N>(weights, panel, here, values, out + token * outStride, outStride, add);
    });
  }

  // P registers of rows by N tokens: `panels` of them, the last register may be short of. Even and
  // odd columns are summed apart: two independent chains for each output hide the latency of FMA.
  template <typename T, int P, int N>
  static void tile(const PackedMatrix& weights, int panel, int panels, const float* x, float* out,
                   std::int64_t outStride, bool add) {
    const int cols = weights.cols();
    typename L::template Columns<T> w[P];
    for (int p = 0; p < P; ++p) {
      w[p] = {weights, panel + p * L::kPanels, panels - p * L::kPanels};
    }
    Floats even[P][N], odd[P][N];
    for (int p = 0; p < P; ++p) {
      for (int t = 0; t < N; ++t) even[p][t] = odd[p][t] = L::all(0);
    }
    const auto step = [&](int k, Floats(&sums)[P][N]) {
      for (int p = 0; p < P; ++p) {
        const Floats column = w[p].load(static_cast<std::int64_t>(k) * kPanel);
        for (int t = 0; t < N; ++t) {
          const float value = x[static_cast<std::int64_t>(t) * cols + k];
          sums[p][t] = L::multiplyAdd(column, value, sums[p][t]);
        }
      }
    };
    int k = 0;
    for (; k + 1 < cols; k += 2) {
      step(k, even);
      step(k + 1, odd);
    }
    if (k < cols) step(k, even);
#pragma GCC unroll 4  // sums that are indexed would not stay in registers
    for (int p = 0; p < P; ++p) {
      const int first = (panel + p * L::kPanels) * kPanel;
      const int here = std::min((panels - p * L::kPanels) * kPanel, weights.rows() - first);
#pragma GCC unroll 8
      for (int t = 0; t < N; ++t) {
        L::store(L::add(even[p][t], odd[p][t]), weights.factor(), here, out + t * outStride + first,
                 add);
      }
    }
  }
};

}  // namespace waferpair::tensor
