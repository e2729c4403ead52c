// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/wafer/plan/program.h"

#include <algorithm>
#include <cassert>
#include <tuple>
#include <utility>

#include "runtime/tensor/thread_team.h"

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

std::uint64_t cyclesOf(const std::vector<Charge>& charges) {
  std::uint64_t sum = 0;
  for (const Charge& charge : charges) sum += charge.cycles();
  return sum;
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
        alike(firstAlike(plan)) {
    for (const Op& op : plan.ops) {
      fixed.push_back(wholeCycles(model.at(op.decode, 0, plan.gridOf(op))));
      growing.push_back(grows(op.decode));
    }
    for (const Stage& stage : stages) bodyStages += stage.firstOp < firstTail;
  }

  // One row of one op with `positions` in the cache, itself included.
  Charge row(int op, std::int64_t positions) const {
    if (!growing[op]) return fixed[op];
    return wholeCycles(rowCycles(model, plan.ops[op], positions, plan.gridOf(plan.ops[op])));
  }

  // Calls visit(op, charge) for each op that this step runs, in order.
  template <typename Visit>
  void visitCharges(const StepContext& context, Visit&& visit) const {
    const std::vector<Charge> charges = body(context);
    for (int op = 0; op < firstTail; ++op) visit(op, charges[op]);
    if (context.logits == 0) return;
    for (int op = firstTail; op < static_cast<int>(plan.ops.size()); ++op) {
      visit(op, fixed[op] * static_cast<std::uint64_t>(context.logits));
    }
  }

  // The body, by op: of more than one row as one GEMM, or as GEMVs row by row if those are done
  // sooner.
  std::vector<Charge> body(const StepContext& context) const {
    const int rows = context.tokens;
    if (rows == 1) return ofBody([&](int op) { return row(op, context.context + 1); });
    auto single = ofBody([&](int op) {
      if (!growing[op]) return fixed[op] * static_cast<std::uint64_t>(rows);
      Charge sum;
      for (int r = 1; r <= rows; ++r) sum += row(op, context.context + r);
      return sum;
    });
    auto together = ofBody([&](int i) {
      const Op& op = plan.ops[i];
      return wholeCycles(chunkCycles(model, op, rows, context.context + rows, plan.gridOf(op)));
    });
    return cyclesOf(single) < cyclesOf(together) ? single : together;
  }

  // charge(op) for each op of the body; those that are charged alike are worked out once.
  template <typename ChargeOf>
  std::vector<Charge> ofBody(ChargeOf&& charge) const {
    std::vector<Charge> charges;
    charges.reserve(static_cast<std::size_t>(firstTail));
    for (int op = 0; op < firstTail; ++op)
      charges.push_back(alike[op] == op ? charge(op) : charges[alike[op]]);
    return charges;
  }

  std::uint64_t charge(const StepContext& context) {
    assert(context.tokens >= 1 && context.context >= 0);
    assert(context.logits >= 0 && context.logits <= context.tokens);
    assert(context.drafted >= 0 && context.drafted < context.tokens);
    assert(context.context + context.tokens <= plan.placement.context);
    if (!charging) return 0;
    std::uint64_t cycles = 0;
    counters.begin();
    visitCharges(context, [&](int op, const Charge& c) {
      if (keeping) charges.push_back(c);
      counters.charge(op, c.compute, c.fabric, c.wavelets);
      cycles += c.cycles();
    });
    counters.end(context.tokens, context.drafted);
    ends.push_back(charges.size());
    return cycles;
  }

  void forgetCharges() {
    charges.clear();
    ends.clear();
  }

  const Plan plan;
  const std::vector<Stage> stages;
  const CostModel model;  // refers into plan
  Counters counters;
  const int firstTail;
  const std::vector<int> alike;  // by op, the first one that is charged alike
  int bodyStages = 0;
  std::vector<Charge> fixed;  // by op; at no context where it grows
  std::vector<char> growing;  // by op; only attention does
  bool charging = true;
  bool keeping = false;
  // The charges of the last step, if they are kept, and where those of each sequence end.
  std::vector<Charge> charges;
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
  impl_->forgetCharges();
  for (std::size_t i = 0; i < sequences.size(); ++i) cycles[i] = impl_->charge(sequences[i]);
}

std::uint64_t Program::charge(const StepContext& context) {
  impl_->forgetCharges();
  return impl_->charge(context);
}

std::uint64_t Program::cycles(const StepContext& context) const {
  std::uint64_t sum = 0;
  impl_->visitCharges(context, [&sum](int, const Charge& c) { sum += c.cycles(); });
  return sum;
}

void Program::keepCharges() { impl_->keeping = true; }
std::span<const Charge> Program::lastCharges(std::size_t sequence) const {
  if (!impl_->keeping || sequence >= impl_->ends.size()) return {};
  const std::size_t first = sequence > 0 ? impl_->ends[sequence - 1] : 0;
  return std::span(impl_->charges).subspan(first, impl_->ends[sequence] - first);
}

std::vector<OpCount> Program::charges(const StepContext& context) const {
  std::vector<OpCount> counts(impl_->plan.ops.size());
  impl_->visitCharges(context, [&counts](int op, const Charge& c) {
    counts[op] = {c.compute, c.fabric, c.wavelets, 1};
  });
  return counts;
}

void Program::setCharging(bool on) { impl_->charging = on; }
const Plan& Program::plan() const { return impl_->plan; }
const std::vector<Stage>& Program::stages() const { return impl_->stages; }
const Counters& Program::counters() const { return impl_->counters; }

}  // namespace waferpair::wafer
