// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/sampler.h"

#include <algorithm>
#include <cmath>

namespace waferpair::inference {

int argmax(std::span<const float> logits) {
  int best = 0;
  float bestLogit = -INFINITY;
  for (int i = 0; i < static_cast<int>(logits.size()); ++i) {
    if (logits[i] > bestLogit) {  // false for NaN
      best = i;
      bestLogit = logits[i];
    }
  }
  return best;
}

Sampler::Sampler(const SamplingOptions& options) : options_(options), random_(options.seed) {}

int Sampler::next(std::span<const float> logits) {
  if (!(options_.temperature > 0)) return argmax(logits);

  candidates_.clear();
  for (int i = 0; i < static_cast<int>(logits.size()); ++i)
    if (!std::isnan(logits[i])) candidates_.push_back({logits[i], i});
  if (candidates_.empty()) return 0;

  // Ties go to the lower token, so the outcome does not depend on the sort's whims.
  const auto likelier = [](const Candidate& a, const Candidate& b) {
    return a.logit > b.logit || (a.logit == b.logit && a.token < b.token);
  };
  size_t kept = candidates_.size();
  if (options_.topK > 0) kept = std::min(kept, static_cast<size_t>(options_.topK));
  if (options_.topP < 1) {
    std::partial_sort(candidates_.begin(), candidates_.begin() + kept, candidates_.end(), likelier);
  } else if (kept < candidates_.size()) {
    std::nth_element(candidates_.begin(), candidates_.begin() + kept, candidates_.end(), likelier);
  }
  candidates_.resize(kept);

  // Softmax over what is left, relative to the largest logit so that exp cannot overflow.
  float largest = -INFINITY;
  for (const Candidate& c : candidates_) largest = std::max(largest, c.logit);
  const float scale = 1 / options_.temperature;
  double sum = 0;
  for (Candidate& c : candidates_) {
    c.logit = c.logit == largest ? 1.0f : std::exp((c.logit - largest) * scale);
    sum += c.logit;
  }
  if (options_.topP < 1) {
    const double wanted = sum * options_.topP;
    double reached = 0;
    size_t count = 0;
    while (count < candidates_.size() && (count == 0 || reached < wanted))
      reached += candidates_[count++].logit;
    candidates_.resize(count);
    sum = reached;
  }

  // 53 random bits; spelled out because the standard distributions differ between libraries.
  double left = static_cast<double>(random_() >> 11) * 0x1p-53 * sum;
  for (const Candidate& c : candidates_) {
    left -= c.logit;
    if (left < 0) return c.token;
  }
  return candidates_.back().token;
}

}  // namespace waferpair::inference
