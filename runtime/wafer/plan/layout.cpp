// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/wafer/plan/layout.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <tuple>
#include <utility>

#include "runtime/wafer/plan/packer.h"

namespace waferpair::wafer {

std::string sizeText(const Grid& grid) {
  return std::to_string(grid.width) + "x" + std::to_string(grid.height);
}

Candidate Layout::candidate(const Grid& grid, int context, int chunk) const {
  Candidate c;
  c.grid = grid;
  c.context = context;
  c.chunk = chunk;
  const LayerParts& parts = shape_.parts;
  const LayerWidths widths = LayerWidths::of(shape_);
  // Adds the cycles of halves of layers, so many of which are alike, and returns what one takes.
  const auto add = [&](const std::vector<Op>& ops, int count) {
    SramUse each;
    for (const Op& op : ops) {
      each += op.sram;
      c.layersCycles += count * rowCycles(model_, op, context, grid).total();
    }
    return each;
  };
  // By what their halves are like: one of them, and how many there are.
  struct Alike {
    int layer = 0, count = 0;
  };
  Alike full, windowed, recurrent, expert, dense;
  const auto count = [](Alike& alike, int layer) { alike = {layer, alike.count + 1}; };
  for (int layer = 0; layer < shape_.layers; ++layer) {
    count(parts.recurrent.at(layer)   ? recurrent
          : parts.windowOf(layer) > 0 ? windowed
                                      : full,
          layer);
    count(parts.hasExperts(layer) ? expert : dense, layer);
  }
  for (const Alike& alike : {full, windowed}) {
    if (alike.count == 0) continue;
    c.attention = add(attentionOps(model_, widths, grid, context, alike.layer), alike.count);
  }
  if (recurrent.count > 0) {
    c.recurrence =
        add(attentionOps(model_, widths, grid, context, recurrent.layer), recurrent.count);
  }
  std::int64_t expertBytes = 0, denseBytes = 0;
  for (const auto& [alike, bytes] :
       {std::pair(expert, &expertBytes), std::pair(dense, &denseBytes)}) {
    if (alike.count == 0) continue;
    *bytes = add(feedForwardOps(model_, widths, grid, alike.layer), alike.count).used();
  }
  for (int layer = 0; layer < shape_.layers; ++layer) {
    const std::int64_t bytes = (parts.recurrent.at(layer) ? c.recurrence : c.attention).used() +
                               (parts.hasExperts(layer) ? expertBytes : denseBytes);
    c.layersBytes += bytes;
    c.largestLayer = std::max(c.largestLayer, bytes);
  }
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

int Layout::stripRows() const {
  if (stripRows_ > 0) return stripRows_;
  int low = 1, high = machine_.fabricHeight;
  while (low < high) {
    const int middle = (low + high) / 2;
    const Grid grid{machine_.fabricWidth, middle};
    if (embeddingSram(grid)[SramKind::kFree] >= 0 && headSram(grid)[SramKind::kFree] >= 0) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return stripRows_ = low;
}

// Returns a grid as high as the blocks, so that a row reaches them straight, and as narrow as SRAM
// allows.
std::optional<Grid> Layout::embeddingGrid(int rows) const {
  int low = 1, high = machine_.fabricWidth;
  if (embeddingSram({high, rows})[SramKind::kFree] < 0) return std::nullopt;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (embeddingSram({middle, rows})[SramKind::kFree] >= 0) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return Grid{low, rows};
}

std::vector<Grid> Layout::headGrids(int rows) const {
  std::vector<std::pair<double, Grid>> found;
  for (int part = 1; part <= 3; ++part) {
    const int height = static_cast<int>(ceilDiv(rows, part));
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
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
    return std::tie(a.first, a.second.width) < std::tie(b.first, b.second.width);
  });
  std::vector<Grid> grids;
  grids.reserve(found.size());
  for (const auto& [cycles, grid] : found) grids.push_back(grid);
  return grids;
}

std::vector<Layout::Ends> Layout::endsBeside(int height) const {
  std::vector<Ends> ends;
  const std::optional<Grid> embedding = embeddingGrid(height);
  std::vector<Grid> heads = headGrids(height);
  const Grid strip{machine_.fabricWidth, stripRows()};
  const bool wide =
      embeddingSram(strip)[SramKind::kFree] >= 0 && headSram(strip)[SramKind::kFree] >= 0;
  if (embedding && !heads.empty()) ends.push_back({*embedding, heads});
  if (wide) {
    heads.push_back(strip);
    ends.push_back({strip, std::move(heads)});
  }
  return ends;
}

base::Result<std::vector<Layout::Ends>> Layout::ends(const Candidate& c) const {
  auto known = ends_.find(c.grid.height);
  if (known == ends_.end()) {
    known = ends_.emplace(c.grid.height, endsBeside(c.grid.height)).first;
  }
  if (known->second.empty()) return tl::unexpected(vocabularyTooLarge());
  return known->second;
}

Placement Layout::pack(const Candidate& c, const std::vector<BlockContent>& blocks,
                       const Ends& ends) const {
  Placement p;
  p.block = c.grid;
  p.context = c.context;
  p.chunk = c.chunk;
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
  add(std::move(table), embeddingSram(ends.embedding), ends.embedding);

  for (const BlockContent& block : blocks) {
    Region region;
    region.name = "block " + std::to_string(p.regions.size() - 1);
    region.slices = block.slices;
    region.firstLayer = block.slices.front().layer;
    region.layerCount = block.slices.back().layer - region.firstLayer + 1;
    p.layersPerBlock = std::max(p.layersPerBlock, region.layerCount);
    p.cut = p.cut || !block.slices.front().attention;
    SramUse use = block.use;
    use[SramKind::kActivations] = c.activations;
    add(std::move(region), completed(use), c.grid);
  }

  // The fastest head that needs no further wafer, else the fastest.
  Grid head = ends.heads.front();
  for (const Grid& grid : ends.heads) {
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

base::Error Layout::tooSmall(const Candidate& c, bool square) const {
  const SramUse least = dealer(c).leastRoom();
  const std::int64_t need = least.used();
  const std::int64_t over = need - roomForLayers(c);
  std::string remedy = "Use a larger grid, a shorter context or smaller chunks.";
  const int most = square ? std::min(machine_.fabricWidth, machine_.fabricHeight) : 0;
  for (int pes = std::max(c.grid.width, c.grid.height) + 1; pes <= most; ++pes) {
    const Candidate larger = candidate({pes, pes}, c.context, c.chunk);
    if (!fits(larger)) continue;
    remedy = "The smallest square that holds it is " + sizeText(larger.grid) + ".";
    break;
  }
  const char* what = least == c.attention    ? "The attention of one layer"
                     : least == c.recurrence ? "A recurrent layer's first half"
                                             : "A part of a feed-forward";
  return {what + std::string(" does not fit ") + sizeText(c.grid) + " PEs at a context of " +
              std::to_string(c.context) + ": it needs " +
              std::to_string(need + profile_.codeBytes + c.activations) + " bytes of each PE (" +
              std::to_string(profile_.codeBytes) + " code, " +
              std::to_string(least[SramKind::kWeights]) + " weights, " +
              std::to_string(least[SramKind::kKv]) + " kv, " + std::to_string(c.activations) +
              " activations), " + std::to_string(over) + " more than its " +
              std::to_string(machine_.sramBytes) + ".",
          remedy};
}

base::Error Layout::vocabularyTooLarge() const {
  const Grid whole{machine_.fabricWidth, machine_.fabricHeight};
  const std::int64_t over =
      std::max(-embeddingSram(whole)[SramKind::kFree], -headSram(whole)[SramKind::kFree]);
  return {"The vocabulary does not fit a whole wafer of " + sizeText(whole) + " PEs: it needs " +
              std::to_string(over) + " bytes more of each PE.",
          "Keep embedding and head in fewer bits."};
}

base::Error Layout::tooManyWafers(const Candidate& c, int wafers) const {
  return {"The model needs at least " + std::to_string(leastWafers(c)) + " wafers of " +
              std::to_string(machine_.peCount()) + " PEs at " + sizeText(c.grid) + "; at most " +
              std::to_string(wafers) + " may be used.",
          "Allow more wafers, or try another grid or a shorter context."};
}

int Layout::layersThatFit(const Candidate& c) const {
  const std::int64_t room = roomForLayers(c);
  if (room < c.largestLayer) return 0;
  return static_cast<int>(
      std::min<std::int64_t>(shape_.layers, room / std::max<std::int64_t>(1, c.largestLayer)));
}

bool Layout::fits(const Candidate& c) const {
  return dealer(c).leastRoom().used() <= roomForLayers(c);
}

std::int64_t Layout::leastWafers(const Candidate& c) const {
  const std::int64_t blocks = ceilDiv(c.layersBytes, std::max<std::int64_t>(1, roomForLayers(c)));
  const std::int64_t aWafer =
      std::int64_t{machine_.fabricWidth / c.grid.width} * (machine_.fabricHeight / c.grid.height);
  return ceilDiv(blocks, aWafer);
}

Placement Layout::layOutWhole(const Candidate& c, int wafers, const Ends& ends) const {
  Dealer dealer = this->dealer(c);
  int low = 1, high = layersThatFit(c);
  Placement best = pack(c, dealer.whole(high), ends);
  const int limit = wafers > 0 ? std::max(wafers, best.wafers) : best.wafers;
  // Fewer blocks never take more wafers, so the fewest layers to a block can be halved towards.
  while (low < high) {
    const int middle = (low + high) / 2;
    Placement p = pack(c, dealer.whole(middle), ends);
    if (p.wafers <= limit) {
      best = std::move(p);
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return best;
}

std::optional<Placement> Layout::layOutCut(const Candidate& c, const std::vector<Ends>& ends,
                                           int fewer) const {
  if (leastWafers(c) >= fewer) return std::nullopt;
  std::optional<Placement> best;
  Dealer dealer = this->dealer(c);
  // Between halves, if that saves as much as it does within the feed-forward.
  for (const Cuts cuts : {Cuts::kHalves, Cuts::kColumns}) {
    const auto blocks = dealer.deal(roomForLayers(c), cuts);
    if (!blocks) continue;
    for (const Ends& each : ends) {
      if (pack(c, *blocks, each).wafers >= fewer) continue;
      best = pack(c, *dealer.dealEvenly(roomForLayers(c), cuts), each);
      fewer = best->wafers;
    }
  }
  return best;
}

base::Result<Placement> Layout::layOut(const Candidate& c, int wafers, int enough) const {
  if (!fits(c)) return tl::unexpected(tooSmall(c));
  const auto ends = this->ends(c);
  if (!ends) return tl::unexpected(ends.error());
  enough = std::max(enough, wafers);
  std::optional<Placement> best;
  const auto tooMany = [&] { return !best || best->wafers > enough; };
  const auto fewer = [&] { return best ? best->wafers : std::numeric_limits<int>::max(); };
  if (layersThatFit(c) > 0) {
    for (const Ends& each : *ends) {
      if (!tooMany()) break;
      Placement p = layOutWhole(c, wafers, each);
      if (p.wafers < fewer()) best = std::move(p);
    }
  }
  if (tooMany()) {
    if (auto cut = layOutCut(c, *ends, fewer())) best = std::move(cut);
  }
  if (!best) return tl::unexpected(tooSmall(c));
  if (wafers > 0 && best->wafers > wafers) {
    const std::int64_t over = best->usedPes() - std::int64_t{wafers} * machine_.peCount();
    return base::fail("The model needs " + std::to_string(best->wafers) + " wafers of " +
                          std::to_string(machine_.peCount()) + " PEs at " + sizeText(c.grid) +
                          "; at most " + std::to_string(wafers) + " may be used" +
                          (over > 0 ? " (" + std::to_string(over) + " PEs too many)." : "."),
                      "Allow more wafers, or try another grid or a shorter context.");
  }
  return *std::move(best);
}

base::Result<Placement> Layout::compact(const Candidate& c) const {
  if (!fits(c)) return tl::unexpected(tooSmall(c));
  auto ends = this->ends(c);
  if (!ends) return tl::unexpected(ends.error());
  const auto pes = [](const Grid& g) { return std::int64_t{g.width} * g.height; };
  const auto smaller = [&](const Grid& a, const Grid& b) { return pes(a) < pes(b); };
  std::optional<Placement> best;
  for (Ends& each : *ends) {
    each.heads = {*std::min_element(each.heads.begin(), each.heads.end(), smaller)};
    const int most = layersThatFit(c);
    if (most == 0 || (best && best->wafers == 1)) continue;
    Placement p = pack(c, dealer(c).whole(most), each);
    if (!best || p.wafers < best->wafers) best = std::move(p);
  }
  if (best && best->wafers == 1) return *std::move(best);
  const int fewer = best ? best->wafers : std::numeric_limits<int>::max();
  if (auto cut = layOutCut(c, *ends, fewer)) best = std::move(cut);
  if (!best) return tl::unexpected(tooSmall(c));
  return *std::move(best);
}

int Layout::copiesOnOneWafer(const Placement& p) const {
  Packer packer(machine_);
  for (int copies = 0;; ++copies) {
    for (const Region& region : p.regions) packer.add(region.rect.grid());
    if (packer.wafers() > 1) return std::max(1, copies);
  }
}

double Layout::cutCycles(const Candidate& c, const Placement& placement) const {
  if (!placement.cut) return 0;
  const LayerWidths widths = LayerWidths::of(shape_);
  const auto cyclesOf = [&](int layer, const Columns& columns) {
    double cycles = 0;
    for (const Op& op : feedForwardOps(model_, widths, c.grid, layer, columns)) {
      cycles += model_.at(op.decode, 0, c.grid).total();
    }
    return cycles;
  };
  double cycles = 0;
  for (const Region& region : placement.regions) {
    for (const LayerSlice& slice : region.slices) {
      const int all = widths.columns(slice.layer);
      if (slice.to == 0 || (slice.from == 0 && slice.to == all)) continue;
      cycles += cyclesOf(slice.layer, {slice.from, slice.to});
      if (slice.to == all) cycles -= cyclesOf(slice.layer, {0, all});
    }
  }
  return cycles;
}

double Layout::latency(const Candidate& c, const Placement& placement) const {
  const std::vector<Region>& regions = placement.regions;
  double cycles = c.layersCycles + cutCycles(c, placement);
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
