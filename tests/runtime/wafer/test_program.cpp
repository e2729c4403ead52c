// SPDX-License-Identifier: GPL-3.0-or-later
// Programs: what make() refuses, that every op runs on every thread, and what a step is charged.
#include <QtTest>
#include <atomic>
#include <cmath>
#include <numeric>
#include <random>

#include "runtime/tensor/thread_team.h"
#include "runtime/wafer/plan/program.h"
#include "tests/runtime/wafer/wafer_fixtures.h"

using namespace waferpair;
using wafer::Program;
using wafer::Stage;
using wafer::StepContext;

namespace {

void nothing(const StepContext&, int, int) {}

// One stage for each `opsEach` ops of the body, and one for the tail.
std::vector<Stage> stagesFor(const wafer::Plan& plan, int opsEach) {
  std::vector<Stage> stages;
  const int tail = plan.firstTailOp(), ops = static_cast<int>(plan.ops.size());
  for (int op = 0; op < tail; op += opsEach) {
    stages.push_back({"body " + std::to_string(op), op, std::min(opsEach, tail - op), nothing});
  }
  stages.push_back({"tail", tail, ops - tail, nothing});
  return stages;
}

Program program() {
  auto plan = test::smallPlan();
  auto stages = stagesFor(plan, 4);
  return test::required(Program::make(std::move(plan), std::move(stages)));
}

std::uint64_t sumOfOps(const wafer::CounterSnapshot& snapshot) {
  std::uint64_t sum = 0;
  for (const auto& op : snapshot.ops) sum += op.busyCycles();
  return sum;
}

wafer::Plan shadowPlan(const QString& name) {
  const auto shape = test::required(wafer::findShape(name.toStdString()));
  return test::required(wafer::plan(shape, test::machine("wse3"),
                                    test::profile("waferllm-2025-wse3"), {.context = 8192}));
}

// A program of a profile that verifies so many guesses at a time.
Program drafting(int guesses) {
  auto profile = test::profile("waferllm-2025-wse3");
  profile.speculation.draft = guesses;
  return Program::shadow(
      test::required(wafer::plan(test::smallShape(), test::machine("wse3"), profile)));
}

// Rows and chunks on their way through the regions, each worked out by itself.
class Reference {
 public:
  struct Flow {
    Flow(std::size_t regions, std::uint64_t now) : free(regions, now), end(now) {}
    std::vector<std::uint64_t> free;  // by region
    std::uint64_t end = 0;
  };

  explicit Reference(const wafer::Plan& plan) : plan_(plan), model_(plan.machine, plan.profile) {}

  static std::uint64_t cyclesOf(const wafer::Cycles& cycles) {
    return static_cast<std::uint64_t>(cycles.compute + 0.5) +
           static_cast<std::uint64_t>(cycles.fabric + 0.5);
  }

  // Returns the cycles that the slowest region is busy with the last row.
  std::uint64_t rows(const StepContext& context, Flow& flow) const {
    std::uint64_t slowest = 0;
    for (int r = 1; r <= context.tokens; ++r) {
      const auto out = through(flow, flow.free.front(), slowest, [&](const wafer::Op& op) {
        return wafer::rowCycles(model_, op, context.context + r, plan_.gridOf(op));
      });
      flow.end = std::max(flow.end, out);
      if (r > context.tokens - context.logits) head(flow, out);
    }
    return slowest;
  }
  // Returns the cycles that the slowest region is busy with the chunk.
  std::uint64_t gemm(const StepContext& context, Flow& flow) const {
    std::uint64_t slowest = 0;
    const auto out = through(flow, flow.free.front(), slowest, [&](const wafer::Op& op) {
      return wafer::chunkCycles(model_, op, context.tokens, context.context + context.tokens,
                                plan_.gridOf(op));
    });
    flow.end = std::max(flow.end, out);
    for (int r = 0; r < context.logits; ++r) head(flow, out);
    return slowest;
  }

