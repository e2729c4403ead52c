// SPDX-License-Identifier: GPL-3.0-or-later
// Estimates a request on a wafer or several, from its prompt to its last token, each part named: as
// the Program of the model is charged, with everything that an Estimate leaves out.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/wafer/plan/placement.h"

namespace waferpair::wafer {

struct RunRequest {
  ModelShape shape;
  Machine machine;
  Profile profile;
  // `context` is what the cache holds of all requests. Zero: prompt and output of each.
  PlanOptions options = {};
  Grid prefillGrid = {};  // zero: prefill runs where decode does
  int prompt = 0;         // tokens. Zero: 1024
  int output = 0;         // tokens generated. Zero: as many as the prompt
  // Speculative decoding: each step verifies so many guesses beside its token. Where they come from
  // costs nothing here. Absent: as the profile does; without guesses of its own none is right.
  std::optional<int> draft = {};
  std::optional<double> acceptance = {};  // 0 to 1: of a guess, where those before it were right
  int requests = 1;  // under way at once, following one another through the blocks
};

// The parts that the cycles of a step go to.
enum class Part {
  kEmbedding,
  kAttention,    // with its norms, biases and matrices
  kFeedForward,  // likewise
  kMoves,        // to the next block of the same wafer
  kWaferHops,    // to the next wafer
  kFinalNorm,
  kHead,
  kSampling,
};
inline constexpr int kParts = 8;
const char* partName(Part part);  // "embedding", ... "wafer hops" ...

using PartCycles = std::array<double, kParts>;  // by Part
double totalOf(const PartCycles& cycles);

struct RunEstimate {
  Placement placement;  // of decode
  Grid prefillGrid;
  double clockGhz = 0;
  int prompt = 0, output = 0, draft = 0, requests = 1;
  double acceptance = 0;

  // The first token comes at the end of prefill; then the others, after the hand-over.
  // Rows follow one another, so that the cycles of parts, over all regions, are more than go by.
  PartCycles prefill{};      // of the whole prompt, chunk by chunk
  double prefillCycles = 0;  // that go by
  double handOver = 0;       // cycles: tiles go from where prefill wants them to where decode does
  PartCycles decodeStep{};   // the mean over the output
  double decodeStepCycles = 0;  // that go by
  double steps = 0;             // of decode
  double tokensPerStep = 1;     // mean; more than one with right guesses

  double firstTokenSeconds = 0, handOverSeconds = 0, decodeSeconds = 0;
  // Before any request: the model comes over the links of all wafers at once (LoadTime). Not in the
  // total.
  double loadBytes = 0;
  double loadSeconds = 0;
  double totalSeconds() const { return firstTokenSeconds + handOverSeconds + decodeSeconds; }
  double decodeTokensPerSecond = 0;  // of one request that is alone

  // The figures with `requests` in flight, each in a region of its own, once all decode.
  std::string slowestRegion;        // its share of a step bounds them all
  int requestsToFill = 1;           // that keep it busy
  double batchTokensPerSecond = 0;  // of all requests
  double wattsAll = 0;              // of all wafers' systems
  double joulesPerToken = 0;        // of one request that is alone, prefill left out
  double batchJoulesPerToken = 0;
  double joulesPerRequest = 0;  // of one that is alone, from prompt to end
  // The share of all PEs of all wafers whose region has an op of a decode step, over its time. Of
  // joulesPerToken that share is theirs where all PEs draw alike; those that wait draw less, and
  // how much less is not published.
  double busyShare = 0;
  double busyJoulesPerToken() const { return busyShare * joulesPerToken; }
  std::vector<std::string> notModeled;
  PartCycles
      decodeCompute{};  // of decodeStep the cycles that PEs compute; the rest is the fabric's
};

// The error names the field that is out of range, or says by how much the model does not fit.
base::Result<RunEstimate> estimateRun(const RunRequest& request);

}  // namespace waferpair::wafer
