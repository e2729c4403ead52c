// SPDX-License-Identifier: GPL-3.0-or-later
// Finds where a text has been before: of all places that hold the tokens it ends with, the one
// that agrees with the most of them. What follows there is a guess of what follows here.
//
// As in LZ77: a log of tokens, and for each two of them a chain of the places where they stand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "runtime/inference/draft.h"

namespace waferpair::inference {

// Not thread-safe. Appending a token and looking for a match take constant time.
class DraftIndex {
 public:
  static constexpr int kLeastMatch = 2;
  static constexpr int kMostMatch = 32;   // longer ones are not told apart
  static constexpr int kCandidates = 32;  // the latest places are looked at, no more

  // Tokens are not negative.
  void append(std::span<const std::int32_t> tokens);
  // What is appended next is another text: no match and no draft reaches over.
  void endText();
  void clear();

  std::span<const std::int32_t> tokens() const { return tokens_; }  // -1 between texts

  struct Match {
    std::size_t end = 0;  // the tokens in front of this place of tokens() are those that agree
    int length = 0;       // 0: there is none
  };
  // The longest, of equals the latest. Only places that something follows.
  Match find(std::span<const std::int32_t> context) const;

  // What the candidates that agree the longest say of the token that follows; of those that say
  // one that is allowed.
  struct Evidence {
    std::int32_t token = -1;  // what most of them say, of equals what the latest says
    int matched = 0;          // 0: there are none
    int places = 0;           // how many they are
    int agreeing = 0;         // how many of them say `token`
  };
  Evidence weigh(std::span<const std::int32_t> context,
                 const std::function<bool(std::int32_t)>& allowed) const;

  // What follows the match. Behind the end of a text that goes on, the draft does as it has begun:
  // a loop of any length is continued.
  Draft propose(std::span<const std::int32_t> context, int most) const;

 private:
  static constexpr std::uint32_t kNone = 0;  // no match ends at 0
  template <typename Visit>
  void forCandidates(std::span<const std::int32_t> context, Visit visit) const;
  std::size_t slotOf(const std::int32_t* end) const;
  void link(std::size_t end);
  void grow(std::size_t tokens);

  std::vector<std::int32_t> tokens_;
  std::vector<std::uint32_t> earlier_;  // by place: the one before in its chain
  std::vector<std::uint32_t> latest_;   // by slot: the first of its chain; a power of two
};

}  // namespace waferpair::inference
