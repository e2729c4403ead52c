// SPDX-License-Identifier: GPL-3.0-or-later
// place(): which grid, how many layers to a block, and where everything lies.
#include <algorithm>
#include <limits>
#include <optional>
#include <tuple>
#include <utility>

#include "runtime/wafer/op.h"
#include "runtime/wafer/packer.h"
#include "runtime/wafer/placement.h"

namespace waferpair::wafer {
namespace {

constexpr int kDefaultChunk = 256;

std::string sizeText(const Grid& grid) {
  return std::to_string(grid.width) + "x" + std::to_string(grid.height);
}

// One candidate: everything about a block grid but where it lies.
struct Candidate {
  Grid grid;
  double layersCycles = 0;       // of all layers: windowed ones take less
  SramUse layer;                 // weights and cache of one layer
  std::int64_t activations = 0;  // of the block, shared by its layers
};

class Planner {
 public:
  Planner(const ModelShape& shape, const Machine& machine, const Profile& profile,
          const PlanOptions& options)
      : shape_(shape),
        machine_(machine),
        profile_(profile),
        model_(machine_, profile_),
        options_(options) {}

  base::Result<Placement> run();

 private:
  Candidate candidate(const Grid& grid) const;
  // What is left of a PE for layers; negative when not even code and activations fit.
  std::int64_t roomForLayers(const Candidate& c) const {
    return machine_.sramBytes - profile_.codeBytes - c.activations;
  }
  base::Result<Placement> layOut(const Candidate& c) const;
  std::optional<Grid> embeddingGrid(const Candidate& c) const;
  std::vector<Grid> headGrids(const Candidate& c) const;  // those that fit, fastest first
  // With code and what is left free; that is negative where it does not fit.
  SramUse completed(SramUse use) const;
  SramUse embeddingSram(const Grid& grid) const;
  SramUse headSram(const Grid& grid) const;
  Placement pack(const Candidate& c, int layersPerBlock, const Grid& embedding,
                 const std::vector<Grid>& heads) const;
  double latency(const Candidate& c, const Placement& placement) const;
  base::Error tooSmall(const Candidate& c) const;
  base::Result<Placement> search() const;

  const ModelShape& shape_;
  const Machine& machine_;
  const Profile& profile_;
  CostModel model_;
  PlanOptions options_;
};

Candidate Planner::candidate(const Grid& grid) const {
  Candidate c;
  c.grid = grid;
  const LayerParts& parts = shape_.parts;
  int windowed = 0;
  for (int layer = 0; layer < shape_.layers; ++layer) windowed += parts.windowOf(layer) > 0;
  for (Op& op : layerOps(model_, LayerWidths::of(shape_), grid, options_.context)) {
    c.layer += op.sram;
    const bool attends = op.kind == OpKind::kScore || op.kind == OpKind::kAttend;
    op.window = attends ? parts.window : 0;
    c.layersCycles += windowed * rowCycles(model_, op, options_.context, grid).total();
    op.window = 0;
    c.layersCycles +=
        (shape_.layers - windowed) * rowCycles(model_, op, options_.context, grid).total();
  }
  c.activations = blockActivationBytes(shape_, grid, options_.context, options_.chunk);
  return c;
}

SramUse Planner::completed(SramUse use) const {
  use[SramKind::kCode] = profile_.codeBytes;
  use[SramKind::kFree] = machine_.sramBytes - use.used();
  return use;
}

SramUse Planner::embeddingSram(const Grid& grid) const {
  SramUse use;
  use[SramKind::kWeights] = embeddingBytes(shape_, grid);
  // The row on its way out.
  use[SramKind::kActivations] = kElementBytes * ceilDiv(shape_.hiddenSize, grid.height);
  return completed(use);
}

SramUse Planner::headSram(const Grid& grid) const {
  const std::int64_t row = kElementBytes * ceilDiv(shape_.hiddenSize, grid.height);
  SramUse use;
  for (const Op& op : tailOps(model_, shape_, grid)) use += op.sram;
  // The row that comes in and its norm, the logits and those being received.
  use[SramKind::kActivations] = 2 * row + 2 * kElementBytes * ceilDiv(shape_.vocabSize, grid.width);
  return completed(use);
}

// As high as the blocks, so that a row reaches them straight, and as narrow as SRAM allows.
std::optional<Grid> Planner::embeddingGrid(const Candidate& c) const {
  int low = 1, high = machine_.fabricWidth;
  if (embeddingSram({high, c.grid.height})[SramKind::kFree] < 0) return std::nullopt;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (embeddingSram({middle, c.grid.height})[SramKind::kFree] >= 0) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return Grid{low, c.grid.height};
}

std::vector<Grid> Planner::headGrids(const Candidate& c) const {
  std::vector<std::pair<double, Grid>> found;
  for (int part = 1; part <= 3; ++part) {
    const int height = static_cast<int>(ceilDiv(c.grid.height, part));
    // Widths in steps of about a fifth: the optimum is flat.
    for (int step = 1, width = 1; width <= machine_.fabricWidth; width += step) {
      step = std::clamp(machine_.fabricWidth - width, 1, std::max(1, width / 5));
      const Grid grid{width, height};
      if (headSram(grid)[SramKind::kFree] < 0) continue;
      double cycles = 0;
      for (const Op& op : tailOps(model_, shape_, grid)) {
        cycles += model_.at(op.decode, options_.context, grid).total();
      }
      found.push_back({cycles, grid});
    }
  }
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
    return std::tie(a.first, a.second.width) < std::tie(b.first, b.second.width);
  });
  std::vector<Grid> grids;
  for (const auto& [cycles, grid] : found) grids.push_back(grid);
  return grids;
}

