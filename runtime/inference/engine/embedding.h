// SPDX-License-Identifier: GPL-3.0-or-later
// A text on its way to a vector: its tokens go through the model, and their states are pooled as
// they come. Job, which alone uses Embedding, says when.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/inference/model/compiled_model.h"
#include "runtime/transformer/config.h"
#include "runtime/transformer/kv_cache.h"
#include "runtime/transformer/model.h"

namespace waferpair::inference {

// Returns the vector at length 1; one of nothing but zeros stays.
std::vector<float> normalizedEmbedding(std::span<const float> vector);

// Returns how likely a text is of each class, by the head; of one class alone what its row says.
std::vector<float> classesOf(std::span<const float> state, const transformer::RankingHead& head);

// Not thread-safe.
class Embedding {
 public:
  // `kv` is empty, with room for the tokens, of which there is at least one. `head` is the
  // model's, which has no classes unless it ranks texts; it outlives this.
  Embedding(transformer::KvCache kv, std::vector<std::int32_t> tokens, transformer::Pooling pooling,
            int width, const transformer::RankingHead& head);
  Embedding(const Embedding&) = delete;
  Embedding& operator=(const Embedding&) = delete;

  const std::vector<std::int32_t>& tokens() const { return tokens_; }
  int length() const { return kv_.length(); }  // tokens that went through the model
  int pending() const { return static_cast<int>(tokens_.size()) - length(); }
  // Returns the step that feeds the next tokens, `rows` at most; behind it their states are in.
  CompiledModel::SequenceStep next(int rows);
  // Returns the embedding, of length 1, or the classes, once nothing is pending.
  std::vector<float> vector() const;

 private:
  void add(std::span<const float> state);

  transformer::KvCache kv_;
  const std::vector<std::int32_t> tokens_;
  const transformer::Pooling pooling_;
  const transformer::RankingHead& head_;
  std::vector<double> sum_;  // of the states that count, [d]
  int added_ = 0;            // states that came
  const CompiledModel::OnState onState_;
};

}  // namespace waferpair::inference
