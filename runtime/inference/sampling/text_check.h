// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps text that cannot be right from being suggested. A check reads along with the text that is
// generated and judges the tokens that might come next; the rule below has the likeliest token that
// all checks agree to chosen. So drafts stay exact: checks are part of how tokens are chosen, not
// of what is shown.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "runtime/inference/sampling/logits_rule.h"
#include "runtime/tokenizer/tokenizer.h"

namespace waferpair::inference {

enum class Verdict {
  kFits,
  kRefused,   // something else comes here
  kEndsHere,  // the text ends in front of it
};

// Not thread-safe; follows one text.
class TextCheck {
 public:
  virtual ~TextCheck() = default;
  virtual std::unique_ptr<TextCheck> clone() const = 0;
  // Judges the bytes of a token that might come next; no bytes mean that the text would end here.
  // They may cut a character.
  virtual Verdict judge(std::string_view bytes) const = 0;
  // Tells the check the bytes that came.
  virtual void came(std::string_view bytes) = 0;
};

// The rule that comes behind all others. Not thread-safe; the tokenizer outlives it. A copy has
// checks of its own.
class TextChecks : public LogitsRule {
 public:
  // The number of the likeliest tokens that are judged; if all are refused, none is.
  static constexpr int kMostJudged = 32;

  // `unseen` is the number of bytes of the text to come that are not new: they stand in front of
  // the cursor.
  TextChecks(const tokenizer::Tokenizer& tokenizer, std::size_t unseen)
      : tokenizer_(&tokenizer), unseen_(unseen) {}
  TextChecks(const TextChecks& other) : tokenizer_(other.tokenizer_), unseen_(other.unseen_) {
    for (const auto& check : other.checks_) checks_.push_back(check->clone());
  }
  TextChecks(TextChecks&&) = default;
  TextChecks& operator=(const TextChecks&) = delete;

  void add(std::unique_ptr<TextCheck> check) { checks_.push_back(std::move(check)); }

  bool applies() override { return !checks_.empty(); }
  void apply(std::span<float> logits) override;
  void chosen(std::int32_t token) override;

 private:
  std::string_view fresh(std::int32_t token) const;
  Verdict judge(std::int32_t token) const;

  const tokenizer::Tokenizer* tokenizer_;
  std::size_t unseen_;
  std::vector<std::unique_ptr<TextCheck>> checks_;
  std::vector<std::pair<std::int32_t, float>> refused_;  // kept to save allocations
};

}  // namespace waferpair::inference
