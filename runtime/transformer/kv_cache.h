// SPDX-License-Identifier: GPL-3.0-or-later
// Keys and values of the positions a sequence has gone through, in F16.
#pragma once

#include <cstddef>
#include <memory>

#include "runtime/tensor/kernels.h"
#include "runtime/transformer/config.h"

namespace waferpair::transformer {

// Layout: per layer and KV head, keys then values as tensor::KvHead says, so that attention reads
// memory in one direction. Pages are taken from the system when first written: a large capacity
// costs nothing until it is used. Not thread-safe; Forward's threads write disjoint parts.
class KvCache {
 public:
  // Capacity is in positions, rounded up to a whole chunk.
  KvCache(const Config& config, int capacity);
  KvCache(KvCache&&) noexcept = default;
  KvCache& operator=(KvCache&&) noexcept = default;

  int capacity() const { return capacity_; }
  int length() const { return length_; }  // positions that hold a token
  // Forgets all positions from `length` on; no effect if there are fewer. O(1).
  void truncate(int length);
  std::size_t bytes() const;          // allocated
  std::size_t bytesPerToken() const;  // over all layers

  // For Forward, and whoever wants to look.
  tensor::KvHead head(int layer, int kvHead) const;
  void setLength(int length) { length_ = length; }
  // value[d] of headDim floats to position p.
  void writeKey(int layer, int kvHead, int position, int firstDim, int dims, const float* key);
  void writeValue(int layer, int kvHead, int position, int firstDim, int dims, const float* value);

 private:
  struct Free {
    void operator()(tensor::Half* p) const;
  };
  int kvHeads_, headDim_, layers_;
  int capacity_, length_ = 0;
  std::unique_ptr<tensor::Half[], Free> data_;  // [layer][kvHead]{keys, values}, zero at first
};

}  // namespace waferpair::transformer
