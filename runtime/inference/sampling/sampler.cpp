// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/sampling/sampler.h"

#include <algorithm>
#include <cmath>
#include <map>

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
  mu_ = 2 * options.mirostatTau;
}

bool Sampler::penalizes() const {
  return options_.repetitionPenalty != 1 || options_.presencePenalty != 0 ||
         options_.frequencyPenalty != 0;
}

void Sampler::remember(std::span<const std::int32_t> tokens) {
  if (options_.dryMultiplier > 0) {
    history_.insert(history_.end(), tokens.begin(), tokens.end());
    if (history_.size() > kDryTokens) history_.erase(history_.begin(), history_.end() - kDryTokens);
  }
  if (!penalizes()) return;
  recent_.insert(recent_.end(), tokens.begin(), tokens.end());
  if (recent_.size() > kPenalized) recent_.erase(recent_.begin(), recent_.end() - kPenalized);
}

bool Sampler::changesLogits() const {
  return !options_.bias.empty() || penalizes() || options_.dryMultiplier > 0 || filter_;
}

std::span<const float> Sampler::changed(std::span<const float> logits) {
  changed_.assign(logits.begin(), logits.end());
  const auto known = [&](std::int32_t token) { return token >= 0 && token < std::ssize(logits); };
  if (penalizes()) penalize(logits);
  if (options_.dryMultiplier > 0) penalizeRepetitions();
  for (const TokenBias& bias : options_.bias)
    if (known(bias.token)) changed_[bias.token] += bias.bias;
  if (filter_) filter();
  return changed_;
}

// However often a token came, the repetition penalty is computed from its given logit.
void Sampler::penalize(std::span<const float> logits) {
  std::map<std::int32_t, int> counts;
  for (const std::int32_t token : recent_)
    if (token >= 0 && token < std::ssize(logits)) ++counts[token];
  for (const auto& [token, count] : counts) {
    const float logit = logits[token];
    changed_[token] =
        (logit > 0 ? logit / options_.repetitionPenalty : logit * options_.repetitionPenalty) -
        options_.presencePenalty - options_.frequencyPenalty * static_cast<float>(count);
  }
}

// What followed an earlier copy of the text's end would go on with the repetition.
void Sampler::penalizeRepetitions() {
  std::map<std::int32_t, int> lengths;  // the longest, by the token that follows
  for (std::size_t end = 1; end < history_.size(); ++end) {
    std::size_t length = 0;
    while (length < end && history_[end - 1 - length] == history_[history_.size() - 1 - length])
      ++length;
    int& longest = lengths[history_[end]];
    longest = std::max(longest, static_cast<int>(length));
  }
  for (const auto& [token, length] : lengths)
    if (length >= options_.dryAllowedLength && token >= 0 && token < std::ssize(changed_))
      changed_[token] -=
          options_.dryMultiplier *
          std::pow(options_.dryBase, static_cast<float>(length - options_.dryAllowedLength));
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
  if (options_.topNSigma > 0) {
    double mean = 0, squares = 0, count = 0;
    float most = -INFINITY;
    for (const Candidate& c : candidates_) {
      if (!std::isfinite(c.logit)) continue;
      mean += c.logit;
      squares += static_cast<double>(c.logit) * c.logit;
      most = std::max(most, c.logit);
      ++count;
    }
    mean /= std::max(count, 1.0);
    const double sigma = std::sqrt(std::max(0.0, squares / std::max(count, 1.0) - mean * mean));
    std::erase_if(candidates_,
                  [&](const Candidate& c) { return c.logit < most - options_.topNSigma * sigma; });
  }
  const bool needsOrder = options_.topP < 1 || options_.mirostat > 0 || options_.typicalP < 1 ||
                          options_.xtcProbability > 0;
  size_t kept = candidates_.size();
  if (options_.topK > 0) kept = std::min(kept, static_cast<size_t>(options_.topK));
  if (needsOrder) {
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
  }

  if (options_.minP > 0) {
    // Relative to the likeliest, whose weight is 1.
    std::erase_if(candidates_, [&](const Candidate& c) { return c.logit < options_.minP; });
  }
  if (options_.typicalP < 1) keepTypical();
  if (options_.xtcProbability > 0) excludeTopChoices();
  if (options_.mirostat > 0) limitSurprise();
  return drawn();
}

