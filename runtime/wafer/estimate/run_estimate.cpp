// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/wafer/estimate/run_estimate.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <span>
#include <string_view>
#include <utility>

#include "runtime/wafer/machine/range.h"
#include "runtime/wafer/plan/layout.h"
#include "runtime/wafer/plan/load.h"
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

// Nor is this, where a step verifies a draft.
constexpr const char* kRecurringAgain =
    "rows that recurrent layers go through again after a draft of which some was refused";

base::Result<RunRequest> completed(RunRequest r) {
  if (r.prompt == 0) r.prompt = kUsualPrompt;
  if (r.output == 0) r.output = r.prompt;
  if (!r.draft) r.draft = r.profile.speculation.draft;
  if (!r.acceptance) r.acceptance = r.profile.speculation.acceptance;
  constexpr int kMostRequests = 1 << 20;
  struct Limit {
    const char* flag;
    double value, low, high;
    const char* why;
  };
  const Limit limits[] = {
      {"--prompt", double(r.prompt), 1, kMostPositions, "it is a number of tokens"},
      {"--output", double(r.output), 1, kMostPositions, "it is a number of tokens"},
      {"--draft", double(*r.draft), 0, kMostDraft, "it is a number of guesses"},
      {"--acceptance", *r.acceptance, 0, 1, "it is a probability"},
      {"--requests", double(r.requests), 1, kMostRequests, "there is one at least"},
  };
  for (const Limit& l : limits) {
    auto ok = checkRange(l.flag, l.value, l.low, l.high, l.why);
    if (!ok) return tl::unexpected(ok.error());
  }
  // A draft that is all wrong still stands behind the last token for a moment.
  const std::int64_t each = std::int64_t{r.prompt} + r.output + *r.draft;
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
  r.profile.speculation = {*r.draft, *r.acceptance};
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

void add(PartCycles& sum, const std::vector<Part>& parts, std::span<const Charge> ops) {
  for (std::size_t op = 0; op < ops.size(); ++op) {
    sum[static_cast<int>(parts[op])] += static_cast<double>(ops[op].cycles());
  }
}

// The region that is busy longest with a row, and how long.
struct Slowest {
  double cycles = 0;
  std::size_t region = 0;
};

// On its way to another wafer a row keeps no region busy.
Slowest slowestOf(const Plan& plan, const std::vector<Part>& parts,
                  const std::vector<OpCount>& counts) {
  const double latency = plan.machine.waferHopSeconds * plan.clockGhz * 1e9;
  std::vector<double> busy(plan.placement.regions.size());
  for (std::size_t op = 0; op < counts.size(); ++op) {
    busy[plan.ops[op].region] += static_cast<double>(counts[op].busyCycles()) -
                                 (parts[op] == Part::kWaferHops ? latency : 0);
  }
  const auto slowest = std::max_element(busy.begin(), busy.end());
  return {*slowest, static_cast<std::size_t>(slowest - busy.begin())};
}

// Chunk by chunk, each behind the one before.
void prefill(Program& program, RunEstimate& e) {
  const Plan& plan = program.plan();
  const std::vector<Part> parts = partsOf(plan);
  for (int done = 0; done < e.prompt; done += plan.placement.chunk) {
    const int rows = std::min(plan.placement.chunk, e.prompt - done);
    const int ahead = e.prompt - done - rows;
    e.prefillCycles += static_cast<double>(
        program.charge({.tokens = rows, .context = done, .logits = ahead == 0, .ahead = ahead}));
    add(e.prefill, parts, program.lastSteps().front().ops);
  }
  e.firstTokenSeconds = e.prefillCycles / (plan.clockGhz * 1e9);
}

StepContext stepAt(const RunEstimate& e, double context) {
  return {.tokens = e.draft + 1,
          .context = static_cast<int>(context),
          .logits = e.draft + 1,
          .drafted = e.draft};
}

void decode(Program& program, RunEstimate& e) {
  e.tokensPerStep = Speculation{e.draft, e.acceptance}.tokensPerStep();
  e.steps = std::ceil((e.output - 1) / e.tokensPerStep);
  const int priced = static_cast<int>(std::clamp(e.steps, 1.0, double{kMostPriced}));
  const Plan& plan = program.plan();
  const std::vector<Region>& regions = plan.placement.regions;
  const std::vector<Part> parts = partsOf(plan);
  double busyPeCycles = 0;
  // The first of all steps has the prompt behind it, and one token to put there.
  const double each = std::max(1.0, e.steps / priced);  // steps that one price stands for
  for (int i = 0; i < priced; ++i) {
    const double before = (i * each + (each - 1) / 2) * e.tokensPerStep;
    const double context = e.prompt + std::min(before, e.output - 1.0);
    e.decodeStepCycles += static_cast<double>(program.charge(stepAt(e, context)));
    const std::vector<Charge>& ops = program.lastSteps().front().ops;
    add(e.decodeStep, parts, ops);
    for (std::size_t op = 0; op < ops.size(); ++op) {
      e.decodeCompute[static_cast<int>(parts[op])] += static_cast<double>(ops[op].compute);
      // On its way to another wafer a row keeps nobody busy.
      if (parts[op] == Part::kWaferHops) continue;
      busyPeCycles += static_cast<double>(regions[plan.ops[op].region].rect.area()) *
                      static_cast<double>(ops[op].cycles());
    }
  }
  const double pes = static_cast<double>(plan.machine.peCount()) * plan.placement.wafers;
  e.busyShare = busyPeCycles / (pes * e.decodeStepCycles);
  for (double& cycles : e.decodeStep) cycles /= priced;
  for (double& cycles : e.decodeCompute) cycles /= priced;
  e.decodeStepCycles /= priced;
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

// Says how many wafers would hold all positions.
base::Error tooFewFor(const RunRequest& r, const Placement& has) {
  PlanOptions options = r.options;
  options.objective = Objective::kLatency;
  options.maxWafers = 0;
  const auto enough = place(r.shape, r.machine, r.profile, options);
  return {"The " + std::to_string(has.wafers) +
              (has.wafers == 1 ? " wafer holds " : " wafers hold ") + std::to_string(has.context) +
              " of " + std::to_string(r.options.context) + " positions.",
          enough ? "Allow " + std::to_string(enough->wafers) + " wafers, or ask for less."
                 : "Ask for less: " + enough.error().what};
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
  const Slowest row = slowestOf(
      plan, partsOf(plan), program.charges({.tokens = 1, .context = step.context, .logits = 1}));
  const double hertz = plan.clockGhz * 1e9;
  const double alone = static_cast<double>(program.cycles(step));
  const double busy = step.tokens * row.cycles;
  e.slowestRegion = plan.placement.regions[row.region].name;
  e.requestsToFill = static_cast<int>(std::ceil(alone / busy));
  e.batchTokensPerSecond = std::min(e.requests / alone, 1 / busy) * e.tokensPerStep * hertz;
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
    return tl::unexpected(tooFewFor(r, planned->placement));
  }
  Program program = Program::shadow(std::move(*planned));
  program.keepCharges();
  const Plan& plan = program.plan();
  const CostModel model(plan.machine, plan.profile);

  RunEstimate e;
  e.placement = plan.placement;
  e.clockGhz = plan.clockGhz;
  e.prompt = r.prompt;
  e.output = r.output;
  e.draft = *r.draft;
  e.acceptance = *r.acceptance;
  e.requests = r.requests;
  if (r.prefillGrid == Grid{}) {
    e.prefillGrid = plan.placement.block;
    prefill(program, e);
    e.handOver = transposing(plan, model);
  } else {
    auto other = prefillProgram(r, plan.placement);
    if (!other) return tl::unexpected(other.error());
    e.prefillGrid = r.prefillGrid;
    other->keepCharges();
    prefill(*other, e);
    e.handOver = replacing(plan, model, r.prompt);
  }
  decode(program, e);
  pipeline(program, e);

  const double hertz = plan.clockGhz * 1e9;
  const LoadTime load = loadTimeOf(plan);
  e.loadBytes = load.totalBytes();
  e.loadSeconds = load.seconds;
  e.handOverSeconds = e.handOver / hertz;
  e.decodeSeconds = e.steps * e.decodeStepCycles / hertz;
  e.decodeTokensPerSecond = e.tokensPerStep * hertz / e.decodeStepCycles;
  e.wattsAll = plan.machine.powerWatts * plan.placement.wafers;
  e.joulesPerToken = e.wattsAll / e.decodeTokensPerSecond;
  e.batchJoulesPerToken = e.wattsAll / e.batchTokensPerSecond;
  e.joulesPerRequest = e.wattsAll * e.totalSeconds();
  e.notModeled.assign(std::begin(kNotModeledInRuns), std::end(kNotModeledInRuns));
  if (*r.draft > 0 && r.shape.parts.recurrent.kernel > 0)
    e.notModeled.emplace_back(kRecurringAgain);
  e.notModeled.insert(e.notModeled.end(), r.profile.notModeled.begin(), r.profile.notModeled.end());
  return e;
}

}  // namespace waferpair::wafer
