// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/wafer/plan/layout.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "runtime/wafer/plan/packer.h"

namespace waferpair::wafer {

namespace {

const SramUse& largest(const Candidate& c) {
  return c.denseLayer.used() > c.layer.used() ? c.denseLayer : c.layer;
}

}  // namespace

std::string sizeText(const Grid& grid) {
  return std::to_string(grid.width) + "x" + std::to_string(grid.height);
}

Candidate Layout::candidate(const Grid& grid, int context, int chunk) const {
  Candidate c;
  c.grid = grid;
  c.context = context;
  c.chunk = chunk;
  const LayerParts& parts = shape_.parts;
  const auto addLayers = [&](int first, int last, SramUse& each) {
    int windowed = 0;
    for (int layer = first; layer < last; ++layer) windowed += parts.windowOf(layer) > 0;
    for (Op& op : layerOps(model_, LayerWidths::of(shape_), grid, context, first)) {
      each += op.sram;
      const bool attends = op.kind == OpKind::kScore || op.kind == OpKind::kAttend;
      op.window = attends ? parts.window : 0;
      c.layersCycles += windowed * rowCycles(model_, op, context, grid).total();
      op.window = 0;
      c.layersCycles += (last - first - windowed) * rowCycles(model_, op, context, grid).total();
    }
  };
  if (parts.leadingDense > 0) addLayers(0, parts.leadingDense, c.denseLayer);
  addLayers(parts.leadingDense, shape_.layers, c.layer);
  c.activations = blockActivationBytes(shape_, grid, context, chunk);
  return c;
}

SramUse Layout::completed(SramUse use) const {
  use[SramKind::kCode] = profile_.codeBytes;
  use[SramKind::kFree] = machine_.sramBytes - use.used();
  return use;
}

SramUse Layout::embeddingSram(const Grid& grid) const {
  SramUse use;
  use[SramKind::kWeights] = embeddingBytes(shape_, grid);
  // The row on its way out.
  use[SramKind::kActivations] = kElementBytes * ceilDiv(shape_.hiddenSize, grid.height);
  return completed(use);
}

SramUse Layout::headSram(const Grid& grid) const {
  const std::int64_t row = kElementBytes * ceilDiv(shape_.hiddenSize, grid.height);
  SramUse use;
  for (const Op& op : tailOps(model_, shape_, grid)) use += op.sram;
  // The row that comes in and its norm, the logits and those being received.
  use[SramKind::kActivations] = 2 * row + 2 * kElementBytes * ceilDiv(shape_.vocabSize, grid.width);
  return completed(use);
}

// Returns a grid as high as the blocks, so that a row reaches them straight, and as narrow as SRAM
// allows.
base::Result<Grid> Layout::embeddingGrid(const Candidate& c) const {
  int low = 1, high = machine_.fabricWidth;
  if (embeddingSram({high, c.grid.height})[SramKind::kFree] < 0) {
    return tl::unexpected(vocabularyTooLarge(c));
  }
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

base::Result<std::vector<Grid>> Layout::headGrids(const Candidate& c) const {
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
        cycles += model_.at(op.decode, 0, grid).total();
      }
      found.push_back({cycles, grid});
    }
  }
  if (found.empty()) return tl::unexpected(vocabularyTooLarge(c));
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
    return std::tie(a.first, a.second.width) < std::tie(b.first, b.second.width);
  });
  std::vector<Grid> grids;
  grids.reserve(found.size());
  for (const auto& [cycles, grid] : found) grids.push_back(grid);
  return grids;
}

