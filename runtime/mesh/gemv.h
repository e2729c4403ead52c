// SPDX-License-Identifier: GPL-3.0-or-later
// MeshGEMV, after WaferLLM: y = W^T x with a tile of W on every PE. Each multiplies its part of x
// by its tile, and K-trees sum the parts, so that all PEs of a line hold the same part of y.
//
// Arithmetic: all in FP16. On a PE out[n] = 0, then for k = 0, 1, ... out[n] = in[k] tile[k][n] +
// out[n], rounded once for both operations; then the K-tree's sums (collectives.h).
#pragma once

#include "runtime/mesh/collectives.h"
#include "runtime/mesh/sram_layout.h"

namespace waferpair::mesh {

// The operands of a GEMV on one PE.
struct GemvTile {
  int rows = 0, columns = 0;
  std::uint32_t in = 0;   // `rows` elements
  std::uint32_t out = 0;  // `columns` elements
  Matrix tile = {};       // `rows` of `columns`
  int issueCycles = 0;    // of a row: h of a kernel profile
};

// Adds the PE's own product to the program.
void multiply(Builder& builder, int pe, const GemvTile& tile);

// Adds the whole GEMV, with the same tile on each PE of the region; the sums run along `along`.
base::Result<void> gemv(Builder& builder, const GemvTile& tile, const Along& along);

// A whole matrix: `rows` are dealt out along `reduce`, `columns` along the other axis.
struct GemvShape {
  int rows = 0;
  int columns = 0;
  wafer::Axis reduce = wafer::Axis::kY;
  int issueCycles = 0;
};
// Returns the tile, with sizes rounded up: of a matrix summed along y, PE (x, y) holds rows [y
// rows, ...) of columns [x columns, ...). Elements beyond the matrix must be zero. The error names
// what does not fit.
base::Result<GemvTile> gemvTile(const Config& config, const GemvShape& shape, SramLayout& sram);

}  // namespace waferpair::mesh
