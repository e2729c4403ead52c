// SPDX-License-Identifier: GPL-3.0-or-later
// Finds where a text has been before: of all places that hold the tokens it ends with, the one that
// agrees with the most of them. The tokens that follow there are a guess of those that follow here.
//
// The index works as in LZ77: a log of tokens, and for each two of them a chain of the places where
// they stand. Another for each six finds long matches behind many short ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "runtime/inference/drafts/draft.h"

namespace waferpair::inference {

// Not thread-safe. Appending a token and looking for a match take constant time.
class DraftIndex {
 public:
  static constexpr int kLeastMatch = 2, kLongMatch = 6;
  static constexpr int kMostMatch = 32;   // longer ones are not told apart
  static constexpr int kCandidates = 32;  // find() looks at the latest places, no more
  static constexpr int kNobody = -1;

  // Tokens are not negative.
  void append(std::span<const std::int32_t> tokens);
  // Makes the tokens that were appended since the last call a text of `owner`. Those appended next
  // belong to another text; no match and no draft reaches over its end.
  void endText(int owner = kNobody);
  void clear();

  std::span<const std::int32_t> tokens() const { return tokens_; }  // -1 between texts

  struct Match {
    std::size_t end = 0;  // the tokens in front of this place of tokens() are those that agree
    int length = 0;       // 0: there is none
  };
  // The longest, of equals the latest. Only places that something follows.
  Match find(std::span<const std::int32_t> context) const;

  // A place that agrees with the end of a context.
  struct Place {
    std::int32_t token = -1;  // what follows it
    int matched = 0;          // the tokens that agree
    std::size_t end = 0;      // they stand in front of this place of tokens()
  };
  // Adds the latest places that something follows, but for those in texts of `without`: of long
  // matches `most` / 2, then of shorter ones `most`, the latest first.
  void gather(std::span<const std::int32_t> context, int most, int without,
              std::vector<Place>& places) const;

  // Returns the tokens that follow the match. Behind the end of a text that goes on, the draft
  // continues as it has begun, so that a loop of any length is continued.
  Draft propose(std::span<const std::int32_t> context, int most) const;

 private:
  static constexpr std::uint32_t kNone = 0;  // no match ends at 0
  struct Text {
    std::size_t end;  // of its tokens
    int owner;
  };
  // The places behind `length` tokens, chained by a hash of these.
  struct Chains {
    int length;
    std::vector<std::uint32_t> earlier = {};  // by place: the one before in its chain
    std::vector<std::uint32_t> latest = {};   // by slot: the first of its chain; a power of two

    std::size_t slotOf(const std::int32_t* end) const;
    void link(std::span<const std::int32_t> tokens, std::size_t end);
  };
  template <typename Visit>
  void forCandidates(std::span<const std::int32_t> context, int most, Visit visit) const;
  template <typename Visit>
  bool follow(const Chains& chains, std::span<const std::int32_t> context, int most, int below,
              Visit visit) const;
  int ownerOf(std::size_t place) const;
  void grow(std::size_t tokens);

  std::vector<std::int32_t> tokens_;
  std::vector<Text> texts_;  // in order; the one that goes on is not among them
  Chains short_ = {.length = kLeastMatch};
  Chains long_ = {.length = kLongMatch};
};

}  // namespace waferpair::inference
