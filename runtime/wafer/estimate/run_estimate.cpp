// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/wafer/estimate/run_estimate.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <string_view>
#include <utility>

#include "runtime/wafer/machine/range.h"
#include "runtime/wafer/plan/layout.h"
#include "runtime/wafer/plan/program.h"

namespace waferpair::wafer {
namespace {

constexpr int kUsualPrompt = 1024;
// The number of contexts of a long output that are priced, evenly spread: cost grows by little
// steps.
constexpr int kMostPriced = 2048;

// These are not modeled, beside what the profile says.
constexpr const char* kNotModeledInRuns[] = {
    "prefill of other requests between the steps of those that decode",
    "what making a draft costs",
};

base::Result<RunRequest> completed(RunRequest r) {
  if (r.prompt == 0) r.prompt = kUsualPrompt;
  if (r.output == 0) r.output = r.prompt;
  constexpr int kMostDraft = 1 << 10;
  constexpr int kMostRequests = 1 << 20;
  struct Limit {
    const char* flag;
    double value, low, high;
    const char* why;
  };
  const Limit limits[] = {
      {"--prompt", double(r.prompt), 1, kMostPositions, "it is a number of tokens"},
      {"--output", double(r.output), 1, kMostPositions, "it is a number of tokens"},
      {"--draft", double(r.draft), 0, kMostDraft, "it is a number of guesses"},
      {"--acceptance", r.acceptance, 0, 1, "it is a probability"},
      {"--requests", double(r.requests), 1, kMostRequests, "there is one at least"},
  };
  for (const Limit& l : limits) {
    auto ok = checkRange(l.flag, l.value, l.low, l.high, l.why);
    if (!ok) return tl::unexpected(ok.error());
  }
  // A draft that is all wrong still stands behind the last token for a moment.
  const std::int64_t each = std::int64_t{r.prompt} + r.output + r.draft;
  const std::int64_t need = each * r.requests;
  if (need > kMostPositions) {
    return base::fail("--requests of " + std::to_string(each) + " positions each are " +
                          std::to_string(need) + " in all.",
                      "At most " + std::to_string(kMostPositions) + " are planned for.");
  }
  if (r.options.context == 0) r.options.context = static_cast<int>(need);
  if (r.options.context < need) {
    return base::fail("--context is " + std::to_string(r.options.context) +
                          ", but prompt, output and draft of all requests take " +
                          std::to_string(need) + " positions.",
                      "Name a longer one, or leave it away.");
  }
  return r;
}

Part partOf(const Op& op, const std::vector<Region>& regions) {
  switch (op.kind) {
    case OpKind::kEmbed:
      return Part::kEmbedding;
    case OpKind::kSample:
      return Part::kSampling;
    case OpKind::kTransfer:
      return regions[op.region].wafer == regions[op.region + 1].wafer ? Part::kMoves
                                                                      : Part::kWaferHops;
    default:
      break;
  }
  if (op.tail) return op.kind == OpKind::kNorm ? Part::kFinalNorm : Part::kHead;
  const std::string_view own = std::string_view(op.name).substr(op.name.find('.', 4) + 1);
  const bool ofFfn = own.rfind("ffn", 0) == 0 || own.rfind("post_ffw", 0) == 0;
  return ofFfn ? Part::kFeedForward : Part::kAttention;
}

// Returns the part that each op belongs to.
std::vector<Part> partsOf(const Plan& plan) {
  std::vector<Part> parts;
  for (const Op& op : plan.ops) parts.push_back(partOf(op, plan.placement.regions));
  return parts;
}

void add(PartCycles& sum, const std::vector<Part>& parts, const std::vector<OpCount>& counts) {
  for (std::size_t op = 0; op < counts.size(); ++op) {
    sum[static_cast<int>(parts[op])] += static_cast<double>(counts[op].busyCycles());
  }
}

// The cycles of a step as they are spread over the regions.
struct Occupancy {
  double alone = 0;    // from the first region to the last
  double slowest = 0;  // of the region that is busy longest
  std::size_t slowestRegion = 0;
};

// On its way to another wafer a row keeps no region busy.
Occupancy occupancyOf(const Plan& plan, const std::vector<Part>& parts,
                      const std::vector<OpCount>& counts) {
  const double latency = plan.machine.waferHopSeconds * plan.clockGhz * 1e9;
  std::vector<double> busy(plan.placement.regions.size());
  Occupancy all;
  for (std::size_t op = 0; op < counts.size(); ++op) {
    const double cycles = static_cast<double>(counts[op].busyCycles());
    all.alone += cycles;
    busy[plan.ops[op].region] += cycles - (parts[op] == Part::kWaferHops ? latency : 0);
  }
  const auto slowest = std::max_element(busy.begin(), busy.end());
  all.slowest = *slowest;
  all.slowestRegion = slowest - busy.begin();
  return all;
}

// Chunk by chunk, and the same with one chunk, or one row, following another.
void prefill(const Program& program, RunEstimate& e) {
  const Plan& plan = program.plan();
  const std::vector<Part> parts = partsOf(plan);
  double streamed = 0;
  for (int done = 0; done < e.prompt; done += plan.placement.chunk) {
    const int rows = std::min(plan.placement.chunk, e.prompt - done);
    const bool last = done + rows == e.prompt;
    const auto counts = program.charges({.tokens = rows, .context = done, .logits = last});
    add(e.prefill, parts, counts);
    const Occupancy chunk = occupancyOf(plan, parts, counts);
    const Occupancy row =
        occupancyOf(plan, parts, program.charges({.tokens = 1, .context = done, .logits = last}));
    streamed += last ? std::min(chunk.alone, row.alone + (rows - 1) * row.slowest)
                     : std::min(chunk.slowest, rows * row.slowest);
  }
  e.firstTokenSeconds = totalOf(e.prefill) / (plan.clockGhz * 1e9);
  e.streamedFirstTokenSeconds = streamed / (plan.clockGhz * 1e9);
}

// Tokens of a step that verifies `draft` guesses: its own, and guesses up to the first wrong one.
double tokensOfStep(int draft, double acceptance) {
  double tokens = 0, all = 1;
  for (int i = 0; i <= draft; ++i, all *= acceptance) tokens += all;
  return tokens;
}

StepContext stepAt(const RunEstimate& e, double context) {
  return {.tokens = e.draft + 1,
          .context = static_cast<int>(context),
          .logits = e.draft + 1,
          .drafted = e.draft};
}

void decode(const Program& program, RunEstimate& e) {
  e.tokensPerStep = tokensOfStep(e.draft, e.acceptance);
  e.steps = std::ceil((e.output - 1) / e.tokensPerStep);
  const int priced = static_cast<int>(std::clamp(e.steps, 1.0, double{kMostPriced}));
  const std::vector<Part> parts = partsOf(program.plan());
  // The first of all steps has the prompt behind it, and one token to put there.
  const double each = std::max(1.0, e.steps / priced);  // steps that one price stands for
  for (int i = 0; i < priced; ++i) {
    const double before = (i * each + (each - 1) / 2) * e.tokensPerStep;
    const double context = e.prompt + std::min(before, e.output - 1.0);
    add(e.decodeStep, parts, program.charges(stepAt(e, context)));
  }
  for (double& cycles : e.decodeStep) cycles /= priced;
}

// Prefill's GEMM wants the summed side of every matrix along y. Decode has those that it sums along
// x the other way round: their tiles change places, in all blocks at the same time.
double transposing(const Plan& plan, const CostModel& model) {
  std::vector<std::int64_t> bytes(plan.placement.regions.size());
  for (const Op& op : plan.ops) {
    if (op.kind != OpKind::kMatmul || op.sums != Axis::kX) continue;
    bytes[op.region] += op.sram[SramKind::kWeights];
  }
  const std::int64_t most = *std::max_element(bytes.begin(), bytes.end());
  return model.rearrange(static_cast<double>(most), plan.placement.block);
}

// Returns the cycles of moving everything in the blocks from one grid to another, somewhere else on
// its wafer.
double replacing(const Plan& plan, const CostModel& model, int prompt) {
  const double filled = static_cast<double>(prompt) / plan.placement.context;
  std::vector<double> bytes(plan.placement.wafers);
  for (const Region& region : plan.placement.regions) {
    if (region.kind != RegionKind::kBlock) continue;
    bytes[region.wafer] += static_cast<double>(region.rect.area()) *
                           (static_cast<double>(region.sram[SramKind::kWeights]) +
                            filled * static_cast<double>(region.sram[SramKind::kKv]));
  }
  const double most = *std::max_element(bytes.begin(), bytes.end());
  return model.rearrange(most / static_cast<double>(plan.machine.peCount()),
                         {plan.machine.fabricWidth, plan.machine.fabricHeight});
}

base::Result<Program> prefillProgram(const RunRequest& r, const Placement& decode) {
  PlanOptions options = r.options;
  options.grid = r.prefillGrid;
  options.context = std::max(r.prompt, options.chunk);
  auto other = plan(r.shape, r.machine, r.profile, options);
  if (!other) return tl::unexpected(other.error());
  if (other->placement.wafers != decode.wafers) {
    return base::fail("--prefill-grid " + sizeText(r.prefillGrid) + " takes " +
                          std::to_string(other->placement.wafers) + " wafers, decode's " +
                          sizeText(decode.block) + " takes " + std::to_string(decode.wafers) + ".",
                      "Name grids with as many: weights don't go from wafer to wafer here.");
  }
  return Program::shadow(std::move(*other));
}

// Several requests follow one another through the regions. One is as fast as it would be alone,
// until the region that takes longest has no time left. Rows of a draft may do the same.
void pipeline(const Program& program, RunEstimate& e) {
  const Plan& plan = program.plan();
  const StepContext step = stepAt(e, e.prompt + e.output / 2.0);
  const Occupancy row = occupancyOf(
      plan, partsOf(plan), program.charges({.tokens = 1, .context = step.context, .logits = 1}));
  const double hertz = plan.clockGhz * 1e9;
  const double alone = static_cast<double>(program.cycles(step));
  const double busy = step.tokens * row.slowest;
  e.slowestRegion = plan.placement.regions[row.slowestRegion].name;
  e.requestsToFill = static_cast<int>(std::ceil(alone / busy));
  e.batchTokensPerSecond = std::min(e.requests / alone, 1 / busy) * e.tokensPerStep * hertz;
  e.streamedTokensPerSecond =
      e.tokensPerStep * hertz / (row.alone + (step.tokens - 1) * row.slowest);
}

}  // namespace

const char* partName(Part part) {
  static constexpr const char* kNames[kParts] = {"embedding", "attention",  "feed-forward",
                                                 "moves",     "wafer hops", "final norm",
                                                 "head",      "sampling"};
  return kNames[static_cast<int>(part)];
}

double totalOf(const PartCycles& cycles) {
  return std::accumulate(cycles.begin(), cycles.end(), 0.0);
}

base::Result<RunEstimate> estimateRun(const RunRequest& request) {
  auto complete = completed(request);
  if (!complete) return tl::unexpected(complete.error());
  const RunRequest& r = *complete;
  auto planned = plan(r.shape, r.machine, r.profile, r.options);
  if (!planned) return tl::unexpected(planned.error());
  if (planned->placement.context < r.options.context) {
    return base::fail("The wafers hold " + std::to_string(planned->placement.context) + " of " +
                          std::to_string(r.options.context) + " positions.",
                      "Allow more wafers, or ask for less.");
  }
  const Program program = Program::shadow(std::move(*planned));
  const Plan& plan = program.plan();
  const CostModel model(plan.machine, plan.profile);

  RunEstimate e;
  e.placement = plan.placement;
  e.clockGhz = plan.clockGhz;
  e.prompt = r.prompt;
  e.output = r.output;
  e.draft = r.draft;
  e.acceptance = r.acceptance;
  e.requests = r.requests;
  if (r.prefillGrid == Grid{}) {
    e.prefillGrid = plan.placement.block;
    prefill(program, e);
    e.handOver = transposing(plan, model);
  } else {
    auto other = prefillProgram(r, plan.placement);
    if (!other) return tl::unexpected(other.error());
    e.prefillGrid = r.prefillGrid;
    prefill(*other, e);
    e.handOver = replacing(plan, model, r.prompt);
  }
  decode(program, e);
  pipeline(program, e);

  const double hertz = plan.clockGhz * 1e9;
  e.handOverSeconds = e.handOver / hertz;
  e.decodeSeconds = e.steps * totalOf(e.decodeStep) / hertz;
  e.decodeTokensPerSecond = e.tokensPerStep * hertz / totalOf(e.decodeStep);
  e.wattsAll = plan.machine.powerWatts * plan.placement.wafers;
  e.joulesPerToken = e.wattsAll / e.decodeTokensPerSecond;
  e.batchJoulesPerToken = e.wattsAll / e.batchTokensPerSecond;
  e.joulesPerRequest = e.wattsAll * e.totalSeconds();
  e.notModeled.assign(std::begin(kNotModeledInRuns), std::end(kNotModeledInRuns));
  e.notModeled.insert(e.notModeled.end(), r.profile.notModeled.begin(), r.profile.notModeled.end());
  return e;
}

}  // namespace waferpair::wafer
