// SPDX-License-Identifier: GPL-3.0-or-later
// Tells which positions of a KV cache the rows of PEs hold, the oldest at the top. The first few
// take a row each. From then on a new one comes to the last row, and rows pass their oldest ones on
// upwards, so that none holds more than one position more than another (WaferLLM's shift).
#pragma once

#include <vector>

#include "runtime/base/result.h"

namespace waferpair::mesh {

class KvRows {
 public:
  // `capacity` positions in each of `rows`; both positive.
  KvRows(int rows, int capacity) : slots_(rows), capacity_(capacity) {}

  // The moves that one more position causes. Row `entry` takes the new one; rows `top` to `entry`
  // store what comes into their `slot`, and those below `top` first send what was there to the row
  // above.
  struct Shift {
    int top = 0, entry = 0;
    std::vector<int> slot;  // by row; -1 above `top` and below `entry`
  };
  // Counts the next position in. The error says that all rows are full.
  base::Result<Shift> push();

  int positions() const { return positions_; }
  // The number of positions that each row holds.
  std::vector<int> counts() const;
  // The positions that a row holds, by slot: slots 0 to its count - 1.
  const std::vector<int>& positionsOf(int row) const { return slots_[row]; }

 private:
  std::vector<std::vector<int>> slots_;
  int capacity_;
  int positions_ = 0;
};

}  // namespace waferpair::mesh
