// SPDX-License-Identifier: GPL-3.0-or-later
// Products with quantized weights on any 64-bit Arm CPU.
#include "runtime/tensor/neon/neon_quants.h"

namespace waferpair::tensor::neon {

void matmulQuants(const PackedMatrix& weights, PanelRange panels, const Rows& x, float* out,
                  std::int64_t outStride, bool add) {
  matmulAny(weights, panels, x, out, outStride, add);
}

}  // namespace waferpair::tensor::neon
