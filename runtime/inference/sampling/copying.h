// SPDX-License-Identifier: GPL-3.0-or-later
// A model beside the network that copies: a token that has followed the same tokens before, in the
// text at hand and in the client's other documents, is likely to follow again. How likely it is,
// given the evidence (copy_evidence.h), was learned when the model was made (training/copying.py)
// and is in the model's file as "waferpair.copying.scorer". A model without that is left alone.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/inference/drafts/draft_index.h"
#include "runtime/inference/sampling/copy_evidence.h"
#include "runtime/inference/sampling/logits_rule.h"
#include "runtime/tokenizer/tokenizer.h"

namespace waferpair::gguf {
class File;
}

namespace waferpair::inference {

// A network of one hidden layer of ReLU that computes what to add to a token's logit, given the
// evidence for it.
struct CopyWeights {
  static constexpr int kMostHidden = 256;
  // The weights of each hidden unit: one for each feature, the bias, the weight of its output. The
  // bias of the output is at the end.
  std::vector<float> values;

  int hidden() const { return static_cast<int>(values.size() - 1) / (kCopyFeatures + 2); }
  double score(const std::array<float, kCopyFeatures>& features) const;
  bool operator==(const CopyWeights&) const = default;
};

// Empty where the file has none; fails, naming the key, where they are not as many finite numbers
// as some layer of up to kMostHidden units has.
base::Result<std::optional<CopyWeights>> readCopyWeights(const gguf::File& file);

// Returns a prompt as it is copied from: no copy reaches over a special token, which becomes -1.
std::vector<std::int32_t> copiedText(const tokenizer::Tokenizer& tokenizer,
                                     std::vector<std::int32_t> prompt);

// A line that is alike, as tokens: those that are written anew in front of the cursor, the rest of
// the line, and its break.
struct AlikeTokens {
  AlikeLine line;
  std::vector<std::int32_t> tokens;
};
std::vector<AlikeTokens> alikeTokens(const tokenizer::Tokenizer& tokenizer, std::string_view typed,
                                     std::vector<AlikeLine> lines);

// The text around the cursor that is not in the prompt, and the client's documents. What is behind
// a span outlives the copying.
struct CopySources {
  std::span<const std::int32_t> around = {};    // -1 between its parts
  std::span<const std::int32_t> replaced = {};  // stood at the cursor; as `around`
  std::span<const AlikeTokens> alike = {};      // followed as long as the text goes on like them
  const DraftIndex& documents;
  int own = DraftIndex::kNobody;  // whose texts in these are old versions of the text at hand
  bool chosen = true;             // what is chosen is copied from, too
};

// Not thread-safe. Comes behind the rules that forbid tokens: a forbidden token is not a candidate.
class Copying : public LogitsRule {
 public:
  // Goes on behind `text`, which has -1 between its parts. `weights` and the sources outlive this.
  Copying(const CopyWeights& weights, std::vector<std::int32_t> text, const CopySources& sources)
      : weights_(weights), text_(std::move(text)), given_(text_.size()), sources_(sources) {
    for (const AlikeTokens& one : sources.alike) followed_.push_back(&one);
  }

  bool applies() override { return true; }
  void apply(std::span<float> logits) override;
  void chosen(std::int32_t token) override;
  // Returns the candidates that apply() goes by and is fitted to; valid until the next call.
  std::span<const CopyCandidate> candidates(std::span<const float> logits);

 private:
  const CopyWeights& weights_;
  std::vector<std::int32_t> text_;  // and what was chosen behind it
  std::size_t given_;               // of it, before anything was chosen
  CopySources sources_;
  std::vector<const AlikeTokens*> followed_;  // alike lines that the text goes on like so far
  CopyEvidence evidence_;
};

}  // namespace waferpair::inference
