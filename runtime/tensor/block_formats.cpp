// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/tensor/block_formats.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace waferpair::tensor {
namespace {

constexpr float kMostQuant = 127;

template <typename T>
T load(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof(T));
  return value;
}

}  // namespace

const char* formatName(Format format) {
  switch (format) {
    case Format::kF32:
      return "F32";
    case Format::kF16:
      return "F16";
    case Format::kQ8_0:
      return "Q8_0";
  }
  return "?";
}

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

std::size_t rowBytes(Format format, std::int64_t cols) {
  if (cols <= 0) return 0;
  const auto n = static_cast<std::size_t>(cols);
  switch (format) {
    case Format::kF32:
      return n * sizeof(float);
    case Format::kF16:
      return n * sizeof(Half);
    case Format::kQ8_0:
      return n % kBlock == 0 ? n / kBlock * sizeof(BlockQ8) : 0;
  }
  return 0;
}

void dequantizeRow(Format format, const std::byte* row, std::span<float> out) {
  switch (format) {
    case Format::kF32:
      std::memcpy(out.data(), row, out.size_bytes());
      return;
    case Format::kF16:
      for (std::size_t i = 0; i < out.size(); ++i) out[i] = toFloat(load<Half>(row + 2 * i));
      return;
    case Format::kQ8_0:
      for (std::size_t i = 0; i < out.size(); i += kBlock) {
        const auto block = load<BlockQ8>(row + i / kBlock * sizeof(BlockQ8));
        const float scale = toFloat(block.scale);
        for (std::size_t j = 0; j < kBlock; ++j) {
          out[i + j] = scale * static_cast<float>(block.quants[j]);
        }
      }
      return;
  }
}

std::vector<std::byte> quantizeRow(Format format, std::span<const float> row) {
  std::vector<std::byte> out(rowBytes(format, static_cast<std::int64_t>(row.size())));
  if (out.empty()) return out;
  switch (format) {
    case Format::kF32:
      std::memcpy(out.data(), row.data(), out.size());
      break;
    case Format::kF16:
      for (std::size_t i = 0; i < row.size(); ++i) {
        const Half half = toHalf(row[i]);
        std::memcpy(out.data() + 2 * i, &half, sizeof(half));
      }
      break;
    case Format::kQ8_0:
      for (std::size_t i = 0; i < row.size(); i += kBlock) {
        const std::span<const float> values = row.subspan(i, kBlock);
        float largest = 0;
        for (const float v : values) largest = std::max(largest, std::abs(v));
        BlockQ8 block = {};
        block.scale = toHalf(largest / kMostQuant);
        const float inverse = largest > 0 ? kMostQuant / largest : 0;
        for (std::size_t j = 0; j < kBlock; ++j) {
          block.quants[j] = static_cast<std::int8_t>(std::round(values[j] * inverse));
        }
        std::memcpy(out.data() + i / kBlock * sizeof(BlockQ8), &block, sizeof(block));
      }
      break;
  }
  return out;
}

}  // namespace waferpair::tensor
