// SPDX-License-Identifier: GPL-3.0-or-later
// Products with weights of 4 bits, as those of 2 and 3 of the IQ kind are packed, too.
#include "runtime/tensor/avx2/avx2_quants.h"

namespace waferpair::tensor::avx2 {

void matmulNibbles(const PackedMatrix& weights, PanelRange panels, const Rows& x, float* out,
                   std::int64_t outStride, bool add) {
  switch (weights.format()) {
    case Format::kQ4_0:
      return matmulOf<Format::kQ4_0>(weights, panels, x, out, outStride, add);
    case Format::kQ4_1:
      return matmulOf<Format::kQ4_1>(weights, panels, x, out, outStride, add);
    case Format::kQ4_K:
      return matmulOf<Format::kQ4_K>(weights, panels, x, out, outStride, add);
    case Format::kIQ4_NL:
      return matmulOf<Format::kIQ4_NL>(weights, panels, x, out, outStride, add);
    case Format::kIQ4_XS:
      return matmulOf<Format::kIQ4_XS>(weights, panels, x, out, outStride, add);
    case Format::kMXFP4:
      return matmulOf<Format::kMXFP4>(weights, panels, x, out, outStride, add);
    case Format::kNVFP4:
      return matmulOf<Format::kNVFP4>(weights, panels, x, out, outStride, add);
    case Format::kIQ2_XXS:
      return matmulOf<Format::kIQ2_XXS>(weights, panels, x, out, outStride, add);
    case Format::kIQ2_XS:
    case Format::kIQ2_S:
      return matmulOf<Format::kIQ2_S>(weights, panels, x, out, outStride, add);
    case Format::kIQ3_XXS:
      return matmulOf<Format::kIQ3_XXS>(weights, panels, x, out, outStride, add);
    case Format::kIQ3_S:
      return matmulOf<Format::kIQ3_S>(weights, panels, x, out, outStride, add);
    default:
      return;
  }
}

}  // namespace waferpair::tensor::avx2
