// SPDX-License-Identifier: GPL-3.0-or-later
// Attention of a step's tokens to the positions in the cache, shared among threads. Private to this
// room.
#pragma once

#include <vector>

#include "runtime/tensor/kernels.h"
#include "runtime/transformer/buffer.h"
#include "runtime/transformer/kv_cache.h"
#include "runtime/transformer/model.h"
#include "runtime/transformer/partial_attention.h"

namespace waferpair::transformer {

class Attention {
 public:
  Attention(const Model& model, const tensor::Kernels& kernels, int maxBatch, int maxThreads);

  // The step under way: n tokens, the first at `position`.
  void begin(const KvCache* kv, int n, int position);
  // A thread's share of softmax(q keys scale) values, for q [n][heads][headDim].
  void run(int layer, const float* q, int thread, int threads);
  // Once all threads have run: the whole, [n][heads][headDim]. Each thread asks for itself.
  const float* result(int layer, int thread) const;

 private:
  struct Range {
    int first = 0, last = 0;  // positions, or chunks
  };
  // That a token attends to, itself included, and the chunks they lie in.
  Range positionsOf(int layer, int token) const;
  Range chunksOf(int layer, int token) const;
  void attendChunk(int layer, int kvHead, int token, const float* query, int chunk,
                   const PartialAttention& to) const;
  void attendAll(int layer, int kvHead, int token, const float* query, float* slots);
  const float* sinksOf(int layer, int kvHead) const;  // [group], null where there are none
  PartialAttention chunkSlot(int chunk, int kvHead) const;

  const Model& model_;
  const Config& c_;
  const tensor::Kernels& k_;
  const KvCache* kv_ = nullptr;
  int n_ = 0, position_ = 0;
  Buffer<float> attended_;             // [maxBatch][heads * headDim], for a step of several tokens
  Buffer<float> partials_;             // [chunks of the context][kvHeads] slots, for one of one
  std::vector<Buffer<float>> merged_;  // [maxThreads][heads * headDim]
  std::vector<Buffer<float>> slots_;   // [maxThreads], two slots each
};

}  // namespace waferpair::transformer