 private:
  template <typename CyclesOf>
  std::uint64_t through(Flow& flow, std::uint64_t at, std::uint64_t& slowest,
                        CyclesOf&& cost) const {
    slowest = 0;
    const auto& regions = plan_.placement.regions;
    for (std::size_t region = 0; region + 1 < regions.size(); ++region) {
      std::uint64_t cycles = 0;
      for (const auto& op : plan_.ops)
        if (op.region == static_cast<int>(region)) cycles += cyclesOf(cost(op));
      // 5 us on the way to another wafer, where it is in nobody's way.
      const bool hops = regions[region].wafer != regions[region + 1].wafer;
      const auto hop = hops ? static_cast<std::uint64_t>(5e-6 * plan_.clockGhz * 1e9 + 0.5) : 0;
      at = std::max(at, flow.free[region]) + cycles - hop;
      flow.free[region] = at;
      slowest = std::max(slowest, cycles - hop);
      at += hop;
    }
    return at;
  }
  void head(Flow& flow, std::uint64_t at) const {
    std::uint64_t cycles = 0;
    for (const auto& op : plan_.ops)
      if (op.tail) cycles += cyclesOf(wafer::rowCycles(model_, op, 1, plan_.gridOf(op)));
    at = std::max(at, flow.free.back()) + cycles;
    flow.free.back() = at;
    flow.end = std::max(flow.end, at);
  }

  const wafer::Plan& plan_;
  wafer::CostModel model_;
};

wafer::CounterSnapshot countsOf(const Program& program) {
  wafer::CounterSnapshot snapshot;
  program.counters().read(snapshot);
  return snapshot;
}

}  // namespace

class TestProgram : public QObject {
  Q_OBJECT

 private slots:
  void theChargesOfTheLastStepAreKeptOnceAskedFor() {
    Program program = ::program();
    tensor::ThreadTeam team(1);
    program.step({.tokens = 1, .context = 5, .logits = 1}, team);
    QVERIFY(program.lastSteps().empty());
    program.keepCharges();
    const int tail = program.plan().firstTailOp();
    const int ops = static_cast<int>(program.plan().ops.size());
    for (const StepContext& context : {StepContext{.tokens = 8, .context = 0, .logits = 0},
                                       StepContext{.tokens = 1, .context = 8, .logits = 1}}) {
      const auto before = countsOf(program);
      const std::uint64_t cycles = program.step(context, team);
      const auto after = countsOf(program);
      QCOMPARE(program.lastSteps().size(), std::size_t{1});
      const wafer::ChargedStep& step = program.lastSteps().front();
      QCOMPARE(step.context.tokens, context.tokens);
      QCOMPARE(step.cycles, cycles);
      QCOMPARE(static_cast<int>(step.ops.size()), context.logits > 0 ? ops : tail);
      for (std::size_t op = 0; op < step.ops.size(); ++op) {
        const wafer::Charge& charge = step.ops[op];
        QCOMPARE(charge.compute, after.ops[op].computeCycles - before.ops[op].computeCycles);
        QCOMPARE(charge.fabric, after.ops[op].fabricCycles - before.ops[op].fabricCycles);
        QCOMPARE(charge.wavelets, after.ops[op].wavelets - before.ops[op].wavelets);
        QVERIFY(charge.start >= 0 && charge.end <= static_cast<std::int64_t>(cycles));
        QVERIFY(charge.end - charge.start >= static_cast<std::int64_t>(charge.cycles()));
      }
      QCOMPARE(step.ops.front().start, std::int64_t{0});
      QCOMPARE(step.ops.back().end, static_cast<std::int64_t>(cycles));
    }
  }

  void stagesThatDoNotCoverTheOpsAreRefused() {
    const auto plan = test::smallPlan();
    const auto good = stagesFor(plan, 4);
    auto refused = [&](std::vector<Stage> stages, const char* named) {
      auto made = Program::make(plan, std::move(stages));
      return !made && made.error().message().find(named) != std::string::npos;
    };
    QVERIFY(Program::make(plan, good).has_value());
    QVERIFY(refused({}, "token_embd"));
    auto gap = good;
    gap.erase(gap.begin() + 1);
    QVERIFY(refused(gap, plan.ops[4].name.c_str()));
    auto twice = good;
    twice.insert(twice.begin() + 1, twice[1]);
    QVERIFY(refused(twice, plan.ops[8].name.c_str()));
    auto swapped = good;
    std::swap(swapped[0], swapped[1]);
    QVERIFY(refused(swapped, "token_embd"));
    auto beyond = good;
    beyond.back().opCount = 100;
    QVERIFY(refused(beyond, "\"tail\""));
    auto negative = good;
    negative[0].opCount = -1;
    QVERIFY(refused(negative, "body 0"));
    auto unfinished = good;
    unfinished.pop_back();
    QVERIFY(refused(unfinished, "output_norm"));
    auto empty = good;
    empty[2].run = nullptr;
    QVERIFY(refused(empty, "body 8"));
    auto straddling = good;
    straddling.pop_back();
    straddling.back().opCount += 3;
    QVERIFY(refused(straddling, "output_norm"));
  }

