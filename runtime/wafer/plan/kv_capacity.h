// SPDX-License-Identifier: GPL-3.0-or-later
// Computes how many positions of the KV cache the PEs of a placement have room for.
//
// Positions lie along y. A new one comes in at one end of a block; with the shift, PE rows push old
// positions on so that all hold equally many (WaferLLM). Without it a generated position stays on
// the row it came in on, until that one is full.
#pragma once

#include <cstdint>

#include "runtime/wafer/plan/layout.h"

namespace waferpair::wafer {

struct KvCapacity {
  std::int64_t perRow = 0;  // positions that one row of PEs of a block holds
  int rows = 0;             // of PEs of a block

  std::int64_t balanced() const { return perRow * rows; }  // with the shift
  std::int64_t unbalanced() const { return perRow; }       // without: of generated positions
};

// Returns the positions that a row of PEs holds in the fullest block of a placement, beside what
// prefill takes in chunks of `chunk`; at most kMostPositions in all.
std::int64_t positionsARow(const Layout& layout, const Placement& placement, int chunk);

KvCapacity kvCapacity(const ModelShape& shape, const Machine& machine, const Profile& profile,
                      const Placement& placement);

}  // namespace waferpair::wafer
