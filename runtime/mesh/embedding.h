// SPDX-License-Identifier: GPL-3.0-or-later
// A token's row of the embedding. The table's rows are dealt out along x, their elements along y.
#pragma once

#include "runtime/mesh/builder.h"

namespace waferpair::mesh {

struct Embedding {
  int column = 0;         // of the PEs that have the token's row
  std::uint32_t row = 0;  // where they have it: FP16, as long as `out`
  Span out;               // on every PE, the same in all of a row
};
// Each PE of that column broadcasts its part along its row. The token is the program's: there is no
// scalar code to choose the row.
base::Result<void> embed(Builder& builder, const Embedding& op);

}  // namespace waferpair::mesh
