// SPDX-License-Identifier: GPL-3.0-or-later
// The KV cache on the mesh, and the two products of attention. A head's dimensions are dealt out
// along x, positions along y: the scores are summed along rows, over the PEs of a head, and the
// mixed values along columns. Heads that share keys and values keep the same dimensions of all
// their queries on a PE.
#pragma once

#include <vector>

#include "runtime/mesh/collectives.h"
#include "runtime/mesh/kv_rows.h"
#include "runtime/mesh/sram_layout.h"

namespace waferpair::mesh {

// A PE's share of the cache, FP16.
struct KvTile {
  int heads = 1;  // of keys and values
  int dims = 0;   // of each
  int capacity = 0;
  Matrix keys = {};    // rows [heads][dims] of `capacity` positions
  Matrix values = {};  // rows of [heads][dims], `capacity` positions
};

// The key and value of a new position, FP16 [heads][dims] on every PE, come into the cache, and
// others move up, by a hop. With w wavelets for a key: max(3 w, 2 T_R + 2) + 3 w cycles, as each
// sends both and then gets both, and the two elements of a key's wavelet lie in one bank. Where
// they don't fit the queues on the way (w > 10), a row waits for the one above.
base::Result<void> kvShift(Builder& builder, const KvTile& cache, const KvRows::Shift& shift,
                           std::uint32_t key, std::uint32_t value);

struct Attention {
  KvTile cache;
  int queries = 1;               // that share a key
  std::vector<int> counts = {};  // positions in the cache, by row of PEs
  std::uint32_t query = 0;       // FP16 [heads][queries][dims]
  std::uint32_t scores = 0;  // FP16 [heads][queries][scorePitch(count)], as softmax() takes them
  std::uint32_t out = 0;     // FP16 [heads][queries][dims]
  int issueCycles = 0;       // of a row of a product, as of GEMV
};

// scores = query key. Arithmetic: that of GEMV (gemv.h) over the PE's dimensions in order; `along`
// are rows, in segments of the PEs that share a head.
base::Result<void> scores(Builder& builder, const Attention& op, const Along& along);
// out = sum of score value. Arithmetic: that of GEMV over the PE's positions in the order of their
// slots (0 where there are none); `along` are whole columns.
base::Result<void> mix(Builder& builder, const Attention& op, const Along& along);

}  // namespace waferpair::mesh