  void everyStageRunsOnceOnEveryThreadAfterTheOneBefore() {
    constexpr int kThreads = 3;
    auto plan = test::smallPlan();
    auto stages = stagesFor(plan, 4);
    std::atomic<int> calls{0};
    std::atomic<bool> early{false};
    int seen = 0;
    for (std::size_t i = 0; i < stages.size(); ++i) {
      stages[i].run = [&, i](const StepContext& context, int thread, int threads) {
        if (threads != kThreads || thread >= threads || context.user != &seen) early = true;
        if (calls.load() < static_cast<int>(i) * kThreads) early = true;  // the last not done yet
        ++calls;
      };
    }
    const int count = static_cast<int>(stages.size());
    auto made = test::required(Program::make(std::move(plan), std::move(stages)));
    tensor::ThreadTeam team(kThreads, {.patient = true});
    made.step({.tokens = 1, .context = 0, .logits = 1, .user = &seen}, team);
    QCOMPARE(calls.load(), count * kThreads);
    QVERIFY(!early);
    made.step({.tokens = 1, .context = 1, .logits = 0, .user = &seen}, team);
    QCOMPARE(calls.load(), (2 * count - 1) * kThreads);  // without the tail's stage
  }

  // A program without weights is charged what the same plan with stages is.
  void aShadowIsChargedAsTheProgramItself() {
    auto made = program();
    auto shadow = Program::shadow(test::smallPlan());
    tensor::ThreadTeam team(1);
    for (const StepContext& context :
         {StepContext{.tokens = 40, .context = 0, .logits = 1},
          StepContext{.tokens = 1, .context = 40, .logits = 1},
          StepContext{.tokens = 5, .context = 41, .logits = 5, .drafted = 4},
          StepContext{.tokens = 1, .context = 46, .logits = 0}}) {
      const auto counts = shadow.charges(context);
      QCOMPARE(shadow.cycles(context), made.cycles(context));
      QCOMPARE(counts.back().invocations, std::uint64_t(context.logits > 0));
      QCOMPARE(shadow.charge(context), made.step(context, team));
    }
    const auto own = countsOf(made), other = countsOf(shadow);
    QCOMPARE(other.totals.decodeTokens, own.totals.decodeTokens);
    QCOMPARE(other.totals.cycles(), own.totals.cycles());
    QVERIFY(other.totals.cycles() > 0);
    for (std::size_t op = 0; op < own.ops.size(); ++op) {
      QCOMPARE(other.ops[op].wavelets, own.ops[op].wavelets);
    }
  }

  void aDecodeStepIsChargedWhatItsOpsSay() {
    auto made = program();
    tensor::ThreadTeam team(1);
    const wafer::CostModel model(made.plan().machine, made.plan().profile);
    for (int context : {0, 1, 63, 64, 511, 1023}) {
      const auto before = countsOf(made);
      const auto charged = made.step({.tokens = 1, .context = context}, team);
      const auto after = countsOf(made);
      QCOMPARE(sumOfOps(after), after.totals.cycles());
      QCOMPARE(after.totals.cycles() - before.totals.cycles(),
               made.cycles({.tokens = 1, .context = context}));
      QCOMPARE(charged, made.cycles({.tokens = 1, .context = context}));
      for (std::size_t i = 0; i < after.ops.size(); ++i) {
        const auto& op = made.plan().ops[i];
        const auto want = model.at(op.decode, context + 1, made.plan().gridOf(op));
        QCOMPARE(after.ops[i].computeCycles - before.ops[i].computeCycles,
                 std::uint64_t(std::llround(want.compute)));
        QCOMPARE(after.ops[i].fabricCycles - before.ops[i].fabricCycles,
                 std::uint64_t(std::llround(want.fabric)));
        QCOMPARE(after.ops[i].wavelets - before.ops[i].wavelets,
                 std::uint64_t(std::llround(want.wavelets)));
        QCOMPARE(after.ops[i].invocations, before.ops[i].invocations + 1);
      }
    }
    QCOMPARE(countsOf(made).totals.decodeTokens, 6U);
    QCOMPARE(countsOf(made).totals.prefillTokens, 0U);
  }

