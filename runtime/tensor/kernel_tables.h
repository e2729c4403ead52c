// SPDX-License-Identifier: GPL-3.0-or-later
// The tables of kernels by instruction set. Private to this room: others ask kernels().
#pragma once

#include "runtime/tensor/kernels.h"

namespace waferpair::tensor {

inline constexpr float kMostQuant =
    127;  // of an activation: -128 is left out, as |x| must fit int8
// A block whose largest value is below this is taken as zeros: dividing by it could overflow.
inline constexpr float kLeastMagnitude = 1e-30f;

// Kernels::sumExp leaves out what is that far below the largest.
inline constexpr float kNegligible = 87;

// Kernels::attend in plain C++.
void attendGeneric(const Queries& queries, const KvChunk& chunk, const ChunkRange* ranges,
                   const Attended& to);

const Kernels& genericKernels();
const Kernels& avx2Kernels();  // x86-64 builds only; needs AVX2, FMA and F16C to be called
// 64-bit Arm builds only; the second needs the dot product extension to be called.
const Kernels& neonKernels();
const Kernels& neonDotKernels();

}  // namespace waferpair::tensor