namespace {

// 53 random bits; spelled out because the standard distributions differ between libraries.
double unit(std::mt19937_64& random) { return static_cast<double>(random() >> 11) * 0x1p-53; }

}  // namespace

int Sampler::drawn() {
  double sum = 0;
  for (const Candidate& c : candidates_) sum += c.logit;
  double left = unit(random_) * sum;
  const auto chosen = std::find_if(candidates_.begin(), candidates_.end() - 1,
                                   [&](const Candidate& c) { return (left -= c.logit) < 0; });
  if (options_.mirostat > 0)
    mu_ -= options_.mirostatEta * (-std::log2(chosen->logit / sum) - options_.mirostatTau);
  return chosen->token;
}

void Sampler::keepTypical() {
  double sum = 0, entropy = 0;
  for (const Candidate& c : candidates_) sum += c.logit;
  const auto surprise = [&](const Candidate& c) { return -std::log(c.logit / sum); };
  for (const Candidate& c : candidates_)
    if (c.logit > 0) entropy += c.logit / sum * surprise(c);
  std::erase_if(candidates_, [](const Candidate& c) { return !(c.logit > 0); });
  std::stable_sort(candidates_.begin(), candidates_.end(),
                   [&](const Candidate& a, const Candidate& b) {
                     return std::abs(surprise(a) - entropy) < std::abs(surprise(b) - entropy);
                   });
  double reached = 0;
  std::size_t count = 0;
  while (count < candidates_.size() && (count == 0 || reached < options_.typicalP * sum))
    reached += candidates_[count++].logit;
  candidates_.resize(count);
}

void Sampler::excludeTopChoices() {
  if (unit(random_) >= options_.xtcProbability) return;
  double sum = 0;
  for (const Candidate& c : candidates_) sum += c.logit;
  const double least = options_.xtcThreshold * sum;
  const auto reaches = [&](const Candidate& c) { return c.logit >= least; };
  if (std::count_if(candidates_.begin(), candidates_.end(), reaches) < 2) return;
  const auto last = std::min_element(
      candidates_.begin(), candidates_.end(), [&](const Candidate& a, const Candidate& b) {
        return reaches(a) != reaches(b) ? reaches(a) : a.logit < b.logit;
      });
  const int stays = last->token;
  std::erase_if(candidates_, [&](const Candidate& c) { return reaches(c) && c.token != stays; });
}

void Sampler::limitSurprise() {
  std::sort(candidates_.begin(), candidates_.end(),
            [](const Candidate& a, const Candidate& b) { return a.logit > b.logit; });
  double sum = 0;
  for (const Candidate& c : candidates_) sum += c.logit;
  std::size_t kept = 1;
  if (options_.mirostat == 1) {
    // Estimates how steeply probabilities fall by those of the likeliest tokens.
    constexpr std::size_t kLooked = 100;
    double products = 0, squares = 0;
    for (std::size_t i = 0; i + 1 < std::min(candidates_.size(), kLooked); ++i) {
      if (!(candidates_[i + 1].logit > 0)) break;
      const double t = std::log(static_cast<double>(i + 2) / static_cast<double>(i + 1));
      products += t * std::log(candidates_[i].logit / candidates_[i + 1].logit);
      squares += t * t;
    }
    const double steepness = squares > 0 ? products / squares : 0;
    const double rest = steepness - 1, n = static_cast<double>(candidates_.size());
    const double k = std::pow(rest * std::pow(2, mu_) / (1 - std::pow(n, -rest)), 1 / steepness);
    kept = std::isfinite(k) ? static_cast<std::size_t>(std::clamp(k, 1.0, n)) : candidates_.size();
  } else {
    while (kept < candidates_.size() && -std::log2(candidates_[kept].logit / sum) <= mu_) ++kept;
  }
  candidates_.resize(kept);
}

}  // namespace waferpair::inference
