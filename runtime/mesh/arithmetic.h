// SPDX-License-Identifier: GPL-3.0-or-later
// The vector unit's arithmetic: operands widened exactly, one rounding to the destination's type.
#pragma once

#include "runtime/mesh/program.h"

namespace waferpair::mesh {

inline constexpr int kMaxLanes = 16;

// to[i] = a[i] op b[i] for n elements; Fmac adds to to[i]. The results are such that rounding them
// to `type`, the destination's, gives the exact result rounded once. For an FP16 destination the
// operands of fmac are FP16 values.
void compute(Op op, Type type, float* to, const float* a, const float* b, int n);

}  // namespace waferpair::mesh
