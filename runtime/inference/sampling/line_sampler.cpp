// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/sampling/line_sampler.h"

#include <algorithm>
#include <cmath>

namespace waferpair::inference {

std::vector<std::int32_t> lineEndings(const tokenizer::Tokenizer& tokenizer) {
  std::vector<std::int32_t> endings;
  for (std::int32_t token = 0; token < tokenizer.vocabSize(); ++token) {
    const std::string_view bytes = tokenizer.bytes(token);
    const std::size_t solid = bytes.find_first_not_of(" \t\r");
    const bool breaks = solid != std::string_view::npos && bytes[solid] == '\n';
    if (breaks || tokenizer.isEnd(token)) endings.push_back(token);
  }
  return endings;
}

LineSampler::LineSampler(const TokenRules& rules, std::span<const std::int32_t> endings, int most)
    : Sampler({}), own_(rules), endings_(endings), most_(static_cast<std::size_t>(most)) {
  own_.addTo(*this);
}

int LineSampler::next(std::span<const float> logits) {
  const std::span<const float> left = ruled(logits);
  const double all = logOfSum(left);
  const int likeliest = argmax(left);

  ending_ = {};
  endingIsLikeliest_ = false;
  double mass = 0;
  for (const std::int32_t token : endings_) {
    const float logit = left[static_cast<std::size_t>(token)];
    if (!(logit > -INFINITY)) continue;
    mass += std::exp(logit - all);
    if (ending_.token < 0 || logit > left[static_cast<std::size_t>(ending_.token)])
      ending_.token = token;
    endingIsLikeliest_ = endingIsLikeliest_ || token == likeliest;
  }
  ending_.logProbability = std::log(mass);

  // Ties go to the lower token. Endings are in order, too.
  const auto likelier = [](const Continuation& a, const Continuation& b) {
    return a.logProbability > b.logProbability;
  };
  continuations_.clear();
  auto ending = endings_.begin();
  for (std::int32_t token = 0; token < std::ssize(left); ++token) {
    if (ending != endings_.end() && *ending == token) {
      ++ending;
      continue;
    }
    const float logit = left[static_cast<std::size_t>(token)];
    if (!(logit > -INFINITY)) continue;
    const Continuation one{token, logit - all, 0};
    if (continuations_.size() == most_ && !likelier(one, continuations_.back())) continue;
    if (continuations_.size() == most_) continuations_.pop_back();
    continuations_.insert(
        std::upper_bound(continuations_.begin(), continuations_.end(), one, likelier), one);
  }
  if (keepsConsidered()) {
    likeliest_ = likeliestOf(left, all);
    const double allNetwork = left.data() == logits.data() ? all : logOfSum(logits);
    const auto byNetwork = [&](Continuation& one) {
      one.network = logits[static_cast<std::size_t>(one.token)] - allNetwork;
    };
    std::ranges::for_each(continuations_, byNetwork);
    if (ending_.token >= 0) byNetwork(ending_);
  }
  return likeliest;
}

}  // namespace waferpair::inference
