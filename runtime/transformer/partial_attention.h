// SPDX-License-Identifier: GPL-3.0-or-later
// Attention over part of the positions, and how parts become the whole. Private to this room.
//
// softmax(s) V needs the largest score of all positions. A part keeps its own largest score, the
// sum of its exponentials and its weighted values, both relative to that score; two parts are added
// after both are rescaled to the larger of their maxima. So the positions of one token can be
// shared among threads, and any number of positions needs the memory of one chunk.
#pragma once

#include <cstddef>

#include "runtime/transformer/config.h"

namespace waferpair::transformer {

// Of the query heads that share one KV head. Points into a slot of floats() floats.
struct PartialAttention {
  float* max;  // [group]
  float* sum;  // [group]
  float* out;  // [group][headDim], not yet divided by sum

  static std::size_t floats(const Config& config);
  static PartialAttention at(float* slot, const Config& config);
};

void copy(const Config& config, const PartialAttention& from, const PartialAttention& to);
// The order of merging decides the last bits of the result.
void merge(const Config& config, const PartialAttention& into, const PartialAttention& next);
// out[group][headDim] = the attention, once all parts are merged. `sinks`, [group] or null, are
// logits that have a part in each sum and no value.
void divide(const Config& config, const PartialAttention& all, const float* sinks, float* out);

}  // namespace waferpair::transformer
