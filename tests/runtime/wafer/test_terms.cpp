// SPDX-License-Identifier: GPL-3.0-or-later
// The closed form of each op, written out term by term, against what the op is charged; and steps
// that are charged again, against what they were charged.
#include <QtTest>
#include <cmath>

#include "runtime/wafer/plan/program.h"
#include "tests/runtime/wafer/wafer_fixtures.h"

using namespace waferpair;
using wafer::StepContext;
using wafer::Term;

namespace {

struct Sum {
  double compute = 0, fabric = 0;
};
Sum sumOf(const std::vector<Term>& terms) {
  Sum sum;
  for (const Term& term : terms) (term.fabric ? sum.fabric : sum.compute) += term.cycles;
  return sum;
}
bool same(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max(1.0, std::abs(b)); }

wafer::Plan planOf(const QString& shape, const QString& profile) {
  return test::required(
      wafer::plan(test::required(wafer::findShape(shape.toStdString())), test::machine("wse3"),
                  test::profile(profile.toStdString().c_str()), {.context = 8192}));
}

}  // namespace

class TestTerms : public QObject {
  Q_OBJECT
 private slots:
  void termsAddUpToWhatAnOpIsCharged_data() {
    QTest::addColumn<QString>("shape");
    QTest::addColumn<QString>("profile");
    for (const char* shape : {"llama-3.1-8b", "llama-3.1-70b", "gpt-oss-120b", "qwen3-32b"})
      for (const char* profile : {"cloud-2024-10", "waferllm-2025-wse3"})
        QTest::addRow("%s, %s", shape, profile) << QString(shape) << QString(profile);
  }
  void termsAddUpToWhatAnOpIsCharged() {
    QFETCH(QString, shape);
    QFETCH(QString, profile);
    const wafer::Plan plan = planOf(shape, profile);
    const wafer::CostModel model(plan.machine, plan.profile);
    for (const wafer::Op& op : plan.ops) {
      QVERIFY2(!op.parts.empty(), op.name.c_str());
      for (const std::int64_t positions : {1, 777, 8192}) {
        const wafer::Grid grid = plan.gridOf(op);
        const wafer::Cycles row = rowCycles(model, op, positions, grid);
        const Sum terms = sumOf(rowTerms(model, op, positions, grid, plan.clockGhz));
        QVERIFY2(same(terms.compute, row.compute) && same(terms.fabric, row.fabric),
                 qPrintable(QString("%1 at %2: %3 + %4 against %5 + %6")
                                .arg(op.name.c_str())
                                .arg(positions)
                                .arg(terms.compute)
                                .arg(terms.fabric)
                                .arg(row.compute)
                                .arg(row.fabric)));
        if (op.tail) continue;
        const wafer::Cycles chunk = chunkCycles(model, op, 512, positions + 511, grid);
        const Sum together = sumOf(chunkTerms(model, op, 512, positions + 511, grid));
        QVERIFY2(same(together.compute, chunk.compute) && same(together.fabric, chunk.fabric),
                 op.name.c_str());
      }
    }
  }

  void aTermHasItsNumbersInIt() {
    const wafer::Plan plan = test::smallPlan();
    const wafer::CostModel model(plan.machine, plan.profile);
    const wafer::Op& op = plan.ops[static_cast<std::size_t>(plan.findOp("blk.0.attn_q"))];
    const auto grid = plan.gridOf(op);
    const auto terms = rowTerms(model, op, 1, grid, plan.clockGhz);
    QCOMPARE(terms.size(), 2u);
    const auto kt = wafer::ceilDiv(256, grid.height), nt = wafer::ceilDiv(256, grid.width);
    QCOMPARE(terms[0].form, std::string("Kt ceil(Nt / S)"));
    QCOMPARE(QString::fromStdString(terms[0].numbers),
             QString("%1 ceil(%2 / %3)").arg(kt).arg(nt).arg(plan.profile.decode.lanes));
    QCOMPARE(terms[0].cycles,
             static_cast<double>(kt * wafer::ceilDiv(nt, plan.profile.decode.lanes)));
    QCOMPARE(terms[1].cycles, static_cast<double>(kt) * plan.profile.decode.issue);
  }

  // A decode step follows nothing, so charging it again gives what it gave.
  void aStepIsReplayedAsItWasCharged_data() {
    QTest::addColumn<QString>("profile");
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("drafted");
    QTest::addColumn<int>("accepted");
    QTest::addRow("one row") << "cloud-2024-08" << 1 << 0 << 0;
    QTest::addRow("guesses that the wafer takes one by one") << "cloud-2024-08" << 5 << 4 << 2;
    QTest::addRow("guesses at once") << "cloud-2024-10" << 5 << 4 << 2;
    QTest::addRow("a prompt") << "cloud-2024-10" << 600 << 0 << 0;
  }
  void aStepIsReplayedAsItWasCharged() {
    QFETCH(QString, profile);
    QFETCH(int, rows);
    QFETCH(int, drafted);
    QFETCH(int, accepted);
    auto program = wafer::Program::shadow(planOf("llama-3.1-8b", profile));
    program.keepCharges();
    const StepContext context{.tokens = rows,
                              .context = 900,
                              .logits = 1 + drafted,
                              .drafted = drafted,
                              .accepted = accepted};
    const std::uint64_t cycles = program.charge(context);
    const auto kept = program.lastSteps();
    const auto replayed = std::as_const(program).replay(context);
    QCOMPARE(replayed.size(), kept.size());
    QCOMPARE(replayed.size(),
             profile == "cloud-2024-08" ? static_cast<std::size_t>(accepted + 1) : 1u);
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < kept.size(); ++i) {
      QCOMPARE(replayed[i].cycles, kept[i].cycles);
      QCOMPARE(replayed[i].gemm, kept[i].gemm);
      QCOMPARE(replayed[i].context.context, kept[i].context.context);
      QCOMPARE(replayed[i].context.accepted, kept[i].context.accepted);
      QCOMPARE(replayed[i].ops.size(), kept[i].ops.size());
      for (std::size_t op = 0; op < kept[i].ops.size(); ++op) {
        QCOMPARE(replayed[i].ops[op].start, kept[i].ops[op].start);
        QCOMPARE(replayed[i].ops[op].end, kept[i].ops[op].end);
        QCOMPARE(replayed[i].ops[op].compute, kept[i].ops[op].compute);
        QCOMPARE(replayed[i].ops[op].fabric, kept[i].ops[op].fabric);
      }
      sum += replayed[i].cycles;
    }
    QCOMPARE(sum, cycles);
  }
};

QTEST_GUILESS_MAIN(TestTerms)
#include "test_terms.moc"
