// SPDX-License-Identifier: GPL-3.0-or-later
// Computes what a model takes on a block grid, and lays out its regions: the half of the planner
// that does not choose.
#pragma once

#include <optional>
#include <vector>

#include "runtime/wafer/plan/op.h"
#include "runtime/wafer/plan/placement.h"

namespace waferpair::wafer {

std::string sizeText(const Grid& grid);  // "420x360"

// A block grid with everything about it but where it lies.
struct Candidate {
  Grid grid;
  int context = 0, chunk = 0;
  double layersCycles = 0;       // of all layers in a decode step: windowed ones take less
  SramUse layer;                 // weights and cache of one layer
  SramUse denseLayer;            // of one of LayerParts::leadingDense
  std::int64_t activations = 0;  // of the block, shared by its layers
};

// Lays models out. It refers to the arguments of its constructor.
class Layout {
 public:
  Layout(const ModelShape& shape, const Machine& machine, const Profile& profile, double clockGhz)
      : shape_(shape),
        machine_(machine),
        profile_(profile),
        model_(machine, profile),
        clockGhz_(clockGhz) {}

  Candidate candidate(const Grid& grid, int context, int chunk) const;
  // Layers that a block can hold; 0 when not even one fits.
  int layersThatFit(const Candidate& c) const;
  // Lays the model out on at most `wafers`, with as few layers to a block as that allows. Zero: on
  // as few wafers as it takes. The error says by how many bytes a PE, or by how many PEs, it does
  // not fit.
  base::Result<Placement> layOut(const Candidate& c, int wafers) const;
  // Lays the model out as layOut(c, 0) does, on as few PEs as it takes: all blocks full, the
  // smallest head.
  base::Result<Placement> compact(const Candidate& c) const;
  // Copies of all regions of `p`, which lies on one wafer, that the wafer has room for.
  int copiesOnOneWafer(const Placement& p) const;
  // Cycles of a decode step with the cache full.
  double latency(const Candidate& c, const Placement& placement) const;
  base::Error tooSmall(const Candidate& c) const;

 private:
  std::int64_t roomForLayers(const Candidate& c) const {
    return machine_.sramBytes - profile_.codeBytes - c.activations;
  }
  base::Result<Grid> embeddingGrid(const Candidate& c) const;
  base::Result<std::vector<Grid>> headGrids(const Candidate& c) const;  // fastest first
  base::Error vocabularyTooLarge(const Candidate& c) const;
  // Adds code and the free bytes, which are negative if it does not fit.
  SramUse completed(SramUse use) const;
  SramUse embeddingSram(const Grid& grid) const;
  SramUse headSram(const Grid& grid) const;
  Placement pack(const Candidate& c, int layersPerBlock, const Grid& embedding,
                 const std::vector<Grid>& heads) const;

  const ModelShape& shape_;
  const Machine& machine_;
  const Profile& profile_;
  CostModel model_;
  double clockGhz_;
};

}  // namespace waferpair::wafer
