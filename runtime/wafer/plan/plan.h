// SPDX-License-Identifier: GPL-3.0-or-later
// A model planned for the wafer: its placement and its ordered ops, with no host code yet.
#pragma once

#include <string_view>
#include <vector>

#include "runtime/wafer/plan/op.h"
#include "runtime/wafer/plan/placement.h"

namespace waferpair::wafer {

struct Plan {
  ModelShape shape;
  Machine machine;
  Profile profile;
  double clockGhz = 0;
  Placement placement;
  std::vector<Op> ops;  // in the order a token meets them; the tail's last

  // Index of the op with this name, -1 if there is none.
  int findOp(std::string_view name) const;
  // Index of the first op of the tail, output_norm.
  int firstTailOp() const;
  Grid gridOf(const Op& op) const { return placement.regions[op.region].rect.grid(); }
};

base::Result<Plan> plan(const ModelShape& shape, const Machine& machine, const Profile& profile,
                        const PlanOptions& options = {});

}  // namespace waferpair::wafer
