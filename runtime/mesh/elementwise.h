// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels that every PE runs on its own: residual and bias, SiLU, rotary positions. ^16 and ^32
// are the roundings to FP16 and FP32.
#pragma once

#include "runtime/mesh/builder.h"

namespace waferpair::mesh {

// to = to + of, rounded to the type of `to`.
base::Result<void> add(Builder& builder, const Span& to, const Span& of);

// gate = silu(gate) up.
//
// Arithmetic: r = (1 / (1 + (exp(-gate))^32)^32)^32, with std::exp of a float;
// gate = ((gate r)^32 up)^16, by way of FP32.
struct SiluMul {
  int length = 0;
  std::uint32_t gate = 0, up = 0;  // FP16 [length]
  std::uint32_t work = 0;          // FP32 [length]
};
base::Result<void> siluMul(Builder& builder, const SiluMul& op);

// Turns the pairs (0, 1), (2, 3), ... of each vector by the angles of the token's position, whose
// cosines and sines the host has written. Pairs that don't turn have 1 and 0.
//
// Arithmetic: a = ((a cos)^32 - (b sin)^32)^16 and b = ((a sin)^32 + (b cos)^32)^16, by way of
// FP32. The products are exact.
struct Rope {
  int vectors = 1;                       // one after another
  int pairs = 0;                         // of each
  std::uint32_t at = 0;                  // FP16 [vectors][2 pairs]
  std::uint32_t cosines = 0, sines = 0;  // FP16 [pairs], of all vectors
  std::uint32_t work = 0;                // FP32 [3][vectors][pairs]
};
base::Result<void> rope(Builder& builder, const Rope& op);

}  // namespace waferpair::mesh
