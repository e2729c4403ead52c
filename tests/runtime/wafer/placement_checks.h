// SPDX-License-Identifier: GPL-3.0-or-later
// What must hold of any plan, for the tests of the planner.
#pragma once

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "tests/runtime/wafer/wafer_fixtures.h"

namespace waferpair::test {

// Bytes of the matrices in their formats, in whole blocks.
inline double matrixBytes(const wafer::ModelShape& s) {
  const auto bytes = [](tensor::Format format, double rows, double cols) {
    const tensor::FormatInfo& info = tensor::infoOf(format);
    const bool wide = info.quants == tensor::Quants::kNone;
    return rows * cols * (wide ? 2 : static_cast<double>(info.bytes) / info.block);
  };
  const double d = s.hiddenSize, f = s.intermediateSize, q = s.queryWidth(), kv = s.kvWidth();
  const wafer::WeightFormats& as = s.formats;
  double layer = bytes(as.query, s.parts.outputGate ? 2 * q : q, d) + bytes(as.key, kv, d) +
                 bytes(as.value, kv, d) + bytes(as.output, d, q);
  if (const wafer::LatentParts& l = s.parts.latent; l.rank > 0) {
    const double heads = s.heads, queries = heads * (l.plainDim + l.ropeDim);
    layer = bytes(as.key, kv, d) + bytes(as.output, d, heads * l.valueDim);
    layer +=
        heads * (bytes(as.keyToLatent, l.rank, l.plainDim) + bytes(as.value, l.valueDim, l.rank));
    layer += bytes(as.queryDown, l.queryRank, d);
    layer += bytes(as.query, queries, l.queryRank > 0 ? l.queryRank : d);
  }
  double recurrent = 0;
  if (const wafer::RecurrentParts& r = s.parts.recurrent; r.kernel > 0) {
    const double values = r.heads * r.headDim, channels = 2.0 * r.groups * r.stateDim + values;
    recurrent = bytes(as.recurrentOut, d, values);
    if (r.delta) {
      recurrent += bytes(as.recurrentIn, channels, d) + bytes(as.recurrentGate, values, d) +
                   bytes(as.recurrentHeads, 2.0 * r.heads, d);
    } else {
      recurrent += bytes(as.recurrentIn, channels + values + r.heads, d);
    }
  }
  double ffn = bytes(as.up, f, d) + bytes(as.down, d, f);
  if (s.parts.gated || s.parts.experts > 0) ffn += bytes(as.gate, f, d);
  const auto shared = [&](double width) {
    return bytes(as.sharedUp, width, d) + bytes(as.sharedDown, d, width) +
           bytes(as.sharedGate, width, d);
  };
  const int leading = s.parts.leadingDense;
  const int attending = s.attentionLayers();
  double all = attending * layer + (s.layers - attending) * recurrent +
               bytes(as.embedding, s.vocabSize, d) + bytes(as.head, s.vocabSize, d) +
               leading * shared(s.parts.denseWidth);
  if (s.parts.experts == 0) return all + s.layers * ffn;
  return all + (s.layers - leading) * (bytes(as.router, s.parts.experts, d) +
                                       s.parts.experts * ffn + shared(s.parts.sharedWidth));
}

// Everything placement.h and op.h promise; empty when it all holds.
inline std::string broken(const wafer::Plan& plan) {
  const wafer::Placement& p = plan.placement;
  const auto& regions = p.regions;
  if (regions.size() < 3) return "too few regions";
  if (regions.front().kind != wafer::RegionKind::kEmbedding) return "the embedding is not first";
  if (regions.back().kind != wafer::RegionKind::kHead) return "the head is not last";
  wafer::LayerSlice next{0, true, 0,
                         0};  // what comes next: an attention, or columns from `from` on
  bool cut = false;
  for (std::size_t i = 0; i < regions.size(); ++i) {
    const auto& r = regions[i];
    const bool block = i > 0 && i + 1 < regions.size();
    if (block != (r.kind == wafer::RegionKind::kBlock)) return r.name + " is of the wrong kind";
    if (r.rect.x < 0 || r.rect.y < 0 || r.rect.width < 1 || r.rect.height < 1 ||
        r.rect.x + r.rect.width > plan.machine.fabricWidth ||
        r.rect.y + r.rect.height > plan.machine.fabricHeight) {
      return r.name + " is off the fabric";
    }
    if (block && r.rect.grid() != p.block) return r.name + " is not of the block's size";
    if (block == r.slices.empty()) return r.name + " has slices, or none";
    if (block && (r.firstLayer != r.slices.front().layer || r.layerCount > p.layersPerBlock ||
                  r.firstLayer + r.layerCount - 1 != r.slices.back().layer)) {
      return r.name + " tells of other layers";
    }
    for (const wafer::LayerSlice& slice : r.slices) {
      const int columns = plan.shape.columns(slice.layer);
      if (slice.layer != next.layer || slice.attention != next.attention ||
          slice.from != next.from || slice.part != next.part || slice.to > columns ||
          (!slice.attention && slice.to <= slice.from)) {
        return r.name + " does not carry on with the layers";
      }
      const bool whole = slice.attention && slice.to == columns;
      if (!whole && slice != r.slices.front() && slice != r.slices.back()) {
        return r.name + " has a part of a layer in its middle";
      }
      cut = cut || !whole;
      if (slice.to == columns) {
        next = {slice.layer + 1, true, 0, 0};
      } else {
        next = {slice.layer, false, slice.to, 0, slice.to > 0 ? slice.part + 1 : 0};
      }
    }
    if (r.sram.total() != plan.machine.sramBytes) return r.name + "'s bytes do not add up";
    for (std::int64_t bytes : r.sram.bytes) {
      if (bytes < 0) return r.name + " holds a negative number of bytes";
    }
    if (r.wafer < 0 || r.wafer >= p.wafers) return r.name + " is on no wafer";
    for (std::size_t j = 0; j < i; ++j) {
      if (regions[j].wafer == r.wafer && regions[j].rect.overlaps(r.rect)) {
        return r.name + " overlaps " + regions[j].name;
      }
    }
  }
  if (next != wafer::LayerSlice{plan.shape.layers, true, 0, 0}) return "not all layers are placed";
  if (cut != p.cut) return "it is not said whether layers are cut";

  std::vector<wafer::SramUse> held(regions.size());
  std::set<std::string> names;
  int region = 0;
  for (const auto& op : plan.ops) {
    if (op.region < region) return op.name + " goes back to an earlier region";
    region = op.region;
    held[region] += op.sram;
    if (!names.insert(op.name).second) return op.name + " is there twice";
    if (op.layer >= 0 && (op.layer < regions[region].firstLayer ||
                          op.layer >= regions[region].firstLayer + regions[region].layerCount)) {
      return op.name + " is in the wrong block";
    }
    if (op.tail != (region + 1 == static_cast<int>(regions.size()))) return op.name + "'s tail";
  }
  double capacity = 0;
  for (std::size_t i = 0; i < regions.size(); ++i) {
    for (wafer::SramKind kind : {wafer::SramKind::kWeights, wafer::SramKind::kKv}) {
      if (held[i][kind] != regions[i].sram[kind])
        return regions[i].name + "'s ops hold other bytes";
    }
    capacity += static_cast<double>(held[i][wafer::SramKind::kWeights] * regions[i].rect.area());
  }
  if (capacity < matrixBytes(plan.shape)) return "the weights are not all placed";
  return {};
}

}  // namespace waferpair::test
