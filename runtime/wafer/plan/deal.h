// SPDX-License-Identifier: GPL-3.0-or-later
// Deals the layers of a model out to blocks, one after another, each block as full as layers or
// parts of layers make it. Private to this room.
#pragma once

#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "runtime/wafer/plan/op.h"

namespace waferpair::wafer {

// Where a layer may be cut.
enum class Cuts { kNone, kHalves, kColumns };

struct BlockContent {
  std::vector<LayerSlice> slices;
  SramUse use;  // weights and cache of a PE
};

class Dealer {
 public:
  // Refers to `model`. `attention` is what that of a layer takes, `recurrence` what a layer has in
  // its place.
  Dealer(const CostModel& model, const ModelShape& shape, const Grid& grid,
         const SramUse& attention, const SramUse& recurrence)
      : model_(model),
        widths_(LayerWidths::of(shape)),
        layers_(shape.layers),
        grid_(grid),
        attention_(attention),
        recurrence_(recurrence) {}

  // The contents of blocks that have `room` bytes of each PE for weights and cache; nothing if not
  // even a part that is as small as the cuts allow fits one.
  std::optional<std::vector<BlockContent>> deal(std::int64_t room, Cuts cuts);
  // As few blocks as deal() takes, and all about equally full.
  std::optional<std::vector<BlockContent>> dealEvenly(std::int64_t room, Cuts cuts);
  // With so many whole layers to a block.
  std::vector<BlockContent> whole(int layersPerBlock);
  // What the largest part takes that cannot be cut.
  SramUse leastRoom();

 private:
  int columnStep(int layer) const;
  const SramUse& attention(int layer) const {
    return widths_.parts.recurrent.at(layer) ? recurrence_ : attention_;
  }
  SramUse part(int layer, const Columns& columns);
  SramUse feedForward(int layer) { return part(layer, {0, widths_.columns(layer)}); }
  // Returns where the columns from `from` on end that fit `free` bytes; `from` if none do.
  int fitting(int layer, int from, std::int64_t free, bool any);

  const CostModel& model_;
  const LayerWidths widths_;
  const int layers_;
  const Grid grid_;
  const SramUse attention_, recurrence_;
  // By whether it has experts, whether it is the first and the last part, and its columns.
  std::map<std::tuple<bool, bool, bool, int>, SramUse> parts_;
};

}  // namespace waferpair::wafer
