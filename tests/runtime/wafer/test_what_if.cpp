// SPDX-License-Identifier: GPL-3.0-or-later
// Machines that nobody has built: each change does what it says, and is written down.
#include <QtTest>
#include <cmath>

#include "runtime/wafer/estimate/estimate.h"
#include "runtime/wafer/estimate/what_if.h"
#include "tests/runtime/wafer/wafer_fixtures.h"

using namespace waferpair;
using wafer::Precision;
using wafer::WhatIf;

namespace {

struct World {
  wafer::Machine machine = test::machine("wse3");
  wafer::Profile profile = test::profile("waferllm-2025-wse3");
  wafer::ModelShape shape = test::llama8b();

  explicit World(const WhatIf& changes = {}) {
    const auto ok = wafer::imagine(changes, machine, profile, shape);
    if (!ok) qFatal("%s", ok.error().message().c_str());
  }
  double cycles() const {
    return wafer::decodeLayerCycles(shape, machine, profile, {420, 420}, 4096);
  }
};

std::string refusal(const WhatIf& changes) {
  World world;
  const auto ok = wafer::imagine(changes, world.machine, world.profile, world.shape);
  return ok ? "" : ok.error().message();
}

}  // namespace

class TestWhatIf : public QObject {
  Q_OBJECT

 private slots:
  void withoutChangesNothingIsHypothetical() {
    QVERIFY(World().machine.changes.empty());
    const WhatIf same{.lanes = 8,
                      .sramBytes = 49152,
                      .hopCycles = 1,
                      .fabric = wafer::Grid{762, 1172},
                      .clockGhz = 0.875,
                      .precision = Precision::kFp16};
    QVERIFY(World(same).machine.changes.empty());
    QCOMPARE(World(same).cycles(), World().cycles());
  }

  void everyChangeIsWrittenDownWithWhatItWas() {
    const World world({.lanes = 16,
                       .sramBytes = 98304,
                       .hopCycles = 2,
                       .fabric = wafer::Grid{1000, 1500},
                       .clockGhz = 1.4,
                       .precision = Precision::kFp8});
    const std::vector<std::string> want = {
        "lanes 16 (8)",          "bytes of SRAM a PE 98304 (49152)",
        "cycles a hop 2 (1)",    "fabric 1000x1500 (762x1172)",
        "GHz 1.4 (0.75 to 1.1)", "multiply-adds in FP8 (FP16)"};
    QVERIFY(world.machine.changes == want);
    QCOMPARE(world.machine.peCount(), 1500000);
    QCOMPARE(world.machine.sramBytes, 98304);
  }

  void lanesWidenTheKernels() {
    const World wide({.lanes = 32}), narrow({.lanes = 1});
    QCOMPARE(wide.profile.decode.lanes, 32);
    QCOMPARE(wide.profile.prefill.lanes, 16);
    QCOMPARE(narrow.profile.decode.lanes, 1);
    QCOMPARE(narrow.profile.prefill.lanes, 1);
    QVERIFY(wide.cycles() < World().cycles());
    QVERIFY(narrow.cycles() > World().cycles());
  }

  // The hop of an all-reduce: ten along 420 PEs in a layer.
  void hopsTakeLonger() {
    QCOMPARE(World({.hopCycles = 3}).cycles() - World().cycles(), 10.0 * 420 * 2);
  }

  void moreSramHoldsMore() {
    const auto large = test::required(wafer::findShape("llama-3.1-70b"));
    const auto wafersOf = [&](const World& w) {
      return test::required(wafer::place(large, w.machine, w.profile, {.context = 4096})).wafers;
    };
    QVERIFY(wafersOf(World({.sramBytes = 4 * 49152})) < wafersOf(World()));
    QVERIFY(wafersOf(World({.fabric = wafer::Grid{1620, 2000}})) < wafersOf(World()));
  }

  void fewerBitsTakeLessRoomAndHaveMoreLanes() {
    const World eight({.precision = Precision::kInt8}), four({.precision = Precision::kInt4});
    QCOMPARE(eight.profile.decode.lanes, 16);
    QCOMPARE(four.profile.decode.lanes, 32);
    QCOMPARE(eight.shape.formats.gate, tensor::Format::kQ8_0);
    QCOMPARE(four.shape.formats.head, tensor::Format::kQ4_0);
    QCOMPARE(eight.shape.parts.kvBlockBytes, 34);
    QVERIFY(four.cycles() < eight.cycles() && eight.cycles() < World().cycles());
  }

  void precisionsAreParsed() {
    QCOMPARE(test::required(wafer::parsePrecision("fp16")), Precision::kFp16);
    QCOMPARE(test::required(wafer::parsePrecision("FP8")), Precision::kFp8);
    QCOMPARE(test::required(wafer::parsePrecision("Int8")), Precision::kInt8);
    QCOMPARE(test::required(wafer::parsePrecision("int4")), Precision::kInt4);
    for (const char* wrong : {"", "int", "fp4", "int16 "}) QVERIFY(!wafer::parsePrecision(wrong));
  }

  void whatIsOutOfRangeIsNamedWithTheReason() {
    const std::pair<const char*, WhatIf> wrong[] = {
        {"--lanes is 0", {.lanes = 0}},
        {"--lanes is 1025", {.lanes = 1025}},
        {"--sram is 1023", {.sramBytes = 1023}},
        {"--sram is 3660 bytes, out of range: code", {.sramBytes = 3660}},
        {"--hop is 0", {.hopCycles = 0}},
        {"--fabric's width is 20000", {.fabric = wafer::Grid{20000, 4}}},
        {"--fabric's height is 0", {.fabric = wafer::Grid{4, 0}}},
        {"--clock is 0", {.clockGhz = 0}},
        {"--clock is nan", {.clockGhz = NAN}},
    };
    for (const auto& [said, changes] : wrong) {
      const std::string message = refusal(changes);
      QVERIFY2(message.rfind(said, 0) == 0, message.c_str());
      QVERIFY(message.find("out of range") != std::string::npos);
    }
  }
};

QTEST_GUILESS_MAIN(TestWhatIf)
#include "test_what_if.moc"
