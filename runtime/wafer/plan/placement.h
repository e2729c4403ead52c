// SPDX-License-Identifier: GPL-3.0-or-later
// Tells where a model lies on the wafer: rectangles of PEs, and what fills the SRAM of each PE in
// them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/wafer/cost/profile.h"
#include "runtime/wafer/machine/machine.h"
#include "runtime/wafer/plan/shape.h"
#include "runtime/wafer/plan/sram.h"

namespace waferpair::wafer {

// PEs; (x, y) is the north-west corner, on the fabric of one wafer.
struct Rect {
  int x = 0, y = 0, width = 0, height = 0;

  std::int64_t area() const { return std::int64_t{width} * height; }
  Grid grid() const { return {width, height}; }
  bool overlaps(const Rect& o) const {
    return x < o.x + o.width && o.x < x + width && y < o.y + o.height && o.y < y + height;
  }
  bool operator==(const Rect&) const = default;
};

// "420x420"; the error shows the form.
base::Result<Grid> parseGrid(std::string_view text);

enum class RegionKind { kEmbedding, kBlock, kHead };

// What a block has of a layer: its attention, or its recurrence where it has that, and the columns
// [from, to) of its feed-forward, of which the shape has columns(layer); to is 0 where it has none.
struct LayerSlice {
  int layer = 0;
  bool attention = true;
  int from = 0, to = 0;
  int part = 0;  // which part of the feed-forward the columns are, from 0

  bool operator==(const LayerSlice&) const = default;
};

struct Region {
  RegionKind kind = RegionKind::kBlock;
  std::string name;  // "embedding", "block 0", "head"
  int wafer = 0;     // which wafer, from 0
  Rect rect{};
  // Of a block: the layers it has all or some of. layerCount is 0 for the others.
  int firstLayer = 0, layerCount = 0;
  SramUse sram{};                       // of each PE in rect
  std::vector<LayerSlice> slices = {};  // of a block: what it has of each of its layers
};

// Regions in the order a token visits them: embedding, blocks, head. Invariants (tested): each rect
// lies on the fabric; rects on one wafer are disjoint; the attention of every layer and every
// column of its feed-forward is in exactly one block; a PE's bytes add up to the machine's SRAM.
struct Placement {
  Grid block;       // of every pipeline block
  int context = 0;  // positions the KV cache holds
  int chunk = 0;    // rows of the largest prefill chunk there is room for
  int wafers = 0;
  int layersPerBlock = 0;  // that a block has all or some of, at most
  bool cut = false;        // some layer lies in more than one block
  std::vector<Region> regions;
  // The number of such sets of regions that the wafers hold under Objective::kReplicas, this one
  // included.
  int replicas = 1;

  std::int64_t usedPes() const;
};

inline constexpr int kMostPositions = 1 << 24;

// The goal of the planner if no grid is named. It looks among squares and, if a model needs several
// wafers or much room, among the grids that tile the fabric.
enum class Objective {
  // The lowest decode latency: of the placements on the fewest wafers; on any number up to
  // maxWafers where that is named.
  kLatency,
  // The most copies of the model, each on as few wafers as hold it; of those the fastest. Without
  // maxWafers on as few wafers as hold one.
  kReplicas,
  // The longest context, up to `context` or else the shape's own maximum; of those the fastest.
  // Without maxWafers on as few wafers as hold the model at all.
  kContext,
};
const char* objectiveName(Objective objective);  // "latency", "replicas", "context"
base::Result<Objective> parseObjective(std::string_view name);

struct PlanOptions {
  // The grid of the pipeline blocks. Zero: the planner's choice, by the objective.
  Grid grid{};
  Objective objective = Objective::kLatency;
  // Positions that must fit, at most kMostPositions. Zero: the shape's own maximum.
  int context = 0;
  // Rows of prefill at a time. Zero: 256, or the context if that is less; for the longest context
  // no more than a block has rows of PEs.
  int chunk = 0;
  // The most wafers. Zero: as many as it takes.
  int maxWafers = 0;
  // Zero: the profile's.
  double clockGhz = 0;
};

// Each layer gets a block of its own; where that would take more wafers, as few layers as possible
// share one; where whole layers would take more, blocks are filled and layers are cut between
// attention and feed-forward, and where that would too, within the feed-forward. The error says by
// how many bytes a PE, or by how many PEs, it does not fit, and the fewest wafers that do.
base::Result<Placement> place(const ModelShape& shape, const Machine& machine,
                              const Profile& profile, const PlanOptions& options);

}  // namespace waferpair::wafer
