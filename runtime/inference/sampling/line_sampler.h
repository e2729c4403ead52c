// SPDX-License-Identifier: GPL-3.0-or-later
// Tells which tokens may continue a line and how likely the line ends: what is chosen among them is
// for others to say (line_contest.h).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/inference/sampling/sampler.h"
#include "runtime/inference/sampling/token_rules.h"
#include "runtime/tokenizer/tokenizer.h"

namespace waferpair::inference {

// Tokens that end a line without adding to it: a line break, perhaps behind blanks and with the
// next line's indentation, and those that end a text. One of them is chosen, but all say the same
// of the line: it ends with their probability together.
std::vector<std::int32_t> lineEndings(const tokenizer::Tokenizer& tokenizer);

struct Continuation {
  std::int32_t token = -1;
  double logProbability = 0;  // among all that the rules left possible
  double network = 0;         // the same by the network alone, if it is kept
};

class LineSampler : public Sampler {
 public:
  // Goes on from these rules, with a copy of its own. `endings` outlives it.
  LineSampler(const TokenRules& rules, std::span<const std::int32_t> endings, int most);
  LineSampler(const LineSampler&) = delete;  // it asks its own rules
  LineSampler& operator=(const LineSampler&) = delete;

  // Looks at the logits. Returns the likeliest token, which is not chosen by that.
  int next(std::span<const float> logits) override;
  // The likeliest tokens that are no endings, up to `most`, the likeliest first.
  std::span<const Continuation> continuations() const { return continuations_; }
  // The likeliest ending with the probability of all; token -1 where none is allowed.
  const Continuation& ending() const { return ending_; }
  bool endingIsLikeliest() const { return endingIsLikeliest_; }

  // The likeliest tokens of all, endings too, if they are kept.
  const std::array<Alternative, Considered::kMost>& likeliest() const { return likeliest_; }

  // The rules as they were before next().
  const TokenRules& rules() const { return own_; }

 private:
  TokenRules own_;
  std::span<const std::int32_t> endings_;
  std::size_t most_;
  std::vector<Continuation> continuations_;
  Continuation ending_;
  bool endingIsLikeliest_ = false;
  std::array<Alternative, Considered::kMost> likeliest_{};
};

}  // namespace waferpair::inference
