// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/wafer/estimate/estimate.h"

#include <algorithm>
#include <iterator>

#include "runtime/wafer/machine/range.h"
#include "runtime/wafer/plan/op.h"

namespace waferpair::wafer {
namespace {

constexpr int kUsualContext = 4096;
constexpr int kMostTokens = 1 << 24;

// These are not modeled, beside what the profile says.
constexpr const char* kNotModeled[] = {
    "embedding, final norm, lm_head and sampling: the layers only, as WaferLLM counts",
    "grouped-query attention and heads: attention is d x d throughout, one head",
    "placing prefill's weights and cache anew for decode",
};

// Nor is, of a shape with such parts, what WaferLLM's count has no place for.
constexpr const char* kAsAttention = "recurrent layers: they count as attention";
constexpr const char* kAsDense =
    "experts: the feed-forward of each layer counts as one of them, without a router";

base::Result<EstimateRequest> completed(EstimateRequest r) {
  if (r.context == 0) {
    r.context = r.shape.maxContext ? std::min(r.shape.maxContext, kUsualContext) : kUsualContext;
  }
  if (r.prompt == 0) r.prompt = r.context;
  if (r.output == 0) r.output = r.prompt;
  if (r.clockGhz == 0) r.clockGhz = r.profile.clockGhz;
  for (auto [flag, value] : {std::pair("--context", r.context), std::pair("--prompt", r.prompt),
                             std::pair("--output", r.output)}) {
    auto ok = checkRange(flag, value, 1, kMostTokens, "it is a number of tokens");
    if (!ok) return tl::unexpected(ok.error());
  }
  auto ok = checkRange("--clock", r.clockGhz, kLeastClockGhz, kMostClockGhz, "it is GHz");
  if (!ok) return tl::unexpected(ok.error());
  return r;
}

PlanOptions optionsFor(const EstimateRequest& r) {
  PlanOptions options;
  options.grid = r.grid;
  options.clockGhz = r.clockGhz;
  options.objective = r.objective;
  options.maxWafers = r.maxWafers;
  switch (r.phase) {
    case Phase::kDecode:
      options.context = r.context;
      options.chunk = 1;
      break;
    case Phase::kPrefill:
      options.context = options.chunk = r.prompt;
      break;
    case Phase::kEndToEnd:
      options.context = r.prompt + r.output;
      options.chunk = r.prefillGrid == Grid{} ? r.prompt : 1;
      break;
  }
  return options;
}

}  // namespace

const char* phaseName(Phase phase) {
  static constexpr const char* kNames[] = {"decode", "prefill", "end-to-end"};
  return kNames[static_cast<int>(phase)];
}

base::Result<Phase> parsePhase(std::string_view name) {
  for (Phase phase : {Phase::kDecode, Phase::kPrefill, Phase::kEndToEnd}) {
    if (name == phaseName(phase)) return phase;
  }
  return base::fail("There is no phase \"" + std::string(name) + "\".",
                    "Known are: decode, prefill, end-to-end.");
}

double decodeLayerCycles(const ModelShape& shape, const Machine& machine, const Profile& profile,
                         const Grid& grid, int positions) {
  const CostModel model(machine, profile);
  double cycles = 0;
  for (const Op& op : layerOps(model, LayerWidths::published(shape), grid, positions)) {
    cycles += model.at(op.decode, positions, grid).total();
  }
  return cycles;
}

double prefillLayerCycles(const ModelShape& shape, const Machine& machine, const Profile& profile,
                          const Grid& grid, int tokens) {
  const CostModel model(machine, profile);
  double cycles = 0;
  for (const Op& op : layerOps(model, LayerWidths::published(shape), grid, tokens)) {
    cycles += chunkCycles(model, op, tokens, tokens, grid).total();
  }
  return cycles;
}

base::Result<Estimate> estimate(const EstimateRequest& request) {
  auto complete = completed(request);
  if (!complete) return tl::unexpected(complete.error());
  const EstimateRequest& r = *complete;
  auto placement = place(r.shape, r.machine, r.profile, optionsFor(r));
  if (!placement) return tl::unexpected(placement.error());

  Estimate e;
  e.machine = r.machine.name;
  e.profile = r.profile.name;
  e.extrapolated =
      r.profile.extrapolated || r.profile.machine != r.machine.name || !r.machine.changes.empty();
  e.clockGhz = r.clockGhz;
  e.phase = r.phase;
  e.grid = placement->block;
  e.prefillGrid = r.phase == Phase::kDecode                               ? Grid{}
                  : r.prefillGrid == Grid{} || r.phase == Phase::kPrefill ? e.grid
                                                                          : r.prefillGrid;
  e.sram = placement->regions[1].sram;
  e.wafers = placement->wafers;
  e.blocks = static_cast<int>(placement->regions.size()) - 2;
  e.layersPerBlock = placement->layersPerBlock;
  e.notModeled.assign(std::begin(kNotModeled), std::end(kNotModeled));
  if (r.shape.parts.recurrent.kernel > 0) e.notModeled.emplace_back(kAsAttention);
  if (r.shape.parts.experts > 0) e.notModeled.emplace_back(kAsDense);
  e.notModeled.insert(e.notModeled.end(), r.profile.notModeled.begin(), r.profile.notModeled.end());

  const double hertz = r.clockGhz * 1e9;
  const int layers = r.shape.layers;
  if (r.phase == Phase::kDecode) {
    e.context = r.context;
    e.cyclesPerLayer = decodeLayerCycles(r.shape, r.machine, r.profile, e.grid, r.context);
    e.cyclesPerToken = layers * e.cyclesPerLayer;
    e.tokensPerSecond = hertz / e.cyclesPerToken;
  } else {
    e.prompt = r.prompt;
    if (e.prefillGrid != e.grid) {
      PlanOptions other = optionsFor(r);
      other.grid = e.prefillGrid;
      other.context = other.chunk = r.prompt;
      auto fits = place(r.shape, r.machine, r.profile, other);
      if (!fits) return tl::unexpected(fits.error());
    }
    const double layer = prefillLayerCycles(r.shape, r.machine, r.profile, e.prefillGrid, r.prompt);
    if (r.phase == Phase::kPrefill) {
      e.cyclesPerLayer = layer;
      e.cyclesPerToken = layers * layer / r.prompt;
      e.tokensPerSecond = hertz / e.cyclesPerToken;
    } else {
      e.output = r.output;
      e.prefillSeconds = layers * layer / hertz;
      // The cost steps up only where another row of the cache begins: each step is priced once.
      double cycles = 0;
      for (int i = 0; i < r.output;) {
        const int rows = static_cast<int>(ceilDiv(r.prompt + i + 1, e.grid.height));
        const int last = std::min(r.output, rows * e.grid.height - r.prompt);
        cycles +=
            (last - i) * decodeLayerCycles(r.shape, r.machine, r.profile, e.grid, r.prompt + i + 1);
        i = last;
      }
      e.cyclesPerLayer = cycles / r.output;
      e.cyclesPerToken = layers * e.cyclesPerLayer;
      e.decodeSeconds = layers * cycles / hertz;
      e.tokensPerSecond = r.output / (e.prefillSeconds + e.decodeSeconds);
    }
  }
  e.joulesPerToken = r.machine.powerWatts / e.tokensPerSecond;
  return e;
}

}  // namespace waferpair::wafer
