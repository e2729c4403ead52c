// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/wafer/plan/deal.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace waferpair::wafer {
namespace {

// Groups and blocks of all formats divide it.
constexpr int kQuantsTogether = 256;
// A cut costs a move and two sums more: no part is less than this share of a feed-forward, unless
// a block of its own holds no more.
constexpr int kPartsAtMost = 8;

}  // namespace

// Columns are dealt so that all PEs across have equally many of a part, and no quants of a block
// come to lie on two wafers.
int Dealer::columnStep(int layer) const {
  const WeightFormats& as = widths_.formats;
  const bool leads = widths_.parts.experts > 0 && !widths_.parts.hasExperts(layer);
  const tensor::Format down = leads ? as.sharedDown : as.down;
  const bool plain = tensor::infoOf(down).quants == tensor::Quants::kNone;
  return plain ? grid_.width : kQuantsTogether;
}

SramUse Dealer::part(int layer, const Columns& columns) {
  const auto key = std::tuple(widths_.parts.hasExperts(layer), columns.from == 0,
                              columns.to == widths_.columns(layer), columns.to - columns.from);
  const auto known = parts_.find(key);
  if (known != parts_.end()) return known->second;
  SramUse use;
  for (const Op& op : feedForwardOps(model_, widths_, grid_, layer, columns)) use += op.sram;
  return parts_[key] = use;
}

int Dealer::fitting(int layer, int from, std::int64_t free, bool any) {
  const int all = widths_.columns(layer), step = columnStep(layer);
  const int least = any ? step : std::max(step, all / kPartsAtMost);
  // What is left behind must not be too little either.
  const int most = all - (any ? 1 : least);
  int low = 0, high = std::max(0, (most - from) / step);
  while (low < high) {
    const int middle = (low + high + 1) / 2;
    if (part(layer, {from, from + middle * step}).used() <= free) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low * step < least ? from : from + low * step;
}

std::optional<std::vector<BlockContent>> Dealer::deal(std::int64_t room, Cuts cuts) {
  std::vector<BlockContent> blocks(1);
  std::int64_t free = room;
  const auto empty = [&] { return blocks.back().slices.empty(); };
  const auto open = [&] {
    blocks.emplace_back();
    free = room;
  };
  const auto put = [&](const LayerSlice& slice, const SramUse& use) {
    BlockContent& block = blocks.back();
    // The attention of the same layer may be there already.
    if (!slice.attention && !empty() && block.slices.back().layer == slice.layer) {
      assert(block.slices.back().to == 0 && slice.from == 0);
      block.slices.back().to = slice.to;
    } else {
      block.slices.push_back(slice);
    }
    block.use += use;
    free -= use.used();
  };
  for (int layer = 0; layer < layers_; ++layer) {
    const int all = widths_.columns(layer);
    const SramUse feedForward = this->feedForward(layer);
    const std::int64_t attention = this->attention(layer).used();
    const std::int64_t whole = attention + feedForward.used();
    // Where whole layers are asked for, or its attention would have to go on anyway.
    if (!empty() && whole > free && (cuts == Cuts::kNone || attention > free)) open();
    if (whole <= free) {
      SramUse use = this->attention(layer);
      use += feedForward;
      put({layer, true, 0, all}, use);
      continue;
    }
    if (cuts == Cuts::kNone || attention > free) return std::nullopt;
    put({layer, true}, this->attention(layer));
    for (int from = 0, number = 0; from < all;) {
      const SramUse rest = part(layer, {from, all});
      int to = all;
      if (rest.used() > free) {
        to = cuts == Cuts::kColumns ? fitting(layer, from, free, empty()) : from;
        if (to == from) {
          if (empty()) return std::nullopt;
          open();
          continue;
        }
      }
      put({layer, false, from, to, number}, part(layer, {from, to}));
      from = to;
      ++number;
    }
  }
  return blocks;
}

std::optional<std::vector<BlockContent>> Dealer::dealEvenly(std::int64_t room, Cuts cuts) {
  auto best = deal(room, cuts);
  if (!best) return best;
  // Down to about a hundredth of the SRAM: blocks are that unequal anyway.
  const std::int64_t fine = std::max<std::int64_t>(1, room / 128);
  std::int64_t low = room / 2, high = room;
  while (high - low > fine) {
    const std::int64_t middle = (low + high) / 2;
    auto blocks = deal(middle, cuts);
    if (blocks && blocks->size() <= best->size()) {
      best = std::move(blocks);
      high = middle;
    } else {
      low = middle;
    }
  }
  return best;
}

std::vector<BlockContent> Dealer::whole(int layersPerBlock) {
  std::vector<BlockContent> blocks;
  for (int layer = 0; layer < layers_; ++layer) {
    if (layer % layersPerBlock == 0) blocks.emplace_back();
    blocks.back().slices.push_back({layer, true, 0, widths_.columns(layer)});
    blocks.back().use += attention(layer);
    blocks.back().use += feedForward(layer);
  }
  return blocks;
}

SramUse Dealer::leastRoom() {
  SramUse least = recurrence_.used() > attention_.used() ? recurrence_ : attention_;
  // Of leading layers without experts, and of the others, which is all of them where none leads.
  for (const int layer : {0, layers_ - 1}) {
    // The first part has the norm and the router beside its columns.
    const int step = std::min(columnStep(layer), widths_.columns(layer));
    const SramUse columns = part(layer, {0, step});
    if (columns.used() > least.used()) least = columns;
  }
  return least;
}

}  // namespace waferpair::wafer
