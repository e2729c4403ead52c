// SPDX-License-Identifier: GPL-3.0-or-later
// Cut-outs of regions: what they compute, how long they take, and their state at a cycle.
#include <QtTest>
#include <numeric>

#include "runtime/mesh/collectives.h"
#include "runtime/mesh/cutout.h"
#include "runtime/wafer/plan/plan.h"

using namespace waferpair;
using namespace waferpair::mesh;
using wafer::Axis;
using wafer::CostPart;

namespace {

template <typename T>
T required(base::Result<T> result) {
  if (!result) qFatal("%s", result.error().message().c_str());
  return std::move(*result);
}

const wafer::Plan& plan8b() {
  static const wafer::Plan plan = required(
      wafer::plan(required(wafer::findShape("llama-3.1-8b")), required(wafer::findMachine("wse3")),
                  required(wafer::findProfile("cloud-2024-08")), {.context = 8192}));
  return plan;
}

CutoutWish wishFor(const char* op, int size, std::int64_t positions = 1000) {
  const wafer::Plan& plan = plan8b();
  const wafer::Op& of = plan.ops[static_cast<std::size_t>(plan.findOp(op))];
  return {of.parts, plan.gridOf(of), positions, size};
}
Cutout cutout(const char* op, int size) {
  return required(cutoutOf(plan8b().machine, plan8b().profile, wishFor(op, size)));
}

// As load() fills spans.
int filled(int pe, int i) { return (pe + i) % 3; }

}  // namespace

class TestCutout : public QObject {
  Q_OBJECT
 private slots:
  // All are small whole numbers, so sums are exact in whatever order.
  void aProductIsSummedOverItsLines() {
    const CutoutWish wish{{{.kind = CostPart::Kind::kGemv, .gemv = {40, 24, Axis::kY}},
                           {.kind = CostPart::Kind::kAllReduce, .elements = 3, .axis = Axis::kY}},
                          {8, 8},
                          1,
                          4};
    const Cutout cut = required(cutoutOf(plan8b().machine, plan8b().profile, wish));
    Mesh mesh = required(load(cut));
    QCOMPARE(mesh.config().width, 4);
    required(mesh.run());
    // Tiles of 5 x 3, as in the region of 8 x 8.
    for (int x = 0; x < 4; ++x) {
      std::vector<float> sums(3);
      for (int y = 0; y < 4; ++y) {
        const int pe = mesh.config().peAt(x, y);
        for (int n = 0; n < 3; ++n)
          for (int k = 0; k < 5; ++k) sums[n] += filled(pe, k) * filled(pe, n);
      }
      for (int y = 0; y < 4; ++y)
        QCOMPARE(required(mesh.readHalves(x, y, cut.words.address, 3)), sums);
    }
  }

  // Each op of a plan can be run, and the closed form of a region of that size is not far.
  void everyOpOfALayerRuns_data() {
    QTest::addColumn<QString>("op");
    for (const char* op :
         {"token_embd", "blk.0.attn_norm", "blk.0.attn_q", "blk.0.attn_v", "blk.0.attn_score",
          "blk.0.attn_softmax", "blk.0.attn_mix", "blk.0.attn_output", "blk.0.ffn_gate",
          "blk.0.ffn_up", "blk.0.ffn_down", "output_norm", "output", "sample"})
      QTest::newRow(op) << QString(op);
  }
  void everyOpOfALayerRuns() {
    QFETCH(QString, op);
    const Cutout cut = cutout(op.toStdString().c_str(), 16);
    Mesh mesh = required(load(cut));
    const Report report = required(mesh.run(1u << 20));
    const double times = static_cast<double>(report.cycles) / cut.closedForm;
    qInfo("%s: %llu cycles, closed form %.0f, times %.2f", qPrintable(op),
          static_cast<unsigned long long>(report.cycles), cut.closedForm, times);
    QVERIFY(times > 0.5 && times < 2);
  }

  void aRegionThatIsSmallerIsTakenWhole() {
    CutoutWish wish = wishFor("blk.0.attn_q", 64);
    wish.region = {6, 5};
    wish.parts = {{.kind = CostPart::Kind::kElementwise, .elements = 10}};
    const Cutout cut = required(cutoutOf(plan8b().machine, plan8b().profile, wish));
    QCOMPARE(cut.program.config.width, 6);
    QCOMPARE(cut.program.config.height, 5);
  }

  void whatDoesNotFitIsRefused() {
    CutoutWish wish{
        {{.kind = CostPart::Kind::kGemv, .gemv = {4000, 4000, Axis::kY}}}, {8, 8}, 1, 8};
    const auto cut = cutoutOf(plan8b().machine, plan8b().profile, wish);
    QVERIFY(!cut);
    QVERIFY2(cut.error().message().find("bytes of a PE's 49152") != std::string::npos,
             cut.error().message().c_str());
    wish.parts.clear();
    QVERIFY(!cutoutOf(plan8b().machine, plan8b().profile, wish));
  }

  // What a queue holds at a cycle is what had come to it and not left: counted from the events.
  void theStateAtACycleFollowsFromTheEvents() {
    const Cutout cut = cutout("blk.0.attn_output", 8);
    Recorder recorder;
    Mesh whole = required(load(cut));
    const Report report = required(whole.run(1u << 20, &recorder));
    const auto events = recorder.events();
    for (const std::uint32_t cycle : {0u, static_cast<std::uint32_t>(report.cycles / 2),
                                      static_cast<std::uint32_t>(report.cycles)}) {
      Mesh part = required(load(cut));
      (void)part.run(cycle);
      std::int64_t sent = 0, hops = 0;
      for (const Event& event : events)
        hops += event.isHop && event.port != Port::Ramp && event.cycle < cycle;
      for (int y = 0; y < 8; ++y) {
        for (int x = 0; x < 8; ++x) {
          for (const Port port : {Port::North, Port::East, Port::South, Port::West})
            sent += part.sent(x, y, port);
          for (const Waiting& queue : part.waitingAt(x, y)) {
            QVERIFY(queue.count > 0 && queue.count <= queue.room);
          }
          for (const SwitchState& one : part.switchesAt(x, y))
            QVERIFY(one.position >= 0 && one.position < one.positions);
          const CoreCounters now = part.countersAt(x, y, cycle);
          QVERIFY(now.waitWavelet + now.outputFull <= cycle);
        }
      }
      QCOMPARE(sent, hops);
    }
    QCOMPARE(whole.waitingAt(3, 3).size(), 0u);  // nothing is left at the end
  }
};

QTEST_GUILESS_MAIN(TestCutout)
#include "test_cutout.moc"
