// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/drafts/draft_index.h"

#include <algorithm>
#include <bit>

namespace waferpair::inference {
namespace {

constexpr std::int32_t kEndOfText = -1;
constexpr std::size_t kFewestSlots = 1024;

}  // namespace

// Returns the slot of the tokens in front of `end`.
std::size_t DraftIndex::Chains::slotOf(const std::int32_t* end) const {
  std::uint64_t hash = 0;
  for (int i = 1; i <= length; ++i)
    hash = (hash + static_cast<std::uint32_t>(end[-i])) * 0x9E3779B97F4A7C15;
  return static_cast<std::size_t>(hash >> 32) & (latest.size() - 1);
}

// Adds the place in front of tokens[end] to its chain.
void DraftIndex::Chains::link(std::span<const std::int32_t> tokens, std::size_t end) {
  if (end < static_cast<std::size_t>(length)) return;
  const std::int32_t* at = tokens.data() + end;
  if (std::find(at - length, at + 1, kEndOfText) != at + 1) return;
  std::uint32_t& first = latest[slotOf(at)];
  earlier[end] = first;
  first = static_cast<std::uint32_t>(end);
}

// Grows the chains to at least so many slots.
void DraftIndex::grow(std::size_t tokens) {
  for (Chains* chains : {&short_, &long_}) {
    chains->latest.assign(std::max(std::bit_ceil(tokens), kFewestSlots), kNone);
    for (std::size_t end = 0; end < chains->earlier.size(); ++end) chains->link(tokens_, end);
  }
}

void DraftIndex::append(std::span<const std::int32_t> tokens) {
  const std::size_t whole = tokens_.size() + tokens.size();
  if (whole > short_.latest.size()) grow(whole);
  for (const std::int32_t token : tokens) {
    tokens_.push_back(token);
    // The place in front of this token: something follows it now.
    for (Chains* chains : {&short_, &long_}) {
      chains->earlier.push_back(kNone);
      chains->link(tokens_, tokens_.size() - 1);
    }
  }
}

void DraftIndex::endText(int owner) {
  if (tokens_.empty() || tokens_.back() == kEndOfText) return;
  texts_.push_back({tokens_.size(), owner});
  tokens_.push_back(kEndOfText);
  short_.earlier.push_back(kNone);
  long_.earlier.push_back(kNone);
}

void DraftIndex::clear() { *this = {}; }

// Returns the owner of the text that holds tokens_[place].
int DraftIndex::ownerOf(std::size_t place) const {
  const auto text = std::upper_bound(texts_.begin(), texts_.end(), place,
                                     [](std::size_t at, const Text& one) { return at < one.end; });
  return text == texts_.end() ? kNobody : text->owner;
}

// Calls visit(place, length) for the latest `most` places in the chain of matches shorter than
// `below`, the latest first, until it says false; false then.
template <typename Visit>
bool DraftIndex::follow(const Chains& chains, std::span<const std::int32_t> context, int most,
                        int below, Visit visit) const {
  if (chains.latest.empty() || std::ssize(context) < chains.length) return true;
  const std::int32_t* here = context.data() + context.size();
  const auto longest = static_cast<int>(std::min<std::size_t>(context.size(), kMostMatch));
  int candidates = 0, looked = 0;  // chains also hold places that only share the hash
  for (std::uint32_t place = chains.latest[chains.slotOf(here)];
       place != kNone && candidates < most && looked < 4 * most;
       place = chains.earlier[place], ++looked) {
    const int room = std::min(longest, static_cast<int>(place));
    const std::int32_t* there = tokens_.data() + place;
    int length = 0;
    while (length < room && there[-1 - length] == here[-1 - length] && here[-1 - length] >= 0)
      ++length;
    if (length < chains.length || length >= below) continue;
    ++candidates;
    if (!visit(place, length)) return false;
  }
  return true;
}

// The same for long matches, then for shorter ones.
template <typename Visit>
void DraftIndex::forCandidates(std::span<const std::int32_t> context, int most, Visit visit) const {
  if (follow(long_, context, most / 2, kMostMatch + 1, visit))
    follow(short_, context, most, kLongMatch, visit);
}

DraftIndex::Match DraftIndex::find(std::span<const std::int32_t> context) const {
  Match best;
  const auto longest = static_cast<int>(std::min<std::size_t>(context.size(), kMostMatch));
  forCandidates(context, kCandidates, [&](std::uint32_t place, int length) {
    if (length > best.length) best = {place, length};
    return length < longest;
  });
  return best;
}

void DraftIndex::gather(std::span<const std::int32_t> context, int most, int without,
                        std::vector<Place>& places) const {
  forCandidates(context, most, [&](std::uint32_t place, int length) {
    if (tokens_[place] == kEndOfText) return true;
    if (without != kNobody && ownerOf(place) == without) return true;
    places.push_back({.token = tokens_[place], .matched = length, .end = place});
    return true;
  });
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
