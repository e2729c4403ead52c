// SPDX-License-Identifier: GPL-3.0-or-later
// Has a text begin otherwise than the likeliest one: with the second likeliest token, or the third
// and so on. From there on it is the likeliest again, so the same rank gives the same text.
#pragma once

#include <string>

#include "runtime/inference/sampling/logits_rule.h"
#include "runtime/tokenizer/tokenizer.h"

namespace waferpair::inference {

// Not thread-safe; the tokenizer outlives it.
class OtherBeginning : public LogitsRule {
 public:
  // `rank` counts from 0, the likeliest. `typed` is what the model writes anew first
  // (token_healing.h): the first token that goes beyond it is the one that is ranked.
  OtherBeginning(const tokenizer::Tokenizer& tokenizer, int rank, std::string typed)
      : tokenizer_(&tokenizer), rank_(rank), left_(std::move(typed)) {}

  bool applies() override { return rank_ > 0; }
  // Forbids the likeliest tokens up to the rank. Where fewer are left to choose from, the last of
  // them stays.
  void apply(std::span<float> logits) override;
  void chosen(std::int32_t token) override;

 private:
  bool goesBeyond(std::int32_t token) const;

  const tokenizer::Tokenizer* tokenizer_;
  int rank_;
  std::string left_;  // of what is written anew
};

}  // namespace waferpair::inference
