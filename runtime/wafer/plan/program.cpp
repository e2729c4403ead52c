// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/wafer/plan/program.h"

#include <algorithm>
#include <cassert>
#include <tuple>
#include <utility>

#include "runtime/tensor/thread_team.h"
#include "runtime/wafer/plan/pipeline.h"

namespace waferpair::wafer {
namespace {

std::uint64_t rounded(double value) { return static_cast<std::uint64_t>(value + 0.5); }

Charge wholeCycles(const Cycles& c) {
  return {rounded(c.compute), rounded(c.fabric), rounded(c.wavelets)};
}

Charge operator*(const Charge& charge, std::uint64_t n) {
  return {charge.compute * n, charge.fabric * n, charge.wavelets * n};
}

void operator+=(Charge& sum, const Charge& other) {
  sum.compute += other.compute;
  sum.fabric += other.fabric;
  sum.wavelets += other.wavelets;
}

bool grows(const OpCost& cost) {
  return cost.compute.grows() || cost.fabric.grows() || cost.wavelets.grows();
}

auto parts(const Growth& g) { return std::tie(g.fixed, g.perRow, g.perVector, g.perPair); }
auto parts(const Gemm& g) { return std::tie(g.k, g.n, g.align, g.transposed); }
bool same(const OpCost& a, const OpCost& b) {
  return parts(a.compute) == parts(b.compute) && parts(a.fabric) == parts(b.fabric) &&
         parts(a.wavelets) == parts(b.wavelets);
}

// Whatever the rows and the context: layers repeat one another.
bool chargedAlike(const Plan& plan, const Op& a, const Op& b) {
  return a.kind == b.kind && same(a.decode, b.decode) && parts(a.gemm) == parts(b.gemm) &&
         a.reductions == b.reductions && a.streamed == b.streamed && a.elements == b.elements &&
         a.experts == b.experts && a.expertsUsed == b.expertsUsed && a.window == b.window &&
         plan.gridOf(a) == plan.gridOf(b);
}

// Returns for each op the first one that is charged alike; for many that is the op itself.
std::vector<int> firstAlike(const Plan& plan) {
  std::vector<int> firsts, of;
  for (int op = 0; op < static_cast<int>(plan.ops.size()); ++op) {
    const auto found = std::ranges::find_if(
        firsts, [&](int first) { return chargedAlike(plan, plan.ops[first], plan.ops[op]); });
    of.push_back(found != firsts.end() ? *found : op);
    if (found == firsts.end()) firsts.push_back(op);
  }
  return of;
}

// Cycles of the latency of a hop to the next wafer that each region's last op has in it.
std::vector<std::uint64_t> hopsBehind(const Plan& plan) {
  const std::vector<Region>& regions = plan.placement.regions;
  const std::uint64_t latency = rounded(plan.machine.waferHopSeconds * plan.clockGhz * 1e9);
  std::vector<std::uint64_t> cycles(regions.size());
  for (std::size_t i = 0; i + 1 < regions.size(); ++i)
    if (regions[i].wafer != regions[i + 1].wafer) cycles[i] = latency;
  return cycles;
}

// Calls visit(step) for each step that the wafer takes, with drafts of at most `most` guesses, to
// the tokens that a host came to in one.
template <typename Visit>
void forEachStep(const StepContext& host, int most, Visit&& visit) {
  if (host.drafted <= most) return visit(host);
  StepContext step = host;
  int tokens = host.accepted + 1;
  for (int drafted = host.drafted; tokens > 0;) {
    step.drafted = std::min(most, drafted);
    step.accepted = std::min(step.drafted, tokens - 1);
    step.tokens = step.logits = 1 + step.drafted;
    visit(std::as_const(step));
    const int taken = step.accepted + 1;
    step.context += taken;
    tokens -= taken;
    drafted -= taken;
  }
}

base::Result<void> checkCover(const Plan& plan, const std::vector<Stage>& stages) {
  const int ops = static_cast<int>(plan.ops.size());
  const int tail = plan.firstTailOp();
  int next = 0;
  for (const Stage& stage : stages) {
    if (stage.firstOp != next || stage.opCount < 1 || stage.opCount > ops - next) {
      return base::fail(
          "Stage \"" + stage.name + "\" covers ops from " + std::to_string(stage.firstOp) + ", " +
              std::to_string(stage.opCount) + " of them, but " +
              (next < ops
                   ? "\"" + plan.ops[next].name + "\" (" + std::to_string(next) + ") is next."
                   : std::string("all ops are covered.")),
          "Stages must cover the ops in order, each once.");
    }
    if (!stage.run) return base::fail("Stage \"" + stage.name + "\" has nothing to run.");
    next += stage.opCount;
    if (stage.firstOp < tail && next > tail) {
      return base::fail("Stage \"" + stage.name + "\" straddles \"" + plan.ops[tail].name +
                            "\", where the tail begins.",
                        "Split it there: the tail is skipped when no logits are asked for.");
    }
  }
  if (next < ops) {
    return base::fail(
        "No stage covers \"" + plan.ops[next].name + "\" (" + std::to_string(next) + ").",
        "Stages must cover all ops.");
  }
  return {};
}

}  // namespace

struct Program::Impl {
  Impl(Plan p, std::vector<Stage> s)
      : plan(std::move(p)),
        stages(std::move(s)),
        model(plan.machine, plan.profile),
        counters(static_cast<int>(plan.ops.size())),
        firstTail(plan.firstTailOp()),
        alike(firstAlike(plan)),
        onward(hopsBehind(plan)),
        growingOf(plan.placement.regions.size()),
        steady(plan.placement.regions.size()),
        flow(plan.placement.regions.size()) {
    for (int op = 0; op < static_cast<int>(plan.ops.size()); ++op) {
      const Op& of = plan.ops[op];
      fixed.push_back(wholeCycles(model.at(of.decode, 0, plan.gridOf(of))));
      growing.push_back(grows(of.decode));
      const auto region = static_cast<std::size_t>(of.region);
      if (growing.back()) {
        growingOf[region].push_back(alike[op]);
      } else {
        steady[region] += fixed.back().cycles();
      }
    }
    for (const Stage& stage : stages) bodyStages += stage.firstOp < firstTail;
  }

