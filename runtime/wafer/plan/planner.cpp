// SPDX-License-Identifier: GPL-3.0-or-later
// place(): which grid, and how many layers to a block, by the objective.
#include <algorithm>
#include <cassert>
#include <limits>
#include <optional>
#include <utility>

#include "runtime/wafer/machine/range.h"
#include "runtime/wafer/plan/kv_capacity.h"
#include "runtime/wafer/plan/layout.h"

namespace waferpair::wafer {
namespace {

constexpr int kDefaultChunk = 256;
// The most tiles across, and down, in the grids that tile the fabric.
constexpr int kMostTiles = 12;

// The best so far of placements that are judged by two figures, the first before the second; less
// is better. Keeps the reason of the last that was refused.
class Best {
 public:
  bool beats(double first, double second) const {
    return std::pair(first, second) < std::pair(first_, second_);
  }
  void take(Placement p, double first, double second) {
    assert(beats(first, second));
    placement_ = std::move(p);
    first_ = first;
    second_ = second;
  }
  void refuse(base::Error why) { why_ = std::move(why); }
  const std::optional<Placement>& placement() const { return placement_; }
  double second() const { return second_; }
  base::Result<Placement> result(base::Error otherwise) const {
    if (placement_) return *placement_;
    return tl::unexpected(why_ ? *why_ : otherwise);
  }

 private:
  std::optional<Placement> placement_;
  double first_ = std::numeric_limits<double>::infinity();
  double second_ = std::numeric_limits<double>::infinity();
  std::optional<base::Error> why_;
};

class Planner {
 public:
  // `options` with context and clock filled in.
  Planner(const ModelShape& shape, const Machine& machine, const Profile& profile,
          const PlanOptions& options)
      : shape_(shape),
        machine_(machine),
        profile_(profile),
        options_(options),
        layout_(shape_, machine_, profile_, options_.clockGhz) {}

  base::Result<Placement> run() const;
  // Returns how many wafers there would have to be, or nothing if no number of them is enough.
  std::optional<int> fewestWafers() const { return fewestWafers(options_.grid); }
  std::optional<int> fewestWafers(const Grid& grid) const;

 private:
  // Rows of a prefill chunk, if the context is at least that.
  int chunkOn(const Grid& grid) const {
    if (options_.chunk > 0) return options_.chunk;
    // The second row of a chunk on a PE takes room that a cache could have.
    return options_.objective == Objective::kContext ? std::min(kDefaultChunk, grid.height)
                                                     : kDefaultChunk;
  }
  Candidate candidate(const Grid& grid, int context) const {
    assert(grid.width >= 1 && grid.width <= machine_.fabricWidth);
    assert(grid.height >= 1 && grid.height <= machine_.fabricHeight && context >= 1);
    return layout_.candidate(grid, context, std::min(chunkOn(grid), context));
  }
  std::vector<Grid> squares() const;
  std::vector<Grid> tilings() const;
  // Returns the fastest placement on these grids, none of which is larger than the fabric.
  base::Result<Placement> fastest(const std::vector<Grid>& grids, int context) const;
  // Returns the fastest placement on at most maxWafers, or on the fewest.
  base::Result<Placement> fastest(int context) const;
  base::Result<Placement> mostReplicas() const;
  base::Result<Placement> longestContext() const;
  base::Result<void> checkGrid() const;

