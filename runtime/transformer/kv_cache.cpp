// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/transformer/kv_cache.h"

#include <algorithm>
#include <cstdlib>
#include <string>

namespace waferpair::transformer {

using tensor::Half;
using tensor::kChunk;
using tensor::kKeyBlock;

void KvCache::Free::operator()(Half* p) const { std::free(p); }

base::Result<KvCache> KvCache::make(const Config& config, int capacity) {
  KvCache cache;
  cache.layers_ = config.layers;
  cache.kvHeads_ = config.kvHeads;
  cache.headDim_ = config.headDim;
  cache.capacity_ = (std::max(1, capacity) + kChunk - 1) / kChunk * kChunk;
  // calloc: zeros that cost nothing until touched. Attention reads whole blocks of positions, so
  // those not yet written must be finite.
  cache.data_.reset(static_cast<Half*>(std::calloc(cache.bytes(), 1)));
  if (!cache.data_) {
    return base::fail("No memory for the KV cache of " + std::to_string(cache.capacity_) +
                          " positions (" + std::to_string(cache.bytes()) + " bytes).",
                      "Use a shorter context or close other programs.");
  }
  return cache;
}

void KvCache::truncate(int length) { length_ = std::clamp(length, 0, length_); }

std::size_t KvCache::headSize() const {
  return static_cast<std::size_t>(capacity_) * static_cast<std::size_t>(headDim_);
}

std::size_t KvCache::bytes() const { return bytesPerToken() * static_cast<std::size_t>(capacity_); }

std::size_t KvCache::bytesPerToken() const {
  return 2 * sizeof(Half) * static_cast<std::size_t>(layers_) * static_cast<std::size_t>(kvHeads_) *
         static_cast<std::size_t>(headDim_);
}

bool KvCache::fits(const Config& config) const {
  return layers_ == config.layers && kvHeads_ == config.kvHeads && headDim_ == config.headDim;
}

Half* KvCache::keys(int layer, int kvHead) const {
  return data_.get() + 2 * headSize() * static_cast<std::size_t>(layer * kvHeads_ + kvHead);
}

tensor::KvHead KvCache::head(int layer, int kvHead) const {
  const Half* keys = this->keys(layer, kvHead);
  return {keys, keys + headSize()};
}

void KvCache::writeKey(int layer, int kvHead, int position, int firstDim,
                       std::span<const Half> key) {
  // Blocks of 8 positions, in each of which the positions of one dimension lie together.
  const auto block = static_cast<std::size_t>(position / kKeyBlock * headDim_ + firstDim);
  Half* to = keys(layer, kvHead) + block * kKeyBlock + position % kKeyBlock;
  for (std::size_t d = 0; d < key.size(); ++d) to[d * kKeyBlock] = key[d];
}

void KvCache::writeValue(int layer, int kvHead, int position, int firstDim,
                         std::span<const Half> value) {
  const auto at = static_cast<std::size_t>(position) * static_cast<std::size_t>(headDim_);
  Half* to = keys(layer, kvHead) + headSize() + at + static_cast<std::size_t>(firstDim);
  std::copy(value.begin(), value.end(), to);
}

}  // namespace waferpair::transformer