Placement Layout::pack(const Candidate& c, int layersPerBlock, const Grid& embedding,
                       const std::vector<Grid>& heads) const {
  Placement p;
  p.block = c.grid;
  p.context = c.context;
  p.chunk = c.chunk;
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
    for (int i = layer; i < layer + region.layerCount; ++i) {
      use += i < shape_.parts.leadingDense ? c.denseLayer : c.layer;
    }
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

base::Error Layout::tooSmall(const Candidate& c) const {
  const SramUse& layer = largest(c);
  const std::int64_t need = layer.used();
  const std::int64_t over = need - roomForLayers(c);
  std::string remedy = "Use a larger grid, a shorter context or smaller chunks.";
  const int most = std::min(machine_.fabricWidth, machine_.fabricHeight);
  for (int pes = std::max(c.grid.width, c.grid.height) + 1; pes <= most; ++pes) {
    const Candidate larger = candidate({pes, pes}, c.context, c.chunk);
    if (layersThatFit(larger) == 0) continue;
    remedy = "The smallest square that holds it is " + sizeText(larger.grid) + ".";
    break;
  }
  return {"One layer does not fit " + sizeText(c.grid) + " PEs at a context of " +
              std::to_string(c.context) + ": it needs " +
              std::to_string(need + profile_.codeBytes + c.activations) + " bytes of each PE (" +
              std::to_string(profile_.codeBytes) + " code, " +
              std::to_string(layer[SramKind::kWeights]) + " weights, " +
              std::to_string(layer[SramKind::kKv]) + " kv, " + std::to_string(c.activations) +
              " activations), " + std::to_string(over) + " more than its " +
              std::to_string(machine_.sramBytes) + ".",
          remedy};
}

base::Error Layout::vocabularyTooLarge(const Candidate& c) const {
  const Grid widest{machine_.fabricWidth, c.grid.height};
  const std::int64_t over =
      std::max(-embeddingSram(widest)[SramKind::kFree], -headSram(widest)[SramKind::kFree]);
  return {"The vocabulary does not fit " + sizeText(widest) + " PEs: it needs " +
              std::to_string(over) + " bytes more of each PE.",
          "Use a higher grid."};
}

int Layout::layersThatFit(const Candidate& c) const {
  const std::int64_t room = roomForLayers(c);
  const std::int64_t need = largest(c).used();
  if (room < need) return 0;
  return static_cast<int>(
      std::min<std::int64_t>(shape_.layers, room / std::max<std::int64_t>(1, need)));
}

base::Result<Placement> Layout::layOut(const Candidate& c, int wafers) const {
  const int most = layersThatFit(c);
  if (most == 0) return tl::unexpected(tooSmall(c));
  const auto embedding = embeddingGrid(c);
  if (!embedding) return tl::unexpected(embedding.error());
  const auto heads = headGrids(c);
  if (!heads) return tl::unexpected(heads.error());
  Placement best = pack(c, most, *embedding, *heads);
  const int limit = wafers > 0 ? wafers : best.wafers;
  if (best.wafers > limit) {
    const std::int64_t over = best.usedPes() - std::int64_t{limit} * machine_.peCount();
    return base::fail("The model needs " + std::to_string(best.wafers) + " wafers of " +
                          std::to_string(machine_.peCount()) + " PEs at " + sizeText(c.grid) +
                          ", " + std::to_string(limit) + " are allowed" +
                          (over > 0 ? " (" + std::to_string(over) + " PEs too many)." : "."),
                      "Allow more wafers, or try another grid or a shorter context.");
  }
  // Fewer blocks never take more wafers, so the fewest layers to a block can be halved towards.
  int low = 1, high = most;
  while (low < high) {
    const int middle = (low + high) / 2;
    Placement p = pack(c, middle, *embedding, *heads);
    if (p.wafers <= limit) {
      best = std::move(p);
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return best;
}

base::Result<Placement> Layout::compact(const Candidate& c) const {
  const int most = layersThatFit(c);
  if (most == 0) return tl::unexpected(tooSmall(c));
  const auto embedding = embeddingGrid(c);
  if (!embedding) return tl::unexpected(embedding.error());
  auto heads = headGrids(c);
  if (!heads) return tl::unexpected(heads.error());
  const auto pes = [](const Grid& g) { return std::int64_t{g.width} * g.height; };
  const Grid smallest = *std::min_element(
      heads->begin(), heads->end(), [&](const Grid& a, const Grid& b) { return pes(a) < pes(b); });
  return pack(c, most, *embedding, {smallest});
}

int Layout::copiesOnOneWafer(const Placement& p) const {
  Packer packer(machine_);
  for (int copies = 0;; ++copies) {
    for (const Region& region : p.regions) packer.add(region.rect.grid());
    if (packer.wafers() > 1) return std::max(1, copies);
  }
}

double Layout::latency(const Candidate& c, const Placement& placement) const {
  const std::vector<Region>& regions = placement.regions;
  double cycles = c.layersCycles;
  cycles += model_.at(embedOp(model_, shape_, regions[0], regions[1], clockGhz_).decode, 0, c.grid)
                .total();
  for (std::size_t i = 2; i < regions.size(); ++i) {
    const Op op = transferOp(model_, shape_, regions[i - 1], regions[i], clockGhz_);
    cycles += model_.at(op.decode, 0, c.grid).total();
  }
  const Grid head = regions.back().rect.grid();
  for (const Op& op : tailOps(model_, shape_, head)) {
    cycles += model_.at(op.decode, 0, head).total();
  }
  return cycles;
}

}  // namespace waferpair::wafer
