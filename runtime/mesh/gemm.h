// SPDX-License-Identifier: GPL-3.0-or-later
// MeshGEMM, after WaferLLM: C = A B on P x P PEs, by cyclic shifts. Tiles of A move along rows and
// tiles of B along columns, while every PE multiplies those that it holds. The rings are laid into
// their lines by a two-hop interleave (0, 2, 4, ..., 5, 3, 1), so that no shift goes beyond two PEs
// and each link carries one tile each way.
//
// PE (x, y) makes rows [y rows, ...) of columns [x columns, ...) of C. The inner dimension is cut
// into P blocks; the PE begins with block b(0) and holds b(t) in step t:
//   b(t) = ringPlace((ringIndex(x) + ringIndex(y) + t) mod P).
//
// Arithmetic: all in FP16. C = 0, then for t = 0 ... P - 1 and for k of block b(t) in order
// C[m][n] = A[m][k] B[k][n] + C[m][n], rounded once for both operations.
#pragma once

#include <array>

#include "runtime/mesh/builder.h"
#include "runtime/mesh/sram_layout.h"

namespace waferpair::mesh {

// The PE of a line of `pes` that a ring's index-th place falls on, and the other way round.
int ringPlace(int index, int pes);
int ringIndex(int place, int pes);
// b(0) above.
int gemmBlock(int x, int y, int pes);

// Two buffers of each operand: one is multiplied and sent while the other is filled.
struct GemmTile {
  int rows = 0, inner = 0, columns = 0;
  std::array<Matrix, 2> left = {};          // by columns: `inner` of `rows` elements
  std::array<std::uint32_t, 2> right = {};  // FP16 [inner][columns]
  Matrix out = {};                          // by columns: `columns` of `rows` elements
  int issueCycles = 0;                      // of a vector operation, h' of a kernel profile
  double stepCycles = 0;     // software of a shift: swapping buffers, restarting descriptors
  double waveletCycles = 0;  // software of a wavelet shifted, beyond the two that the core takes
  // True if A lies as C would, block x on PE (x, y), and must first be skewed: P / 2 shifts at
  // most. If false, each PE holds b(0) already, as after another GEMM on the same A.
  bool align = true;
};

// Operands are in left[0] and right[0] (which is b(0) of B) before and after; A is then skewed. The
// region must be square.
base::Result<void> gemm(Builder& builder, const GemmTile& tile);

// The shape of an m x k by k x n product on the whole region, with sizes rounded up. Elements
// beyond them must be zero.
struct GemmShape {
  int m = 0, k = 0, n = 0;
};
// The error names what does not fit.
base::Result<GemmTile> gemmTile(const Config& config, const GemmShape& shape, SramLayout& sram);

}  // namespace waferpair::mesh
