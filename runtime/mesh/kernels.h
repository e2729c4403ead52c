// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels of a transformer layer as programs on the mesh.
#pragma once

#include "runtime/mesh/builder.h"

namespace waferpair::mesh {

// y = W^T x in FP16 over the whole region, after WaferLLM's MeshGEMV. W has `rows` x `columns`, x
// has `rows` and y has `columns` elements.
struct GemvShape {
  int rows = 0;
  int columns = 0;
  int issueCycles = 0;  // of a row of the tile: h of a kernel profile
  int group = 2;        // PEs of a group of the K-tree
};

// Where a PE holds what. PE (x, y) multiplies rows [y kt, ...) by columns [x nt, ...); what lies
// beyond the matrix must be zero.
struct GemvLayout {
  int kt = 0, nt = 0;      // of a tile, rounded up
  std::uint32_t in = 0;    // kt elements of the vector, the same in all PEs of a row
  std::uint32_t out = 0;   // nt elements of the result, the same in all PEs of a column
  std::uint32_t tile = 0;  // kt rows of nt elements, `pitch` bytes from one to the next
  std::uint32_t pitch = 0;
};

// Appends it: each PE multiplies its tile, and a K-tree along each column sums the parts. The error
// says what does not fit.
base::Result<GemvLayout> gemv(Builder& builder, const GemvShape& shape);

}  // namespace waferpair::mesh
