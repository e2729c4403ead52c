// SPDX-License-Identifier: GPL-3.0-or-later
// What a region did in a step, as slices that do not overlap: its ops, one after another, or, where
// they take turns because several rows follow one another, all of them as one.
#pragma once

#include <algorithm>
#include <cstddef>

#include "runtime/protocol/telemetry.h"
#include "runtime/trace/step.h"

namespace waferpair::trace {

struct Slice {
  std::size_t firstOp = 0, lastOp = 0;  // [firstOp, lastOp)
  int region = 0;
  OpCharge sum;  // of these ops, from the start of the first to the end of the last
};

// Calls visit(slice) for all of a step, in order. The step has no more ops than the layout.
template <typename Visit>
void forEachSlice(const Step& step, const protocol::WaferLayout& wafer, Visit&& visit) {
  for (std::size_t first = 0, last; first < step.ops.size(); first = last) {
    const int region = wafer.ops[first].region;
    bool turns = false;
    for (last = first + 1; last < step.ops.size() && wafer.ops[last].region == region; ++last)
      turns = turns || step.ops[last].start < step.ops[last - 1].end;
    for (std::size_t op = first; op < last;) {
      Slice slice{op, turns ? last : op + 1, region, step.ops[op]};
      for (++op; op < slice.lastOp; ++op) {
        slice.sum.compute += step.ops[op].compute;
        slice.sum.fabric += step.ops[op].fabric;
        slice.sum.wavelets += step.ops[op].wavelets;
        slice.sum.start = std::min(slice.sum.start, step.ops[op].start);
        slice.sum.end = std::max(slice.sum.end, step.ops[op].end);
      }
      visit(slice);
    }
  }
}

}  // namespace waferpair::trace
