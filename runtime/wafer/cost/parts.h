// SPDX-License-Identifier: GPL-3.0-or-later
// What an op is made of, and its closed form written out: term by term, with the numbers that go
// into each. The terms add up to what the op is charged.
#pragma once

#include <string>
#include <vector>

#include "runtime/wafer/cost/cost.h"

namespace waferpair::wafer {

// One of the things that an op does for a row, `times` times.
struct CostPart {
  enum class Kind {
    kGemv,
    kAllReduce,
    kElementwise,
    kTell,  // one wavelet to every PE of the region
    kMove,  // a row to a region of the same wafer
    kWaferHop,
  };
  Kind kind = Kind::kGemv;
  int times = 1;
  Gemv gemv = {};        // of a product
  int elements = 0;      // on each PE, of the others; of an all-reduce 0 is the context's share
  Axis axis = Axis::kY;  // of an all-reduce
  int width = 0;         // of a row that moves: its elements
  int hops = 0;          // of a move on one wafer, to the edge of the region
  Grid to = {};          // the region that it moves to
};

// The cost of one time. `clockGhz` matters to hops between wafers.
OpCost costOf(const CostModel& model, const CostPart& part, const Grid& grid, double clockGhz);

struct Term {
  std::string what;     // "multiply-adds"
  std::string form;     // in symbols: "Kt ceil(Nt / S)"
  std::string numbers;  // in numbers: "11 ceil(8 / 8)"
  double cycles = 0;    // of all times together
  bool fabric = false;  // cycles of the fabric; else of arithmetic
};

// The terms of one row with `positions` in the cache, itself included.
std::vector<Term> termsOf(const CostModel& model, const CostPart& part, std::int64_t positions,
                          const Grid& grid, double clockGhz);
// Those of a chunk's product that is one GEMM, as CostModel::gemm() adds them up.
std::vector<Term> termsOf(const CostModel& model, const Gemm& shape, std::int64_t rows,
                          std::int64_t positions, const Grid& grid);

}  // namespace waferpair::wafer
