// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/transformer/keys_as_values.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "runtime/transformer/buffer.h"

namespace waferpair::transformer {
namespace {

using tensor::Half;
using tensor::kChunk;
using tensor::kKeyBlock;
using tensor::kKvBlock;

// [dims][8 positions] of a block of positions becomes [8 positions][dims], rows `width` apart. The
// eight are read and written together, so that the compiler makes registers of them.
template <typename T>
void turnBlock(const T* from, int dims, T* to, int width) {
  constexpr int kDims = 8;
  int d = 0;
  for (; d + kDims <= dims; d += kDims) {
    T block[kDims * kKeyBlock], turned[kKeyBlock * kDims];
    std::memcpy(block, from + d * kKeyBlock, sizeof block);
    for (int p = 0; p < kKeyBlock; ++p) {
      for (int i = 0; i < kDims; ++i) turned[p * kDims + i] = block[i * kKeyBlock + p];
    }
    for (int p = 0; p < kKeyBlock; ++p) {
      std::memcpy(to + area(p, width) + d, turned + p * kDims, kDims * sizeof(T));
    }
  }
  for (; d < dims; ++d) {
    for (int p = 0; p < kKeyBlock; ++p)
      to[area(p, width) + static_cast<std::size_t>(d)] = from[d * kKeyBlock + p];
  }
}

template <typename T>
void turnChunk(const T* keys, int headDim, T* values) {
  for (int p = 0; p < kChunk; p += kKeyBlock) {
    turnBlock(keys + area(p, headDim), headDim, values + area(p, headDim), headDim);
  }
}

}  // namespace

void keysAsValues(tensor::KvFormat format, const std::byte* keys, int headDim, std::byte* values) {
  if (format == tensor::KvFormat::kF16) {
    turnChunk(reinterpret_cast<const Half*>(keys), headDim, reinterpret_cast<Half*>(values));
    return;
  }
  turnChunk(reinterpret_cast<const std::int8_t*>(keys), headDim,
            reinterpret_cast<std::int8_t*>(values));
  // Scales: [kChunk / 8][blocks][8 positions] becomes [blocks][kChunk].
  const std::size_t quants = area(kChunk, headDim);
  const auto* from = reinterpret_cast<const Half*>(keys + quants);
  auto* to = reinterpret_cast<Half*>(values + quants);
  const int blocks = headDim / kKvBlock;
  for (int p = 0; p < kChunk; p += kKeyBlock) {
    for (int block = 0; block < blocks; ++block) {
      std::copy_n(from + area(p, blocks) + area(block, kKeyBlock), kKeyBlock,
                  to + area(block, kChunk) + static_cast<std::size_t>(p));
    }
  }
}

}  // namespace waferpair::transformer