Placement Planner::pack(const Candidate& c, int layersPerBlock, const Grid& embedding,
                        const std::vector<Grid>& heads) const {
  Placement p;
  p.block = c.grid;
  p.context = options_.context;
  p.chunk = options_.chunk;
  p.layersPerBlock = layersPerBlock;
  Packer packer(machine_);

  auto add = [&](Region region, const SramUse& use, const Grid& grid) {
    const Packer::Spot spot = packer.add(grid);
    region.wafer = spot.wafer;
    region.rect = spot.rect;
    region.sram = use;
    p.regions.push_back(std::move(region));
  };

  Region table;
  table.kind = RegionKind::kEmbedding;
  table.name = "embedding";
  add(std::move(table), embeddingSram(embedding), embedding);

  for (int layer = 0, block = 0; layer < shape_.layers; layer += layersPerBlock, ++block) {
    Region region;
    region.name = "block " + std::to_string(block);
    region.firstLayer = layer;
    region.layerCount = std::min(layersPerBlock, shape_.layers - layer);
    SramUse use;
    use[SramKind::kActivations] = c.activations;
    for (int i = 0; i < region.layerCount; ++i) use += c.layer;
    add(std::move(region), completed(use), c.grid);
  }

  // The fastest head that needs no further wafer, else the fastest.
  Grid head = heads.front();
  for (const Grid& grid : heads) {
    Packer trial = packer;
    trial.add(grid);
    if (trial.wafers() > packer.wafers()) continue;
    head = grid;
    break;
  }
  Region last;
  last.kind = RegionKind::kHead;
  last.name = "head";
  add(std::move(last), headSram(head), head);
  p.wafers = packer.wafers();
  return p;
}

base::Error Planner::tooSmall(const Candidate& c) const {
  const std::int64_t need = c.layer.used();
  const std::int64_t over = need - roomForLayers(c);
  std::string remedy = "Use a larger grid, a shorter context or smaller chunks.";
  const int most = std::min(machine_.fabricWidth, machine_.fabricHeight);
  for (int pes = std::max(c.grid.width, c.grid.height) + 1; pes <= most; ++pes) {
    const Candidate larger = candidate({pes, pes});
    if (larger.layer.used() > roomForLayers(larger)) continue;
    remedy = "The smallest square that holds it is " + sizeText(larger.grid) + ".";
    break;
  }
  return {"One layer does not fit " + sizeText(c.grid) + " PEs at a context of " +
              std::to_string(options_.context) + ": it needs " +
              std::to_string(need + profile_.codeBytes + c.activations) + " bytes of each PE (" +
              std::to_string(profile_.codeBytes) + " code, " +
              std::to_string(c.layer[SramKind::kWeights]) + " weights, " +
              std::to_string(c.layer[SramKind::kKv]) + " kv, " + std::to_string(c.activations) +
              " activations), " + std::to_string(over) + " more than its " +
              std::to_string(machine_.sramBytes) + ".",
          remedy};
}

