// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/wafer/plan/plan.h"

#include <string>
#include <utility>

namespace waferpair::wafer {

int Plan::findOp(std::string_view name) const {
  for (std::size_t i = 0; i < ops.size(); ++i) {
    if (ops[i].name == name) return static_cast<int>(i);
  }
  return -1;
}

int Plan::firstTailOp() const {
  std::size_t i = 0;
  while (i < ops.size() && !ops[i].tail) ++i;
  return static_cast<int>(i);
}

base::Result<Plan> plan(const ModelShape& shape, const Machine& machine, const Profile& profile,
                        const PlanOptions& options) {
  auto placement = place(shape, machine, profile, options);
  if (!placement) return tl::unexpected(placement.error());

  Plan plan{shape,
            machine,
            profile,
            options.clockGhz > 0 ? options.clockGhz : profile.clockGhz,
            std::move(*placement),
            {}};
  const CostModel model(plan.machine, plan.profile);
  const std::vector<Region>& regions = plan.placement.regions;
  const int head = static_cast<int>(regions.size()) - 1;

  Op embed = embedOp(model, shape, regions[0], regions[1], plan.clockGhz);
  embed.region = 0;
  plan.ops.push_back(std::move(embed));

  const LayerWidths widths = LayerWidths::of(shape);
  for (int r = 1; r < head; ++r) {
    const Region& block = regions[r];
    auto add = [&](Op op, int l) {
      op.name = "blk." + std::to_string(l) + "." + op.name;
      op.layer = l;
      op.region = r;
      plan.ops.push_back(std::move(op));
    };
    for (const LayerSlice& slice : block.slices) {
      if (slice.attention) {
        for (Op& op : attentionOps(model, widths, plan.placement.block, plan.placement.context,
                                   slice.layer)) {
          add(std::move(op), slice.layer);
        }
      }
      if (slice.to == 0) continue;
      const Columns columns{slice.from, slice.to, slice.part};
      for (Op& op : feedForwardOps(model, widths, plan.placement.block, slice.layer, columns)) {
        add(std::move(op), slice.layer);
      }
    }
    add(transferOp(model, shape, block, regions[r + 1], plan.clockGhz), block.slices.back().layer);
  }

  for (Op& op : tailOps(model, shape, regions[head].rect.grid())) {
    op.region = head;
    plan.ops.push_back(std::move(op));
  }
  return plan;
}

}  // namespace waferpair::wafer
