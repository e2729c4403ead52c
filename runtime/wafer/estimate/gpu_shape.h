// SPDX-License-Identifier: GPL-3.0-or-later
// The bytes of a model that lies in one memory, as a GPU has it. Private to this room.
#pragma once

#include "runtime/wafer/plan/shape.h"

namespace waferpair::wafer {

// All matrices, each in its format.
double allWeightBytes(const ModelShape& shape);
// Those that a step of so many rows reads: of the embedding a row each, of experts the ones that
// any row uses, which are taken to be chosen evenly and apart.
double stepWeightBytes(const ModelShape& shape, double rows);
// Of the feed-forward's matrices, which most of the weights are in.
double bitsPerWeight(const ModelShape& shape);
// The states of recurrent layers of a sequence, which each step reads and writes.
double stateBytes(const ModelShape& shape);
// What a sequence with so many positions has in memory: the states, keys and values; a window holds
// no more than its own.
double cacheBytes(const ModelShape& shape, double positions);

}  // namespace waferpair::wafer
