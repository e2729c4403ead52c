// SPDX-License-Identifier: GPL-3.0-or-later
// The formats in which a GGUF file stores weights: the floats, and the block formats of ggml that
// are computed with.
//
// A block format stores small integers ("quants") and what they are to be multiplied by:
//   value = scale * (quant - offset) + minimum
// with one scale (and minimum) for each group of 16 or 32 values. K-formats give the group a small
// integer of its own, times a float shared by 256 values. Every value of every format is that
// formula rounded to float once at most: products of such a scale and a quant fit 24 bits.
//
// The formats of 2 and 3 bits of the IQ kind store four or eight magnitudes at once, as the number
// of a point in a grid (grids.h), and signs. Here each value is the number of one of 16 in a table.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/tensor/half.h"

namespace waferpair::tensor {

enum class Format : std::uint8_t {
  kF32,
  kF16,
  kBF16,
  kQ4_0,
  kQ4_1,
  kQ5_0,
  kQ5_1,
  kQ8_0,
  kQ2_K,
  kQ3_K,
  kQ4_K,
  kQ5_K,
  kQ6_K,
  kIQ4_NL,
  kIQ4_XS,
  kMXFP4,
  kNVFP4,
  kIQ2_XXS,
  kIQ2_XS,
  kIQ2_S,
  kIQ3_XXS,
  kIQ3_S,
};

inline constexpr int kBlock = 32;        // values of the short block formats
inline constexpr int kSuperBlock = 256;  // of the K-formats
inline constexpr int kNvBlock = 64;      // of NVFP4

// The ways a quant is stored.
enum class Quants : std::uint8_t {
  kNone,      // plain floats
  kSigned,    // int8
  kUnsigned,  // 0..most, at most 63
  kNibbles,   // 0..15
  kLookup,    // 0..15, the number of an int8 in a table
};

// The ways the scale of a group is stored, and likewise its minimum if there is one.
enum class Scales : std::uint8_t {
  kNone,
  kHalf,    // F16, one a group
  kBFloat,  // BF16, one a group: holds the powers of two of MXFP4
  kSuper,   // int8, one a group, times F16, one for 256 values
};

struct FormatInfo {
  const char* name;        // as ggml writes it
  std::uint32_t ggmlType;  // the number a GGUF file gives it
  int block;               // values
  int bytes;               // of a block
  Quants quants = Quants::kNone;
  Scales scales = Scales::kNone;
  int group = 0;   // values that share a scale
  int most = 0;    // the largest magnitude of a quant, looked up where there is a table
  int offset = 0;  // taken from every quant
  bool minimum = false;
  float unit = 1;       // a power of two, by which scales are multiplied
  bool grid = false;    // quants are points of a grid (grids.h)
  bool factor = false;  // meant with one for each matrix, which a row has no place for

