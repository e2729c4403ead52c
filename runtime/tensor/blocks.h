// SPDX-License-Identifier: GPL-3.0-or-later
// The blocks of the formats as they lie in a file, and their contents as plain integers. Private to
// this room and its tests.
//
// Facts from ggml's public sources (ggml-common.h, gguf-py's quants.py). Fields are in file order,
// without padding. "elements j and j + 16 in byte j" means the lower and the upper four bits.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/tensor/block_formats.h"

namespace waferpair::tensor {

struct BlockQ4_0 {
  Half scale;
  std::uint8_t quants[16];  // elements j and j + 16 in byte j
};
struct BlockQ4_1 {
  Half scale, minimum;
  std::uint8_t quants[16];
};
struct BlockQ5_0 {
  Half scale;
  std::uint8_t high[4];     // fifth bits: bit j of the little-endian number is element j's
  std::uint8_t quants[16];  // the lower four, as in Q4_0
};
struct BlockQ5_1 {
  Half scale, minimum;
  std::uint8_t high[4];
  std::uint8_t quants[16];
};
struct BlockQ8_0 {
  Half scale;
  std::int8_t quants[32];
};

// Byte g of the 16 scales holds the scale (below) and the minimum (above) of group g, 16 elements.
// Elements 128 n + 32 j + l are bits 2 j of byte 32 n + l.
struct BlockQ2_K {
  std::uint8_t scales[16];
  std::uint8_t quants[64];
  Half scale, minimum;  // the minimum is subtracted
};
// Lower two bits as in Q2_K; the third, bit i / 32 of byte i % 32, is set where nothing is taken
// off. Scales have six bits, less 32: four in the nibbles of bytes 0..7, two in bytes 8..11.
struct BlockQ3_K {
  std::uint8_t high[32];
  std::uint8_t quants[64];
  std::uint8_t scales[12];
  Half scale;
};
// Eight groups of 32 with scales and minimums of six bits. Elements 64 j + l and 64 j + 32 + l in
// byte 32 j + l.
struct BlockQ4_K {
  Half scale, minimum;  // the minimum is subtracted
  std::uint8_t scales[12];
  std::uint8_t quants[128];
};
struct BlockQ5_K {
  Half scale, minimum;
  std::uint8_t scales[12];
  std::uint8_t high[32];  // fifth bits: bit i / 32 of byte i % 32 is element i's
  std::uint8_t quants[128];
};
// Lower four bits: elements 128 n + l and 128 n + 64 + l in byte 64 n + l, l < 64. Upper two:
// element 128 n + 32 j + l has bits 2 j of byte 32 n + l. Less 32.
struct BlockQ6_K {
  std::uint8_t quants[128];
  std::uint8_t high[64];
  std::int8_t scales[16];
  Half scale;
};

struct BlockIQ4_NL {
  Half scale;
  std::uint8_t quants[16];  // elements j and j + 16 in byte j; numbers in kIq4Values
};
// Eight groups of 32, each as in IQ4_NL. Scales have six bits, less 32: four in the nibbles of
// scalesLow, group 2 n below group 2 n + 1, and two from bit 2 g of scalesHigh on.
struct BlockIQ4_XS {
  Half scale;
  std::uint16_t scalesHigh;
  std::uint8_t scalesLow[4];
  std::uint8_t quants[128];
};
struct BlockMXFP4 {
  std::uint8_t exponent;    // value = 2^(exponent - 128) * kFp4Values[..]
  std::uint8_t quants[16];  // as IQ4_NL
};

// Four groups of 16, each with a scale of its own: UE4M3, four bits of exponent above three of
// mantissa, without a sign (OCP 8-bit floats, E4M3), of which the number that is no number stands
// for 0. A factor for the whole matrix is a tensor of its own.
struct BlockNVFP4 {
  std::uint8_t scales[4];
  std::uint8_t quants[32];  // of group g elements j and j + 8 in byte 8 g + j; as MXFP4's
};

// Blocks of a grid's points: of eight values in IQ2, of four in IQ3. Where a point has seven signs,
// the eighth makes the number of minuses even. A group's scale has four bits; value = scale
// (2 s + 1) unit level.
struct BlockIQ2_XXS {
  Half scale;
  // Of each 32 values: the numbers of four points, then, as one little-endian number, seven signs
  // for each point and the group's scale.
  std::uint8_t groups[8][8];
};
struct BlockIQ2_XS {
  Half scale;
  std::uint16_t points[32];  // numbers of nine bits, and seven signs above them
  std::uint8_t scales[8];    // of groups of 16, two in a byte
};
struct BlockIQ2_S {
  Half scale;
  std::uint8_t points[32];  // the lower eight of ten bits
  std::uint8_t signs[32];   // bit i: of value i of the point
  std::uint8_t high[8];     // the upper two bits: of point 4 n + i in byte n, from bit 2 i on
  std::uint8_t scales[8];   // as IQ2_XS
};
struct BlockIQ3_XXS {
  Half scale;
  std::uint8_t points[64];
  std::uint8_t groups[8][4];  // of each 32 values seven signs for each eight, and the scale
};
struct BlockIQ3_S {
  Half scale;
  std::uint8_t points[64];  // the lower eight of nine bits
  std::uint8_t high[8];     // the ninth: of point 8 n + i in bit i of byte n
  std::uint8_t signs[32];   // bit i: of value i of two points
  std::uint8_t scales[4];   // of groups of 32, two in a byte
};

// A block as integers: of `block` values, in order. Scales and minimums of the groups are those of
// the K-formats. minimum is added: that of a K-format has its sign turned.
struct BlockCodes {
  std::int8_t quants[kSuperBlock] = {};
  std::int8_t scales[kSuperBlock / 16] = {}, minimums[kSuperBlock / 16] = {};
  // F16; of MXFP4, BF16. One for each FormatInfo::shared() values.
  std::uint16_t scale[kNvBlock / 16] = {};
  std::uint16_t minimum = 0;
};

void decode(const BlockQ4_0& block, BlockCodes& out);
void decode(const BlockQ4_1& block, BlockCodes& out);
void decode(const BlockQ5_0& block, BlockCodes& out);
void decode(const BlockQ5_1& block, BlockCodes& out);
void decode(const BlockQ8_0& block, BlockCodes& out);
void decode(const BlockQ2_K& block, BlockCodes& out);
void decode(const BlockQ3_K& block, BlockCodes& out);
void decode(const BlockQ4_K& block, BlockCodes& out);
void decode(const BlockQ5_K& block, BlockCodes& out);
void decode(const BlockQ6_K& block, BlockCodes& out);
void decode(const BlockIQ4_NL& block, BlockCodes& out);
void decode(const BlockIQ4_XS& block, BlockCodes& out);
void decode(const BlockMXFP4& block, BlockCodes& out);
void decode(const BlockNVFP4& block, BlockCodes& out);
void decode(const BlockIQ2_XXS& block, BlockCodes& out);
void decode(const BlockIQ2_XS& block, BlockCodes& out);
void decode(const BlockIQ2_S& block, BlockCodes& out);
void decode(const BlockIQ3_XXS& block, BlockCodes& out);
void decode(const BlockIQ3_S& block, BlockCodes& out);

// The block nearest to `values`, as many as it holds. There is none for formats that are read only.
void encode(const float* values, BlockQ4_0& out);
void encode(const float* values, BlockQ4_1& out);
void encode(const float* values, BlockQ5_0& out);
void encode(const float* values, BlockQ5_1& out);
void encode(const float* values, BlockQ8_0& out);
void encode(const float* values, BlockQ2_K& out);
void encode(const float* values, BlockQ3_K& out);
void encode(const float* values, BlockQ4_K& out);
void encode(const float* values, BlockQ5_K& out);
void encode(const float* values, BlockQ6_K& out);
void encode(const float* values, BlockIQ4_NL& out);
void encode(const float* values, BlockIQ4_XS& out);
void encode(const float* values, BlockMXFP4& out);

// decode() of the block of a format other than the plain floats at `at`, with any alignment.
void decodeBlock(Format format, const std::byte* at, BlockCodes& out);

// Calls f with a value of the type of the format's blocks; not for the plain floats.
template <typename F>
void withBlockType(Format format, F&& f) {
  switch (format) {
    case Format::kQ4_0:
      return f(BlockQ4_0{});
    case Format::kQ4_1:
      return f(BlockQ4_1{});
    case Format::kQ5_0:
      return f(BlockQ5_0{});
    case Format::kQ5_1:
      return f(BlockQ5_1{});
    case Format::kQ8_0:
      return f(BlockQ8_0{});
    case Format::kQ2_K:
      return f(BlockQ2_K{});
    case Format::kQ3_K:
      return f(BlockQ3_K{});
    case Format::kQ4_K:
      return f(BlockQ4_K{});
    case Format::kQ5_K:
      return f(BlockQ5_K{});
    case Format::kQ6_K:
      return f(BlockQ6_K{});
    case Format::kIQ4_NL:
      return f(BlockIQ4_NL{});
    case Format::kIQ4_XS:
      return f(BlockIQ4_XS{});
    case Format::kMXFP4:
      return f(BlockMXFP4{});
    case Format::kNVFP4:
      return f(BlockNVFP4{});
    case Format::kIQ2_XXS:
      return f(BlockIQ2_XXS{});
    case Format::kIQ2_XS:
      return f(BlockIQ2_XS{});
    case Format::kIQ2_S:
      return f(BlockIQ2_S{});
    case Format::kIQ3_XXS:
      return f(BlockIQ3_XXS{});
    case Format::kIQ3_S:
      return f(BlockIQ3_S{});
    case Format::kF32:
    case Format::kF16:
    case Format::kBF16:
      return;
  }
}

}  // namespace waferpair::tensor
