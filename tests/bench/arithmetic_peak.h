// SPDX-License-Identifier: GPL-3.0-or-later
// The limit that arithmetic sets: how many multiplications a second this thread does right now, in
// registers, with the instructions that the AVX2 kernels are made of, and those of AVX-512.
#pragma once

namespace waferpair::bench {

struct ArithmeticPeaks {     // 10^9 multiplications a second
  double unsignedBytes = 0;  // as of 4-bit weights: multiply, add
  double signedBytes = 0;    // as of 8-bit weights: move the sign, multiply, widen, add
  double floats = 0;         // as of attention: fused multiply and add
  double vnni = 0;           // of bytes: the one instruction that AVX-512's kernels have for it
};

// 0 where the CPU has no such instructions: AVX2 and FMA, VNNI.
ArithmeticPeaks measureArithmetic();

}  // namespace waferpair::bench