  // Others are read only.
  constexpr bool written() const { return !grid && !factor; }
  // Values that share a scale of 16 bits.
  constexpr int shared() const { return scales == Scales::kSuper ? block : group; }
};

inline constexpr std::array<FormatInfo, 22> kFormats{{
    {"F32", 0, 1, 4},
    {"F16", 1, 1, 2},
    {"BF16", 30, 1, 2},
    {"Q4_0", 2, 32, 18, Quants::kNibbles, Scales::kHalf, 32, 15, 8},
    {"Q4_1", 3, 32, 20, Quants::kNibbles, Scales::kHalf, 32, 15, 0, true},
    {"Q5_0", 6, 32, 22, Quants::kUnsigned, Scales::kHalf, 32, 31, 16},
    {"Q5_1", 7, 32, 24, Quants::kUnsigned, Scales::kHalf, 32, 31, 0, true},
    {"Q8_0", 8, 32, 34, Quants::kSigned, Scales::kHalf, 32, 127},
    {"Q2_K", 10, 256, 84, Quants::kUnsigned, Scales::kSuper, 16, 3, 0, true},
    {"Q3_K", 11, 256, 110, Quants::kUnsigned, Scales::kSuper, 16, 7, 4},
    {"Q4_K", 12, 256, 144, Quants::kNibbles, Scales::kSuper, 32, 15, 0, true},
    {"Q5_K", 13, 256, 176, Quants::kUnsigned, Scales::kSuper, 32, 31, 0, true},
    {"Q6_K", 14, 256, 210, Quants::kUnsigned, Scales::kSuper, 16, 63, 32},
    {"IQ4_NL", 20, 32, 18, Quants::kLookup, Scales::kHalf, 32, 127},
    {"IQ4_XS", 23, 256, 136, Quants::kLookup, Scales::kSuper, 32, 127},
    {"MXFP4", 39, 32, 17, Quants::kLookup, Scales::kBFloat, 32, 12},
    {"NVFP4", 40, 64, 36, Quants::kLookup, Scales::kHalf, 16, 12, 0, false, 1, false, true},
    {"IQ2_XXS", 16, 256, 66, Quants::kLookup, Scales::kSuper, 32, 43, 0, false, 0.125f, true},
    {"IQ2_XS", 17, 256, 74, Quants::kLookup, Scales::kSuper, 16, 43, 0, false, 0.125f, true},
    {"IQ2_S", 22, 256, 82, Quants::kLookup, Scales::kSuper, 16, 43, 0, false, 0.125f, true},
    {"IQ3_XXS", 18, 256, 98, Quants::kLookup, Scales::kSuper, 32, 31, 0, false, 0.5f, true},
    {"IQ3_S", 21, 256, 110, Quants::kLookup, Scales::kSuper, 32, 15, 0, false, 1, true},
}};

constexpr const FormatInfo& infoOf(Format format) {
  return kFormats[static_cast<std::size_t>(format)];
}
inline const char* formatName(Format format) { return infoOf(format).name; }
// Every format, in the order of the table.
std::span<const Format> allFormats();
std::string formatNames();         // "F32, F16, ... or IQ3_S", for messages
std::string writtenFormatNames();  // those that quantizeRow() writes
// Returns the format of this name, in any case; the error lists the names.
base::Result<Format> parseFormat(std::string_view name);
// Returns the format of this number in a GGUF file; none if it is not computed with here.
std::optional<Format> findFormat(std::uint32_t ggmlType);

// The tables of the lookup formats; MXFP4 and NVFP4 in halves: their scales are half of what the
// file says.
inline constexpr std::array<std::int8_t, 16> kIq4Values{-127, -104, -83, -65, -49, -35, -22, -10,
                                                        1,    13,   25,  38,  53,  69,  89,  113};
inline constexpr std::array<std::int8_t, 16> kFp4Values{0, 1,  2,  3,  4,  6,  8,  12,
                                                        0, -1, -2, -3, -4, -6, -8, -12};
// Of a grid's levels, and the same with a minus; IQ3_XXS in halves, as one of its levels is.
inline constexpr std::array<std::int8_t, 16> kIq2Values{8,  25,  43,  0, 0, 0, 0, 0,
                                                        -8, -25, -43, 0, 0, 0, 0, 0};
inline constexpr std::array<std::int8_t, 16> kIq3XxsValues{2,  6,  10,  14,  18,  22,  26,  31,
                                                           -2, -6, -10, -14, -18, -22, -26, -31};
inline constexpr std::array<std::int8_t, 16> kIq3SValues{1,  3,  5,  7,  9,  11,  13,  15,
                                                         -1, -3, -5, -7, -9, -11, -13, -15};
constexpr const std::array<std::int8_t, 16>& lookupOf(Format format) {
  switch (format) {
    case Format::kMXFP4:
    case Format::kNVFP4:
      return kFp4Values;
    case Format::kIQ2_XXS:
    case Format::kIQ2_XS:
    case Format::kIQ2_S:
      return kIq2Values;
    case Format::kIQ3_XXS:
      return kIq3XxsValues;
    case Format::kIQ3_S:
      return kIq3SValues;
    default:
      return kIq4Values;
  }
}
// Kernels do not tell formats apart that are packed alike.
constexpr Format packedAs(Format format) {
  return format == Format::kIQ2_XS ? Format::kIQ2_S : format;
}

// Bytes of a row of `cols` values; 0 if the format cannot store such a row, which must be whole
// blocks.
std::size_t rowBytes(Format format, std::int64_t cols);

// `row` holds rowBytes(format, out.size()) bytes, with any alignment. The reference for everything
// else that is done with weights.
void dequantizeRow(Format format, const std::byte* row, std::span<float> out);
// The inverse: the blocks with the least squared error that a short search finds (fit.h); Q8_0,
// whose steps are fine enough, by plain rounding. What dequantizeRow() gave comes back. Empty where
// the format is only read.
std::vector<std::byte> quantizeRow(Format format, std::span<const float> row);

}  // namespace waferpair::tensor
