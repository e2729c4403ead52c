// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdio>

#include "runtime/experiment/kinds.h"
#include "runtime/wafer/estimate/calibration.h"
#include "runtime/wafer/estimate/run_estimate.h"
#include "runtime/wafer/estimate/what_if.h"
#include "runtime/wafer/plan/layout.h"

namespace waferpair::experiment {
namespace {

using wafer::Part;

constexpr int kMostBytesOfSram = 1 << 26;

base::Result<wafer::WhatIf> whatIfOf(Settings& settings) {
  wafer::WhatIf changes;
  changes.lanes = settings.integer("lanes", 1, 1024);
  changes.sramBytes = settings.integer("sram", 1, kMostBytesOfSram);
  changes.hopCycles = settings.integer("hop", 1, 1024);
  changes.clockGhz = settings.number("clock", 0.01, 100);
  if (const std::string text = settings.text("precision"); !text.empty()) {
    const auto precision = wafer::parsePrecision(text);
    if (!precision) return tl::unexpected(precision.error());
    changes.precision = *precision;
  }
  if (const std::string text = settings.text("fabric"); !text.empty()) {
    const auto fabric = wafer::parseGrid(text);
    if (!fabric) return tl::unexpected(fabric.error());
    changes.fabric = *fabric;
  }
  return changes;
}

base::Result<wafer::PlanOptions> optionsOf(Settings& settings) {
  wafer::PlanOptions options;
  options.context = settings.integer("context", 1, wafer::kMostPositions).value_or(0);
  options.maxWafers = settings.integer("wafers", 1, 1 << 16).value_or(0);
  if (const std::string text = settings.text("grid"); !text.empty()) {
    const auto grid = wafer::parseGrid(text);
    if (!grid) return tl::unexpected(grid.error());
    options.grid = *grid;
  }
  if (const std::string text = settings.text("objective"); !text.empty()) {
    const auto objective = wafer::parseObjective(text);
    if (!objective) return tl::unexpected(objective.error());
    options.objective = *objective;
  }
  return options;
}

// The block of the first layer.
const wafer::Region* firstBlock(const wafer::Placement& placement) {
  for (const wafer::Region& region : placement.regions)
    if (region.kind == wafer::RegionKind::kBlock) return &region;
  return nullptr;
}

int blocksOf(const wafer::Placement& placement) {
  int blocks = 0;
  for (const wafer::Region& region : placement.regions)
    blocks += region.kind == wafer::RegionKind::kBlock ? 1 : 0;
  return blocks;
}

void addPlacement(const wafer::Machine& machine, const wafer::Placement& p, Answer& answer) {
  const double fabric = static_cast<double>(machine.peCount());
  const auto add = [&answer](const char* name, const char* label, double value,
                             const char* unit = "") {
    answer.figures.push_back({name, label, value, unit});
  };
  add("fabric_width", "Columns of PEs of a wafer", machine.fabricWidth);
  add("fabric_height", "Rows of PEs of a wafer", machine.fabricHeight);
  add("fabric_pes", "PEs of a wafer that a program can use", fabric);
  add("sram_bytes_per_pe", "SRAM of a PE", machine.sramBytes, "bytes");
  add("sram_gb", "SRAM of a wafer", fabric * machine.sramBytes / 1e9, "GB");
  add("lanes", "FP16 lanes of a PE", machine.lanes);
  add("wafers", "Wafers", p.wafers);
  add("block_width", "Columns of a block", p.block.width);
  add("block_height", "Rows of a block", p.block.height);
  add("block_pes", "PEs of a block", static_cast<double>(p.block.width) * p.block.height);
  add("blocks", "Blocks", blocksOf(p));
  add("layers_per_block", "Layers of a block, at most", p.layersPerBlock);
  add("pes_used", "PEs with a part of the model", static_cast<double>(p.usedPes()));
  add("used_percent", "PEs with a part of the model, of all",
      100 * static_cast<double>(p.usedPes()) / (fabric * p.wafers), "%");
  if (const wafer::Region* block = firstBlock(p)) {
    const auto kind = [block](wafer::SramKind which) {
      return static_cast<double>(block->sram[which]);
    };
    add("pe_code_bytes", "Code on a PE of a block", kind(wafer::SramKind::kCode), "bytes");
    add("pe_weight_bytes", "Weights on a PE of a block", kind(wafer::SramKind::kWeights), "bytes");
    add("pe_kv_bytes", "Keys and values on a PE of a block", kind(wafer::SramKind::kKv), "bytes");
    add("pe_activation_bytes", "Activations on a PE of a block",
        kind(wafer::SramKind::kActivations), "bytes");
  }
  add("context_capacity", "Positions that the cache has room for", p.context, "positions");
}

void addRun(const wafer::RunEstimate& e, Answer& answer) {
  const double busy = 100.0 / blocksOf(e.placement);
  const auto add = [&answer](const char* name, const char* label, double value,
                             const char* unit = "") {
    answer.figures.push_back({name, label, value, unit});
  };
  add("tokens_per_second", "Tokens a second, of one request that is alone", e.decodeTokensPerSecond,
      "tokens/s");
  add("first_token_ms", "First token", 1e3 * e.firstTokenSeconds, "ms");
  add("prompt_tokens_per_second", "Prompt tokens a second", e.prompt / e.firstTokenSeconds,
      "tokens/s");
  add("joules_per_token", "Energy a token, all systems", e.joulesPerToken, "J");
  add("busy_joules_per_token", "Of it busy PEs, if all draw alike", e.busyJoulesPerToken(), "J");
  add("idle_joules_per_token", "Of it waiting PEs, if all draw alike, so at most",
      e.joulesPerToken - e.busyJoulesPerToken(), "J");
  add("batch_tokens_per_second", "Tokens a second, of all requests", e.batchTokensPerSecond,
      "tokens/s");
  add("each_tokens_per_second", "Tokens a second, of each request",
      e.batchTokensPerSecond / e.requests, "tokens/s");
  add("batch_joules_per_token", "Energy a token with all requests", e.batchJoulesPerToken, "J");
  add("requests_to_fill", "Requests that keep the slowest region busy", e.requestsToFill);
  add("busy_percent", "Blocks that one request keeps busy at a time", busy, "%");
  add("busy_pe_percent", "PEs of all wafers that are busy, on average", 100 * e.busyShare, "%");
  add("step_cycles", "Cycles of a decode step", e.decodeStepCycles, "cycles");
  add("tokens_per_step", "Tokens a step", e.tokensPerStep);
  add("total_ms", "Whole request", 1e3 * e.totalSeconds(), "ms");
  add("load_seconds", "Loading the model over the links", e.loadSeconds, "s");
  add("clock_ghz", "Clock", e.clockGhz, "GHz");
  add("watts", "Power of all systems", e.wattsAll, "W");
  double compute = 0;
  for (const double cycles : e.decodeCompute) compute += cycles;
  add("compute_percent", "Cycles of a step in which PEs compute",
      100 * compute / wafer::totalOf(e.decodeStep), "%");
}

// Shares of a token: what its step's ops take, scaled to the time that goes by, as rows of a draft
// overlap.
void addShares(const wafer::RunEstimate& e, Answer& answer) {
  const auto part = [](const wafer::PartCycles& cycles, Part which) {
    return cycles[static_cast<int>(which)];
  };
  double multiply = 0, fabric = 0, head = 0;
  for (const Part which : {Part::kAttention, Part::kFeedForward}) {
    multiply += part(e.decodeCompute, which);
    fabric += part(e.decodeStep, which) - part(e.decodeCompute, which);
  }
  for (const Part which : {Part::kEmbedding, Part::kFinalNorm, Part::kHead, Part::kSampling})
    head += part(e.decodeStep, which);
  const double scale =
      e.decodeStepCycles / wafer::totalOf(e.decodeStep) / e.tokensPerStep / (e.clockGhz * 1e9);
  answer.shares = {{"multiply in blocks", multiply * scale},
                   {"fabric in blocks", fabric * scale},
                   {"moves between blocks", part(e.decodeStep, Part::kMoves) * scale},
                   {"hops between wafers", part(e.decodeStep, Part::kWaferHops) * scale},
                   {"embedding, head and sampling", head * scale}};
}

std::string titleOf(const wafer::ModelShape& shape, const wafer::Machine& machine,
                    const wafer::Profile& profile, double clockGhz) {
  char clock[32];
  std::snprintf(clock, sizeof clock, "%.3g GHz", clockGhz);
  std::string title = machine.title + ", " + shape.name + ", " + profile.name + ", " + clock;
  for (std::size_t i = 0; i < machine.changes.size(); ++i)
    title += (i ? ", " : "; HYPOTHETICAL: ") + machine.changes[i];
  return title;
}

}  // namespace

base::Result<Answer> answerWafer(Settings& settings) {
  auto shape = shapeOf(settings);
  const std::string wafer = settings.text("wafer", "wse3");
  auto machine = wafer::findMachine(wafer);
  const std::string named = settings.text("profile");
  auto profile = named.empty() ? wafer::defaultProfile(wafer) : wafer::findProfile(named);
  const auto changes = whatIfOf(settings);
  auto options = optionsOf(settings);
  const Request asked = requestOf(settings);
  if (auto ok = settings.check(); !ok) return tl::unexpected(ok.error());
  if (!shape) return tl::unexpected(shape.error());
  if (!machine) return tl::unexpected(machine.error());
  if (!profile) return tl::unexpected(profile.error());
  if (!changes) return tl::unexpected(changes.error());
  if (!options) return tl::unexpected(options.error());

  options->clockGhz = changes->clockGhz.value_or(profile->clockGhz);
  if (auto ok = wafer::imagine(*changes, *machine, *profile, *shape); !ok)
    return tl::unexpected(ok.error());
  const auto band = wafer::bandOf(*machine, *profile, options->clockGhz);
  if (!band) return tl::unexpected(band.error());

  wafer::RunRequest request;
  request.shape = *shape;
  request.machine = *machine;
  request.profile = *profile;
  request.options = *options;
  request.prompt = asked.prompt.value_or(0);
  request.output = asked.output.value_or(0);
  request.requests = asked.requests.value_or(1);
  request.draft = asked.draft;
  request.acceptance = asked.acceptance;
  const auto e = wafer::estimateRun(request);
  if (!e) return tl::unexpected(e.error());

  Answer answer;
  answer.title = titleOf(*shape, *machine, *profile, e->clockGhz);
  answer.band = wafer::bandText(*band);
  if (band->measured) answer.worstErrorPercent = band->worstPercent;
  addRun(*e, answer);
  addPlacement(*machine, e->placement, answer);
  addShares(*e, answer);
  answer.sources = {profile->source};
  if (shape->guess) answer.sources.push_back("the model's shape is a guess: " + shape->source);
  return answer;
}

}  // namespace waferpair::experiment