  // What a step was charged, and where its rows are behind it.
  struct Outcome {
    std::vector<Charge> ops;
    Pipeline flow;
    std::uint64_t left = 0;     // when its last row has left
    std::uint64_t slowest = 0;  // cycles in which no more of such rows can enter some region
    bool gemm = false;
  };

  std::size_t head() const { return plan.placement.regions.size() - 1; }
  // The regions that every row goes through: an encoder has no tail, and its rows are pooled where
  // others have their head.
  std::size_t bodyRegions() const { return head() + (firstTail == std::ssize(plan.ops) ? 1 : 0); }

  // One row of one op with `positions` in the cache, itself included.
  Charge row(int op, std::int64_t positions) const {
    if (!growing[op]) return fixed[op];
    return wholeCycles(rowCycles(model, plan.ops[op], positions, plan.gridOf(plan.ops[op])));
  }

  Visit visit(std::size_t region, std::uint64_t cycles) const {
    const std::uint64_t hop = std::min(cycles, onward[region]);
    return {cycles - hop, hop};
  }

  // What a row takes in each region of the body.
  void rowVisits(std::int64_t positions, std::vector<Visit>& visits) const {
    visits.clear();
    int known = -1;  // the last op that was worked out: neighbors are alike
    std::uint64_t cycles = 0;
    for (std::size_t region = 0; region < bodyRegions(); ++region) {
      std::uint64_t sum = steady[region];
      for (const int op : growingOf[region]) {
        if (op != known) cycles = grown(op, positions);
        known = op;
        sum += cycles;
      }
      visits.push_back(visit(region, sum));
    }
  }
  std::uint64_t grown(int op, std::int64_t positions) const { return row(op, positions).cycles(); }

