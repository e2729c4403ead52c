// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/sampling/sampler.h"

#include <algorithm>
#include <cmath>

#include "runtime/tensor/kernels.h"

namespace waferpair::inference {

int argmax(std::span<const float> logits) {
  return tensor::kernels().argmax(logits.data(), static_cast<int>(logits.size()));
}

double logOfSum(std::span<const float> logits) {
  const float largest = logits[static_cast<std::size_t>(argmax(logits))];
  const int count = static_cast<int>(logits.size());
  return largest + std::log(tensor::kernels().sumExp(logits.data(), count, largest));
}

double surprise(std::span<const float> logits, std::int32_t token) {
  return logOfSum(logits) - static_cast<double>(logits[static_cast<std::size_t>(token)]);
}

Sampler::Sampler(const SamplingOptions& options) : options_(options), random_(options.seed) {
  if (options.grammar) filter_.emplace(options.grammar);
}

void Sampler::remember(std::span<const std::int32_t> tokens) {
  if (options_.repetitionPenalty == 1) return;
  recent_.insert(recent_.end(), tokens.begin(), tokens.end());
  if (recent_.size() > kPenalized) recent_.erase(recent_.begin(), recent_.end() - kPenalized);
}

bool Sampler::changesLogits() const {
  return !options_.bias.empty() || options_.repetitionPenalty != 1 || filter_;
}

std::span<const float> Sampler::changed(std::span<const float> logits) {
  changed_.assign(logits.begin(), logits.end());
  const auto known = [&](std::int32_t token) { return token >= 0 && token < std::ssize(logits); };
  // Penalties are computed from the given logits: however often a token came, it is penalized once.
  for (const std::int32_t token : recent_) {
    if (!known(token)) continue;
    const float logit = logits[token];
    changed_[token] =
        logit > 0 ? logit / options_.repetitionPenalty : logit * options_.repetitionPenalty;
  }
  for (const TokenBias& bias : options_.bias)
    if (known(bias.token)) changed_[bias.token] += bias.bias;
  if (filter_) filter();
  return changed_;
}

std::span<const float> Sampler::ruled(std::span<const float> logits) {
  bool any = false;
  for (LogitsRule* rule : rules_) {
    if (!rule->applies()) continue;
    if (!any) ruled_.assign(logits.begin(), logits.end());
    any = true;
    rule->apply(ruled_);
  }
  return any ? std::span<const float>(ruled_) : logits;
}

// NaN is never chosen, however unlikely everything else is.
void Sampler::filter() {
  const std::vector<std::uint64_t>& allowed = filter_->allowed();
  bool any = false;
  for (std::size_t i = 0; i < changed_.size(); ++i) {
    const bool may = i / 64 < allowed.size() && (allowed[i / 64] >> (i % 64) & 1) != 0;
    if (!may) changed_[i] = NAN;
    any = any || (may && changed_[i] > -INFINITY);
  }
  stuck_ = stuck_ || !any;
}

int Sampler::next(std::span<const float> logits) {
  const std::span<const float> network = logits;
  logits = ruled(logits);
  if (changesLogits()) logits = changed(logits);
  const std::int32_t token = choose(logits);
  if (keeps_ || keepsConsidered_) {
    const double all = logOfSum(logits);
    if (keeps_) probabilities_.push_back(std::exp(logits[token] - all));
    if (keepsConsidered_) considered_.push_back(inference::considered(token, logits, all, network));
  }
  remember({&token, 1});
  for (LogitsRule* rule : rules_) rule->chosen(token);
  if (filter_ && !stuck_) filter_->accept(token);
  return token;
}

int Sampler::choose(std::span<const float> logits) {
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

  if (options_.minP > 0) {
    // Relative to the likeliest, whose weight is 1.
    std::erase_if(candidates_, [&](const Candidate& c) { return c.logit < options_.minP; });
    sum = 0;
    for (const Candidate& c : candidates_) sum += c.logit;
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