  void theLastDecodeIsTracedEndToEnd() {
    auto made = program();
    tensor::ThreadTeam team(1);
    QVERIFY(countsOf(made).lastDecode.empty());
    made.step({.tokens = 100, .context = 0}, team);
    QVERIFY(countsOf(made).lastDecode.empty());
    made.step({.tokens = 1, .context = 100}, team);
    const auto counts = countsOf(made);
    QCOMPARE(counts.lastDecode.size(), made.plan().ops.size());
    std::uint64_t at = counts.totals.prefillCycles;
    for (std::size_t i = 0; i < counts.lastDecode.size(); ++i) {
      QCOMPARE(counts.lastDecode[i].op, static_cast<int>(i));
      QCOMPARE(counts.lastDecode[i].start, at);
      QVERIFY(counts.lastDecode[i].end > at);
      at = counts.lastDecode[i].end;
    }
    QCOMPARE(at, counts.totals.cycles());
  }

  void skippedTailsCostNothingAndEveryRowOfLogitsIsCharged() {
    auto made = program();
    const StepContext context{.tokens = 8, .context = 10, .logits = 0};
    StepContext all = context;
    all.logits = 8;
    const auto without = made.charges(context), eight = made.charges(all);
    for (std::size_t i = 0; i < eight.size(); ++i) {
      const auto& op = made.plan().ops[i];
      if (!op.tail) continue;
      const wafer::CostModel model(made.plan().machine, made.plan().profile);
      const auto once = model.at(op.decode, 0, made.plan().gridOf(op));
      QCOMPARE(without[i].busyCycles(), 0U);
      QCOMPARE(eight[i].computeCycles, 8 * std::uint64_t(std::llround(once.compute)));
      QCOMPARE(eight[i].fabricCycles, 8 * std::uint64_t(std::llround(once.fabric)));
    }
    QVERIFY(made.cycles(all) > made.cycles(context));
    tensor::ThreadTeam team(1);
    made.step({.tokens = 8, .context = 10, .logits = 0}, team);
    const auto counts = countsOf(made);
    for (std::size_t i = 0; i < counts.ops.size(); ++i) {
      QCOMPARE(counts.ops[i].invocations, made.plan().ops[i].tail ? 0U : 1U);
    }
  }

  // Every row of a draft is charged, right or wrong, and the step is one of decoding.
  void aDraftIsChargedAsADecodeStepOfAllItsRows() {
    auto made = drafting(3);
    const wafer::StepContext context{.tokens = 4, .context = 100, .logits = 4, .drafted = 3};
    const auto charged = made.charge(context);
    const auto counts = countsOf(made);
    QCOMPARE(counts.totals.steps, 1U);
    QCOMPARE(counts.totals.decodeCycles, charged);
    QCOMPARE(counts.totals.decodeTokens, 4U);
    QCOMPARE(counts.totals.prefillTokens, 0U);
    QCOMPARE(counts.lastDecode.size(), made.plan().ops.size());
    QCOMPARE(charged, made.cycles(context));
    // Four rows behind one another take less than four steps, and more than one.
    QVERIFY(charged < 4 * made.cycles({.tokens = 1, .context = 100, .logits = 1}));
    QVERIFY(charged > made.cycles({.tokens = 1, .context = 103, .logits = 1}));
  }

  // The wafer drafts as its profile does, whatever the host has: to the same tokens.
  void aHostsDraftIsVerifiedAsTheProfileHasIt_data() {
    QTest::addColumn<int>("most");
    QTest::addColumn<int>("accepted");
    QTest::addColumn<std::vector<int>>("rows");
    QTest::newRow("it does not speculate") << 0 << 3 << std::vector{1, 1, 1, 1};
    QTest::newRow("nor does it verify wrong guesses") << 0 << 0 << std::vector{1};
    QTest::newRow("all at once") << 5 << 3 << std::vector{6};
    QTest::newRow("two at a time") << 2 << 5 << std::vector{3, 3};
    QTest::newRow("the wrong one is among the second two") << 2 << 3 << std::vector{3, 3};
    QTest::newRow("the wrong one is the first") << 2 << 0 << std::vector{3};
    QTest::newRow("the last has fewer left") << 3 << 4 << std::vector{4, 2};
    QTest::newRow("a wrong one behind those verified") << 2 << 2 << std::vector{3};
  }
  void aHostsDraftIsVerifiedAsTheProfileHasIt() {
    QFETCH(int, most);
    QFETCH(int, accepted);
    QFETCH(std::vector<int>, rows);
    auto made = drafting(most);
    made.keepCharges();
    const auto cycles =
        made.charge({.tokens = 6, .context = 100, .logits = 6, .drafted = 5, .accepted = accepted});
    std::vector<int> taken;
    std::uint64_t sum = 0;
    int tokens = 0, next = 100;
    for (const auto& step : made.lastSteps()) {
      taken.push_back(step.context.tokens);
      QCOMPARE(step.context.context, next);
      QCOMPARE(step.context.logits, step.context.tokens);
      QCOMPARE(step.context.drafted, step.context.tokens - 1);
      QCOMPARE(step.cycles, made.cycles(step.context));
      next += step.context.accepted + 1;
      tokens += step.context.accepted + 1;
      sum += step.cycles;
    }
    QCOMPARE(taken, rows);
    QCOMPARE(tokens, accepted + 1);
    QCOMPARE(sum, cycles);
    QCOMPARE(countsOf(made).totals.decodeCycles, cycles);
  }

