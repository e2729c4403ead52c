// SPDX-License-Identifier: GPL-3.0-or-later
// The tables of kernels by instruction set. Private to this room: others ask kernels().
#pragma once

#include <cstddef>
#include <utility>

#include "runtime/tensor/kernels.h"

namespace waferpair::tensor {

inline constexpr float kMostQuant =
    127;  // of an activation: -128 is left out, as |x| must fit int8
// The scale of a block whose largest value is that.
constexpr float scaleOf(float largest, int planes) {
  return largest / (planes == 1 ? kMostQuant : kMostQuant * kFineSteps);
}
// A block whose largest value is below this is taken as zeros: dividing by it could overflow.
inline constexpr float kLeastMagnitude = 1e-30f;

// Kernels::sumExp leaves out values that are that far below the largest.
inline constexpr float kNegligible = 87;

constexpr bool isSigned(Quants quants) {
  return quants == Quants::kSigned || quants == Quants::kLookup;
}
constexpr bool isPacked(Quants quants) {
  return quants == Quants::kNibbles || quants == Quants::kLookup;
}

// Bytes of a group in a panel, scales and all.
constexpr int bytesOf(const FormatInfo& info) {
  const int quants = info.group * kPanel / (isPacked(info.quants) ? 2 : 1);
  const int shared = 2 * kPanel * info.group / info.shared();
  const int own = info.scales == Scales::kSuper ? kPanel : 0;
  return quants + (shared + own) * (info.minimum ? 2 : 1);
}

// Calls f.template operator()<F>() for a format F of quants.
template <typename Function>
void withQuants(Format format, const Function& f) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    const auto ifThis = [&]<Format F>() {
      if constexpr (infoOf(F).quants != Quants::kNone && packedAs(F) == F) {
        if (packedAs(format) == F) f.template operator()<F>();
      }
    };
    (ifThis.template operator()<static_cast<Format>(I)>(), ...);
  }
  (std::make_index_sequence<kFormats.size()>());
}

// Kernels::attend in plain C++.
void attendGeneric(const Queries& queries, const KvChunk& chunk, const ChunkRange* ranges,
                   const Attended& to);

const Kernels& genericKernels();
// These exist in x86-64 builds only, and may be called only if the CPU has what dispatch.cpp asks
// for.
const Kernels& avx2Kernels();
const Kernels& avx512Kernels();
const Kernels& amxKernels();       // by tiles wherever they can be used
const Kernels& quickestKernels();  // "avx512+amx": either of the two, as tile_choice.h says
// These exist in 64-bit Arm builds only; the second may be called only if the CPU has the dot
// product extension.
const Kernels& neonKernels();
const Kernels& neonDotKernels();

}  // namespace waferpair::tensor
