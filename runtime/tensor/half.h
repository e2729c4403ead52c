// SPDX-License-Identifier: GPL-3.0-or-later
// The two 16-bit floats that weights and caches are stored in.
#pragma once

#include <bit>
#include <cstdint>

namespace waferpair::tensor {

// IEEE 754 binary16 as its bits. Rounds to nearest even; overflow gives infinity, NaN stays NaN.
using Half = std::uint16_t;
inline float toFloat(Half half);  // below
Half toHalf(float value);

// bfloat16: the upper half of a float. A type of its own, as Half is a plain integer.
struct BFloat {
  std::uint16_t bits = 0;
};
inline float toFloat(BFloat value) { return std::bit_cast<float>(std::uint32_t{value.bits} << 16); }
BFloat toBFloat(float value);  // as toHalf

// Converts without branches, so that loops over it can be vectorized.
inline float toFloat(Half half) {
  // Exponent and mantissa at their places in a float, then the difference of the biases, 127 - 15,
  // as a factor: exact, also for subnormals. Infinity and NaN come out at 65536 and more, where no
  // finite half is, and get the exponent of all ones back.
  const std::uint32_t magnitude = std::uint32_t{half & 0x7fffu} << 13;
  const float scaled = std::bit_cast<float>(magnitude) * 0x1p112f;
  const std::uint32_t special = scaled >= 65536.0f ? 0x7f800000u : 0u;
  const std::uint32_t sign = std::uint32_t{half & 0x8000u} << 16;
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(scaled) | special | sign);
}

}  // namespace waferpair::tensor
