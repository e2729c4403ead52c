// SPDX-License-Identifier: GPL-3.0-or-later
// How weights are stored: F32, F16, and Q8_0 (blocks of 32 values with one scale).
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace waferpair::tensor {

enum class Format { kF32, kF16, kQ8_0 };
const char* formatName(Format format);

// IEEE 754 binary16 as its bits. Rounds to nearest even; overflow gives infinity, NaN stays NaN.
using Half = std::uint16_t;
inline float toFloat(Half half);  // below
Half toHalf(float value);

inline constexpr int kBlock = 32;  // values in a Q8_0 block

// value[i] = scale * quants[i]. As in the file: 34 bytes with no padding.
struct BlockQ8 {
  Half scale;
  std::int8_t quants[kBlock];
};
static_assert(sizeof(BlockQ8) == 34);

// Bytes of a row of `cols` values; 0 if the format cannot store such a row (Q8_0 needs whole
// blocks).
std::size_t rowBytes(Format format, std::int64_t cols);

// `row` holds rowBytes(format, out.size()) bytes, with any alignment.
void dequantizeRow(Format format, const std::byte* row, std::span<float> out);
// The inverse, as common converters round: for tests and exporters.
std::vector<std::byte> quantizeRow(Format format, std::span<const float> row);

// Without branches, so that loops over it can be vectorized.
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
