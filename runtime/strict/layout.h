// SPDX-License-Identifier: GPL-3.0-or-later
// Deals the vectors of a model out to PEs, which decides the order of every sum.
//
// As planned (docs/wafer-model.md): the residual stream and positions lie along y; queries, keys,
// values and the feed-forward along x. A PE's share of a vector is ceil(size / PEs), the last ones
// may have less or none. A PE that holds dims of a key holds the same dims of the queries that
// share it, [head][query][dim].
#pragma once

#include <vector>

#include "runtime/base/result.h"
#include "runtime/strict/arithmetic.h"
#include "runtime/transformer/config.h"
#include "runtime/wafer/plan/plan.h"

namespace waferpair::strict {

// A count that is not negative, as the standard library takes it.
inline std::size_t size(int count) { return static_cast<std::size_t>(count); }

struct Layout {
  wafer::Grid block;  // of every layer
  wafer::Grid head;   // of the final norm and the logits
  wafer::Profile profile;

  static Layout of(const wafer::Plan& plan);
  // PEs of a group of the K-tree over a line of so many.
  int group(int pes) const;
  KTree sums(int pes) const { return {pes, group(pes)}; }
};

// A head's dims [begin, end), or those of them that a PE holds.
struct Dims {
  int head = 0, begin = 0, end = 0;
  int size() const { return end - begin; }
};
// Returns the dims of keys and values that each PE of a row holds: one entry for each head that PE
// x has some of.
std::vector<std::vector<Dims>> keyDims(const transformer::Config& config, int pes);
// The rows of W_o in the order in which its inputs lie on the PEs of a row, and how many each has.
struct MixedOrder {
  std::vector<int> rows;
  int each = 0;
};
MixedOrder mixedOrder(const transformer::Config& config, int pes);

// Checks that strict mode can compute the model; the error names what it cannot.
base::Result<void> check(const transformer::Config& config);

}  // namespace waferpair::strict
