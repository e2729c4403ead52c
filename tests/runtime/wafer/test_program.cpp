// SPDX-License-Identifier: GPL-3.0-or-later
// Programs: what make() refuses, that every op runs on every thread, and what a step is charged.
#include <QtTest>
#include <atomic>
#include <cmath>
#include <numeric>

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
    QVERIFY(program.lastCharges().empty());
    program.keepCharges();
    const int tail = program.plan().firstTailOp();
    const int ops = static_cast<int>(program.plan().ops.size());
    for (const StepContext& context : {StepContext{.tokens = 8, .context = 0, .logits = 0},
                                       StepContext{.tokens = 1, .context = 8, .logits = 1}}) {
      const auto before = countsOf(program);
      const std::uint64_t cycles = program.step(context, team);
      const auto after = countsOf(program);
      QCOMPARE(static_cast<int>(program.lastCharges().size()), context.logits > 0 ? ops : tail);
      std::uint64_t sum = 0;
      for (std::size_t op = 0; op < program.lastCharges().size(); ++op) {
        const wafer::Charge& charge = program.lastCharges()[op];
        QCOMPARE(charge.compute, after.ops[op].computeCycles - before.ops[op].computeCycles);
        QCOMPARE(charge.fabric, after.ops[op].fabricCycles - before.ops[op].fabricCycles);
        QCOMPARE(charge.wavelets, after.ops[op].wavelets - before.ops[op].wavelets);
        sum += charge.cycles();
      }
      QCOMPARE(sum, cycles);
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
      std::uint64_t sum = 0;
      for (const auto& count : counts) sum += count.busyCycles();
      QCOMPARE(sum, made.cycles(context));
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
    const auto without = made.cycles({.tokens = 8, .context = 10, .logits = 0});
    const auto one = made.cycles({.tokens = 8, .context = 10, .logits = 1});
    const auto eight = made.cycles({.tokens = 8, .context = 10, .logits = 8});
    QVERIFY(one > without);
    QCOMPARE(eight - without, 8 * (one - without));
    tensor::ThreadTeam team(1);
    made.step({.tokens = 8, .context = 10, .logits = 0}, team);
    const auto counts = countsOf(made);
    for (std::size_t i = 0; i < counts.ops.size(); ++i) {
      QCOMPARE(counts.ops[i].invocations, made.plan().ops[i].tail ? 0U : 1U);
    }
  }

  // Every row of a draft is charged, right or wrong, and the step is one of decoding.
  void aDraftIsChargedAsADecodeStepOfAllItsRows() {
    auto made = program();
    tensor::ThreadTeam team(1);
    const wafer::StepContext context{.tokens = 4, .context = 100, .logits = 4, .drafted = 3};
    const auto charged = made.step(context, team);
    const auto counts = countsOf(made);
    QCOMPARE(counts.totals.decodeCycles, charged);
    QCOMPARE(counts.totals.decodeTokens, 4U);
    QCOMPARE(counts.totals.prefillTokens, 0U);
    QCOMPARE(counts.lastDecode.size(), made.plan().ops.size());
    const auto tail = made.cycles({.tokens = 1, .context = 100, .logits = 1}) -
                      made.cycles({.tokens = 1, .context = 100, .logits = 0});
    QCOMPARE(charged, made.cycles({.tokens = 4, .context = 100, .logits = 0}) + 4 * tail);
    QCOMPARE(charged, made.cycles({.tokens = 4, .context = 100, .logits = 4}));
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
    QCOMPARE(totals.decodeTokens, 4U);
    QCOMPARE(totals.decodeCycles, cycles[0] + cycles[1] + cycles[3]);
    QCOMPARE(totals.prefillCycles, cycles[2]);
    QCOMPARE(sumOfOps(countsOf(made)), totals.cycles());
  }

  void aChunkIsNeverDearerThanItsRowsNorThanOneGemm() {
    auto made = program();
    const auto& plan = made.plan();
    const wafer::CostModel model(plan.machine, plan.profile);
    bool asRows = false, asGemm = false;
    for (int tokens : {2, 3, 4, 8, 16, 64, 256}) {
      std::uint64_t rows = 0;
      for (int r = 0; r < tokens; ++r) rows += made.cycles({1, 100 + r, 0});
      double gemm = 0;
      for (int i = 0; i < plan.firstTailOp(); ++i) {
        gemm +=
            wafer::chunkCycles(model, plan.ops[i], tokens, 100 + tokens, plan.gridOf(plan.ops[i]))
                .total();
      }
      const auto cycles = made.cycles({.tokens = tokens, .context = 100, .logits = 0});
      QVERIFY(cycles <= rows);
      QVERIFY(static_cast<double>(cycles) <= gemm + plan.ops.size());
      asRows = asRows || cycles == rows;
      asGemm = asGemm || cycles < rows;
    }
    QVERIFY(asRows && asGemm);
  }

  // Layers repeat one another, but not all: windows alternate, and neighbors lie on other wafers.
  void whatRepeatsIsChargedAsIfItStoodAlone() {
    const auto shape = test::required(wafer::findShape("gpt-oss-120b"));
    const auto shadow = Program::shadow(test::required(wafer::plan(
        shape, test::machine("wse3"), test::profile("waferllm-2025-wse3"), {.context = 8192})));
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
    // A chunk is charged as one GEMM or row by row, whatever is less in all.
    constexpr int kRows = 32, kBefore = 4000;
    const auto chunk = shadow.charges({.tokens = kRows, .context = kBefore, .logits = 0});
    std::vector<std::uint64_t> single, together;
    for (int i = 0; i < plan.firstTailOp(); ++i) {
      const auto& op = plan.ops[i];
      std::uint64_t rows = 0;
      for (int r = 1; r <= kRows; ++r) {
        const auto one = wafer::rowCycles(model, op, kBefore + r, plan.gridOf(op));
        rows += whole(one.compute) + whole(one.fabric);
      }
      single.push_back(rows);
      const auto all = wafer::chunkCycles(model, op, kRows, kBefore + kRows, plan.gridOf(op));
      together.push_back(whole(all.compute) + whole(all.fabric));
    }
    const auto sum = [](const auto& all) {
      return std::accumulate(all.begin(), all.end(), std::uint64_t{0});
    };
    const auto& expected = sum(single) < sum(together) ? single : together;
    for (std::size_t i = 0; i < expected.size(); ++i) QCOMPARE(chunk[i].busyCycles(), expected[i]);
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
