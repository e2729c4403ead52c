// SPDX-License-Identifier: GPL-3.0-or-later
// The layout in memory of the keys and values of past positions: a chunk of positions at a time,
// for each layer and KV head its keys and its values.
//
//   kF16:  keys    [kChunk / 8][headDim][8 positions] F16
//          values  [kChunk][headDim] F16
//   kQ8_0: blocks of 32 dimensions of one position share a scale, value = scale * quant
//          keys    [kChunk / 8][headDim][8 positions] int8, then
//                  [kChunk / 8][headDim / 32][8 positions] F16 scales
//          values  [kChunk][headDim] int8, then [headDim / 32][kChunk] F16 scales
//
// Keys are interleaved so that scores of 8 positions are the lanes of a register; scales lie so
// that those of neighboring positions are read together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "runtime/tensor/half.h"

namespace waferpair::tensor {

inline constexpr int kChunk = 64;    // positions that attention takes at once
inline constexpr int kKeyBlock = 8;  // positions interleaved in the cache of keys
inline constexpr int kKvBlock = 32;  // dimensions that share a scale

enum class KvFormat : std::uint8_t { kF16, kQ8_0 };

constexpr const char* kvFormatName(KvFormat format) {
  return format == KvFormat::kF16 ? "f16" : "q8_0";
}
constexpr std::optional<KvFormat> findKvFormat(std::string_view name) {
  for (const KvFormat format : {KvFormat::kF16, KvFormat::kQ8_0}) {
    if (name == kvFormatName(format)) return format;
  }
  return std::nullopt;
}

// Returns true if heads of so many dimensions can be kept in the format.
constexpr bool kvFormatFits(KvFormat format, int headDim) {
  return format == KvFormat::kF16 || headDim % kKvBlock == 0;
}

// The bytes of the keys, or of the values, of a position and head.
constexpr std::size_t kvRowBytes(KvFormat format, int headDim) {
  const auto dims = static_cast<std::size_t>(headDim);
  return format == KvFormat::kF16 ? dims * sizeof(Half) : dims + dims / kKvBlock * sizeof(Half);
}

// One chunk of one layer and KV head. What lies at positions beyond those asked for is not seen.
struct KvChunk {
  KvFormat format = KvFormat::kF16;
  const std::byte* keys = nullptr;
  const std::byte* values = nullptr;
  const std::byte* next = nullptr;  // what is likely to be read after this one, to be fetched
};

// Positions of a chunk, from 0 to kChunk.
struct ChunkRange {
  int first = 0, last = 0;
};

}  // namespace waferpair::tensor
