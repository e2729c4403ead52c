// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/sampling/copy_evidence.h"

#include <algorithm>
#include <cmath>

#include "runtime/inference/sampling/sampler.h"

namespace waferpair::inference {
namespace {

// The numbers of tokens of context that a chance may be of, the fewest first.
constexpr std::array kOrders = {0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32};
constexpr double kFade = 500;  // tokens or pieces: what is further back counts as less recent
// A line that is alike counts for as much as agrees in front of it, but for something even where
// nothing does.
double weightOf(const AlikeLine& line) { return std::max(line.agreement, 0.5) / 2; }
double agreementOf(const AlikeLine& line) { return std::log1p(std::max(line.agreement, 0.0)); }
// Logarithm of a probability: what is less likely to the network is not told apart. Its exponential
// is still a number.
constexpr double kNever = -100;

}  // namespace

void CopyEvidence::clear() {
  near_.places.clear();
  far_.places.clear();
  alike_.clear();
}

void CopyEvidence::addAlike(std::int32_t token, const AlikeLine& line) {
  alike_.emplace_back(token, &line);
}

void CopyEvidence::addNear(std::span<const std::int32_t> text, std::size_t behind,
                           std::span<const std::int32_t> context, bool loose) {
  if (context.empty()) return;
  const std::int32_t last = context.back();
  // No further back than to where the context's text begins.
  const auto recent = context.last(std::min<std::size_t>(context.size(), DraftIndex::kMostMatch));
  const auto start =
      std::find_if(recent.rbegin(), recent.rend(), [](auto token) { return token < 0; });
  const auto longest = static_cast<std::size_t>(start - recent.rbegin());
  for (std::size_t at = text.size(); at-- > 1;) {
    if (std::ssize(near_.places) == kMostNear) return;
    if (text[at] < 0 || (text[at - 1] != last && !loose)) continue;
    std::size_t matched = 0;
    while (matched < std::min(longest, at) &&
           text[at - 1 - matched] == context[context.size() - 1 - matched])
      ++matched;
    near_.places.push_back({text[at], static_cast<int>(matched), behind + text.size() - at});
  }
}

void CopyEvidence::addFar(const DraftIndex& index, int without,
                          std::span<const std::int32_t> context) {
  found_.clear();
  index.gather(context, kMostFar, without, found_);
  for (const DraftIndex::Place& place : found_)
    far_.places.push_back({place.token, place.matched, 0});
}

void CopyEvidence::support(Source& source) {
  source.supports.assign(candidates_.size(), {});
  source.longest = -1;
  source.atLongest = 0;
  for (std::size_t i = 0; i < candidates_.size(); ++i) source.supports[i].chance = chances_[i];
  for (const Place& place : source.places) {
    Support& one = source.supports[static_cast<std::size_t>(
        candidateOf_[static_cast<std::size_t>(place.token)])];
    if (one.matched < 0 || place.distance < one.nearest) one.nearest = place.distance;
    if (place.matched > one.matched) one.matched = place.matched, one.places = 0;
    one.places += place.matched == one.matched ? 1 : 0;
    if (place.matched > source.longest) source.longest = place.matched, source.atLongest = 0;
    source.atLongest += place.matched == source.longest ? 1 : 0;
  }
  for (const int order : kOrders) {
    if (order > source.longest) break;
    counts_.assign(candidates_.size(), 0);
    int all = 0, kinds = 0;
    for (const Place& place : source.places) {
      if (place.matched < order) continue;
      int& count =
          counts_[static_cast<std::size_t>(candidateOf_[static_cast<std::size_t>(place.token)])];
      kinds += count++ == 0 ? 1 : 0;
      ++all;
    }
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      double& chance = source.supports[i].chance;
      chance = (counts_[i] + kinds * chance) / (all + kinds);
    }
  }
}

void CopyEvidence::supportAlike() {
  alikeSupports_.assign(candidates_.size(), {});
  allAlike_ = {};
  for (const auto& [token, line] : alike_) {
    AlikeSupport& one =
        alikeSupports_[static_cast<std::size_t>(candidateOf_[static_cast<std::size_t>(token)])];
    for (AlikeSupport* support : {&one, &allAlike_}) {
      support->weight += weightOf(*line);
      ++support->lines;
      if (!support->best || line->agreement > support->best->agreement) support->best = line;
    }
  }
}

