// SPDX-License-Identifier: GPL-3.0-or-later
// A step of a vector instruction: as many elements as the lanes take in a cycle, or one wavelet.
#pragma once

#include <cstddef>
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

// Gives what comes step by step: so many wavelets, or, if `wavelets` is null, the firing one each
// time.
struct Coming {
  const std::uint32_t* wavelets = nullptr;
  std::uint32_t firing = 0;

  std::uint32_t at(std::uint32_t step) const {
    return wavelets != nullptr ? wavelets[step] : firing;
  }
};
// Returns whether the next so many elements can be computed in any order: what is stored lies where
// its sources do, or apart from them.
bool isSideBySide(const Instruction& in, const Progress& progress, std::size_t elements);

// Does `steps` single steps of `n` elements each, one after another; `sent` gets the wavelets to
// send, and is null if there are none.
using StreamFunction = void (*)(const Instruction& in, std::uint8_t* sram, Progress progress, int n,
                                std::uint32_t steps, const Coming& coming, std::uint32_t* sent);

struct Steps {
  StepFunction step = nullptr;
  StreamFunction stream = nullptr;
};

// Calls `step` again and again.
template <StepFunction step>
void streamOf(const Instruction& in, std::uint8_t* sram, Progress progress, int n,
              std::uint32_t steps, const Coming& coming, std::uint32_t* sent) {
  const Instruction local = in;  // which stores to SRAM don't change
  for (std::uint32_t i = 0; i < steps; ++i) {
    const std::uint32_t result = step(local, sram, progress, n, n, coming.at(i));
    if (sent != nullptr) sent[i] = result;
    progress.done += static_cast<std::uint32_t>(n);
  }
}
template <StepFunction step>
constexpr Steps stepsOf() {
  return {step, streamOf<step>};
}

// The fastest for a valid instruction; results are the same to the bit.
Steps stepsFor(const Instruction& in, int lanes);
// Returns the fastest with the conversions and lanes of AVX2 and F16C; null for an instruction that
// it does not do. Built for x86 only.
Steps avx2StepsFor(const Instruction& in, int lanes);

// Returns the first byte of an element of a valid descriptor. An intermediate value that is
// negative wraps round and comes back.
inline std::uint32_t firstByte(const Operand& o, std::uint32_t repetition, std::uint32_t index) {
  return o.address + static_cast<std::uint32_t>(o.step) * repetition +
         static_cast<std::uint32_t>(o.stride * bytesOf(o.type)) * index;
}

}  // namespace waferpair::mesh
