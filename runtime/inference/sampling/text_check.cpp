// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/sampling/text_check.h"

#include <algorithm>
#include <cmath>

#include "runtime/inference/sampling/sampler.h"

namespace waferpair::inference {

// Returns the part of a token's bytes that stands behind the cursor.
std::string_view TextChecks::fresh(std::int32_t token) const {
  const std::string_view bytes = tokenizer_->bytes(token);
  return bytes.substr(std::min(unseen_, bytes.size()));
}

Verdict TextChecks::judge(std::int32_t token) const {
  const std::string_view bytes = fresh(token);
  if (bytes.empty() && !tokenizer_->isEnd(token)) return Verdict::kFits;
  for (const auto& check : checks_)
    if (const Verdict verdict = check->judge(bytes); verdict != Verdict::kFits) return verdict;
  return Verdict::kFits;
}

void TextChecks::apply(std::span<float> logits) {
  refused_.clear();
  for (int i = 0; i < kMostJudged; ++i) {
    const std::int32_t token = argmax(logits);
    float& logit = logits[static_cast<std::size_t>(token)];
    if (!(logit > -INFINITY)) break;
    const Verdict verdict = judge(token);
    if (verdict == Verdict::kFits) return;
    const std::int32_t end = tokenizer_->special().eot;
    if (verdict == Verdict::kEndsHere && end >= 0 && end < std::ssize(logits)) {
      // The end takes the likelihood of the token that would have come.
      logits[static_cast<std::size_t>(end)] = logit;
      logit = -INFINITY;
      return;
    }
    refused_.emplace_back(token, logit);
    logit = -INFINITY;
  }
  for (const auto& [token, logit] : refused_) logits[static_cast<std::size_t>(token)] = logit;
}

void TextChecks::chosen(std::int32_t token) {
  const std::string_view bytes = fresh(token);
  unseen_ -= std::min(unseen_, tokenizer_->bytes(token).size());
  for (const auto& check : checks_) check->came(bytes);
}

}  // namespace waferpair::inference
