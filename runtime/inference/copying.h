// SPDX-License-Identifier: GPL-3.0-or-later
// Beside the network, a model that copies: what has followed the same tokens before, in the text
// and in the client's documents, is likely to follow again. How likely, given how long the two
// places agree, how many there are and what the network thinks of it, was learned when the model
// was made (training/copying.py); its file says so in "waferpair.copying.weights". Models without
// that are left alone.
#pragma once

#include <array>
#include <optional>
#include <span>

#include "runtime/base/result.h"
#include "runtime/inference/draft_index.h"
#include "runtime/inference/logits_rule.h"

namespace waferpair::gguf {
class File;
}

namespace waferpair::inference {

// Of the logistic regression of "this token follows" on: 1, log of the tokens that agree, log of
// the places that agree so far, 1 where these do not all say the same, log of the share that says
// it, and the log odds the network gives it.
struct CopyWeights {
  std::array<float, 6> values = {};
  bool operator==(const CopyWeights&) const = default;
};

// Empty where the file has none; fails, naming the key, where they are not six finite numbers.
base::Result<std::optional<CopyWeights>> readCopyWeights(const gguf::File& file);

// The probability that `evidence` is right where the network gives its token `network`.
double copyProbability(const CopyWeights& weights, const DraftIndex::Evidence& evidence,
                       double network);

// Gives the evidence's token, which is one of them, that probability and leaves the others as
// likely among themselves.
void mixCopy(const CopyWeights& weights, const DraftIndex::Evidence& evidence,
             std::span<float> logits);

// Not thread-safe. Comes behind the rules that forbid tokens: what they forbid is no evidence.
class Copying : public LogitsRule {
 public:
  // Goes on behind the prompt, which `text` holds; what is chosen is added to it. Both outlive
  // this.
  Copying(const CopyWeights& weights, DraftIndex& text, const DraftIndex& documents)
      : weights_(weights), text_(text), documents_(documents) {}

  bool applies() override { return true; }
  void apply(std::span<float> logits) override;
  void chosen(std::int32_t token) override { text_.append({&token, 1}); }

 private:
  CopyWeights weights_;
  DraftIndex& text_;  // the prompt and what was chosen behind it
  const DraftIndex& documents_;
};

}  // namespace waferpair::inference