  // One after another on the wafer: what each would be charged alone, whatever is beside it.
  void sequencesOfAStepAreChargedApart() {
    auto plan = test::smallPlan();
    auto stages = stagesFor(plan, 4);
    int user = 0, tailRuns = 0;
    bool whole = true;
    stages.back().run = [&](const StepContext& context, int, int) {
      whole = context.tokens == 7 && context.logits == 4 && context.drafted == 1 &&
              context.context == 100 && context.user == &user;
      ++tailRuns;
    };
    auto made = test::required(Program::make(std::move(plan), std::move(stages)));
    tensor::ThreadTeam team(1);
    const std::vector<StepContext> sequences = {
        {.tokens = 1, .context = 100, .logits = 1, .user = &user},
        {.tokens = 2, .context = 7, .logits = 2, .drafted = 1},
        {.tokens = 3, .context = 40, .logits = 0},
        {.tokens = 1, .context = 800, .logits = 1}};
    std::vector<std::uint64_t> cycles(sequences.size());
    made.step(sequences, team, cycles);
    QVERIFY(whole);
    QCOMPARE(tailRuns, 1);
    const auto totals = countsOf(made).totals;
    for (std::size_t i = 0; i < sequences.size(); ++i)
      QCOMPARE(cycles[i], made.cycles(sequences[i]));
    QCOMPARE(totals.steps, 4U);
    QCOMPARE(totals.decodeTokens, 3U);  // this profile does not verify the guess
    QCOMPARE(totals.decodeCycles, cycles[0] + cycles[1] + cycles[3]);
    QCOMPARE(totals.prefillCycles, cycles[2]);
  }

  void aChunkIsNeverLaterThanItsRowsNorThanOneGemm_data() {
    QTest::addColumn<QString>("shape");
    QTest::newRow("one wafer") << "small";
    QTest::newRow("several wafers, layers that share a block") << "llama-3.1-70b";
    QTest::newRow("windows, experts") << "gpt-oss-120b";
  }
  // Prompts in chunks of all sizes, held against rows and chunks sent through the regions one by
  // one: each waits for the one before to have left a region, and takes all of its ops there. A
  // chunk that follows another as one GEMM goes its whole way through the regions, too.
  void aChunkIsNeverLaterThanItsRowsNorThanOneGemm() {
    QFETCH(QString, shape);
    auto made = Program::shadow(shape == "small" ? test::smallPlan() : shadowPlan(shape));
    const Reference reference(made.plan());
    bool asRows = false, asGemm = false;
    std::mt19937 random(11);
    for (int prompt = 0; prompt < 12; ++prompt) {
      const int chunk = std::vector{2, 7, 32, 100, 256}[prompt % 5];
      const int length = prompt < 2 ? 900 : 1 + static_cast<int>(random() % 900);
      Reference::Flow flow(made.plan().placement.regions.size(), countsOf(made).totals.cycles());
      for (int done = 0; done < length;) {
        const int rows = std::min(chunk, length - done), ahead = length - done - rows;
        const StepContext context{
            .tokens = rows, .context = done, .logits = ahead == 0, .ahead = ahead};
        auto single = flow, together = flow;
        const std::uint64_t slowRow = reference.rows(context, single);
        const std::uint64_t slowGemm = reference.gemm(context, together);
        const auto soon = [&](const Reference::Flow& f, std::uint64_t slowest) {
          return static_cast<double>(f.end) + static_cast<double>(slowest) * ahead / rows;
        };
        const bool better = soon(single, slowRow * rows) < soon(together, slowGemm);
        (better || rows == 1 ? asRows : asGemm) = true;
        const std::uint64_t before = flow.end;
        flow = better || rows == 1 ? single : together;
        QCOMPARE(made.charge(context), flow.end - before);
        done += rows;
      }
      // What comes out is waited for: the next step begins when all have left.
      QCOMPARE(countsOf(made).totals.cycles(), flow.end);
    }
    QVERIFY(asRows);
    QVERIFY(asGemm || shape != "small");
  }

