// SPDX-License-Identifier: GPL-3.0-or-later
// Products with quantized weights, compiled for CPUs with the dot product extension.
#include "runtime/tensor/neon/neon_quants.h"

#ifndef __ARM_FEATURE_DOTPROD
#error "This file is to be compiled with the dot product extension, as CMakeLists.txt says."
#endif

namespace waferpair::tensor::neon {

void matmulQuantsDot(const PackedMatrix& weights, PanelRange panels, const Rows& x, float* out,
                     std::int64_t outStride, bool add) {
  matmulAny(weights, panels, x, out, outStride, add);
}

}  // namespace waferpair::tensor::neon
