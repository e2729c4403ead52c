// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/drafts/rewrite_source.h"

#include <algorithm>

namespace waferpair::inference {
namespace {

// Fewer may be a common turn of phrase.
constexpr int kFirstMatch = 8;
// Near the place where the two parted fewer do, within so many tokens behind it.
constexpr std::size_t kAgain = 3;
constexpr std::size_t kNearby = 256;

}  // namespace

RewriteSource::RewriteSource(std::span<const std::int32_t> prompt) : seen_(prompt.size()) {
  old_.append(prompt);
}

void RewriteSource::follow(std::span<const std::int32_t> context) {
  const auto old = old_.tokens();
  for (; seen_ < context.size(); ++seen_) {
    if (at_ > 0 && at_ < old.size() && old[at_] == context[seen_] && run_ > 0) {
      ++at_;
      ++run_;
    } else {
      run_ = 0;
      findAgain(context.first(seen_ + 1));
    }
  }
}

void RewriteSource::findAgain(std::span<const std::int32_t> context) {
  const auto old = old_.tokens();
  if (at_ > 0 && context.size() >= kAgain) {
    const auto tail = context.last(kAgain);
    const auto from = old.begin() + static_cast<std::ptrdiff_t>(at_ - std::min(at_, kAgain));
    const auto to = old.begin() + static_cast<std::ptrdiff_t>(std::min(old.size(), at_ + kNearby));
    const auto found = std::search(from, to, tail.begin(), tail.end());
    if (found != to) {
      at_ = static_cast<std::size_t>(found - old.begin()) + kAgain;
      run_ = kAgain;
      return;
    }
  }
  const DraftIndex::Match match = old_.find(context);
  if (match.length < kFirstMatch) return;
  at_ = match.end;
  run_ = match.length;
}

Draft RewriteSource::propose(std::span<const std::int32_t> context, int most) {
  follow(context);
  Draft draft;
  if (run_ == 0) return draft;
  draft.matched = run_;
  const auto rest = old_.tokens().subspan(at_);
  const auto length = std::min(rest.size(), static_cast<std::size_t>(std::max(most, 0)));
  draft.tokens.assign(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(length));
  return draft;
}

}  // namespace waferpair::inference