  void aStepFollowsOnlyRowsOfItsOwnPrompt() {
    const StepContext second{.tokens = 32, .context = 32, .logits = 1};
    const auto after = [&](std::vector<StepContext> before) {
      auto made = Program::shadow(test::smallPlan());
      for (const StepContext& context : before) made.charge(context);
      return made.charge(second);
    };
    const StepContext first{.tokens = 32, .context = 0, .logits = 0, .ahead = 32};
    const auto alone = program().cycles(second);
    QVERIFY(after({first}) < alone);
    QCOMPARE(after({}), alone);
    QCOMPARE(after({{.tokens = 32, .context = 0, .logits = 0}}), alone);  // nothing was to follow
    QCOMPARE(after({first, {.tokens = 1, .context = 70, .logits = 1}}), alone);
    QCOMPARE(after({{.tokens = 16, .context = 0, .logits = 0, .ahead = 48}}), alone);
  }

  // Layers repeat one another, but not all: windows alternate, and neighbors lie on other wafers.
  void whatRepeatsIsChargedAsIfItStoodAlone() {
    const auto shadow = Program::shadow(shadowPlan("gpt-oss-120b"));
    const auto& plan = shadow.plan();
    QVERIFY(plan.placement.wafers > 1);
    const wafer::CostModel model(plan.machine, plan.profile);
    const auto whole = [](double value) { return static_cast<std::uint64_t>(value + 0.5); };
    const auto row = shadow.charges({.tokens = 1, .context = 4999, .logits = 1});
    for (int i = 0; i < plan.firstTailOp(); ++i) {
      const auto& op = plan.ops[i];
      const auto one = wafer::rowCycles(model, op, 5000, plan.gridOf(op));
      QCOMPARE(row[i].computeCycles, whole(one.compute));
      QCOMPARE(row[i].fabricCycles, whole(one.fabric));
      QCOMPARE(row[i].wavelets, whole(one.wavelets));
    }
    // A chunk is charged as one GEMM or row by row, whatever is done sooner.
    constexpr int kRows = 32, kBefore = 4000;
    const StepContext context{.tokens = kRows, .context = kBefore, .logits = 0};
    const auto chunk = shadow.charges(context);
    const Reference reference(plan);
    Reference::Flow single(plan.placement.regions.size(), 0), together(single);
    reference.rows(context, single);
    reference.gemm(context, together);
    for (int i = 0; i < plan.firstTailOp(); ++i) {
      const auto& op = plan.ops[i];
      std::uint64_t cycles = 0;
      if (single.end < together.end) {
        for (int r = 1; r <= kRows; ++r)
          cycles += Reference::cyclesOf(wafer::rowCycles(model, op, kBefore + r, plan.gridOf(op)));
      } else {
        cycles = Reference::cyclesOf(
            wafer::chunkCycles(model, op, kRows, kBefore + kRows, plan.gridOf(op)));
      }
      QCOMPARE(chunk[i].busyCycles(), cycles);
    }
  }

  void chargingCanBeSwitchedOffAndOn() {
    auto made = program();
    tensor::ThreadTeam team(1);
    made.setCharging(false);
    made.step({}, team);
    QCOMPARE(countsOf(made).totals.steps, 0U);
    made.setCharging(true);
    made.step({}, team);
    QCOMPARE(countsOf(made).totals.steps, 1U);
  }

  void countersStayWhereTheyAreWhenTheProgramMoves() {
    auto made = program();
    const wafer::Counters* counters = &made.counters();
    tensor::ThreadTeam team(1);
    made.step({}, team);
    Program moved = std::move(made);
    moved.step({}, team);
    QCOMPARE(&moved.counters(), counters);
    QCOMPARE(countsOf(moved).totals.steps, 2U);
  }
};

QTEST_GUILESS_MAIN(TestProgram)
#include "test_program.moc"
