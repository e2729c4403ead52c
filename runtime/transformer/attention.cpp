// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/transformer/attention.h"

#include <algorithm>
#include <cstdint>

#include "runtime/tensor/bounded_attention.h"

namespace waferpair::transformer {

using tensor::kChunk;

Attention::Attention(const Model& model, const tensor::Kernels& kernels, int maxBatch,
                     int maxThreads)
    : model_(model),
      c_(model.config()),
      k_(kernels),
      attended_(area(maxBatch, c_.queryWidth())),
      partials_(area(c_.contextLength / kChunk + 1, c_.kvHeads) * PartialAttention::floats(c_)) {
  for (int i = 0; i < maxThreads; ++i) {
    merged_.emplace_back(static_cast<std::size_t>(c_.queryWidth()));
    slots_.emplace_back(2 * PartialAttention::floats(c_));
  }
}

void Attention::begin(const KvCache* kv, int n, int position) {
  kv_ = kv;
  n_ = n;
  position_ = position;
}

Attention::Range Attention::positionsOf(int layer, int token) const {
  const int last = position_ + token + 1, window = c_.windowOf(layer);
  return {window > 0 ? std::max(0, last - window) : 0, last};
}

Attention::Range Attention::chunksOf(int layer, int token) const {
  const Range positions = positionsOf(layer, token);
  return {positions.first / kChunk, (positions.last - 1) / kChunk + 1};
}

void Attention::run(int layer, const float* q, int thread, int threads) {
  if (n_ == 1) {  // its positions are shared out, and result() merges the chunks
    const Range chunks = chunksOf(layer, 0);
    const int items = (chunks.last - chunks.first) * c_.kvHeads;
    const auto share = [&](int i) { return static_cast<int>(std::int64_t{items} * i / threads); };
    for (int i = share(thread); i < share(thread + 1); ++i) {
      const int chunk = chunks.first + i / c_.kvHeads, kvHead = i % c_.kvHeads;
      attendChunk(layer, kvHead, 0, q + area(kvHead * c_.groupSize(), c_.headDim), chunk,
                  chunkSlot(chunk, kvHead));
    }
    return;
  }
  // Several tokens: whole tokens are shared out in turn, as later ones attend to more positions.
  for (int i = thread; i < n_ * c_.kvHeads; i += threads) {
    const int token = i / c_.kvHeads, kvHead = i % c_.kvHeads;
    const float* query =
        q + area(token, c_.queryWidth()) + area(kvHead * c_.groupSize(), c_.headDim);
    attendAll(layer, kvHead, token, query, slots_[static_cast<std::size_t>(thread)].get());
  }
}

void Attention::attendChunk(int layer, int kvHead, int token, const float* query, int chunk,
                            const PartialAttention& to) const {
  const Range positions = positionsOf(layer, token);
  const int first = std::max(positions.first, chunk * kChunk);
  const int last = std::min(positions.last, (chunk + 1) * kChunk);
  const tensor::KvHead head = kv_->head(layer, kvHead);
  if (c_.attentionCap > 0 || first % kChunk != 0) {
    tensor::attendBounded(query, c_.groupSize(), c_.headDim, c_.attentionScale, c_.attentionCap,
                          head, first, last, to.max, to.sum, to.out);
  } else {
    k_.attendChunk(query, c_.groupSize(), c_.headDim, c_.attentionScale, head, first, last, to.max,
                   to.sum, to.out);
  }
}

// One token and KV head over all its chunks, merged in the order in which result() does it.
void Attention::attendAll(int layer, int kvHead, int token, const float* query, float* slots) {
  const PartialAttention all = PartialAttention::at(slots, c_);
  const PartialAttention next = PartialAttention::at(slots + PartialAttention::floats(c_), c_);
  const Range chunks = chunksOf(layer, token);
  attendChunk(layer, kvHead, token, query, chunks.first, all);
  for (int chunk = chunks.first + 1; chunk < chunks.last; ++chunk) {
    attendChunk(layer, kvHead, token, query, chunk, next);
    merge(c_, all, next);
  }
  divide(
      c_, all, sinksOf(layer, kvHead),
      attended_.get() + area(token, c_.queryWidth()) + area(kvHead * c_.groupSize(), c_.headDim));
}

// The chunks of a step of one token, which the threads attended to apart, are merged by each thread
// for itself.
const float* Attention::result(int layer, int thread) const {
  if (n_ > 1) return attended_.get();
  float* out = merged_[static_cast<std::size_t>(thread)].get();
  const PartialAttention all =
      PartialAttention::at(slots_[static_cast<std::size_t>(thread)].get(), c_);
  const Range chunks = chunksOf(layer, 0);
  for (int kvHead = 0; kvHead < c_.kvHeads; ++kvHead) {
    copy(c_, chunkSlot(chunks.first, kvHead), all);  // the slot itself belongs to all threads
    for (int chunk = chunks.first + 1; chunk < chunks.last; ++chunk) {
      merge(c_, all, chunkSlot(chunk, kvHead));
    }
    divide(c_, all, sinksOf(layer, kvHead), out + area(kvHead * c_.groupSize(), c_.headDim));
  }
  return out;
}

const float* Attention::sinksOf(int layer, int kvHead) const {
  const std::vector<float>& sinks = model_.layer(layer).sinks;
  return sinks.empty() ? nullptr : sinks.data() + area(kvHead, c_.groupSize());
}

PartialAttention Attention::chunkSlot(int chunk, int kvHead) const {
  const std::size_t slot = area(chunk, c_.kvHeads) + static_cast<std::size_t>(kvHead);
  return PartialAttention::at(partials_.get() + PartialAttention::floats(c_) * slot, c_);
}

}  // namespace waferpair::transformer