std::span<const CopyCandidate> CopyEvidence::weigh(std::span<const float> logits, bool loose) {
  candidates_.clear();
  chances_.clear();
  const auto isForbidden = [logits](std::int32_t token) {
    return token >= std::ssize(logits) || !(logits[static_cast<std::size_t>(token)] > -INFINITY);
  };
  for (Source* source : {&near_, &far_})
    std::erase_if(source->places, [&](const Place& place) { return isForbidden(place.token); });
  std::erase_if(alike_, [&](const auto& one) { return isForbidden(one.first); });
  if (near_.places.empty() && far_.places.empty() && alike_.empty()) return candidates_;

  const double all = logOfSum(logits);
  const double likeliest = logits[static_cast<std::size_t>(argmax(logits))] - all;
  candidateOf_.resize(std::max(candidateOf_.size(), logits.size()), -1);
  const auto add = [&](std::int32_t token) {
    std::int32_t& candidate = candidateOf_[static_cast<std::size_t>(token)];
    if (candidate >= 0) return;
    candidate = static_cast<std::int32_t>(candidates_.size());
    candidates_.push_back({.token = token});
    const double own = logits[static_cast<std::size_t>(token)] - all;
    chances_.push_back(std::exp(std::max(own, kNever)));
  };
  for (const Source* source : {&near_, &far_})
    for (const Place& place : source->places) add(place.token);
  for (const auto& one : alike_) add(one.first);
  for (Source* source : {&near_, &far_}) support(*source);
  supportAlike();
  const auto kindsOfAlike = static_cast<double>(
      std::ranges::count_if(alikeSupports_, [](const AlikeSupport& one) { return one.lines > 0; }));

  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    const Support& near = near_.supports[i];
    const Support& far = far_.supports[i];
    const AlikeSupport& alike = alikeSupports_[i];
    const bool inNear = near.matched >= 0, inFar = far.matched >= 0;
    const bool leadsNear = inNear && near.matched == near_.longest;
    const bool leadsFar = inFar && far.matched == far_.longest;
    const double own =
        std::max(logits[static_cast<std::size_t>(candidates_[i].token)] - all, kNever);
    const double nearShare = leadsNear ? static_cast<double>(near.places) / near_.atLongest : 0.0;
    const double farShare = leadsFar ? static_cast<double>(far.places) / far_.atLongest : 0.0;
    const double alikeChance = (alike.weight + kindsOfAlike * chances_[i]) /
                               (alike_.empty() ? 1.0 : allAlike_.weight + kindsOfAlike);
    const std::array<double, kCopyFeatures> features = {
        own,
        std::log(near.chance) - own,
        std::log(far.chance) - own,
        std::log1p(near.matched + 1),
        std::log1p(far.matched + 1),
        leadsNear ? 1.0 : 0.0,
        leadsFar ? 1.0 : 0.0,
        std::log1p(near.places),
        std::log1p(far.places),
        nearShare,
        farShare,
        std::log1p(near_.longest + 1),
        std::log1p(far_.longest + 1),
        likeliest,
        inNear ? std::exp(-static_cast<double>(near.nearest) / kFade) : 0.0,
        own == likeliest ? 1.0 : 0.0,
        std::log1p(near_.atLongest),
        std::log1p(far_.atLongest),
        loose ? 1.0 : 0.0,
        alike_.empty() ? 0.0 : std::log(alikeChance) - own,
        alike.best ? agreementOf(*alike.best) : 0.0,
        alike.best && alike.best->agreement == allAlike_.best->agreement ? 1.0 : 0.0,
        alike.best ? static_cast<double>(alike.lines) / allAlike_.lines : 0.0,
        allAlike_.best ? agreementOf(*allAlike_.best) : 0.0,
        alike.best ? std::log1p(alike.best->replaced) : 0.0,
        alike.best ? std::exp(-static_cast<double>(alike.best->distance) / kFade) : 0.0};
    std::transform(features.begin(), features.end(), candidates_[i].features.begin(),
                   [](double feature) { return static_cast<float>(feature); });
  }
  for (const CopyCandidate& candidate : candidates_)
    candidateOf_[static_cast<std::size_t>(candidate.token)] = -1;
  return candidates_;
}

}  // namespace waferpair::inference