  const ModelShape& shape_;
  const Machine& machine_;
  const Profile& profile_;
  const PlanOptions& options_;
  Layout layout_;
};

std::vector<Grid> Planner::squares() const {
  std::vector<Grid> grids;
  const int most = std::min(machine_.fabricWidth, machine_.fabricHeight);
  for (int pes = 1; pes <= most; ++pes) grids.push_back({pes, pes});
  return grids;
}

std::vector<Grid> Planner::tilings() const {
  std::vector<Grid> grids;
  // Over the whole height, and beside an embedding or a head that is low and wide.
  for (const int height : {machine_.fabricHeight - layout_.stripRows(), machine_.fabricHeight}) {
    for (int across = 1; across <= std::min(kMostTiles, machine_.fabricWidth); ++across) {
      for (int down = 1; down <= std::min(kMostTiles, height); ++down) {
        grids.push_back({machine_.fabricWidth / across, height / down});
      }
    }
  }
  return grids;
}

base::Result<Placement> Planner::fastest(const std::vector<Grid>& grids, int context) const {
  assert(!grids.empty());
  std::vector<Candidate> all;
  all.reserve(grids.size());
  for (const Grid& grid : grids) all.push_back(candidate(grid, context));
  const Candidate largest = all.back();
  std::stable_sort(all.begin(), all.end(), [](const Candidate& a, const Candidate& b) {
    return a.layersCycles < b.layersCycles;
  });
  Best best;
  for (const Candidate& c : all) {
    // The layers alone take longer already, and nothing takes less than one wafer.
    const bool enough =
        best.placement() && (options_.maxWafers > 0 || best.placement()->wafers == 1);
    if (enough && c.layersCycles >= best.second()) break;
    if (!layout_.fits(c)) continue;
    // The best has fewer wafers than this one could have.
    const std::int64_t least = layout_.leastWafers(c);
    if (options_.maxWafers == 0 && best.placement() && least > best.placement()->wafers) continue;
    // On the fewest; and whole, where layers that are cut or ends that are low and wide are slower.
    for (const int most : {1, options_.maxWafers}) {
      if (most == 0) continue;
      auto placement = layout_.layOut(c, 0, most);
      if (placement && options_.maxWafers > 0 && placement->wafers > options_.maxWafers) {
        placement = layout_.layOut(c, options_.maxWafers);  // for what it says
      }
      if (!placement) {
        best.refuse(placement.error());
        continue;
      }
      const double cycles = layout_.latency(c, *placement);
      const double wafers = options_.maxWafers > 0 ? 0 : placement->wafers;
      if (best.beats(wafers, cycles)) best.take(std::move(*placement), wafers, cycles);
    }
  }
  return best.result(layout_.tooSmall(largest));
}

base::Result<Placement> Planner::fastest(int context) const {
  auto placement = fastest(squares(), context);
  // Squares leave much of a fabric unused where few of them fit; one wafer has room to spare.
  if (placement && placement->wafers == 1) return placement;
  auto tiled = fastest(tilings(), context);
  if (!placement) return tiled ? tiled : placement;
  if (!tiled) return placement;
  const auto rank = [&](const Placement& p) {
    const double cycles = layout_.latency(candidate(p.block, context), p);
    return std::pair(options_.maxWafers > 0 ? 0 : p.wafers, cycles);
  };
  return rank(*tiled) < rank(*placement) ? tiled : placement;
}

base::Result<Placement> Planner::mostReplicas() const {
  int wafers = options_.maxWafers;
  if (wafers == 0) {
    auto one = fastest(options_.context);
    if (!one) return one;
    wafers = one->wafers;
  }
  std::vector<Grid> grids = squares();
  for (const Grid& grid : tilings()) grids.push_back(grid);
  Best best;
  for (const Grid& grid : grids) {
    const Candidate c = candidate(grid, options_.context);
    if (!layout_.fits(c)) continue;
    auto placement = layout_.compact(c);
    if (placement && placement->wafers > wafers) placement = layout_.layOut(c, wafers);
    if (!placement) {
      best.refuse(placement.error());
      continue;
    }
    assert(placement->wafers >= 1 && placement->wafers <= wafers);
    if (placement->wafers > 1) {
      placement->replicas = wafers / placement->wafers;
    } else {
      const std::int64_t room = machine_.peCount() / placement->usedPes();
      if (best.placement() && room * wafers < best.placement()->replicas) continue;
      placement->replicas = wafers * layout_.copiesOnOneWafer(*placement);
    }
    const double cycles = layout_.latency(c, *placement);
    const int replicas = placement->replicas;
    if (best.beats(-replicas, cycles)) best.take(std::move(*placement), -replicas, cycles);
  }
  return best.result(layout_.tooSmall(candidate(squares().back(), options_.context)));
}

base::Result<Placement> Planner::longestContext() const {
  int wafers = options_.maxWafers;
  if (wafers == 0) {
    auto one = fastest(1);
    if (!one) return one;
    wafers = one->wafers;
  }
  std::vector<Grid> grids = squares();
  for (const Grid& grid : tilings()) grids.push_back(grid);
  Best best;
  for (const Grid& grid : grids) {
    // Its bytes alone, which are counted sooner, may ask for more wafers.
    const auto layOut = [&](int context) -> base::Result<Placement> {
      const Candidate c = candidate(grid, context);
      if (!layout_.fits(c)) return tl::unexpected(layout_.tooSmall(c, false));
      if (layout_.leastWafers(c) > wafers) return tl::unexpected(layout_.tooManyWafers(c, wafers));
      return layout_.layOut(c, wafers);
    };
    // A grid that doesn't hold as much as the best has is passed by.
    int low = best.placement() ? best.placement()->context : 1, high = options_.context;
    auto placement = layOut(low);
    if (!placement) {
      best.refuse(placement.error());
      continue;
    }
    while (low < high) {
      const int middle = low + (high - low + 1) / 2;
      if (auto longer = layOut(middle)) {
        placement = std::move(longer);
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    const double cycles = layout_.latency(candidate(grid, low), *placement);
    if (best.beats(-low, cycles)) best.take(std::move(*placement), -low, cycles);
  }
  return best.result(layout_.tooSmall(candidate(squares().back(), 1)));
}

base::Result<void> Planner::checkGrid() const {
  const Grid& grid = options_.grid;
  if (grid.width >= 1 && grid.height >= 1 && grid.width <= machine_.fabricWidth &&
      grid.height <= machine_.fabricHeight) {
    return {};
  }
  const int over = std::max(grid.width - machine_.fabricWidth, 0);
  const int under = std::max(grid.height - machine_.fabricHeight, 0);
  return base::fail(
      "A grid of " + sizeText(grid) + " is not on the " + std::to_string(machine_.fabricWidth) +
          "x" + std::to_string(machine_.fabricHeight) + " fabric of " + machine_.title + ": " +
          std::to_string(over) + " columns and " + std::to_string(under) + " rows too many.",
      "Name a smaller grid.");
}

base::Result<Placement> Planner::run() const {
  if (options_.grid != Grid{}) {
    if (auto ok = checkGrid(); !ok) return tl::unexpected(ok.error());
    const Candidate c = candidate(options_.grid, options_.context);
    auto placement = layout_.layOut(c, 0, std::max(1, options_.maxWafers));
    const bool over = placement && options_.maxWafers > 0 && placement->wafers > options_.maxWafers;
    return over ? layout_.layOut(c, options_.maxWafers) : placement;
  }
  switch (options_.objective) {
    case Objective::kReplicas:
      return mostReplicas();
    case Objective::kContext:
      return longestContext();
    case Objective::kLatency:
      break;
  }
  return fastest(options_.context);
}

std::optional<int> Planner::fewestWafers(const Grid& grid) const {
  PlanOptions unlimited = options_;
  unlimited.grid = grid;
  unlimited.maxWafers = 0;
  const Planner planner(shape_, machine_, profile_, unlimited);
  const bool shortens = options_.objective == Objective::kContext && grid == Grid{};
  const auto placement = shortens ? planner.fastest(1) : planner.run();
  if (!placement) return std::nullopt;
  return placement->wafers;
}

base::Result<PlanOptions> completed(PlanOptions options, const ModelShape& shape,
                                    const Profile& profile) {
  if (options.context == 0) options.context = shape.maxContext;
  if (options.context < 1 || options.context > kMostPositions) {
    return base::fail("The context is " + std::to_string(options.context) + " positions.",
                      "Name how many the cache should hold, at least 1 (--context).");
  }
  if (options.chunk < 0 || options.chunk > options.context) {
    return base::fail("The prefill chunk is " + std::to_string(options.chunk) + " rows.",
                      "It should be from 1 to the context.");
  }
  if (options.clockGhz == 0) options.clockGhz = profile.clockGhz;
  auto ok = checkRange("--clock", options.clockGhz, kLeastClockGhz, kMostClockGhz, "it is GHz");
  if (!ok) return tl::unexpected(ok.error());
  return options;
}

}  // namespace

base::Result<Placement> place(const ModelShape& shape, const Machine& machine,
                              const Profile& profile, const PlanOptions& options) {
  if (auto ok = checkShape(shape); !ok) return tl::unexpected(ok.error());
  const auto complete = completed(options, shape, profile);
  if (!complete) return tl::unexpected(complete.error());
  const Planner planner(shape, machine, profile, *complete);
  auto placement = planner.run();
  if (placement || complete->maxWafers == 0) return placement;
  const auto fewest = planner.fewestWafers();
  if (!fewest || *fewest <= complete->maxWafers) return placement;
  if (complete->grid != Grid{}) {
    // What it says is of the named grid alone.
    const auto best = planner.fewestWafers(Grid{});
    return base::fail(placement.error().what,
                      best && *best < *fewest
                          ? "Allow so many, or name no grid: on the planner's own it takes " +
                                std::to_string(*best) + "."
                          : "Allow so many, a shorter context or weights of fewer bits.");
  }
  // Each grid has its own reason; what all of them have in common is the number of wafers.
  return base::fail(
      "The model needs at least " + std::to_string(*fewest) + " wafers of " +
          std::to_string(machine.peCount()) + " PEs at a context of " +
          std::to_string(complete->context) + "; at most " + std::to_string(complete->maxWafers) +
          " may be used.",
      "Allow " + std::to_string(*fewest) + ", a shorter context or weights of fewer bits.");
}

}  // namespace waferpair::wafer
