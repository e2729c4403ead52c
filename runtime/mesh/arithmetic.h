// SPDX-License-Identifier: GPL-3.0-or-later
// The vector unit's arithmetic: operands widened exactly, one rounding to the destination's type.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "runtime/mesh/program.h"

namespace waferpair::mesh {

inline constexpr int kMaxLanes = 16;

// The product of two FP16 values is exact in FP32. The sum is rounded to odd, which keeps enough of
// what is lost for the second rounding, to FP16, to be the right one.
inline float fmacOdd(float a, float b, float c) {
  const float product = a * b;
  const float sum = product + c;
  const float part = sum - product;
  const float lost = (product - (sum - part)) + (c - part);
  auto bits = std::bit_cast<std::uint32_t>(sum);
  // Infinity and NaN have lost nothing that is a number; `lost` is then NaN.
  if ((lost > 0 || lost < 0) && (bits & 1) == 0) bits += (lost > 0) == (sum > 0) ? 1 : -1;
  return std::bit_cast<float>(bits);
}

// to[i] = a[i] op b[i] for n elements; Fmac adds to to[i]. The results are such that rounding them
// to `type`, the destination's, gives the exact result rounded once. For an FP16 destination the
// operands of fmac are FP16 values. Inline, as `op` often is a constant.
inline void compute(Op op, Type type, float* to, const float* a, const float* b, int n) {
  switch (op) {
    case Op::Mov:
      for (int i = 0; i < n; ++i) to[i] = a[i];
      return;
    case Op::Add:
      for (int i = 0; i < n; ++i) to[i] = a[i] + b[i];
      return;
    case Op::Sub:
      for (int i = 0; i < n; ++i) to[i] = a[i] - b[i];
      return;
    case Op::Mul:
      for (int i = 0; i < n; ++i) to[i] = a[i] * b[i];
      return;
    case Op::Max:
      for (int i = 0; i < n; ++i) to[i] = std::max(a[i], b[i]);
      return;
    case Op::Fmac:
      if (type == Type::F16) {
        for (int i = 0; i < n; ++i) to[i] = fmacOdd(a[i], b[i], to[i]);
      } else {
        for (int i = 0; i < n; ++i) to[i] = std::fma(a[i], b[i], to[i]);
      }
      return;
    case Op::Exp:
      for (int i = 0; i < n; ++i) to[i] = std::exp(a[i]);
      return;
    case Op::Reciprocal:
      for (int i = 0; i < n; ++i) to[i] = 1 / a[i];
      return;
    case Op::Rsqrt:
      for (int i = 0; i < n; ++i) to[i] = 1 / std::sqrt(a[i]);
      return;
  }
}

}  // namespace waferpair::mesh
