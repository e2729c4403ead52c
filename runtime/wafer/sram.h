// SPDX-License-Identifier: GPL-3.0-or-later
// What fills the SRAM of one PE.
#pragma once

#include <array>
#include <cstdint>

#include "runtime/wafer/cost.h"
#include "runtime/wafer/shape.h"

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

inline constexpr int kElementBytes = 2;  // FP16, for weights and activations

// Bytes of the tile that each PE holds of a matrix with `down` rows along y and `right` columns
// along x.
std::int64_t tileBytes(std::int64_t down, std::int64_t right, const Grid& grid);

// Activations and buffers of a block, which all its layers and ops share: the larger of what a
// decode step and a prefill chunk of `chunk` rows need, at a cache of `context` positions.
std::int64_t blockActivationBytes(const ModelShape& shape, const Grid& grid, int context,
                                  int chunk);

}  // namespace waferpair::wafer
