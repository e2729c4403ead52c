// SPDX-License-Identifier: GPL-3.0-or-later
// Blocks of 32 values with a scale of their own: Q4_0, Q4_1, Q5_0, Q5_1, Q8_0, IQ4_NL, MXFP4; and
// of 64 with four: NVFP4.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "runtime/tensor/blocks.h"
#include "runtime/tensor/fit.h"
#include "runtime/tensor/rounding.h"

namespace waferpair::tensor {

static_assert(sizeof(BlockQ4_0) == 18 && sizeof(BlockQ4_1) == 20 && sizeof(BlockQ5_0) == 22);
static_assert(sizeof(BlockQ5_1) == 24 && sizeof(BlockQ8_0) == 34);
static_assert(sizeof(BlockIQ4_NL) == 18 && sizeof(BlockMXFP4) == 17 && sizeof(BlockNVFP4) == 36);

namespace {

constexpr int kHalfBlock = kBlock / 2;

// Each byte has an element of the first half and one of the second.
void readNibbles(const std::uint8_t* from, std::int8_t* out, int half = kHalfBlock) {
  for (int j = 0; j < half; ++j) {
    out[j] = static_cast<std::int8_t>(from[j] & 15);
    out[j + half] = static_cast<std::int8_t>(from[j] >> 4);
  }
}

void readFifthBits(const std::uint8_t* from, std::int8_t* out) {
  for (int j = 0; j < kBlock; ++j) {
    const int bit = (from[j / 8] >> (j % 8)) & 1;
    out[j] = static_cast<std::int8_t>(out[j] | (bit << 4));
  }
}

// quants of 0..31; the fifth bits go nowhere where there is no `high`.
void write(const int (&quants)[kBlock], std::uint8_t* nibbles, std::uint8_t* high) {
  for (int j = 0; j < kHalfBlock; ++j) {
    nibbles[j] = static_cast<std::uint8_t>((quants[j] & 15) | ((quants[j + kHalfBlock] & 15) << 4));
  }
  for (int j = 0; high != nullptr && j < kBlock; ++j) {
    high[j / 8] = static_cast<std::uint8_t>(high[j / 8] | ((quants[j] >> 4) << (j % 8)));
  }
}

Half encodeAround(const float* values, int offset, int (&quants)[kBlock]) {
  const Half scale = toHalf(fitScale(values, kBlock, -offset, offset - 1));
  for (int j = 0; j < kBlock; ++j) {
    quants[j] = steps(values[j], toFloat(scale), -offset, offset - 1) + offset;
  }
  return scale;
}

struct ScaleAndMinimum {
  Half scale, minimum;
};
ScaleAndMinimum encodeRange(const float* values, int most, int (&quants)[kBlock]) {
  const Range range = fitRange(values, kBlock, most, false);
  const Half minimum = toHalf(range.minimum), scale = toHalf(range.scale);
  for (int j = 0; j < kBlock; ++j) {
    quants[j] = steps(values[j] - toFloat(minimum), toFloat(scale), 0, most);
  }
  return {scale, minimum};
}

}  // namespace

void decode(const BlockQ4_0& block, BlockCodes& out) {
  readNibbles(block.quants, out.quants);
  out.scale[0] = block.scale;
}

void decode(const BlockQ4_1& block, BlockCodes& out) {
  readNibbles(block.quants, out.quants);
  out.scale[0] = block.scale;
  out.minimum = block.minimum;
}

void decode(const BlockQ5_0& block, BlockCodes& out) {
  readNibbles(block.quants, out.quants);
  readFifthBits(block.high, out.quants);
  out.scale[0] = block.scale;
}

void decode(const BlockQ5_1& block, BlockCodes& out) {
  readNibbles(block.quants, out.quants);
  readFifthBits(block.high, out.quants);
  out.scale[0] = block.scale;
  out.minimum = block.minimum;
}

void decode(const BlockQ8_0& block, BlockCodes& out) {
  std::copy_n(block.quants, kBlock, out.quants);
  out.scale[0] = block.scale;
}

void decode(const BlockIQ4_NL& block, BlockCodes& out) {
  readNibbles(block.quants, out.quants);
  out.scale[0] = block.scale;
}

void decode(const BlockMXFP4& block, BlockCodes& out) {
  readNibbles(block.quants, out.quants);
  // 2^(exponent - 128) as BF16; the first two exponents are below the least normal one.
  const int e = block.exponent;
  out.scale[0] = static_cast<std::uint16_t>(e < 2 ? 0x20 << e : (e - 1) << 7);
}

void decode(const BlockNVFP4& block, BlockCodes& out) {
  constexpr int kGroup = 16, kNoNumber = 0x7f;
  // Shifted to the fields of F16, a scale is 2^8 times too small, as the biases of their exponents
  // are 7 and 15; and half of it is meant, as the table has the values doubled.
  const auto half = [](int bits) {
    return bits == kNoNumber ? Half{} : toHalf(toFloat(static_cast<Half>(bits << 7)) * 0x1p7f);
  };
  for (int g = 0; g < kNvBlock / kGroup; ++g) {
    out.scale[g] = half(block.scales[g] & 0x7f);
    readNibbles(block.quants + g * (kGroup / 2), out.quants + g * kGroup, kGroup / 2);
  }
}

void encode(const float* values, BlockQ4_0& out) {
  int quants[kBlock];
  out.scale = encodeAround(values, 8, quants);
  write(quants, out.quants, nullptr);
}

void encode(const float* values, BlockQ4_1& out) {
  int quants[kBlock];
  const auto [scale, minimum] = encodeRange(values, 15, quants);
  out.scale = scale;
  out.minimum = minimum;
  write(quants, out.quants, nullptr);
}

void encode(const float* values, BlockQ5_0& out) {
  int quants[kBlock];
  out.scale = encodeAround(values, 16, quants);
  write(quants, out.quants, out.high);
}

void encode(const float* values, BlockQ5_1& out) {
  int quants[kBlock];
  const auto [scale, minimum] = encodeRange(values, 31, quants);
  out.scale = scale;
  out.minimum = minimum;
  write(quants, out.quants, out.high);
}

// Rounds as common converters do: by the scale before it is rounded to F16. Adapters make these
// blocks while a model is loaded, so all of it is a loop without branches.
void encode(const float* values, BlockQ8_0& out) {
  constexpr float kMost = 127;
  // Magnitudes are in the order of their bits; NaN, which is above infinity, has none.
  std::uint32_t most = 0;
  for (int j = 0; j < kBlock; ++j) {
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(values[j]) & 0x7fffffff;
    most = std::max(most, bits <= 0x7f800000 ? bits : 0);
  }
  const float largest = std::bit_cast<float>(most);
  out.scale = toHalf(largest / kMost);
  const float inverse = largest > 0 ? kMost / largest : 0;
  for (int j = 0; j < kBlock; ++j) {
    float step = values[j] * inverse;
    step = step < -kMost ? -kMost : step;
    step = step > kMost ? kMost : step;
    // As std::round(): the largest float below a half carries what is at least a half, and no more.
    const float carried = step + std::copysign(0x1.fffffep-2f, step);
    out.quants[j] = static_cast<std::int8_t>(step == step ? static_cast<int>(carried) : 0);
  }
}

void encode(const float* values, BlockIQ4_NL& out) {
  int quants[kBlock];
  out.scale = toHalf(fitScale(values, kBlock, kIq4Values));
  encodeByTable(values, toFloat(out.scale), kIq4Values, quants);
  write(quants, out.quants, nullptr);
}

// The exponent of the largest value less the 2 of the format's own largest, 6 = 1.5 * 2^2, lets it
// lie in 4..8, of which what is above 6 is cut; its neighbors may err less.
void encode(const float* values, BlockMXFP4& out) {
  const float largest = std::abs(extreme(values, kBlock));
  const int exponent = largest > 0 ? std::clamp(std::ilogb(largest), -127, 127) : -127;
  int quants[kBlock];
  double least = std::numeric_limits<double>::infinity();
  for (const int tried : {exponent - 2, exponent - 1, exponent - 3}) {
    int candidate[kBlock];
    const int stored = std::clamp(tried + 127, 0, 254);
    const double error =
        encodeByTable(values, std::ldexp(1.0f, stored - 128), kFp4Values, candidate);
    if (tried != exponent - 2 && !(error < least)) continue;
    least = error;
    out.exponent = static_cast<std::uint8_t>(stored);
    std::copy_n(candidate, kBlock, quants);
  }
  write(quants, out.quants, nullptr);
}

}  // namespace waferpair::tensor
