// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <limits>

#include "wafer_view/metric.h"

using namespace waferpair::view;

namespace {
constexpr std::uint32_t kSram = 49152;

std::vector<Metric> allMetrics() {
  std::vector<Metric> metrics;
  for (int i = 0; i < kMetrics; ++i) metrics.push_back(static_cast<Metric>(i));
  return metrics;
}
}  // namespace

class TestMetric : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void zeroAndNonsenseAreTheZeroLevel() {
    for (const Metric metric : allMetrics()) {
      const Scale scale = metricScale(metric, kSram);
      for (const double value : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()})
        QCOMPARE(scale.level(value), kZeroLevel);
    }
  }

  void anyActivityIsToldFromNone() {
    for (const Metric metric : allMetrics())
      QVERIFY(metricScale(metric, kSram).level(1e-9) > kZeroLevel);
  }

  void levelsRiseWithTheValueAndEndAtTheTop() {
    for (const Metric metric : allMetrics()) {
      const Scale scale = metricScale(metric, kSram);
      Level last = kZeroLevel;
      for (double share = 1e-6; share < 2; share *= 1.07) {
        const Level level = scale.level(share * scale.high);
        QVERIFY(level >= last);
        last = level;
      }
      QCOMPARE(scale.level(scale.high), Level{255});
      QCOMPARE(scale.level(std::numeric_limits<double>::infinity()), Level{255});
    }
  }

  void ticksLieOnTheScaleInOrder() {
    for (const Metric metric : allMetrics()) {
      const Scale scale = metricScale(metric, kSram);
      double last = -1;
      for (const double tick : metricTicks(metric, kSram)) {
        QVERIFY(tick >= scale.low && tick <= scale.high);
        QVERIFY(scale.position(tick) > last);
        last = scale.position(tick);
        QVERIFY(!tickText(metric, tick).isEmpty());
      }
      QCOMPARE(last, 1.0);
    }
  }

  void figuresAreWrittenWithTheirUnits() {
    QCOMPARE(valueText(Metric::kUtilization, 0.0083), QStringLiteral("0.830 %"));
    QCOMPARE(valueText(Metric::kTraffic, 0.02134), QStringLiteral("0.0213 wavelets/cycle"));
    QCOMPARE(valueText(Metric::kSramWeights, 12288), QStringLiteral("12,288 B"));
    QCOMPARE(tickText(Metric::kSramUsed, 12288), QStringLiteral("12 KiB"));
    QCOMPARE(tickText(Metric::kUtilization, 0.001), QStringLiteral("0.1 %"));
    QCOMPARE(countText(74'000), QStringLiteral("74,000"));
    QCOMPARE(clockText(1.1e9), QStringLiteral("1.10 GHz"));
    QCOMPARE(rateText(14'865.4), QStringLiteral("14,865"));
    QCOMPARE(axisText(0.5), QStringLiteral("0.5"));
    QCOMPARE(axisText(20'000), QStringLiteral("20,000"));
    QCOMPARE(largeBytesText(43'900'000'000), QStringLiteral("43.9 GB"));
  }

  void timesChooseTheirUnit() {
    QCOMPARE(secondsText(67.27e-6), QStringLiteral("67.3 µs"));
    QCOMPARE(secondsText(0.041), QStringLiteral("41.0 ms"));
    QCOMPARE(secondsText(3.2), QStringLiteral("3.20 s"));
  }
};

QTEST_GUILESS_MAIN(TestMetric)
#include "test_metric.moc"
