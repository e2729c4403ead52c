// SPDX-License-Identifier: GPL-3.0-or-later
// Keys and values of the positions a sequence has gone through, in F16.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "runtime/base/result.h"
#include "runtime/tensor/kernels.h"
#include "runtime/transformer/config.h"

namespace waferpair::transformer {

// Layout: per layer and KV head, keys then values as tensor::KvHead says, so that attention reads
// memory in one direction. Pages are taken from the system when first written: a large capacity
// costs nothing until it is used. Not thread-safe; Forward's threads write disjoint parts.
class KvCache {
 public:
  // Capacity is in positions, at least 1, rounded up to a whole chunk. Fails if there is no memory.
  static base::Result<KvCache> make(const Config& config, int capacity);

  int capacity() const { return capacity_; }
  int length() const { return length_; }  // positions that hold a token
  // Forgets all positions from `length` on; no effect if there are fewer. O(1).
  void truncate(int length);
  std::size_t bytes() const;              // allocated
  std::size_t bytesPerToken() const;      // over all layers
  bool fits(const Config& config) const;  // made for a model of this shape

  // The rest is for Forward, and for whoever wants to look.
  tensor::KvHead head(int layer, int kvHead) const;
  // Dimensions from firstDim on of one position.
  void writeKey(int layer, int kvHead, int position, int firstDim,
                std::span<const tensor::Half> key);
  void writeValue(int layer, int kvHead, int position, int firstDim,
                  std::span<const tensor::Half> value);
  void setLength(int length) { length_ = length; }

 private:
  struct Free {
    void operator()(tensor::Half* p) const;
  };
  KvCache() = default;
  std::size_t headSize() const;  // halves of keys, or values, of one layer and head
  tensor::Half* keys(int layer, int kvHead) const;

  int layers_ = 0, kvHeads_ = 0, headDim_ = 0;
  int capacity_ = 0, length_ = 0;
  std::unique_ptr<tensor::Half[], Free> data_;  // [layer][kvHead]{keys, values}, zero at first
};

}  // namespace waferpair::transformer
