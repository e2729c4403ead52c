// SPDX-License-Identifier: GPL-3.0-or-later
// How weights are stored: F32, F16, and Q8_0 (blocks of 32 values with one scale).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace waferpair::tensor {

enum class Format { kF32, kF16, kQ8_0 };
const char* formatName(Format format);

// IEEE 754 binary16 as its bits. Rounds to nearest even; overflow gives infinity, NaN stays NaN.
using Half = std::uint16_t;
float toFloat(Half half);
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

}  // namespace waferpair::tensor
