// SPDX-License-Identifier: GPL-3.0-or-later
// Cycles of a kernel profile's kernels on a rectangle of PEs, in closed form.
//
// Decode multiplies a vector by a matrix that lies still (GEMV) and sums the parts with a two-level
// all-reduce; prefill multiplies two matrices that are shifted past one another (GEMM). Sizes that
// do not divide the grid are padded up: a tile is ceil(size / PEs).
//
//   GEMV        Kt (ceil(Nt / lanes) + issue)
//   elementwise ceil(n / lanes) + issue
//   all-reduce  P hop + stage (ceil(P / 2g) + ceil(g / 2)) + perWavelet ceil(n / 2)
//   GEMM        steps [Kt Nt (ceil(Mt / lanes) + issue) + step + perWavelet (left + right)]
//               + aligning the left operand: steps / 2 [step + perWavelet left]
//
// The GEMM runs one vector operation of Mt elements for each element of the right tile, while the
// next tiles arrive. A wavelet is 32 bits: two FP16 elements.
#pragma once

#include <cstdint>

#include "runtime/wafer/cost/profile.h"
#include "runtime/wafer/machine/machine.h"

namespace waferpair::wafer {

constexpr std::int64_t ceilDiv(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }
constexpr std::int64_t waveletsOf(std::int64_t elements) { return ceilDiv(elements, 2); }

struct Grid {
  int width = 0, height = 0;  // PEs
  bool operator==(const Grid&) const = default;
};

enum class Axis { kX, kY };
inline int pesAlong(const Grid& grid, Axis axis) {
  return axis == Axis::kX ? grid.width : grid.height;
}
inline Axis across(Axis axis) { return axis == Axis::kX ? Axis::kY : Axis::kX; }

// Software stages of the two-level all-reduce: half a group's PEs, then half the groups.
int allReduceStages(int pes, int groups);

// A quantity that grows with the context in steps. Positions lie along y; with st of them on each
// PE: fixed + perRow st + perVector ceil(st / lanes) + perPair ceil(st / 2).
struct Growth {
  double fixed = 0, perRow = 0, perVector = 0, perPair = 0;

  bool grows() const { return perRow != 0 || perVector != 0 || perPair != 0; }
  double at(std::int64_t rows, int lanes) const {
    return fixed + perRow * rows + perVector * ceilDiv(rows, lanes) + perPair * ceilDiv(rows, 2);
  }
  Growth& operator+=(const Growth& o);
};

// The cost of one op for one row, by the context.
struct OpCost {
  Growth compute;   // cycles in which its PEs issue arithmetic
  Growth fabric;    // cycles in which they send, receive or wait for wavelets
  Growth wavelets;  // wavelets times hops, over all PEs of the region

  OpCost& operator+=(const OpCost& o);
};

// The same at one context, or of a chunk of prefill.
struct Cycles {
  double compute = 0, fabric = 0, wavelets = 0;

  double total() const { return compute + fabric; }
  Cycles& operator+=(const Cycles& o);
};

// Vector (k) times matrix (k x n). k lies along `reduce`, n along the other axis; a size of 0 is
// the context, which lies along y.
struct Gemv {
  int k = 0, n = 0;
  Axis reduce = Axis::kY;
};

// Prefill's view of the same: rows (m x k) times (k x n); 0 is the context.
struct Gemm {
  int k = 0, n = 0;
  bool align = false;       // the left operand must first be skewed; a shared one already is
  bool transposed = false;  // q K^T: K is shifted, partial scores are summed along the rows
};

class CostModel {
 public:
  CostModel(const Machine& machine, const Profile& profile)
      : machine_(machine), profile_(profile) {}

  OpCost gemv(const Gemv& shape, const Grid& grid) const;
  // The cost of an all-reduce of `elements` FP16 elements on each PE, along `axis`; 0 elements
  // stand for the context's share of a PE.
  OpCost allReduce(int elements, Axis axis, const Grid& grid) const;
  // One vector operation over `elements` on each PE.
  OpCost elementwise(int elements) const;
  // One row of `width` elements, spread along y, into a region of `to`: `hops` to its edge, then
  // over its columns.
  OpCost transfer(int width, int hops, const Grid& to) const;
  // The same from another wafer.
  OpCost waferHop(int width, const Grid& to, double clockGhz) const;
  // Cycles that its bytes take there.
  double waferLinkCycles(int width, double clockGhz) const {
    return 16.0 * width / machine_.ioBitsPerSecond * clockGhz * 1e9;
  }

  Cycles gemm(const Gemm& shape, std::int64_t rows, std::int64_t positions, const Grid& grid) const;
  // Norm and softmax of a chunk: `times` all-reduces along x of every PE's share of the rows.
  Cycles rowReductions(int times, std::int64_t rows, const Grid& grid) const;
  // A vector operation on each column of a chunk of rows of `width` elements.
  Cycles rowElementwise(int width, std::int64_t rows, const Grid& grid) const;

  // `bytes` of every PE to some other PE of the grid. The links over its middle bound it: a quarter
  // of all wavelets cross them each way, whether tiles are transposed or go anywhere.
  double rearrange(double bytes, const Grid& grid) const;

  Cycles at(const OpCost& cost, std::int64_t positions, const Grid& grid) const;

  const Machine& machine() const { return machine_; }
  const Profile& profile() const { return profile_; }

 private:
  const Machine& machine_;
  const Profile& profile_;
};

}  // namespace waferpair::wafer
