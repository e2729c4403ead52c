// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <algorithm>

#include "tests/wafer_view/demo.h"
#include "wafer_view/wave.h"
#include "wafer_view/wave_bar.h"

using namespace waferpair;
using namespace waferpair::view;

namespace {

// Four regions of one op each: the op runs 1,000 cycles in each.
protocol::WaferLayout fourRegions() {
  auto layout = demo::layoutOf({{0, 0, 9, 9}, {10, 0, 9, 9}, {20, 0, 9, 9}, {30, 0, 9, 9}});
  layout.clockHz = 1e9;
  return layout;
}

WaveReplay replay(double slowdown) {
  const auto layout = fourRegions();
  WaveReplay wave;
  wave.setLayout(layout);
  wave.setSlowdown(slowdown);
  wave.offer(demo::decodeStep(layout, 1000));
  return wave;
}

}  // namespace

class TestWave : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void runsThroughTheRegionsInOrder() {
    WaveReplay wave = replay(1e6);  // 4,000 cycles at 1 GHz, slowed to 4 s
    QCOMPARE(wave.totalCycles(), 4000u);
    std::vector<int> order;
    for (int i = 0; i < 400; ++i) {
      wave.advance(0.01);
      const auto& shares = wave.shares();
      const auto hottest = std::max_element(shares.begin(), shares.end());
      if (*hottest < 0.99f) continue;
      const int region = static_cast<int>(hottest - shares.begin());
      if (order.empty() || order.back() != region) order.push_back(region);
    }
    QCOMPARE(order, (std::vector<int>{0, 1, 2, 3}));
  }

  void positionIsScreenTimeTimesClockOverSlowdown() {
    WaveReplay wave = replay(1e6);
    wave.advance(1.5);
    QCOMPARE(wave.cycle(), 1500u);
    QCOMPARE(wave.currentOp(), 1);
  }

  void sharesAreOfTheWindow() {
    WaveReplay wave = replay(1e6);
    const double window = wave.windowCycles();
    wave.advance((1000 + window / 4) * 1e-3);
    QVERIFY(std::abs(wave.shares()[1] - 0.25) < 0.01);
    QVERIFY(std::abs(wave.shares()[0] - 0.75) < 0.01);
    QCOMPARE(wave.shares()[2], 0.0f);
  }

  void beginsAnewAtItsEnd() {
    WaveReplay wave = replay(1e6);
    for (int round = 0; round < 3; ++round) {
      wave.advance(3.5);
      QCOMPARE(wave.cycle(), 3500u);
      QCOMPARE(wave.currentOp(), 3);
      wave.advance(1.5);
      QVERIFY(wave.isPlaying());
      QCOMPARE(wave.cycle(), 0u);
    }
  }

  void stepsGoToTheEndOfEachOpAndAround() {
    WaveReplay wave = replay(1e6);
    for (const std::uint32_t cycle : {999u, 1999u, 2999u, 3999u, 999u}) {
      wave.stepOp(true);
      QCOMPARE(wave.cycle(), cycle);
      QCOMPARE(wave.currentOp(), static_cast<int>(cycle / 1000));
      QCOMPARE(wave.shares()[cycle / 1000], 1.0f);
    }
    for (const std::uint32_t cycle : {3999u, 2999u}) {
      wave.stepOp(false);
      QCOMPARE(wave.cycle(), cycle);
    }
    // Stepping from within an op goes to its end, and to the end of the one before.
    wave.setCycle(2500);
    wave.stepOp(true);
    QCOMPARE(wave.cycle(), 2999u);
    wave.setCycle(2500);
    wave.stepOp(false);
    QCOMPARE(wave.cycle(), 1999u);
    wave.setCycle(99'999);
    QCOMPARE(wave.cycle(), 4000u);
  }

  // The newest of ops that run at once is named; each is one step.
  void overlappingOpsAreSteppedThroughOneByOne() {
    WaveReplay wave;
    wave.setLayout(fourRegions());
    wave.offer(std::vector<protocol::OpSpan>{{0, 0, 1000}, {1, 400, 900}, {2, 400, 2000}});
    wave.stepOp(true);
    QCOMPARE(wave.cycle(), 399u);
    QCOMPARE(wave.currentOp(), 0);
    wave.stepOp(true);
    QCOMPARE(wave.cycle(), 1999u);
    QCOMPARE(wave.currentOp(), 2);
    wave.stepOp(true);
    QCOMPARE(wave.cycle(), 399u);
  }

  void withoutAStepThereIsNoStepping() {
    WaveReplay wave;
    wave.setLayout(fourRegions());
    wave.stepOp(true);
    wave.setCycle(5);
    wave.advance(1);
    QCOMPARE(wave.cycle(), 0u);
  }

  void finishesAStepBeforeTheNewestTakesItsPlace() {
    WaveReplay wave = replay(1e6);
    wave.advance(1.0);
    wave.offer(demo::decodeStep(fourRegions(), 500));
    wave.offer(demo::decodeStep(fourRegions(), 2000));
    QCOMPARE(wave.totalCycles(), 4000u);
    wave.advance(4.0);
    QCOMPARE(wave.totalCycles(), 8000u);  // the one in the middle was skipped
  }

  void choosesASlowdownByWhichAStepTakesSeconds() {
    for (const std::uint32_t cycles : {25u, 1000u, 18'500u, 100'000u, 5'000'000u}) {
      WaveReplay wave;
      wave.setLayout(fourRegions());
      wave.offer(demo::decodeStep(fourRegions(), cycles));
      const double seconds = wave.totalCycles() / 1e9 * wave.slowdown();
      QVERIFY2(seconds > 0.9 && seconds < 3.3, qPrintable(QString::number(seconds)));
    }
  }

  void brokenSpansAreDropped() {
    const auto layout = fourRegions();
    WaveReplay wave;
    wave.setLayout(layout);
    wave.offer(std::vector<protocol::OpSpan>{{65535, 0, 100}, {0, 50, 50}, {1, 90, 10}});
    QVERIFY(!wave.isPlaying());
    wave.offer(std::vector<protocol::OpSpan>{{2, 300, 400}, {65535, 0, 100}, {1, 0, 0xffffffffu}});
    QVERIFY(wave.isPlaying());
    QCOMPARE(wave.spans().size(), std::size_t{2});
    QCOMPARE(wave.totalCycles(), 0xffffffffu);
    wave.advance(1e9);
    QVERIFY(wave.isPlaying());
    QCOMPARE(wave.cycle(), 0u);
  }

  void withoutAClockThereIsNoWave() {
    auto layout = fourRegions();
    for (const double clock : {0.0, -1.0, std::numeric_limits<double>::infinity(),
                               std::numeric_limits<double>::quiet_NaN()}) {
      layout.clockHz = clock;
      WaveReplay wave;
      wave.setLayout(layout);
      wave.offer(demo::decodeStep(layout, 1000));
      QVERIFY(!wave.isPlaying());
    }
  }

  void opsOfNoRegionAreSkipped() {
    auto layout = fourRegions();
    layout.ops[0].region = 99;
    layout.ops[1].region = -1;
    WaveReplay wave;
    wave.setLayout(layout);
    wave.offer(demo::decodeStep(layout, 1000));
    QCOMPARE(wave.spans().size(), std::size_t{2});
    wave.advance(0.1);
  }

  void saysHowMuchItIsSlowedDown() {
    WaveReplay wave = replay(20'000);
    QCOMPARE(waveSummary(wave), QStringLiteral("1 token = 4,000 cycles, slowed 20,000×"));
    QCOMPARE(waveSummary(WaveReplay()), QString());
    wave.advance(0.03);
    QCOMPARE(wavePosition(wave, fourRegions()), QStringLiteral("cycle 1,500, op 1"));
  }

  void ofSeveralWafersItSaysOnWhichTheTokenIs() {
    auto layout = fourRegions();
    layout.wafers = 2;
    layout.regions[1].wafer = 1;
    WaveReplay wave = replay(20'000);
    wave.advance(0.03);
    QCOMPARE(wavePosition(wave, layout), QStringLiteral("cycle 1,500, op 1, on wafer 2"));
  }

  void restartPlaysTheLastStepAgain() {
    WaveReplay wave = replay(1e6);
    wave.advance(2.0);
    wave.stop();
    for (const float share : wave.shares()) QCOMPARE(share, 0.0f);
    QCOMPARE(wave.currentOp(), -1);
    wave.advance(1.0);  // stays stopped
    QVERIFY(!wave.isPlaying());
    wave.restart();
    QVERIFY(wave.isPlaying());
    QCOMPARE(wave.cycle(), 0u);
  }
};

QTEST_GUILESS_MAIN(TestWave)
#include "test_wave.moc"
