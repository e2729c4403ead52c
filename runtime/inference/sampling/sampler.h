// SPDX-License-Identifier: GPL-3.0-or-later
// Chooses the next token from the logits.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "runtime/inference/sampling/considered.h"
#include "runtime/inference/sampling/logits_rule.h"
#include "runtime/inference/sampling/token_filter.h"

namespace waferpair::inference {

struct TokenBias {
  std::int32_t token = 0;
  float bias = 0;  // added to its logit
  bool operator==(const TokenBias&) const = default;
};

// The same for each token of a text.
struct TextBias {
  std::string text;
  float bias = 0;
  bool operator==(const TextBias&) const = default;
};

struct SamplingOptions {
  float temperature = 0;   // 0: always the likeliest token (greedy)
  int topK = 0;            // only the K likeliest; 0: all
  float topP = 1;          // the smallest set of likeliest tokens whose probabilities reach this
  std::uint64_t seed = 0;  // the same seed and logits give the same tokens
  float minP = 0;          // only what is at least this share as likely as the likeliest
  // Divides the logits of the last kPenalized tokens where positive, multiplies them where negative
  // (Keskar et al. 2019, arXiv:1909.05858); 1: none.
  float repetitionPenalty = 1;
  // Taken from the logits of the last kPenalized tokens: once from each, and once for each time
  // that it came.
  float presencePenalty = 0, frequencyPenalty = 0;
  float typicalP = 1;   // the most typical tokens that have this probability (arXiv:2202.00666)
  float topNSigma = 0;  // within so many standard deviations of the largest logit; 0: all
  // With this chance all that reach the threshold but the least likely of them are left out.
  float xtcProbability = 0, xtcThreshold = 0.1f;
  // 1 or 2: keeps the surprise of the text at tau, and corrects itself by eta (arXiv:2007.14966).
  int mirostat = 0;
  float mirostatTau = 5, mirostatEta = 0.1f;
  // Taken from the logit of what would go on with a repetition of more than so many tokens, times
  // base for each one more; 0: nothing is.
  float dryMultiplier = 0, dryBase = 1.75f;
  int dryAllowedLength = 2;
  bool ignoresEnd = false;           // the text goes on behind what would end it
  std::vector<TokenBias> bias = {};  // tokens outside the vocabulary are ignored
  std::vector<TextBias> textBias = {};
  std::shared_ptr<const TokenGrammar> grammar =
      {};  // what the output must look like; null: anything
  bool operator==(const SamplingOptions&) const = default;
};

inline constexpr int kPenalized = 64;
inline constexpr int kDryTokens = 2048;  // that are searched for repetitions

// Index of the largest logit, the lowest index among equals; NaN counts as less than any number.
int argmax(std::span<const float> logits);

// log of the sum of exp(logit); `logits` is not empty.
double logOfSum(std::span<const float> logits);
// Returns -ln of the softmax of the logits at `token`.
double surprise(std::span<const float> logits, std::int32_t token);

// Not thread-safe; one per stream of tokens.
class Sampler {
 public:
  explicit Sampler(const SamplingOptions& options);
  virtual ~Sampler() = default;

  // Asked before each choice, in the order in which they were added; outlives the sampler.
  void add(LogitsRule& rule) { rules_.push_back(&rule); }
  // Remembers the tokens that came before, for the repetition penalty; next() remembers its own
  // answers.
  void remember(std::span<const std::int32_t> tokens);
  // From now on probabilities() tells how likely the chosen tokens were: among all that the rules,
  // penalties and biases left possible, whatever the temperature.
  void keepProbabilities() { keeps_ = true; }
  bool keepsProbabilities() const { return keeps_; }
  std::span<const double> probabilities() const { return probabilities_; }
  void forgetProbabilities() { probabilities_.clear(); }
  // From now on considered() tells what else there was, for each token that was chosen.
  void keepConsidered() { keepsConsidered_ = true; }
  bool keepsConsidered() const { return keepsConsidered_; }
  std::span<const Considered> considered() const { return considered_; }
  void forgetConsidered() { considered_.clear(); }
  // `logits` is not empty. Where a grammar leaves nothing to choose the answer is any token, and
  // stuck() is true from then on.
  virtual int next(std::span<const float> logits);
  bool stuck() const { return stuck_; }
  // The grammar, if there is one, lets the output only end here.
  bool complete() const { return filter_ && filter_->complete(); }

 protected:
  // Returns the logits as the rules leave them, valid until the next call.
  std::span<const float> ruled(std::span<const float> logits);

 private:
  struct Candidate {
    float logit;
    int token;
  };

  bool changesLogits() const;
  bool penalizes() const;
  void penalize(std::span<const float> logits);
  void penalizeRepetitions();
  // Of the candidates, of which each has its weight in place of its logit, and the likeliest is
  // first: these leave some out.
  void keepTypical();
  void excludeTopChoices();
  void limitSurprise();
  int drawn();
  std::span<const float> changed(std::span<const float> logits);
  void filter();
  int choose(std::span<const float> logits);

  SamplingOptions options_;
  std::mt19937_64 random_;
  std::optional<TokenFilter> filter_;
  bool stuck_ = false;
  std::vector<std::int32_t> recent_;   // at most the last kPenalized
  std::vector<std::int32_t> history_;  // at most the last kDryTokens, where these are wanted
  double mu_ = 0;                      // mirostat's limit of surprise, in bits
  std::vector<LogitsRule*> rules_;
  bool keeps_ = false;
  std::vector<double> probabilities_;
  bool keepsConsidered_ = false;
  std::vector<Considered> considered_;
  std::vector<float> ruled_, changed_;  // these three are kept to save allocations
  std::vector<Candidate> candidates_;
};

}  // namespace waferpair::inference
