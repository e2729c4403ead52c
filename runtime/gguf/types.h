// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers that the GGUF format gives to value and tensor types.
#pragma once

#include <cstddef>
#include <cstdint>

namespace waferpair::gguf {

enum class ValueType : std::uint32_t {
  kUint8 = 0,
  kInt8 = 1,
  kUint16 = 2,
  kInt16 = 3,
  kUint32 = 4,
  kInt32 = 5,
  kFloat32 = 6,
  kBool = 7,
  kString = 8,
  kArray = 9,
  kUint64 = 10,
  kInt64 = 11,
  kFloat64 = 12,
};

// The types that the runtime computes with have a name here; any other type of the table in
// types.cpp can still be opened and listed.
enum class TensorType : std::uint32_t {
  kF32 = 0,
  kF16 = 1,
  kQ4_0 = 2,
  kQ4_1 = 3,
  kQ5_0 = 6,
  kQ5_1 = 7,
  kQ8_0 = 8,
  kQ2_K = 10,
  kQ3_K = 11,
  kQ4_K = 12,
  kQ5_K = 13,
  kQ6_K = 14,
  kIQ2_XXS = 16,
  kIQ2_XS = 17,
  kIQ3_XXS = 18,
  kIQ4_NL = 20,
  kIQ3_S = 21,
  kIQ2_S = 22,
  kIQ4_XS = 23,
  kBF16 = 30,
  kMXFP4 = 39,
  kNVFP4 = 40,
};

const char* valueTypeName(ValueType type);  // "uint8" ...; "?" for a number the format lacks
const char* tensorTypeName(TensorType type);

// Bytes of a scalar; 0 for strings, arrays and unknown types.
std::size_t scalarSize(ValueType type);

// The block of a tensor type, by which it stores a row: `elements` values in `bytes` bytes; {0, 0}
// if the type is unknown.
struct BlockSize {
  std::uint32_t elements = 0;
  std::uint32_t bytes = 0;
};
BlockSize blockSize(TensorType type);

}  // namespace waferpair::gguf
