// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/mesh/kv_rows.h"

#include <algorithm>
#include <string>
#include <utility>

namespace waferpair::mesh {

base::Result<KvRows::Shift> KvRows::push() {
  const int rows = static_cast<int>(slots_.size());
  Shift shift{.top = positions_ % rows, .entry = rows - 1, .slot = std::vector<int>(rows, -1)};
  if (positions_ < rows) shift.entry = shift.top;  // those below are still empty
  std::vector<int>& growing = slots_[shift.top];
  if (static_cast<int>(growing.size()) >= capacity_) {
    return base::fail("KV cache on the mesh: it holds " + std::to_string(positions_) +
                          " positions, " + std::to_string(capacity_) + " in each of " +
                          std::to_string(rows) + " rows.",
                      "Take a region with more rows, or a shorter context.");
  }
  int coming = positions_++;
  for (int row = shift.entry; row > shift.top; --row) {
    const auto oldest = std::min_element(slots_[row].begin(), slots_[row].end());
    shift.slot[row] = static_cast<int>(oldest - slots_[row].begin());
    coming = std::exchange(*oldest, coming);
  }
  shift.slot[shift.top] = static_cast<int>(growing.size());
  growing.push_back(coming);
  return shift;
}

std::vector<int> KvRows::counts() const {
  std::vector<int> counts;
  for (const std::vector<int>& row : slots_) counts.push_back(static_cast<int>(row.size()));
  return counts;
}

}  // namespace waferpair::mesh