  // Sends a row through the head, where it comes at `arrival`.
  std::uint64_t tail(Pipeline& rows, std::uint64_t arrival) const {
    const Visit once{steady[head()], 0};
    return rows.pass({&once, 1}, head(), arrival);
  }

  // Row by row.
  Outcome asRows(const StepContext& context, const Pipeline& from) const {
    Outcome outcome{{}, from};
    std::vector<Visit> visits;
    for (int r = 1; r <= context.tokens; ++r) {
      rowVisits(context.context + r, visits);
      outcome.left = outcome.flow.pass(visits, 0, outcome.flow.arrival());
      if (r > context.tokens - context.logits) outcome.left = tail(outcome.flow, outcome.left);
    }
    outcome.slowest = static_cast<std::uint64_t>(context.tokens) * slowestOf(visits);
    outcome.ops = ofBody([&](int op) {
      if (!growing[op]) return fixed[op] * static_cast<std::uint64_t>(context.tokens);
      Charge sum;
      for (int r = 1; r <= context.tokens; ++r) sum += row(op, context.context + r);
      return sum;
    });
    time(
        context, outcome, [&](int op) { return row(op, context.context + 1).cycles(); },
        [&](int op) { return row(op, context.context + context.tokens).cycles(); });
    return outcome;
  }

  // All rows as one GEMM, but for those in the head.
  Outcome asGemm(const StepContext& context, const Pipeline& from) const {
    Outcome outcome{{}, from};
    outcome.ops = ofBody([&](int i) {
      const Op& op = plan.ops[i];
      return wholeCycles(chunkCycles(model, op, context.tokens, context.context + context.tokens,
                                     plan.gridOf(op)));
    });
    std::vector<std::uint64_t> cycles(bodyRegions());
    for (int op = 0; op < firstTail; ++op)
      cycles[static_cast<std::size_t>(plan.ops[op].region)] += outcome.ops[op].cycles();
    std::vector<Visit> visits;
    for (std::size_t region = 0; region < bodyRegions(); ++region)
      visits.push_back(visit(region, cycles[region]));
    const std::uint64_t done = outcome.left = outcome.flow.pass(visits, 0, outcome.flow.arrival());
    for (int r = 0; r < context.logits; ++r) outcome.left = tail(outcome.flow, done);
    outcome.slowest = slowestOf(visits);
    outcome.gemm = true;
    const auto whole = [&](int op) { return outcome.ops[op].cycles(); };
    time(context, outcome, whole, whole);
    return outcome;
  }

  static std::uint64_t slowestOf(const std::vector<Visit>& visits) {
    std::uint64_t most = 0;
    for (const Visit& visit : visits) most = std::max(most, visit.busy);
    return most;
  }

  // Adds the tail's charges, and tells of each op when its first row begins and its last ends.
  // first(op) and last(op) are the cycles of these in the body.
  template <typename First, typename Last>
  void time(const StepContext& context, Outcome& outcome, First&& first, Last&& last) const {
    if (context.logits > 0) {
      for (int op = firstTail; op < static_cast<int>(plan.ops.size()); ++op)
        outcome.ops.push_back(fixed[op] * static_cast<std::uint64_t>(context.logits));
    }
    int region = -1;
    std::uint64_t begins = 0, ends = 0;
    for (int op = 0; op < static_cast<int>(outcome.ops.size()); ++op) {
      if (plan.ops[op].region != region) {
        region = plan.ops[op].region;
        begins = outcome.flow.firstEntry(static_cast<std::size_t>(region));
        ends = outcome.flow.lastEntry(static_cast<std::size_t>(region));
      }
      outcome.ops[op].start = static_cast<std::int64_t>(begins);
      begins += op < firstTail ? first(op) : fixed[op].cycles();
      ends += op < firstTail ? last(op) : fixed[op].cycles();
      outcome.ops[op].end = static_cast<std::int64_t>(ends);
    }
  }

