// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/wafer/plan/sram.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <numeric>

namespace waferpair::wafer {
namespace {

// The bits of one weight, of what a group shares, and of what a block shares beyond its groups.
struct FormatBits {
  int quant = 16, group = 0, block = 0;
};

constexpr FormatBits formatBits(const tensor::FormatInfo& info) {
  FormatBits bits;
  if (info.quants == tensor::Quants::kNone) return bits;
  const bool ofTable = info.quants == tensor::Quants::kLookup;
  const bool bytes = info.quants == tensor::Quants::kSigned;
  bits.quant = bytes ? 8 : ofTable ? 4 : std::bit_width(static_cast<unsigned>(info.most));
  if (info.scales == tensor::Scales::kSuper) bits.block = info.minimum ? 32 : 16;
  // Points of a grid are unpacked on the way there: no PE keeps the grid.
  if (info.grid) {
    bits.group = 8;
    return bits;
  }
  bits.group = (8 * info.bytes - info.block * bits.quant - bits.block) / (info.block / info.group);
  return bits;
}

// Returns the most runs of `size` that a PE has some of, when each PE has `count` in turn.
std::int64_t touched(std::int64_t count, std::int64_t size) {
  assert(count > 0 && size > 0);
  return ceilDiv(size - std::gcd(count, size) + count, size);
}

}  // namespace

const char* sramKindName(SramKind kind) {
  static constexpr const char* kNames[] = {"code", "weights", "kv", "activations", "free"};
  return kNames[static_cast<int>(kind)];
}

std::int64_t SramUse::used() const {
  std::int64_t sum = 0;
  for (int kind = 0; kind < kSramKinds; ++kind) {
    if (kind != static_cast<int>(SramKind::kFree)) sum += bytes[kind];
  }
  return sum;
}

SramUse& SramUse::operator+=(const SramUse& o) {
  for (int kind = 0; kind < kSramKinds; ++kind) bytes[kind] += o.bytes[kind];
  return *this;
}

std::int64_t tileBytes(std::int64_t down, std::int64_t right, const Grid& grid) {
  return kElementBytes * ceilDiv(down, grid.height) * ceilDiv(right, grid.width);
}

std::int64_t matrixTileBytes(tensor::Format format, std::int64_t sums, std::int64_t outputs,
                             Axis along, const Grid& grid) {
  assert(sums > 0 && outputs > 0);
  const std::int64_t rows = ceilDiv(sums, pesAlong(grid, along));
  const std::int64_t columns = ceilDiv(outputs, pesAlong(grid, across(along)));
  const tensor::FormatInfo& info = tensor::infoOf(format);
  const FormatBits bits = formatBits(info);
  std::int64_t column = rows * bits.quant;
  if (bits.group > 0) column += touched(rows, info.group) * bits.group;
  if (bits.block > 0) column += touched(rows, info.block) * bits.block;
  return ceilDiv(columns * column, 8);
}

std::int64_t bitsOf256(tensor::Format format) {
  return 8 * matrixTileBytes(format, 256, 1, Axis::kY, {1, 1});
}

std::int64_t blockActivationBytes(const ModelShape& shape, const Grid& grid, int context,
                                  int chunk) {
  const std::int64_t dy = ceilDiv(shape.hiddenSize, grid.height);
  const std::int64_t dx = ceilDiv(shape.hiddenSize, grid.width);
  const LatentParts& latent = shape.parts.latent;
  const RecurrentParts& recurrent = shape.parts.recurrent;
  // Of latent attention also queries before they are absorbed, what they are made from, and values;
  // gates of what heads attend to.
  std::int64_t more =
      latent.rank > 0 ? latent.queryRank + std::int64_t{shape.heads} *
                                               (latent.plainDim + latent.ropeDim + latent.valueDim)
                      : 0;
  if (shape.parts.outputGate) more += shape.queryWidth();
  const std::int64_t qx = ceilDiv(shape.queryWidth(), grid.width);
  const std::int64_t morex = ceilDiv(more, grid.width);
  const std::int64_t kvx = ceilDiv(shape.kvWidth(), grid.width);
  const std::int64_t attending = 2 * qx + morex + 2 * kvx;
  // Recurrent layers hold what a position is taken to, that behind the convolution, and the result;
  // queries and keys, turned.
  const std::int64_t recurring =
      ceilDiv(recurrent.inputWidth() + recurrent.channels() + recurrent.valueWidth(), grid.width) +
      2 * recurrent.groups * ceilDiv(recurrent.stateDim, grid.height);
  const std::int64_t mixing = std::max(attending, recurring);
  // A row is in as many FFNs at once as it uses experts.
  const std::int64_t fx =
      std::max(ceilDiv(shape.intermediateSize, grid.width) * std::max(1, shape.parts.expertsUsed) +
                   ceilDiv(shape.parts.sharedWidth, grid.width),
               ceilDiv(shape.parts.denseWidth, grid.width));
  const std::int64_t sy = ceilDiv(context, grid.height);
  const std::int64_t sx = ceilDiv(context, grid.width);

  // Decode: residual, normed input and two results along y; q, k, v, mixed values, gate, up and
  // their product along x; scores and their exponents; what the all-reduce is receiving.
  const std::int64_t vectors = 4 * dy + mixing + 3 * fx + 2 * sy;
  const std::int64_t receiving =
      std::max({dy, qx + 2 * kvx, 2 * fx, sy, ceilDiv(recurrent.inputWidth(), grid.width)});

  // Prefill holds the same for its share of the rows, and the two tiles that are arriving.
  const std::int64_t rows = ceilDiv(chunk, grid.height);
  const std::int64_t steps = std::max(grid.width, grid.height);
  const std::int64_t matrices = rows * (4 * dx + mixing + 3 * fx + 2 * sx);
  const std::int64_t left =
      rows * std::max({ceilDiv(shape.hiddenSize, steps), ceilDiv(shape.intermediateSize, steps),
                       ceilDiv(context, steps)});
  const std::int64_t right = std::max(ceilDiv(shape.hiddenSize, steps) * std::max(fx, qx),
                                      ceilDiv(shape.intermediateSize, steps) * dx);
  return kElementBytes * std::max(vectors + receiving, matrices + left + right);
}

}  // namespace waferpair::wafer
