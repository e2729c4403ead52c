// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/wafer/plan/op_build.h"

namespace waferpair::wafer {

namespace {
using Kind = CostPart::Kind;
}  // namespace

void addPart(Op& op, const CostModel& model, const CostPart& part, const Grid& grid,
             double clockGhz) {
  const OpCost once = costOf(model, part, grid, clockGhz);
  for (int i = 0; i < part.times; ++i) op.decode += once;
  op.parts.push_back(part);
}

void addProduct(Op& op, const CostModel& model, const Gemv& shape, const Grid& grid, int times) {
  addPart(op, model, {.kind = Kind::kGemv, .times = times, .gemv = shape}, grid);
}

void addSum(Op& op, const CostModel& model, int elements, Axis axis, const Grid& grid, int times) {
  addPart(op, model, {.kind = Kind::kAllReduce, .times = times, .elements = elements, .axis = axis},
          grid);
}

void addElementwise(Op& op, const CostModel& model, int elements, const Grid& grid, int times) {
  addPart(op, model, {.kind = Kind::kElementwise, .times = times, .elements = elements}, grid);
}

Op weightOp(const CostModel& model, const char* name, const Gemv& shape, tensor::Format format,
            const Grid& grid, bool align, int times) {
  Op op;
  op.kind = OpKind::kMatmul;
  op.name = name;
  addProduct(op, model, shape, grid, times);
  op.gemm = {.k = shape.k, .n = shape.n, .align = align};
  op.sums = shape.reduce;
  op.sram[SramKind::kWeights] = matrixTileBytes(format, shape.k, shape.n, shape.reduce, grid);
  return op;
}

Op normOp(const CostModel& model, const char* name, int width, const LayerParts& parts,
          const Grid& grid) {
  Op op;
  op.kind = OpKind::kNorm;
  op.name = name;
  op.reductions = parts.layerNorm ? 2 : 1;
  addSum(op, model, 1, Axis::kY, grid, op.reductions);
  // The gains (and biases) lie along y like the activations, the same on every column.
  const int vectors = parts.layerNorm && parts.normBias ? 2 : 1;
  op.sram[SramKind::kWeights] = vectors * kElementBytes * ceilDiv(width, grid.height);
  return op;
}

Op headNormOp(const CostModel& model, const char* name, int width, const Grid& grid) {
  Op op;
  op.kind = OpKind::kNorm;
  op.name = name;
  addSum(op, model, 1, Axis::kX, grid);
  op.reductions = 1;
  op.sram[SramKind::kWeights] = kElementBytes * ceilDiv(width, grid.width);
  return op;
}

Op biasOp(const CostModel& model, const char* name, int width, Axis along, const Grid& grid,
          int times) {
  const auto elements = static_cast<int>(ceilDiv(width, pesAlong(grid, along)));
  Op op;
  op.kind = OpKind::kBias;
  op.name = name;
  addElementwise(op, model, elements, grid, times);
  op.elements = width;
  op.sram[SramKind::kWeights] = kElementBytes * elements;
  return op;
}

}  // namespace waferpair::wafer
