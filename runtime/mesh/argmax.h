// SPDX-License-Identifier: GPL-3.0-or-later
// The index of the largest of the logits, which lie along a row or column of PEs.
#pragma once

#include <vector>

#include "runtime/mesh/collectives.h"

namespace waferpair::mesh {

// Gives all PEs `rank`, the number of logits from the largest one on: its index is their total
// minus `rank`, the first one of several that are equal. Logits must be finite.
//
// Vector operations cannot compare, so the largest value goes round first, and then the largest
// rank of those that differ from it by 0: rank + 2^50 difference is negative for all others, as
// FP16 values differ by 2^-24 or more. Exact up to 2^24 logits.
struct Argmax {
  std::vector<int> counts = {};   // by PE of the line: logits that it has, 0 or more
  std::uint32_t logits = 0;       // FP16 [count]
  std::uint32_t maximum = 0;      // FP16: the largest
  std::uint32_t rank = 0;         // FP32
  std::uint32_t differences = 0;  // FP16 [count], to work in
  std::uint32_t ranks = 0;        // FP32 [count], to work in
};
// Lines are whole: `along.segment` is 0.
base::Result<void> argmax(Builder& builder, const Argmax& op, const Along& along);

}  // namespace waferpair::mesh
