// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/grammar/matcher.h"

#include <algorithm>

namespace waferpair::grammar {
namespace {

constexpr std::size_t kMaxSets = 1 << 16;
constexpr std::size_t kMaxFrames = 1 << 20;
constexpr std::size_t kMaxWays = 1 << 14;  // looked at for one byte
constexpr std::size_t kKnownStates = 4096;
constexpr Matcher::State kUnknown = -2;
constexpr std::int32_t kAccepted = -1;  // the place behind the root: the text may end

std::uint64_t pairOf(std::int32_t a, std::int32_t b) {
  return static_cast<std::uint64_t>(static_cast<std::uint32_t>(a)) << 32 |
         static_cast<std::uint32_t>(b);
}

}  // namespace

Matcher::Matcher(const Grammar& grammar) : grammar_(&grammar) { clear(); }

void Matcher::clear() {
  frames_.clear();
  sets_.assign(1, {});  // the empty one
  byHash_.clear();
  unions_.clear();
  known_.clear();
  todo_.clear();
  // A place of its own below the root: in a union it stays beside what else may follow.
  const Set bottom = intern({{kAccepted, 0}});
  for (const std::int32_t alternative : grammar_->rules[grammar_->root].alternatives)
    todo_.push_back({alternative, bottom});
  start_ = collect();
}

std::span<const Matcher::Frame> Matcher::frames(Set set) const {
  return std::span(frames_).subspan(sets_[set].begin, sets_[set].size);
}

Matcher::Set Matcher::intern(const std::vector<Frame>& wanted) {
  std::uint64_t hash = wanted.size();
  std::uint16_t below = 0;
  for (const Frame& frame : wanted) {
    hash = (hash ^ pairOf(frame.at, frame.below)) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 29;
    below = std::max(below, sets_[frame.below].depth);
  }
  const auto [begin, end] = byHash_.equal_range(hash);
  for (auto it = begin; it != end; ++it) {
    const auto known = frames(it->second);
    if (std::equal(known.begin(), known.end(), wanted.begin(), wanted.end())) return it->second;
  }
  if (sets_.size() >= kMaxSets || frames_.size() + wanted.size() > kMaxFrames || below >= kMaxDepth)
    return kDead;
  const auto set = static_cast<Set>(sets_.size());
  sets_.push_back({frames_.size(), static_cast<std::uint32_t>(wanted.size()),
                   static_cast<std::uint16_t>(below + 1)});
  frames_.insert(frames_.end(), wanted.begin(), wanted.end());
  byHash_.emplace(hash, set);
  return set;
}

// Recurses as deep as the deeper of the two, which is bounded.
Matcher::Set Matcher::united(Set a, Set b) {
  if (a == b) return a;
  const std::uint64_t key = pairOf(std::min(a, b), std::max(a, b));
  if (const auto known = unions_.find(key); known != unions_.end()) return known->second;
  std::vector<Frame> all;
  {
    const auto left = frames(a), right = frames(b);
    all.reserve(left.size() + right.size());
    std::merge(left.begin(), left.end(), right.begin(), right.end(), std::back_inserter(all),
               [](const Frame& x, const Frame& y) { return x.at < y.at; });
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (kept > 0 && all[kept - 1].at == all[i].at) {
      const Set both = united(all[kept - 1].below, all[i].below);
      if (both != kDead) all[kept - 1].below = both;  // else one way is given up
    } else {
      all[kept++] = all[i];
    }
  }
  all.resize(kept);
  const Set set = intern(all);
  if (unions_.size() < kMaxSets) unions_.emplace(key, set);
  return set;
}

// Follows the frames in todo_ until each needs bytes, and returns these as a set.
Matcher::Set Matcher::collect() {
  found_.clear();
  seen_.clear();
  while (!todo_.empty()) {
    const Frame way = todo_.back();
    todo_.pop_back();
    if (seen_.size() >= kMaxWays || !seen_.insert(pairOf(way.at, way.below)).second) continue;
    const Symbol symbol =
        way.at == kAccepted ? Symbol{Symbol::Kind::kBytes, 0} : grammar_->symbols[way.at];
    switch (symbol.kind) {
      case Symbol::Kind::kBytes:
        found_.push_back(way);
        break;
      case Symbol::Kind::kEnd:
        for (const Frame& frame : frames(way.below)) todo_.push_back(frame);
        break;
      case Symbol::Kind::kRule: {
        // A rule at the end returns to where this one does: repetition stays flat.
        const bool last = grammar_->symbols[way.at + 1].kind == Symbol::Kind::kEnd;
        const Set below = last ? way.below : intern({{way.at + 1, way.below}});
        if (below == kDead) break;
        for (const std::int32_t alternative : grammar_->rules[symbol.index].alternatives)
          todo_.push_back({alternative, below});
        break;
      }
    }
  }
  if (found_.empty()) return kDead;
  std::sort(found_.begin(), found_.end(), [](const Frame& a, const Frame& b) {
    return a.at != b.at ? a.at < b.at : a.below < b.below;
  });
  std::size_t kept = 0;
  for (const Frame& way : found_) {
    if (kept > 0 && found_[kept - 1].at == way.at) {
      const Set both = united(found_[kept - 1].below, way.below);
      if (both != kDead) found_[kept - 1].below = both;
    } else {
      found_[kept++] = way;
    }
  }
  found_.resize(kept);
  return intern(found_);
}

Matcher::State Matcher::next(State state, std::uint8_t byte) {
  if (state == kDead) return kDead;
  const auto index = static_cast<std::size_t>(state);
  if (index < kKnownStates) {
    if (known_.size() <= index) known_.resize(index + 1);
    if (known_[index].empty()) known_[index].assign(256, kUnknown);
    if (known_[index][byte] != kUnknown) return known_[index][byte];
  }
  todo_.clear();
  for (const Frame& frame : frames(state)) {
    if (frame.at == kAccepted) continue;
    if (grammar_->sets[grammar_->symbols[frame.at].index].test(byte))
      todo_.push_back({frame.at + 1, frame.below});
  }
  const State after = collect();
  if (index < kKnownStates) known_[index][byte] = after;
  return after;
}

bool Matcher::mayEnd(State state) const {
  // Sorted by place, so this one comes first.
  return state != kDead && frames(state).front().at == kAccepted;
}

bool Matcher::mustEnd(State state) const { return mayEnd(state) && frames(state).size() == 1; }

bool Matcher::crowded() const {
  return sets_.size() > kMaxSets / 2 || frames_.size() > kMaxFrames / 2;
}

Matcher::State Matcher::renewed(State state) {
  if (state == kDead) return kDead;
  const Matcher old = std::move(*this);
  clear();
  std::unordered_map<Set, Set> copied{{0, 0}};
  return copy(old, state, copied);
}

Matcher::Set Matcher::copy(const Matcher& from, Set set, std::unordered_map<Set, Set>& copied) {
  if (const auto known = copied.find(set); known != copied.end()) return known->second;
  std::vector<Frame> frames(from.frames(set).begin(), from.frames(set).end());
  for (Frame& frame : frames) frame.below = copy(from, frame.below, copied);
  return copied[set] = intern(frames);
}

}  // namespace waferpair::grammar
