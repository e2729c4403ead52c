// SPDX-License-Identifier: GPL-3.0-or-later
// The collectives of "Near-Optimal Wafer-Scale Reduce" (HPDC'24) and the K-tree of WaferLLM, as
// programs. Each works in place: every PE holds `span`, and so does the result. wafer/collectives.h
// has the closed forms; docs/mesh.md compares the two.
#pragma once

#include <vector>

#include "runtime/mesh/builder.h"
#include "runtime/wafer/cost/cost.h"

namespace waferpair::mesh {

// Neighbors along a row or column, the root first.
struct Line {
  int first = 0;  // PE
  int step = 1;   // to the next one: 1 or -1 along x, the width or minus it along y
  int count = 1;

  int pe(int index) const { return first + index * step; }
};
Line row(const Config& config, int y);
Line column(const Config& config, int x);

// Leaves the sum of all spans at the line's first PE; the other PEs' spans are left unspecified.
void starReduce(Builder& builder, const Line& line, const Span& span);
void chainReduce(Builder& builder, const Line& line, const Span& span);
void treeReduce(Builder& builder, const Line& line, const Span& span);
// Chains in groups of `group`, then a chain of their first PEs. The paper's group is sqrt(count).
void twoPhaseReduce(Builder& builder, const Line& line, const Span& span, int group);

// The first PE's span at all PEs of the line.
void broadcast(Builder& builder, const Line& line, const Span& span);

// The sum of all spans at all PEs of the line. The ring's span is dealt out in `count` parts.
void ringAllReduce(Builder& builder, const Line& line, const Span& span);

// A message from one PE of a line to another, by index.
struct Message {
  int from = 0, to = 0;
};
// The messages of the K-tree, in order: groups of `group` (the last may be smaller) sum towards
// their middles, [size / 2], these towards the middle one of them, which is the last `to`. With
// each, span[to] = span[to] op span[from], rounded to the span's type; from then on `from` sends no
// more. Whoever computes the same on the host takes these.
std::vector<Message> kTreeMessages(int count, int group);
// Reduces by these messages, then broadcasts to all PEs of the line.
void kTreeAllReduce(Builder& builder, const Line& line, const Span& span, int group,
                    Op op = Op::Add);

// The lines that the all-reduces of an op run along: every row (kX) or column (kY) of the region,
// in segments of so many neighbors (0: whole), each with a K-tree in groups of `group`.
struct Along {
  wafer::Axis axis = wafer::Axis::kY;
  int segment = 0;
  int group = 2;
};
base::Result<void> check(const Along& along, const Config& config);
std::vector<Line> lines(const Config& config, const Along& along);
void allReduce(Builder& builder, const Along& along, const Span& span, Op op = Op::Add);

}  // namespace waferpair::mesh
