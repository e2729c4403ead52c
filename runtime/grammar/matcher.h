// SPDX-License-Identifier: GPL-3.0-or-later
// Reads text byte by byte and knows at each point whether it can still become what a grammar
// describes.
//
// A state is the set of all ways in which the text so far can be read. Each way is a stack: the
// symbol that must come next, on top of what follows the rules it is in. Stacks with the same top
// share it, and what lies below is a set again, kept once however often it occurs: so a state has
// at most as many members as the grammar has symbols, whatever the text, and equal states are one
// number. What a state does with a byte is remembered.
//
// Memory is bounded: beyond the limits below a way is given up, so a text may be refused that the
// grammar would allow (nested too deeply, or a grammar with too many readings), never the other
// way round.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "runtime/grammar/grammar.h"

namespace waferpair::grammar {

// Not thread-safe; the grammar must outlive it.
class Matcher {
 public:
  using State = std::int32_t;
  static constexpr State kDead = -1;     // no text that begins so is in the language
  static constexpr int kMaxDepth = 512;  // of rules within rules

  explicit Matcher(const Grammar& grammar);

  State start() const { return start_; }
  State next(State state, std::uint8_t byte);
  // The text may end here.
  bool mayEnd(State state) const;
  // It must: no byte may follow.
  bool mustEnd(State state) const;

  // Many states are known. What holds on to states should let go of them and go on from
  // renewed(state), which forgets all others.
  bool crowded() const;
  State renewed(State state);

 private:
  using Set = std::int32_t;  // of frames; 0 is the empty one
  // A place to continue at, and the set of frames that follow it. In a state the place is a symbol
  // of bytes.
  struct Frame {
    std::int32_t at = 0;
    Set below = 0;
    bool operator==(const Frame&) const = default;
  };
  struct Extent {
    std::size_t begin = 0;
    std::uint32_t size = 0;
    std::uint16_t depth = 0;
  };

  void clear();
  std::span<const Frame> frames(Set set) const;
  // The set of these, sorted by place and each place once; kDead where a limit is reached.
  Set intern(const std::vector<Frame>& frames);
  Set united(Set a, Set b);
  // Adds to found_ all ways to go on from a place, with nothing but bytes next.
  void expand(std::int32_t at, Set below);
  Set collect();
  Set copy(const Matcher& from, Set set, std::unordered_map<Set, Set>& copied);

  const Grammar* grammar_;
  State start_ = kDead;
  std::vector<Frame> frames_;
  std::vector<Extent> sets_;
  std::unordered_multimap<std::uint64_t, Set> byHash_;
  std::unordered_map<std::uint64_t, Set> unions_;
  // The next states by state and byte, for the states that came first.
  std::vector<std::vector<State>> known_;
  // The frames of the expansion under way.
  std::vector<Frame> todo_, found_;
  std::unordered_set<std::uint64_t> seen_;
};

}  // namespace waferpair::grammar
