// SPDX-License-Identifier: GPL-3.0-or-later
// Products with weights whose quants are bytes.
#include "runtime/tensor/avx2/avx2_quants.h"

namespace waferpair::tensor::avx2 {

void matmulBytes(const PackedMatrix& weights, PanelRange panels, const Rows& x, float* out,
                 std::int64_t outStride, bool add) {
  switch (weights.format()) {
    case Format::kQ5_0:
      return matmulOf<Format::kQ5_0>(weights, panels, x, out, outStride, add);
    case Format::kQ5_1:
      return matmulOf<Format::kQ5_1>(weights, panels, x, out, outStride, add);
    case Format::kQ8_0:
      return matmulOf<Format::kQ8_0>(weights, panels, x, out, outStride, add);
    case Format::kQ2_K:
      return matmulOf<Format::kQ2_K>(weights, panels, x, out, outStride, add);
    case Format::kQ3_K:
      return matmulOf<Format::kQ3_K>(weights, panels, x, out, outStride, add);
    case Format::kQ5_K:
      return matmulOf<Format::kQ5_K>(weights, panels, x, out, outStride, add);
    case Format::kQ6_K:
      return matmulOf<Format::kQ6_K>(weights, panels, x, out, outStride, add);
    default:
      return;
  }
}

}  // namespace waferpair::tensor::avx2
