// SPDX-License-Identifier: GPL-3.0-or-later
// Chooses the next token from the logits.
#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <vector>

namespace waferpair::inference {

struct SamplingOptions {
  float temperature = 0;   // 0: always the likeliest token (greedy)
  int topK = 0;            // only the K likeliest; 0: all
  float topP = 1;          // the smallest set of likeliest tokens whose probabilities reach this
  std::uint64_t seed = 0;  // the same seed and logits give the same tokens
  bool operator==(const SamplingOptions&) const = default;
};

// Index of the largest logit, the lowest index among equals; NaN counts as less than any number.
int argmax(std::span<const float> logits);

// Not thread-safe; one per stream of tokens.
class Sampler {
 public:
  explicit Sampler(const SamplingOptions& options);

  // `logits` is not empty.
  int next(std::span<const float> logits);

 private:
  struct Candidate {
    float logit;
    int token;
  };

  SamplingOptions options_;
  std::mt19937_64 random_;
  std::vector<Candidate> candidates_;  // kept to save allocations
};

}  // namespace waferpair::inference
