// SPDX-License-Identifier: GPL-3.0-or-later
// The ops of a layer are put together from these. Private to this room.
#pragma once

#include "runtime/wafer/plan/op.h"

namespace waferpair::wafer {

// A PE's part of `size`, padded up.
inline int share(int size, int pes) { return static_cast<int>(ceilDiv(size, pes)); }

// Add what an op does, and what that costs.
void addPart(Op& op, const CostModel& model, const CostPart& part, const Grid& grid,
             double clockGhz = 0);
void addProduct(Op& op, const CostModel& model, const Gemv& shape, const Grid& grid, int times = 1);
void addSum(Op& op, const CostModel& model, int elements, Axis axis, const Grid& grid,
            int times = 1);
void addElementwise(Op& op, const CostModel& model, int elements, const Grid& grid, int times = 1);

// A weight matrix and its product, without the sum of that.
Op weightOp(const CostModel& model, const char* name, const Gemv& shape, tensor::Format format,
            const Grid& grid, bool align, int times = 1);
// The norm of a vector along y. A layer norm sums twice, for the mean and for the variance.
Op normOp(const CostModel& model, const char* name, int width, const LayerParts& parts,
          const Grid& grid);
// The norm of each head of a vector along x. As elsewhere, the heads count as one of the whole
// width.
Op headNormOp(const CostModel& model, const char* name, int width, const Grid& grid);
// A vector that is added. It lies as the result of its matrix does, the same on every PE across.
Op biasOp(const CostModel& model, const char* name, int width, Axis along, const Grid& grid,
          int times = 1);

// Returns the first half of a recurrent layer, in the place of attention.
std::vector<Op> recurrenceOps(const CostModel& model, const LayerWidths& widths, const Grid& grid);

}  // namespace waferpair::wafer
