// SPDX-License-Identifier: GPL-3.0-or-later
// Attention over part of the positions, and how parts become the whole. Private to this room.
//
// softmax(s) V needs the largest score of all positions. A part keeps its own largest score, the
// sum of its exponentials and its weighted values, both relative to that score; two parts are added
// after both are rescaled to the larger of their maxima. So the positions of one token can be
// shared among threads.
#pragma once

#include <cstddef>

#include "runtime/tensor/kernels.h"

namespace waferpair::transformer {

// Floats of a slot that holds a part for `rows` rows.
constexpr std::size_t partFloats(int rows, int headDim) {
  return static_cast<std::size_t>(rows) * static_cast<std::size_t>(headDim + 2);
}
// A part that lies in a slot.
tensor::Attended partIn(float* slot, int rows);

// Nothing attended to yet.
void clear(const tensor::Attended& part, int rows, int headDim);
// The order of merging decides the last bits of the result. Merging with a part that has attended
// to nothing changes none.
void merge(const tensor::Attended& into, const tensor::Attended& next, int rows, int headDim);
// out[rows][headDim] = the attention, once all parts are merged. `sinks`, [rows] or null, are
// logits that have a part in each sum and no value.
void divide(const tensor::Attended& all, const float* sinks, int rows, int headDim, float* out);

}  // namespace waferpair::transformer