  // Takes the form in which all rows of the prompt, those ahead too, are done sooner.
  Outcome outcome(const StepContext& context, Pipeline from, bool follows) const {
    from.begin(follows);
    Outcome rows = asRows(context, from);
    if (context.tokens == 1) return rows;
    Outcome gemm = asGemm(context, from);
    const auto soon = [&](const Outcome& o) {
      return static_cast<double>(o.left) +
             static_cast<double>(o.slowest) * context.ahead / context.tokens;
    };
    return soon(rows) < soon(gemm) ? rows : gemm;
  }

  // charge(op) for each op of the body; those that are charged alike are worked out once.
  template <typename ChargeOf>
  std::vector<Charge> ofBody(ChargeOf&& charge) const {
    std::vector<Charge> charges;
    charges.reserve(plan.ops.size());
    for (int op = 0; op < firstTail; ++op)
      charges.push_back(alike[op] == op ? charge(op) : charges[alike[op]]);
    return charges;
  }

  // A later chunk of the prompt that the last step was a part of: nothing waits for what that gave.
  bool follows(const StepContext& context) const {
    return before.ahead > 0 && before.logits == 0 &&
           before.context + before.tokens == context.context;
  }

  std::uint64_t charge(const StepContext& host) {
    assert(host.tokens >= 1 && host.context >= 0);
    assert(host.logits >= 0 && host.logits <= host.tokens);
    assert(host.drafted >= 0 && host.drafted < host.tokens);
    assert(host.accepted >= 0 && host.accepted <= host.drafted && host.ahead >= 0);
    assert(host.context + host.tokens <= plan.placement.context);
    if (!charging) return 0;
    std::uint64_t cycles = 0;
    forEachStep(host, plan.profile.speculation.draft,
                [&](const StepContext& step) { cycles += chargeStep(step); });
    ends.push_back(steps.size());
    return cycles;
  }

  std::uint64_t chargeStep(const StepContext& context) {
    const std::uint64_t begin = flow.end();
    Outcome outcome = this->outcome(context, flow, follows(context));
    flow = std::move(outcome.flow);
    before = context;
    const std::uint64_t cycles = flow.end() - begin;
    counters.begin();
    for (int op = 0; op < static_cast<int>(outcome.ops.size()); ++op) {
      Charge& c = outcome.ops[op];
      counters.charge({op, static_cast<std::uint64_t>(c.start), static_cast<std::uint64_t>(c.end)},
                      c.compute, c.fabric, c.wavelets);
      c.start -= static_cast<std::int64_t>(begin);
      c.end -= static_cast<std::int64_t>(begin);
    }
    counters.end(cycles, context.tokens, context.drafted);
    if (keeping) steps.push_back({context, cycles, std::move(outcome.ops), outcome.gemm});
    return cycles;
  }

  void forgetSteps() {
    steps.clear();
    ends.clear();
  }

