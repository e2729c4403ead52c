// SPDX-License-Identifier: GPL-3.0-or-later
// The way of rows through the regions of a placement, one behind the other, in cycles since the
// first step. A row, or a chunk of rows that is multiplied as one, enters a region as soon as it
// has arrived there and the one before has left it.
#pragma once

#include <cassert>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace waferpair::wafer {

// What one row, or chunk, takes in a region.
struct Visit {
  std::uint64_t busy = 0;    // cycles in which the region can take no other
  std::uint64_t onward = 0;  // on its way to another wafer, where it keeps nobody busy
};

class Pipeline {
 public:
  explicit Pipeline(std::size_t regions) : free_(regions), first_(regions), last_(regions) {}

  // Begins a step. Its rows enter the first region when that is free if they follow those of the
  // step before, else when all rows have left the last.
  void begin(bool follows) {
    if (!follows) {
      for (std::uint64_t& free : free_) free = end_;
    }
    for (std::uint64_t& first : first_) first = kNever;
    arrival_ = follows && !free_.empty() ? free_.front() : end_;
  }

  // Sends one through the regions from `region` on, one visit each. Returns when it has left the
  // last of them; `arrival` is when it comes to the first.
  std::uint64_t pass(std::span<const Visit> visits, std::size_t region, std::uint64_t arrival) {
    assert(region + visits.size() <= free_.size());
    for (const Visit& visit : visits) {
      const std::uint64_t enter = arrival > free_[region] ? arrival : free_[region];
      if (first_[region] == kNever) first_[region] = enter;
      last_[region] = enter;
      free_[region] = enter + visit.busy;
      arrival = free_[region] + visit.onward;
      ++region;
    }
    if (arrival > end_) end_ = arrival;
    return arrival;
  }

  std::uint64_t arrival() const { return arrival_; }  // of the step's rows at the first region
  std::uint64_t end() const { return end_; }          // when the last row has left
  // When the first and the last row of the step entered a region that it has been to.
  std::uint64_t firstEntry(std::size_t region) const { return first_[region]; }
  std::uint64_t lastEntry(std::size_t region) const { return last_[region]; }

 private:
  static constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

  std::vector<std::uint64_t> free_;          // by region: when the last row leaves it
  std::vector<std::uint64_t> first_, last_;  // by region, of this step
  std::uint64_t arrival_ = 0, end_ = 0;
};

}  // namespace waferpair::wafer
