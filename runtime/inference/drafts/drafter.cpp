// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/drafts/drafter.h"

#include <algorithm>

namespace waferpair::inference {
namespace {

// Measurements are not that good.
constexpr double kWorthIt = 1.04;
// The share of time for trying drafts that look too dear; otherwise, costs that were measured while
// the computer was busy would never be measured again. It does not help where the odds alone forbid
// a draft.
constexpr double kForTrying = 0.005, kLeastTried = 0.1, kTokensWorthTrying = 1.5;

}  // namespace

Drafter::Drafter(Speculation mode, DraftExperience& experience, const DraftIndex& documents,
                 std::span<const std::int32_t> prompt, std::function<bool(std::int32_t)> isEnd)
    : mode_(mode),
      experience_(experience),
      documents_(documents),
      isEnd_(std::move(isEnd)),
      rewrite_(prompt) {}

std::span<const std::int32_t> Drafter::propose(std::span<const std::int32_t> context, int most) {
  context_ = context.size();
  proposals_.clear();
  chosen_ = nullptr;
  verified_ = {};
  most = std::min(most, kMostDrafted);
  text_.append(context.subspan(text_.tokens().size()));
  const auto add = [this](DraftSource source, Draft draft) {
    const auto end = std::find_if(draft.tokens.begin(), draft.tokens.end(), std::ref(isEnd_));
    draft.tokens.erase(end, draft.tokens.end());
    if (!draft.tokens.empty()) proposals_.push_back({source, std::move(draft)});
  };
  add(DraftSource::kRewrite, rewrite_.propose(context, most));
  add(DraftSource::kText, text_.propose(context, most));
  add(DraftSource::kDocuments, documents_.propose(context, most));
  add(DraftSource::kResume, resume_.propose(context, most));

  DraftLength best;
  for (const Proposal& proposal : proposals_) {
    const DraftLength length =
        bestLength(proposal.source, proposal.draft, experience_.odds, experience_.costs);
    if (length.gain <= best.gain) continue;  // of equals the more trusted
    best = length;
    chosen_ = &proposal;
  }
  if (!chosen_) return {};
  if (mode_ == Speculation::kAlways) best.tokens = static_cast<int>(chosen_->draft.tokens.size());
  if (mode_ == Speculation::kAdaptive && best.gain < kWorthIt) {
    const double cost = experience_.costs.relative(best.tokens + 1);
    const double loss = std::max(cost * (1 - best.gain), kLeastTried);
    experience_.saved = std::min(experience_.saved + kForTrying, 1.0);
    if (cost * best.gain < kTokensWorthTrying || experience_.saved < loss) return {};
    experience_.saved -= loss;
  }
  verified_ = std::span(chosen_->draft.tokens).first(static_cast<std::size_t>(best.tokens));
  return verified_;
}

void Drafter::chose(std::span<const std::int32_t> tokens, double nanoseconds) {
  experience_.costs.measured(static_cast<int>(verified_.size()) + 1, nanoseconds);
  // Also drafts that were not verified are right or wrong, as far as the tokens go.
  for (const Proposal& proposal : proposals_) {
    const Draft& draft = proposal.draft;
    const std::size_t both = std::min(draft.tokens.size(), tokens.size());
    for (std::size_t i = 0; i < both; ++i) {
      const bool right = draft.tokens[i] == tokens[i];
      experience_.odds.seen(proposal.source, draft.matched + static_cast<int>(i), right);
      if (right) continue;
      if (&proposal == chosen_) resume_.parted(std::span(draft.tokens).subspan(i), context_ + i);
      break;
    }
  }
}

}  // namespace waferpair::inference