  const Plan plan;
  const std::vector<Stage> stages;
  const CostModel model;  // refers into plan
  Counters counters;
  const int firstTail;
  const std::vector<int> alike;             // by op, the first one that is charged alike
  const std::vector<std::uint64_t> onward;  // by region, cycles on the way to another wafer
  int bodyStages = 0;
  std::vector<Charge> fixed;                // by op; at no context where it grows
  std::vector<char> growing;                // by op; only attention does
  std::vector<std::vector<int>> growingOf;  // by region, the first that each such op is alike to
  std::vector<std::uint64_t> steady;        // by region, a row's cycles of the ops that don't grow
  Pipeline flow;                            // of all rows that were charged
  StepContext before;                       // the step that was charged last
  bool charging = true;
  bool keeping = false;
  // The last steps, if they are kept, and where those of each sequence end.
  std::vector<ChargedStep> steps;
  std::vector<std::size_t> ends;
};

Program::Program(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Program::Program(Program&&) noexcept = default;
Program& Program::operator=(Program&&) noexcept = default;
Program::~Program() = default;

base::Result<Program> Program::make(Plan plan, std::vector<Stage> stages) {
  if (auto ok = checkCover(plan, stages); !ok) return tl::unexpected(ok.error());
  return Program(std::make_unique<Impl>(std::move(plan), std::move(stages)));
}

Program Program::shadow(Plan plan) {
  return Program(std::make_unique<Impl>(std::move(plan), std::vector<Stage>()));
}

std::uint64_t Program::step(const StepContext& context, tensor::ThreadTeam& team) {
  std::uint64_t cycles = 0;
  step({&context, 1}, team, {&cycles, 1});
  return cycles;
}

void Program::step(std::span<const StepContext> sequences, tensor::ThreadTeam& team,
                   std::span<std::uint64_t> cycles, const std::function<void()>& betweenStages) {
  assert(!sequences.empty() && cycles.size() == sequences.size());
  StepContext whole = sequences.front();
  whole.tokens = whole.logits = whole.drafted = 0;
  for (const StepContext& context : sequences) {
    whole.tokens += context.tokens;
    whole.logits += context.logits;
    whole.drafted += context.drafted;
  }
  const Stage* stages = impl_->stages.data();
  const int count = whole.logits > 0 ? static_cast<int>(impl_->stages.size()) : impl_->bodyStages;
  team.run(count, [&](int stage, int thread, int threads) {
    // The others find nothing to do until this thread has done its part.
    if (thread == 0 && betweenStages) betweenStages();
    stages[stage].run(whole, thread, threads);
  });
  impl_->forgetSteps();
  for (std::size_t i = 0; i < sequences.size(); ++i) cycles[i] = impl_->charge(sequences[i]);
}

std::uint64_t Program::charge(const StepContext& context) {
  impl_->forgetSteps();
  return impl_->charge(context);
}

std::uint64_t Program::cycles(const StepContext& context) const {
  std::uint64_t sum = 0;
  forEachStep(context, impl_->plan.profile.speculation.draft, [&](const StepContext& step) {
    sum += impl_->outcome(step, Pipeline(impl_->plan.placement.regions.size()), false).left;
  });
  return sum;
}

std::vector<OpCount> Program::charges(const StepContext& context) const {
  std::vector<OpCount> counts(impl_->plan.ops.size());
  forEachStep(context, impl_->plan.profile.speculation.draft, [&](const StepContext& step) {
    const auto outcome =
        impl_->outcome(step, Pipeline(impl_->plan.placement.regions.size()), false);
    for (std::size_t op = 0; op < outcome.ops.size(); ++op) {
      const Charge& c = outcome.ops[op];
      counts[op].computeCycles += c.compute;
      counts[op].fabricCycles += c.fabric;
      counts[op].wavelets += c.wavelets;
      ++counts[op].invocations;
    }
  });
  return counts;
}

std::vector<ChargedStep> Program::replay(const StepContext& context) const {
  std::vector<ChargedStep> steps;
  forEachStep(context, impl_->plan.profile.speculation.draft, [&](const StepContext& step) {
    auto outcome = impl_->outcome(step, Pipeline(impl_->plan.placement.regions.size()), false);
    steps.push_back({step, outcome.left, std::move(outcome.ops), outcome.gemm});
  });
  return steps;
}

void Program::keepCharges() { impl_->keeping = true; }

std::span<const ChargedStep> Program::lastSteps(std::size_t sequence) const {
  if (!impl_->keeping || sequence >= impl_->ends.size()) return {};
  const std::size_t first = sequence > 0 ? impl_->ends[sequence - 1] : 0;
  return std::span(impl_->steps).subspan(first, impl_->ends[sequence] - first);
}

void Program::setCharging(bool on) { impl_->charging = on; }
const Plan& Program::plan() const { return impl_->plan; }
const std::vector<Stage>& Program::stages() const { return impl_->stages; }
const Counters& Program::counters() const { return impl_->counters; }

}  // namespace waferpair::wafer
