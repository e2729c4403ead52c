// SPDX-License-Identifier: GPL-3.0-or-later
// A cursor may stand where no token ends: "std::vec|" is cut into tokens otherwise than
// "std::vector". So the prompt ends in front of the last word of the typed text, and the model
// writes that word anew: only tokens that agree with it are allowed until it is spelled out.
// BehindTyped decides which part of the text is then shown (behind_typed.h).
#pragma once

#include <string>
#include <string_view>

#include "runtime/inference/sampling/logits_rule.h"
#include "runtime/tokenizer/tokenizer.h"

namespace waferpair::inference {

// The end of `prefix` that is to be written anew; empty where nothing should be: behind a line end
// that stays a word of its own, where the word is very long, or where nothing would be left in
// front of it.
std::string_view healedEnd(const tokenizer::Tokenizer& tokenizer, std::string_view prefix);

// Not thread-safe; the tokenizer outlives it.
class TokenHealing : public LogitsRule {
 public:
  // `typed` is the text that the prompt leaves out at its end.
  TokenHealing(const tokenizer::Tokenizer& tokenizer, std::string typed)
      : tokenizer_(&tokenizer), left_(std::move(typed)) {}

  bool applies() override { return !left_.empty(); }
  void apply(std::span<float> logits) override;
  void chosen(std::int32_t token) override;

 private:
  const tokenizer::Tokenizer* tokenizer_;
  std::string left_;  // that no token has been chosen for yet
};

}  // namespace waferpair::inference
