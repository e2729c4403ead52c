// SPDX-License-Identifier: GPL-3.0-or-later
// The use of the SRAM of one PE.
#pragma once

#include <array>
#include <cstdint>

#include "runtime/wafer/cost/cost.h"
#include "runtime/wafer/plan/shape.h"

namespace waferpair::wafer {

enum class SramKind { kCode, kWeights, kKv, kActivations, kFree };
inline constexpr int kSramKinds = 5;
const char* sramKindName(SramKind kind);  // "code", "weights", "kv", "activations", "free"

// Bytes of one PE by kind. In a placed region every PE holds the same padded tiles, and the five
// kinds add up to the machine's SRAM.
struct SramUse {
  std::array<std::int64_t, kSramKinds> bytes{};

  std::int64_t& operator[](SramKind kind) { return bytes[static_cast<int>(kind)]; }
  std::int64_t operator[](SramKind kind) const { return bytes[static_cast<int>(kind)]; }
  std::int64_t used() const;  // all but free
  std::int64_t total() const { return used() + (*this)[SramKind::kFree]; }
  SramUse& operator+=(const SramUse& o);
  bool operator==(const SramUse&) const = default;
};

inline constexpr int kElementBytes = 2;  // FP16, for activations, gains and biases

// Bytes of the tile that each PE holds of FP16 elements, `down` along y and `right` along x.
std::int64_t tileBytes(std::int64_t down, std::int64_t right, const Grid& grid);

// Bytes of the tile that each PE holds of a matrix of `format`, with the sums of its product over
// `sums` elements along that axis and `outputs` across. The blocks of a format lie along the sums:
// a PE keeps the quants of its own weights, and the scales (and minimums) of every group and block
// that it has some of.
std::int64_t matrixTileBytes(tensor::Format format, std::int64_t sums, std::int64_t outputs,
                             Axis along, const Grid& grid);
// The bits of 256 weights in whole blocks.
std::int64_t bitsOf256(tensor::Format format);

// Activations and buffers of a block, which all its layers and ops share: the larger of what a
// decode step and a prefill chunk of `chunk` rows need, at a cache of `context` positions.
std::int64_t blockActivationBytes(const ModelShape& shape, const Grid& grid, int context,
                                  int chunk);

}  // namespace waferpair::wafer
