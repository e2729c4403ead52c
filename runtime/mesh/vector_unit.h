// SPDX-License-Identifier: GPL-3.0-or-later
// A step of a vector instruction: as many elements as the lanes take in a cycle, or one wavelet.
#pragma once

#include <cstdint>

#include "runtime/mesh/program.h"

namespace waferpair::mesh {

// The progress of an instruction.
struct Progress {
  std::uint32_t repeated = 0;  // repetitions
  std::uint32_t done = 0;      // elements of the one under way
};

// Computes the next `n` elements of a repetition in `sram`, a PE's, in steps of `lanes`. `wavelet`
// is what came, if a source is fabric in or the firing wavelet; then it is a single step. Returns
// the wavelet to send, if `to` is fabric out.
using StepFunction = std::uint32_t (*)(const Instruction& in, std::uint8_t* sram,
                                       const Progress& progress, int n, int lanes,
                                       std::uint32_t wavelet);

// The fastest for a valid instruction; results are the same to the bit.
StepFunction stepFor(const Instruction& in, int lanes);
// Returns the fastest with the conversions and lanes of AVX2 and F16C; null for an instruction that
// it does not do. Built for x86 only.
StepFunction avx2StepFor(const Instruction& in, int lanes);

// Returns the first byte of an element of a valid descriptor. An intermediate value that is
// negative wraps round and comes back.
inline std::uint32_t firstByte(const Operand& o, std::uint32_t repetition, std::uint32_t index) {
  return o.address + static_cast<std::uint32_t>(o.step) * repetition +
         static_cast<std::uint32_t>(o.stride * bytesOf(o.type)) * index;
}

}  // namespace waferpair::mesh
