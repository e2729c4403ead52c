// SPDX-License-Identifier: GPL-3.0-or-later
// Keys and values of the positions a sequence has gone through: a table of pages of a pool.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/tensor/kernels.h"
#include "runtime/transformer/config.h"
#include "runtime/transformer/kv_pool.h"

namespace waferpair::transformer {

// Sequences that begin alike share the pages of what they have in common; one that writes to a page
// that others have too gets a copy first. Not thread-safe; Forward's threads write disjoint parts.
class KvCache {
 public:
  // With a pool of its own. Capacity is in positions, at least 1, rounded up to a whole chunk.
  // Fails if there is no memory, or as KvPool::make.
  static base::Result<KvCache> make(const Config& config, int capacity,
                                    tensor::KvFormat format = tensor::KvFormat::kF16);
  // Of up to `capacity` positions, if the pool has them when they are needed.
  KvCache(std::shared_ptr<KvPool> pool, int capacity);
  KvCache(KvCache&& other) noexcept;
  KvCache& operator=(KvCache&& other) noexcept;
  ~KvCache();  // gives its pages back

  int capacity() const { return capacity_; }
  int length() const { return length_; }  // positions that hold a token
  // Forgets all positions from `length` on; no effect if there are none.
  void truncate(int length);
  // Gives back pages that were reserved for positions from `end` on alone; end at least length().
  void trim(int end);
  // Forgets all, and begins with what the first `length` positions of another cache of the same
  // pool hold (fewer if there are fewer). Nothing is copied.
  void share(const KvCache& other, int length);

  std::size_t bytes() const;  // of its pages, shared ones too
  std::size_t bytesPerToken() const { return pool_->pageBytes() / tensor::kChunk; }
  bool fits(const Config& config) const { return pool_->fits(config); }
  tensor::KvFormat format() const { return pool_->format(); }

  // The rest is for Forward, and for whoever wants to look.

  // Makes positions length() to end - 1 writable, end at most capacity(). Fails as KvPool::take;
  // what the cache holds stays.
  base::Result<void> reserve(int end);
  void setLength(int length) { length_ = length; }  // of positions that were reserved and written

  // positions kChunk * index and those after it
  tensor::KvChunk chunk(int layer, int kvHead, int index) const;
  // Dimensions from firstDim on of one position, as many as `key` and `value` have: of a format
  // with scales, whole blocks. What F16 cannot hold is taken as the largest that it can.
  void write(const tensor::Kernels& kernels, int layer, int kvHead, int position, int firstDim,
             std::span<const float> key, std::span<const float> value);
  // The bytes of positions kChunk * index and those after it, of all layers, as a page has them.
  std::span<const std::byte> page(std::size_t index) const;
  std::span<std::byte> writablePage(std::size_t index);  // of reserved positions
  // What was written of a position, as rounded, [headDim] each. Written again it stays as it is.
  void read(int layer, int kvHead, int position, std::span<float> key,
            std::span<float> value) const;

 private:
  void releaseFrom(std::size_t page);

  std::shared_ptr<KvPool> pool_;
  int capacity_ = 0, length_ = 0;
  std::vector<int> pages_;
};

}  // namespace waferpair::transformer
