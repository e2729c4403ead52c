// SPDX-License-Identifier: GPL-3.0-or-later
// The pairs of tokens that byte-pair encoding joins, and the joining. Private to this room.
#pragma once

#include <cstdint>
#include <vector>

namespace waferpair::tokenizer {

class MergeTable {
 public:
  struct Merge {
    std::int32_t rank = -1;  // lower is joined first; -1: no such pair
    std::int32_t id = -1;    // of the joined token
  };

  // Makes a table with room for `count` pairs.
  explicit MergeTable(std::size_t count = 0);
  // If a pair is added twice, the first merge stays.
  void add(std::int32_t left, std::int32_t right, Merge merge);
  Merge find(std::int32_t left, std::int32_t right) const;

 private:
  struct Slot {
    std::uint64_t key = kEmpty;
    Merge merge;
  };
  static constexpr std::uint64_t kEmpty = ~std::uint64_t{0};  // no pair: ids are not negative
  std::size_t slotOf(std::uint64_t key) const;

  std::vector<Slot> slots_;  // open addressing; a power of two, at most half full
};

// Joins the tokens of one word, best rank first, the leftmost of equals first. n log n in the
// length of the word. Keeps its memory between words; not thread-safe.
class Merger {
 public:
  explicit Merger(const MergeTable& merges) : merges_(merges) {}

  // `word` becomes the joined tokens.
  void merge(std::vector<std::int32_t>& word);

 private:
  struct Node {  // of a list linked by index; -1 ends it
    std::int32_t id, previous, next;
  };
  struct Candidate {
    std::int32_t rank, position, left, right, joined;
  };
  static bool isWorse(const Candidate& a, const Candidate& b);  // joined later
  void consider(std::int32_t position);                         // the pair that begins there

  const MergeTable& merges_;
  std::vector<Node> nodes_;
  std::vector<Candidate> heap_;
};

}  // namespace waferpair::tokenizer
