// SPDX-License-Identifier: GPL-3.0-or-later
// Where a model lies on the wafer: rectangles of PEs, and what fills the SRAM of each PE in them.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/wafer/machine.h"
#include "runtime/wafer/profile.h"
#include "runtime/wafer/shape.h"

namespace waferpair::wafer {

// PEs; (x, y) is the north-west corner, on the fabric of one wafer.
struct Rect {
  int x = 0, y = 0, width = 0, height = 0;

  std::int64_t area() const { return std::int64_t{width} * height; }
  bool overlaps(const Rect& o) const {
    return x < o.x + o.width && o.x < x + width && y < o.y + o.height && o.y < y + height;
  }
  bool operator==(const Rect&) const = default;
};

struct Grid {
  int width = 0, height = 0;
  bool operator==(const Grid&) const = default;
};

// "420x420"; the error shows the form.
base::Result<Grid> parseGrid(std::string_view text);

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
};

enum class RegionKind { kEmbedding, kBlock, kHead };

struct Region {
  RegionKind kind = RegionKind::kBlock;
  std::string name;  // "embedding", "block 0", "head"
  int wafer = 0;     // which wafer, from 0
  Rect rect;
  int firstLayer = 0, layerCount = 0;  // of a block; layerCount is 0 for the others
  SramUse sram;                        // of each PE in rect
};

// Regions in the order a token visits them: embedding, blocks, head. Invariants (tested): each rect
// lies on the fabric; rects on one wafer are disjoint; every layer is in exactly one block; a PE's
// bytes add up to the machine's SRAM.
struct Placement {
  Grid block;          // of every pipeline block
  int context = 0;     // positions the KV cache holds
  int wafers = 0;
  int layersPerBlock = 0;
  std::vector<Region> regions;

  std::int64_t usedPes() const;
};

struct PlanOptions {
  // Of the pipeline blocks. Zero: the planner takes the grid of lowest decode latency that fits.
  Grid grid;
  // Positions that must fit. Zero: the shape's own maximum.
  int context = 0;
  // At most so many wafers. Zero: as many as it takes.
  int maxWafers = 0;
  double clockGhz = 0;  // Zero: the profile's
};

// The error says by how many bytes a PE, or by how many PEs, it does not fit.
base::Result<Placement> place(const ModelShape& shape, const Machine& machine,
                              const Profile& profile, const PlanOptions& options);

}  // namespace waferpair::wafer