base::Result<Placement> Planner::layOut(const Candidate& c) const {
  const std::int64_t room = roomForLayers(c);
  if (c.layer.used() > room) return tl::unexpected(tooSmall(c));
  const int most = static_cast<int>(
      std::min<std::int64_t>(shape_.layers, room / std::max<std::int64_t>(1, c.layer.used())));

  const auto embedding = embeddingGrid(c);
  const std::vector<Grid> heads = headGrids(c);
  if (!embedding || heads.empty()) {
    const Grid widest{machine_.fabricWidth, c.grid.height};
    const std::int64_t over =
        std::max(-embeddingSram(widest)[SramKind::kFree], -headSram(widest)[SramKind::kFree]);
    return base::fail("The vocabulary does not fit " + sizeText(widest) + " PEs: it needs " +
                          std::to_string(over) + " bytes more of each PE.",
                      "Use a higher grid.");
  }
  // Fewer blocks never take more wafers, so the fewest layers to a block can be halved towards.
  Placement best = pack(c, most, *embedding, heads);
  int low = 1, high = most;
  while (low < high) {
    const int middle = (low + high) / 2;
    Placement p = pack(c, middle, *embedding, heads);
    if (p.wafers <= best.wafers) {
      best = std::move(p);
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  if (options_.maxWafers > 0 && best.wafers > options_.maxWafers) {
    const std::int64_t over =
        best.usedPes() - std::int64_t{options_.maxWafers} * machine_.peCount();
    return base::fail("The model needs " + std::to_string(best.wafers) + " wafers of " +
                          std::to_string(machine_.peCount()) + " PEs at " + sizeText(c.grid) +
                          ", " + std::to_string(options_.maxWafers) + " are allowed" +
                          (over > 0 ? " (" + std::to_string(over) + " PEs too many)." : "."),
                      "Allow more wafers, or try another grid or a shorter context.");
  }
  return best;
}

double Planner::latency(const Candidate& c, const Placement& placement) const {
  const double clock = options_.clockGhz;
  const std::vector<Region>& regions = placement.regions;
  double cycles = c.layersCycles;
  cycles +=
      model_.at(embedOp(model_, shape_, regions[0], regions[1], clock).decode, 0, c.grid).total();
  for (std::size_t i = 2; i < regions.size(); ++i) {
    const Op op = transferOp(model_, shape_, regions[i - 1], regions[i], clock);
    cycles += model_.at(op.decode, 0, c.grid).total();
  }
  const Grid head = regions.back().rect.grid();
  for (const Op& op : tailOps(model_, shape_, head)) {
    cycles += model_.at(op.decode, 0, head).total();
  }
  return cycles;
}

base::Result<Placement> Planner::search() const {
  std::vector<Candidate> all;
  const int most = std::min(machine_.fabricWidth, machine_.fabricHeight);
  for (int pes = 1; pes <= most; ++pes) all.push_back(candidate({pes, pes}));
  const Candidate largest = all.back();
  std::sort(all.begin(), all.end(),
            [](const Candidate& a, const Candidate& b) { return a.layersCycles < b.layersCycles; });

  std::optional<Placement> best;
  double bestLatency = std::numeric_limits<double>::infinity();
  std::optional<base::Error> refused;
  for (const Candidate& c : all) {
    // The layers alone take longer already, and no placement needs less than one wafer.
    if (best && best->wafers == 1 && c.layersCycles >= bestLatency) break;
    if (c.layer.used() > roomForLayers(c)) continue;
    auto placement = layOut(c);
    if (!placement) {
      refused = placement.error();
      continue;
    }
    const double cycles = latency(c, *placement);
    if (!best || std::pair(placement->wafers, cycles) < std::pair(best->wafers, bestLatency)) {
      best = std::move(*placement);
      bestLatency = cycles;
    }
  }
  if (best) return *best;
  return tl::unexpected(refused ? *refused : tooSmall(largest));
}

base::Result<Placement> Planner::run() {
  if (options_.context == 0) options_.context = shape_.maxContext;
  if (options_.context < 1 || options_.context > kMostPositions) {
    return base::fail("The context is " + std::to_string(options_.context) + " positions.",
                      "Name how many the cache should hold, at least 1 (--context).");
  }
  if (options_.chunk == 0) options_.chunk = std::min(kDefaultChunk, options_.context);
  if (options_.chunk < 1 || options_.chunk > options_.context) {
    return base::fail("The prefill chunk is " + std::to_string(options_.chunk) + " rows.",
                      "It should be from 1 to the context.");
  }
  if (options_.clockGhz == 0) options_.clockGhz = profile_.clockGhz;
  if (!(options_.clockGhz > 0.01 && options_.clockGhz < 100)) {
    return base::fail("The clock is not a number of GHz.", "Try 1.1.");
  }
  const Grid& grid = options_.grid;
  if (grid == Grid{}) return search();
  if (grid.width < 1 || grid.height < 1 || grid.width > machine_.fabricWidth ||
      grid.height > machine_.fabricHeight) {
    const int over = std::max(grid.width - machine_.fabricWidth, 0);
    const int under = std::max(grid.height - machine_.fabricHeight, 0);
    return base::fail(
        "A grid of " + sizeText(grid) + " is not on the " + std::to_string(machine_.fabricWidth) +
            "x" + std::to_string(machine_.fabricHeight) + " fabric of " + machine_.title + ": " +
            std::to_string(over) + " columns and " + std::to_string(under) + " rows too many.",
        "Name a smaller grid.");
  }
  return layOut(candidate(grid));
}

}  // namespace

base::Result<Placement> place(const ModelShape& shape, const Machine& machine,
                              const Profile& profile, const PlanOptions& options) {
  if (auto ok = checkShape(shape); !ok) return tl::unexpected(ok.error());
  return Planner(shape, machine, profile, options).run();
}

}  // namespace waferpair::wafer
