// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/draft_index.h"

#include <algorithm>

namespace waferpair::inference {
namespace {

constexpr std::int32_t kEndOfText = -1;
constexpr std::size_t kFewestSlots = 1024;

}  // namespace

// Of the three tokens in front of `end`.
std::size_t DraftIndex::slotOf(const std::int32_t* end) const {
  std::uint64_t hash = 0;
  for (int i = 1; i <= kLeastMatch; ++i)
    hash = (hash + static_cast<std::uint32_t>(end[-i])) * 0x9E3779B97F4A7C15;
  return static_cast<std::size_t>(hash >> 32) & (latest_.size() - 1);
}

// Adds the place in front of tokens_[end] to its chain.
void DraftIndex::link(std::size_t end) {
  const std::int32_t* at = tokens_.data() + end;
  const bool whole =
      end >= kLeastMatch && std::find(at - kLeastMatch, at + 1, kEndOfText) == at + 1;
  if (!whole) return;
  std::uint32_t& first = latest_[slotOf(at)];
  earlier_[end] = first;
  first = static_cast<std::uint32_t>(end);
}

void DraftIndex::grow() {
  latest_.assign(std::max(2 * latest_.size(), kFewestSlots), kNone);
  for (std::size_t end = 0; end < earlier_.size(); ++end) link(end);
}

void DraftIndex::append(std::span<const std::int32_t> tokens) {
  for (const std::int32_t token : tokens) {
    if (tokens_.size() >= latest_.size()) grow();
    // The place in front of this token: something follows it now.
    earlier_.push_back(kNone);
    tokens_.push_back(token);
    link(tokens_.size() - 1);
  }
}

void DraftIndex::endText() {
  if (tokens_.empty() || tokens_.back() == kEndOfText) return;
  tokens_.push_back(kEndOfText);
  earlier_.push_back(kNone);
}

void DraftIndex::clear() { *this = {}; }

DraftIndex::Match DraftIndex::find(std::span<const std::int32_t> context) const {
  Match best;
  if (latest_.empty() || context.size() < kLeastMatch) return best;
  const std::int32_t* here = context.data() + context.size();
  const auto longest = static_cast<int>(std::min<std::size_t>(context.size(), kMostMatch));
  std::uint32_t place = latest_[slotOf(here)];
  for (int i = 0; i < kCandidates && place != kNone; ++i, place = earlier_[place]) {
    const int most = std::min(longest, static_cast<int>(place));
    const std::int32_t* there = tokens_.data() + place;
    int length = 0;
    while (length < most && there[-1 - length] == here[-1 - length]) ++length;
    if (length >= kLeastMatch && length > best.length) best = {place, length};
    if (length == longest) break;
  }
  return best;
}

Draft DraftIndex::propose(std::span<const std::int32_t> context, int most) const {
  const Match match = find(context);
  Draft draft{.matched = match.length};
  if (match.length == 0) return draft;
  while (static_cast<int>(draft.tokens.size()) < most) {
    const std::size_t from = match.end + draft.tokens.size();
    const std::int32_t token =
        from < tokens_.size() ? tokens_[from] : draft.tokens[from - tokens_.size()];
    if (token == kEndOfText) break;
    draft.tokens.push_back(token);
  }
  return draft;
}

}  // namespace waferpair::inference
