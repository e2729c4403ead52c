// SPDX-License-Identifier: GPL-3.0-or-later
// A cut-out of a region of the wafer, small enough to be simulated: each PE has a tile as large as
// in the region, and does for one row what an op's parts say. Lines are shorter than the region's,
// and so are sums along them. Operands are small whole numbers.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/mesh/builder.h"
#include "runtime/mesh/mesh.h"
#include "runtime/wafer/cost/parts.h"

namespace waferpair::mesh {

struct CutoutWish {
  std::vector<wafer::CostPart> parts;
  wafer::Grid region;
  std::int64_t positions = 1;  // in the KV cache
  int size = 32;               // PEs across and down, at most those of the region
};

struct Cutout {
  Program program;
  std::vector<Span> filled;  // before the run: element i of PE p is (p + i) % 3
  Span words;                // what it computes last
  double closedForm = 0;     // cycles of the cost model on a region of this size
};

// The error names what does not fit a PE of the simulator, which has FP16 only.
base::Result<Cutout> cutoutOf(const wafer::Machine& machine, const wafer::Profile& profile,
                              const CutoutWish& wish);
// A mesh with its operands in place.
base::Result<Mesh> load(const Cutout& cutout);

}  // namespace waferpair::mesh
