// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <algorithm>
#include <limits>
#include <random>

#include "tests/wafer_view/demo.h"
#include "wafer_view/model_card.h"
#include "wafer_view/planes.h"

using namespace waferpair;
using namespace waferpair::view;

namespace {

std::size_t coresAt(const Planes& planes, Level level) {
  std::size_t count = 0;
  for (int y = 0; y < planes.height(); ++y)
    count += std::count(planes.row(y), planes.row(y) + planes.width(), level);
  return count;
}

}  // namespace

class TestPlanes : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void everyCoreOfARegionShowsItsValue() {
    const auto layout = demo::layoutOf({{10, 20, 30, 40}});
    Planes planes;
    QVERIFY(planes.setLayout(layout));
    QVERIFY(planes.setFrame(demo::evenFrame(layout, 500)));
    const Level level = metricScale(Metric::kUtilization, layout.sramPerPe).level(0.5);
    QCOMPARE(coresAt(planes, level), std::size_t{30 * 40});
    QCOMPARE(coresAt(planes, kUnusedLevel), std::size_t{762 * 1172 - 30 * 40});
    QCOMPARE(planes.row(20)[10], level);
    QCOMPARE(planes.row(59)[39], level);
    QCOMPARE(planes.row(60)[39], kUnusedLevel);
    QCOMPARE(planes.row(59)[40], kUnusedLevel);
  }

  void regionsWithoutActivityAreNotUnused() {
    const auto layout = demo::layoutOf({{0, 0, 5, 5}});
    Planes planes;
    planes.setLayout(layout);
    QCOMPARE(coresAt(planes, kZeroLevel), std::size_t{25});
    planes.setFrame(demo::evenFrame(layout, 0));
    QCOMPARE(coresAt(planes, kZeroLevel), std::size_t{25});
  }

  void onlyRegionsThatChangedAreRewritten() {
    const auto layout = demo::layoutOf({{0, 0, 10, 10}, {100, 200, 7, 9}});
    Planes planes;
    planes.setLayout(layout);
    auto frame = demo::evenFrame(layout, 100);
    planes.setFrame(frame);
    QVERIFY(!planes.takeDirty().isEmpty());
    planes.setFrame(frame);
    QVERIFY(planes.takeDirty().isEmpty());
    frame.regions[1].computeCycles = 400;
    planes.setFrame(frame);
    QCOMPARE(planes.takeDirty(), QRect(100, 200, 7, 9));
  }

  void framesOfAnotherLayoutAreRefused() {
    const auto layout = demo::layoutOf({{0, 0, 10, 10}});
    Planes planes;
    planes.setLayout(layout);
    planes.setFrame(demo::evenFrame(layout, 300));
    auto frame = demo::evenFrame(layout, 900);
    frame.regions.push_back({});
    QVERIFY(!planes.setFrame(frame));
    QCOMPARE(planes.value(0, Metric::kUtilization), 0.3);
    QVERIFY(!Planes().setFrame(protocol::TelemetryFrame{}));
  }

  void figuresAreExact() {
    const auto layout = demo::layoutOf({{0, 0, 10, 10}});
    Planes planes;
    planes.setLayout(layout);
    protocol::TelemetryFrame frame;
    frame.intervalCycles = 8'000'000'000;
    frame.regions = {{4'000'000'000u, 1'000'000'000u, 200'000'000u}};
    planes.setFrame(frame);
    QCOMPARE(planes.value(0, Metric::kActivity), 0.5);
    QCOMPARE(planes.value(0, Metric::kUtilization), 0.125);
    QCOMPARE(planes.value(0, Metric::kTraffic), 0.025);
    QCOMPARE(planes.value(0, Metric::kSramWeights), 8192.0);
    QCOMPARE(planes.value(0, Metric::kSramUsed), 1024.0 + 8192 + 512 + 256);
    frame.intervalCycles = 0;
    planes.setFrame(frame);
    QCOMPARE(planes.value(0, Metric::kActivity), 0.0);
  }

  void brokenRectanglesAreClippedToTheFabric() {
    constexpr int kMost = std::numeric_limits<int>::max(), kLeast = std::numeric_limits<int>::min();
    const auto layout = demo::layoutOf({{-5, -5, 10, 10},
                                        {760, 1170, 100, 100},
                                        {kMost, kMost, kMost, kMost},
                                        {kLeast, kLeast, kMost, kMost},
                                        {3, 3, -4, 8},
                                        {20, 20, kMost, 1}});
    Planes planes;
    QVERIFY(planes.setLayout(layout));
    planes.setFrame(demo::evenFrame(layout, 1000));
    QCOMPARE(coresAt(planes, Level{255}), std::size_t{25 + 4 + 742});
    for (const auto& region : planes.layout().regions) {
      QVERIFY(region.rect.x >= 0 && region.rect.x + region.rect.width <= 762);
      QVERIFY(region.rect.y >= 0 && region.rect.y + region.rect.height <= 1172);
    }
  }

  void layoutsWithoutAFabricAreRefused() {
    for (const auto& [width, height] :
         {std::pair{0, 10}, {10, 0}, {-1, 5}, {Planes::kMaxFabricSide + 1, 5}, {5, 1 << 30}}) {
      auto layout = demo::layoutOf({});
      layout.fabricWidth = width;
      layout.fabricHeight = height;
      Planes planes;
      QVERIFY(!planes.setLayout(layout));
      QVERIFY(planes.isEmpty());
      QCOMPARE(planes.regionAt(0, 0), -1);
    }
  }

  void regionAtAgreesWithThePlane() {
    const auto layout = demo::layout();
    Planes planes;
    planes.setLayout(layout);
    planes.setFrame(demo::frame(layout, 3));
    std::mt19937 random(7);
    for (int i = 0; i < 3000; ++i) {
      const int x = static_cast<int>(random() % 762), y = static_cast<int>(random() % 1172);
      const int region = planes.regionAt(x, y);
      QCOMPARE(planes.row(y)[x], region < 0 ? kUnusedLevel : planes.regionLevel(region));
    }
    QCOMPARE(planes.regionAt(-1, 0), -1);
    QCOMPARE(planes.regionAt(762, 0), -1);
  }

  void diesTileTheFabric() {
    Planes planes;
    planes.setLayout(demo::layoutOf({}));
    std::size_t cores = 0;
    for (int row = 0; row < 7; ++row)
      for (int column = 0; column < 12; ++column) {
        const QRect die = planes.dieRect(column, row);
        QVERIFY(die.width() == 63 || die.width() == 64);
        QVERIFY(die.height() == 167 || die.height() == 168);
        QCOMPARE(planes.dieAt(die.left(), die.top()), QPoint(column, row));
        QCOMPARE(planes.dieAt(die.right(), die.bottom()), QPoint(column, row));
        cores += std::size_t(die.width()) * die.height();
      }
    QCOMPARE(cores, std::size_t{893'064});
  }

  void absurdDieCountsDoNoHarm() {
    for (const int dies : {0, -3, 1 << 30}) {
      auto layout = demo::layoutOf({{0, 0, 5, 5}});
      layout.dieColumns = layout.dieRows = dies;
      Planes planes;
      QVERIFY(planes.setLayout(layout));
      for (const int x : {0, 400, 761}) {
        const QPoint die = planes.dieAt(x, x);
        QVERIFY(planes.dieRect(die.x(), die.y()).contains(x, x));
      }
    }
  }

  void sharesTakeTheMetricsPlaceUntilTheyEnd() {
    const auto layout = demo::layoutOf({{0, 0, 10, 10}, {20, 0, 10, 10}});
    Planes planes;
    planes.setLayout(layout);
    planes.setFrame(demo::evenFrame(layout, 500));
    const Level before = planes.regionLevel(0);
    planes.setShares(std::vector<float>{1.0f, 0.0f});
    QCOMPARE(planes.regionLevel(0), Level{255});
    QCOMPARE(planes.regionLevel(1), kZeroLevel);
    planes.setShares(std::vector<float>{0.5f});  // of another layout: ignored
    QCOMPARE(planes.regionLevel(0), Level{255});
    planes.endShares();
    QCOMPARE(planes.regionLevel(0), before);
  }

  void metricsAreShownFromTheSameFrame() {
    const auto layout = demo::layoutOf({{0, 0, 10, 10}});
    Planes planes;
    planes.setMetric(Metric::kSramUsed);
    planes.setLayout(layout);
    QCOMPARE(planes.metric(), Metric::kSramUsed);
    QCOMPARE(planes.regionLevel(0), metricScale(Metric::kSramUsed, 49152).level(9984));
    planes.setMetric(Metric::kSramWeights);
    QCOMPARE(planes.regionLevel(0), metricScale(Metric::kSramWeights, 49152).level(8192));
  }

  void occupancyAccountsForEveryByte() {
    const Occupancy sum = occupancyOf(demo::layout());
    QCOMPARE(sum.pes, std::int64_t{893'064});
    QCOMPARE(sum.bytes, std::int64_t{893'064} * 49'152);
    QCOMPARE(sum.pesUsed, std::int64_t{300 * 190 + 340 * 190 + 16 * 184 * 196});
    std::int64_t total = 0;
    for (const std::int64_t bytes : sum.byKind) total += bytes;
    QCOMPARE(total, sum.bytes);
  }

  void ofSeveralWafersOneIsExpandedAndAllAreCounted() {
    auto layout = demo::layoutOf({{10, 20, 30, 40}, {10, 20, 5, 5}, {100, 0, 7, 3}});
    layout.wafers = 3;
    layout.regions[1].wafer = layout.regions[2].wafer = 2;
    Planes planes;
    QVERIFY(planes.setLayout(layout));
    planes.setFrame(demo::evenFrame(layout, 500));
    const Level level = metricScale(Metric::kUtilization, layout.sramPerPe).level(0.5);
    QCOMPARE(planes.wafer(), 0);
    QCOMPARE(coresAt(planes, level), std::size_t{30 * 40});
    QCOMPARE(planes.regionAt(12, 22), 0);
    planes.takeDirty();
    planes.setWafer(2);
    QCOMPARE(planes.takeDirty(), QRect(0, 0, 762, 1172));
    QCOMPARE(coresAt(planes, level), std::size_t{5 * 5 + 7 * 3});
    QCOMPARE(planes.regionAt(12, 22), 1);
    QVERIFY(planes.rect(0).isEmpty());
    QCOMPARE(planes.rect(2), QRect(100, 0, 7, 3));
    // Activity on other wafers is known, and drawn when they are shown.
    planes.setFrame(demo::evenFrame(layout, 100));
    planes.setWafer(1);
    QCOMPARE(coresAt(planes, kUnusedLevel), std::size_t{762 * 1172});
    planes.setWafer(-5);
    QCOMPARE(planes.wafer(), 0);
    const Level now = metricScale(Metric::kUtilization, layout.sramPerPe).level(0.1);
    QCOMPARE(coresAt(planes, now), std::size_t{30 * 40});
    planes.setWafer(99);
    QCOMPARE(planes.wafer(), 2);
    planes.setLayout(demo::layoutOf({{0, 0, 1, 1}}));
    QCOMPARE(planes.wafer(), 0);

    const Occupancy sum = occupancyOf(layout);
    QCOMPARE(sum.pes, std::int64_t{3} * 893'064);
    QCOMPARE(sum.pesUsed, std::int64_t{30 * 40 + 5 * 5 + 7 * 3});
  }
};

QTEST_GUILESS_MAIN(TestPlanes)
#include "test_planes.moc"
