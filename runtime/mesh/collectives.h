// SPDX-License-Identifier: GPL-3.0-or-later
// The collectives of "Near-Optimal Wafer-Scale Reduce" (HPDC'24) and the K-tree of WaferLLM, as
// programs. Each works in place: every PE holds `span`, and so does the result. wafer/collectives.h
// has the closed forms; docs/mesh.md compares the two.
#pragma once

#include "runtime/mesh/builder.h"

namespace waferpair::mesh {

// Neighbours along a row or column, the root first.
struct Line {
  int first = 0;  // PE
  int step = 1;   // to the next one: 1 or -1 along x, the width or minus it along y
  int count = 1;

  int pe(int index) const { return first + index * step; }
};
Line row(const Config& config, int y);
Line column(const Config& config, int x);

// The sum of all spans, at the line's first PE; what the others hold afterwards is left open.
void starReduce(Builder& builder, const Line& line, const Span& span);
void chainReduce(Builder& builder, const Line& line, const Span& span);
void treeReduce(Builder& builder, const Line& line, const Span& span);
// Chains in groups of `group`, then a chain of their first PEs. The paper's group is sqrt(count).
void twoPhaseReduce(Builder& builder, const Line& line, const Span& span, int group);

// The first PE's span at all PEs of the line.
void broadcast(Builder& builder, const Line& line, const Span& span);

// The sum of all spans at all PEs of the line. The ring's span is dealt out in `count` parts; the
// K-tree sums groups of `group` towards their middles, these towards the middle of the line, and
// broadcasts from there.
void ringAllReduce(Builder& builder, const Line& line, const Span& span);
void kTreeAllReduce(Builder& builder, const Line& line, const Span& span, int group,
                    Op op = Op::Add);

}  // namespace waferpair::mesh
