// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/draft_index.h"

#include <algorithm>
#include <array>
#include <bit>

namespace waferpair::inference {
namespace {

constexpr std::int32_t kEndOfText = -1;
constexpr std::size_t kFewestSlots = 1024;

}  // namespace

// Of the kLeastMatch tokens in front of `end`.
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

// To at least so many slots.
void DraftIndex::grow(std::size_t tokens) {
  latest_.assign(std::max(std::bit_ceil(tokens), kFewestSlots), kNone);
  for (std::size_t end = 0; end < earlier_.size(); ++end) link(end);
}

void DraftIndex::append(std::span<const std::int32_t> tokens) {
  const std::size_t whole = tokens_.size() + tokens.size();
  if (whole > latest_.size()) grow(whole);
  for (const std::int32_t token : tokens) {
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

// Calls visit(place, length) for the candidates, the latest first, until it says false.
template <typename Visit>
void DraftIndex::forCandidates(std::span<const std::int32_t> context, Visit visit) const {
  if (latest_.empty() || context.size() < kLeastMatch) return;
  const std::int32_t* here = context.data() + context.size();
  const auto longest = static_cast<int>(std::min<std::size_t>(context.size(), kMostMatch));
  int candidates = 0, looked = 0;  // chains also hold places that only share the hash
  for (std::uint32_t place = latest_[slotOf(here)];
       place != kNone && candidates < kCandidates && looked < 4 * kCandidates;
       place = earlier_[place], ++looked) {
    const int most = std::min(longest, static_cast<int>(place));
    const std::int32_t* there = tokens_.data() + place;
    int length = 0;
    while (length < most && there[-1 - length] == here[-1 - length]) ++length;
    if (length < kLeastMatch) continue;
    ++candidates;
    if (!visit(place, length)) return;
  }
}

DraftIndex::Match DraftIndex::find(std::span<const std::int32_t> context) const {
  Match best;
  const auto longest = static_cast<int>(std::min<std::size_t>(context.size(), kMostMatch));
  forCandidates(context, [&](std::uint32_t place, int length) {
    if (length > best.length) best = {place, length};
    return length < longest;
  });
  return best;
}

DraftIndex::Evidence DraftIndex::weigh(std::span<const std::int32_t> context,
                                       const std::function<bool(std::int32_t)>& allowed) const {
  std::array<std::int32_t, kCandidates> said;  // by those that agree the longest, the latest first
  Evidence evidence;
  forCandidates(context, [&](std::uint32_t place, int length) {
    const std::int32_t token = tokens_[place];
    if (length < evidence.matched || token == kEndOfText || !allowed(token)) return true;
    if (length > evidence.matched) evidence = {.matched = length};
    said[static_cast<std::size_t>(evidence.places++)] = token;
    return true;
  });
  const auto end = said.begin() + evidence.places;
  for (auto token = said.begin(); token != end; ++token) {
    const auto count = static_cast<int>(std::count(said.begin(), end, *token));
    if (count <= evidence.agreeing) continue;
    evidence.token = *token;
    evidence.agreeing = count;
  }
  return evidence;
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
