// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/tensor/half.h"

namespace waferpair::tensor {

Half toHalf(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const auto sign = static_cast<std::uint32_t>((bits >> 16) & 0x8000u);
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return static_cast<Half>(sign | 0x7e00u);   // NaN
  if (magnitude >= 0x47800000u) return static_cast<Half>(sign | 0x7c00u);  // 65536 and more
  if (magnitude < 0x38800000u) {
    // Below 2^-14, the least normal half: adding 0.5 leaves units of 2^-24 in the low mantissa
    // bits, rounded to nearest even by the addition itself.
    const float shifted = std::bit_cast<float>(magnitude) + 0.5f;
    return static_cast<Half>(sign | (std::bit_cast<std::uint32_t>(shifted) - 0x3f000000u));
  }
  // Drop 13 mantissa bits, to nearest even; a carry runs into the exponent, and 65520 to infinity.
  const std::uint32_t odd = (magnitude >> 13) & 1;
  const std::uint32_t rounded = magnitude + 0xfffu + odd - (std::uint32_t{127 - 15} << 23);
  return static_cast<Half>(sign | (rounded >> 13));
}

BFloat toBFloat(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u) {  // NaN: its upper half alone could read as infinity
    return {static_cast<std::uint16_t>((bits >> 16) | 0x40u)};
  }
  const std::uint32_t odd = (bits >> 16) & 1;
  return {static_cast<std::uint16_t>((bits + 0x7fffu + odd) >> 16)};
}

}  // namespace waferpair::tensor
