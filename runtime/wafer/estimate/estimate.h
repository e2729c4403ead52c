// SPDX-License-Identifier: GPL-3.0-or-later
// Estimates the work of a model on a wafer, without running it, as WaferLLM counts, so that its
// published tables can be compared. Only the layers count (no embedding, final norm, lm_head or
// sampling), attention is d x d throughout, and the cycles of one layer are scaled to all of them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/wafer/plan/placement.h"

namespace waferpair::wafer {

enum class Phase { kDecode, kPrefill, kEndToEnd };
const char* phaseName(Phase phase);  // "decode", "prefill", "end-to-end"
base::Result<Phase> parsePhase(std::string_view name);

struct EstimateRequest {
  ModelShape shape;
  Machine machine;
  Profile profile;
  Phase phase = Phase::kDecode;
  Grid grid;            // zero: the planner's
  Grid prefillGrid;     // of end-to-end's prefill; zero: `grid`
  int context = 0;      // decode: positions in the cache. Zero: 4096, or the shape's maximum
  int prompt = 0;       // prefill and end-to-end: tokens of the prompt. Zero: the context
  int output = 0;       // end-to-end: tokens generated. Zero: as many as the prompt
  double clockGhz = 0;  // zero: the profile's
  // The planner's objective, as in PlanOptions, if the grid is the planner's choice.
  Objective objective = Objective::kLatency;
  int maxWafers = 0;
};

// Cycles of one layer: for one token of decode, for the whole prompt of prefill.
double decodeLayerCycles(const ModelShape& shape, const Machine& machine, const Profile& profile,
                         const Grid& grid, int positions);
double prefillLayerCycles(const ModelShape& shape, const Machine& machine, const Profile& profile,
                          const Grid& grid, int tokens);

struct Estimate {
  std::string machine, profile;
  bool extrapolated = false;
  double clockGhz = 0;
  Phase phase = Phase::kDecode;
  Grid grid, prefillGrid;
  int context = 0, prompt = 0, output = 0;
  // The cycles of decode or prefill; of end-to-end the mean over the output.
  double cyclesPerLayer = 0;
  double cyclesPerToken = 0;
  double tokensPerSecond = 0;  // of end-to-end: output tokens by total time
  double joulesPerToken = 0;   // power of one system by tokens per second
  // End-to-end only.
  double prefillSeconds = 0, decodeSeconds = 0;
  // The SRAM, wafers and blocks that the whole model would need.
  SramUse sram;  // of each PE of a block
  int wafers = 0, blocks = 0, layersPerBlock = 0;
  std::vector<std::string> notModeled;
};

// The error says which request field is wrong, or by how much the model does not fit.
base::Result<Estimate> estimate(const EstimateRequest& request);

}  // namespace waferpair::wafer
