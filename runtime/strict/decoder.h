// SPDX-License-Identifier: GPL-3.0-or-later
// Strict mode: a token through a model tile by tile, as the PEs of its plan would compute it. FP16
// operands, FP16 multiply-adds in the order of a tile's rows, parts summed along the axis in the
// order of the fabric's K-tree; norm, softmax, SiLU and rotary positions with the arithmetic of the
// mesh's kernels. Slow, on one thread, and to the bit what the mesh simulates (simulation.h).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/mesh/kv_rows.h"
#include "runtime/strict/weights.h"
#include "runtime/transformer/rotary.h"

namespace waferpair::strict {

class Decoder {
 public:
  // Decodes one sequence of at most `context` positions.
  Decoder(std::shared_ptr<const Weights> weights, int context);

  const Weights& weights() const { return *weights_; }
  int positions() const { return kv_.positions(); }
  int context() const { return context_; }

  // begin(), all parts in order, which is what step() does. The error is a token outside the
  // vocabulary, or a full cache.
  base::Result<void> begin(int token);
  void embed();
  void qkv(int layer);  // norm, query, key, value, rotary positions, key and value to the cache
  void attention(int layer);
  void output(int layer);
  void ffnUp(int layer);
  void ffnDown(int layer);
  void head();  // logits; not needed where nobody asks for them

  base::Result<void> step(int token);

  // FP16 values: the residual stream, and after head() [vocab].
  std::span<const float> stream() const { return stream_; }
  std::span<const float> logits() const { return logits_; }

 private:
  struct Cache {                       // of a layer
    std::vector<tensor::Half> keys;    // [kvWidth][context]
    std::vector<tensor::Half> values;  // [context][kvWidth]
  };

  std::shared_ptr<const Weights> weights_;
  const transformer::Config& config_;
  int context_;
  KTree down_, across_, headDown_;       // along a column and a row of a block, and down the head
  std::vector<std::vector<Dims>> dims_;  // [PE of a row]
  mesh::KvRows kv_;
  RowOrder order_;  // of the positions in the cache, and the new one
  transformer::RotaryAngles angles_;
  std::vector<Cache> caches_;
  int token_ = 0;
  std::vector<float> stream_, normed_, query_, key_, value_, mixed_, gate_, up_, branch_, logits_;
};

}  // namespace waferpair::strict
