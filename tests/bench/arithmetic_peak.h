// SPDX-License-Identifier: GPL-3.0-or-later
// The limit that arithmetic sets: how many multiplications a second this thread does right now, in
// registers, with the instructions that the AVX2 kernels are made of.
#pragma once

namespace waferpair::bench {

struct ArithmeticPeaks {     // 10^9 multiplications a second
  double unsignedBytes = 0;  // as of 4-bit weights: multiply, add
  double signedBytes = 0;    // as of 8-bit weights: move the sign, multiply, widen, add
  double floats = 0;         // as of attention: fused multiply and add
};

// All 0 where the CPU has no AVX2 and FMA.
ArithmeticPeaks measureArithmetic();

}  // namespace waferpair::bench
