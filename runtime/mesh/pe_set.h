// SPDX-License-Identifier: GPL-3.0-or-later
// A set of PEs that is walked in order; memory and time of a bit each.
#pragma once

#include <bit>
#include <cassert>
#include <cstdint>
#include <vector>

namespace waferpair::mesh {

class PeSet {
 public:
  explicit PeSet(int pes) : words_((pes + 63) / 64) {}
  void add(int pe) {
    assert(holds(pe));
    words_[pe >> 6] |= std::uint64_t{1} << (pe & 63);
  }
  void remove(int pe) {
    assert(holds(pe));
    words_[pe >> 6] &= ~(std::uint64_t{1} << (pe & 63));
  }
  bool contains(int pe) const {
    assert(holds(pe));
    return (words_[pe >> 6] >> (pe & 63) & 1) != 0;
  }

  // Calls visit(pe, inFirst, inSecond) for the PEs of either set, two of one size. It may change
  // both; PEs that it adds further on may be visited or not.
  template <typename Visit>
  static void forEachOf(const PeSet& first, const PeSet& second, Visit visit) {
    assert(first.words_.size() == second.words_.size());
    for (std::size_t w = 0; w < first.words_.size(); ++w) {
      const std::uint64_t a = first.words_[w], b = second.words_[w];
      for (std::uint64_t left = a | b; left != 0; left &= left - 1) {
        const int bit = std::countr_zero(left);
        visit(static_cast<int>(w * 64) + bit, (a >> bit & 1) != 0, (b >> bit & 1) != 0);
      }
    }
  }

 private:
  bool holds(int pe) const { return pe >= 0 && static_cast<std::size_t>(pe >> 6) < words_.size(); }

  std::vector<std::uint64_t> words_;
};

}  // namespace waferpair::mesh
