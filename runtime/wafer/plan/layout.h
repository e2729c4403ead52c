// SPDX-License-Identifier: GPL-3.0-or-later
// Computes what a model takes on a block grid, and lays out its regions: the half of the planner
// that does not choose.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "runtime/wafer/plan/deal.h"
#include "runtime/wafer/plan/op.h"
#include "runtime/wafer/plan/placement.h"

namespace waferpair::wafer {

std::string sizeText(const Grid& grid);  // "420x360"

// A block grid with everything about it but where it lies.
struct Candidate {
  Grid grid;
  int context = 0, chunk = 0;
  double layersCycles = 0;  // of all layers in a decode step: windowed ones take less
  // Weights and cache of one layer's attention, and of a recurrent layer, weights and state.
  SramUse attention, recurrence;
  std::int64_t layersBytes = 0;   // weights and cache of all layers
  std::int64_t largestLayer = 0;  // of the one with most
  std::int64_t activations = 0;   // of the block, shared by its layers
};

// Lays models out. It refers to the arguments of its constructor. Not thread-safe: it remembers.
class Layout {
 public:
  Layout(const ModelShape& shape, const Machine& machine, const Profile& profile, double clockGhz)
      : shape_(shape),
        machine_(machine),
        profile_(profile),
        model_(machine, profile),
        clockGhz_(clockGhz) {}

  const ModelShape& shape() const { return shape_; }
  Candidate candidate(const Grid& grid, int context, int chunk) const;
  // Layers that a block can hold; 0 when not even one fits.
  int layersThatFit(const Candidate& c) const;
  // Whether blocks of this grid can hold the model if its layers are cut.
  bool fits(const Candidate& c) const;
  // The wafers that its bytes ask for at the least. It fits.
  std::int64_t leastWafers(const Candidate& c) const;
  // Whether a block that has these weights, so many layers' cache and so many states fits.
  bool holds(const Candidate& c, std::int64_t weights, int caches, int states) const {
    return weights + caches * c.attention[SramKind::kKv] + states * c.recurrence[SramKind::kKv] <=
           roomForLayers(c);
  }
  // The rows of the fabric that an embedding or a head over its whole width takes.
  int stripRows() const;
  // Lays the model out on at most `wafers`, with as few layers to a block as that allows; they are
  // cut if that saves a wafer that there is not. Zero: on as few wafers as it takes, where `enough`
  // are as good as fewer. The error says by how many bytes a PE, or by how many PEs, it does not
  // fit.
  base::Result<Placement> layOut(const Candidate& c, int wafers, int enough = 1) const;
  // Lays the model out as layOut(c, 0) does, on as few PEs as it takes: all blocks full, the
  // smallest head.
  base::Result<Placement> compact(const Candidate& c) const;
  // Copies of all regions of `p`, which lies on one wafer, that the wafer has room for.
  int copiesOnOneWafer(const Placement& p) const;
  // Cycles of a decode step with the cache full.
  double latency(const Candidate& c, const Placement& placement) const;
  // Without the search for a square that holds it, if that is not asked for.
  base::Error tooSmall(const Candidate& c, bool square = true) const;
  // Its bytes ask for more wafers than there are.
  base::Error tooManyWafers(const Candidate& c, int wafers) const;

 private:
  std::int64_t roomForLayers(const Candidate& c) const {
    return machine_.sramBytes - profile_.codeBytes - c.activations;
  }
  std::optional<Grid> embeddingGrid(int height) const;
  std::vector<Grid> headGrids(int height) const;  // fastest first
  base::Error vocabularyTooLarge() const;
  // Adds code and the free bytes, which are negative if it does not fit.
  SramUse completed(SramUse use) const;
  SramUse embeddingSram(const Grid& grid) const;
  SramUse headSram(const Grid& grid) const;
  // The rest of a placement: the grids of an embedding and that a head may have.
  struct Ends {
    Grid embedding;
    std::vector<Grid> heads;
  };
  // Embedding and head beside the blocks, and low and wide ones above and below them, which leave
  // less of the fabric unused. One of these at least, or why not. Worked out once for each height
  // of blocks.
  base::Result<std::vector<Ends>> ends(const Candidate& c) const;
  std::vector<Ends> endsBeside(int height) const;
  Dealer dealer(const Candidate& c) const {
    return {model_, shape_, c.grid, c.attention, c.recurrence};
  }
  Placement pack(const Candidate& c, const std::vector<BlockContent>& blocks,
                 const Ends& ends) const;
  // By how much the feed-forwards that are cut take longer than if they were whole.
  double cutCycles(const Candidate& c, const Placement& placement) const;
  // With whole layers on at most `wafers`, or if they are too few, or 0, on as few as it takes.
  Placement layOutWhole(const Candidate& c, int wafers, const Ends& ends) const;
  // On as few wafers as it takes, cut; nothing if that is no fewer than `fewer`.
  std::optional<Placement> layOutCut(const Candidate& c, const std::vector<Ends>& ends,
                                     int fewer) const;

  const ModelShape& shape_;
  const Machine& machine_;
  const Profile& profile_;
  CostModel model_;
  double clockGhz_;
  mutable int stripRows_ = 0;                      // once it is known
  mutable std::map<int, std::vector<Ends>> ends_;  // by height
};

}  // namespace waferpair::wafer
