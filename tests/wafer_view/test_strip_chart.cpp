// SPDX-License-Identifier: GPL-3.0-or-later
#include <QMouseEvent>
#include <QtTest>
#include <cmath>
#include <limits>

#include "tests/support/rest.h"
#include "wafer_view/strip_chart.h"
#include "wafer_view/strip_history.h"
#include "wafer_view/theme.h"

using namespace waferpair::view;

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

std::vector<StripBand> twoBands() {
  return {{QStringLiteral("host"), QStringLiteral("tokens/s"), QStringLiteral("first token"),
           SeriesColor::kHost},
          {QStringLiteral("wafer (emulated)"), QStringLiteral("tokens/s"),
           QStringLiteral("first token"), SeriesColor::kWafer}};
}

// QTest::mouseMove() goes by the platform's cursor, which under offscreen tells nobody when it is
// there already.
void moveMouse(QWidget* widget, QPoint at, Qt::MouseButtons held = Qt::NoButton) {
  QMouseEvent event(QEvent::MouseMove, at, widget->mapToGlobal(at), Qt::NoButton, held,
                    Qt::NoModifier);
  QCoreApplication::sendEvent(widget, &event);
}

struct Shown {
  Shown() : chart(twoBands()) {
    chart.resize(400, 200);
    chart.show();
    [[maybe_unused]] const bool exposed = QTest::qWaitForWindowExposed(&chart);
  }
  // `seconds` of samples, sixty a second.
  void feed(double from, double seconds, double host, double wafer) {
    for (int i = 0; i < seconds * 60; ++i) chart.append(from + i / 60.0, {host, wafer});
  }
  StripChart chart;
};

// A line between two pixel rows has its pure color nowhere, but comes near it.
int pixelsOf(const QImage& image, QRgb color, const QRect& area) {
  const OkLab wanted = toOkLab(color);
  int count = 0;
  for (int y = area.top(); y <= area.bottom(); ++y)
    for (int x = area.left(); x <= area.right(); ++x) {
      const OkLab found = toOkLab(image.pixel(x, y));
      count += std::hypot(found.l - wanted.l, found.a - wanted.a, found.b - wanted.b) < 0.12;
    }
  return count;
}

}  // namespace

class TestStripChart : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void timeBecomesLength() {
    StripHistory history(1);
    history.append(10, {1});
    history.append(10.25, {1});
    QCOMPARE(history.headX(), 0.25 * StripHistory::kPixelsPerSecond);
    QVERIFY(!history.samples().back().afterPause);
  }

  void silenceTakesLittleRoom() {
    StripHistory history(1);
    history.append(0, {1});
    history.append(600, {1});
    QCOMPARE(history.headX(), StripHistory::kPausePixels);
    QVERIFY(history.samples().back().afterPause);
    history.append(5, {1});  // a server that started again counts from zero
    QCOMPARE(history.headX(), 2 * StripHistory::kPausePixels);
  }

  void historyIsBounded() {
    StripHistory history(1);
    for (std::size_t i = 0; i < StripHistory::kCapacity + 500; ++i)
      history.append(double(i) / 60, {double(i)});
    QCOMPARE(history.samples().size(), StripHistory::kCapacity);
    QCOMPARE(history.samples().front().values[0], 500.0);
  }

  void maximumIsOfWhatIsSeen() {
    StripHistory history(2);
    history.append(0, {900, 1});
    history.append(0.4, {100, 2});
    history.append(0.8, {kNone, 3});
    QCOMPARE(history.maximum(0, 0), 900.0);
    QCOMPARE(history.maximum(0, 1), 100.0);
    QCOMPARE(history.maximum(1, 0), 3.0);
    QCOMPARE(history.latest(0), 100.0);
    QVERIFY(std::isnan(StripHistory(1).latest(0)));
  }

  void nearestFindsTheSample() {
    StripHistory history(1);
    QCOMPARE(history.nearest(3), -1);
    for (int i = 0; i < 10; ++i) history.append(i * 0.1, {1});
    QCOMPARE(history.nearest(-100), 0);
    QCOMPARE(history.nearest(1e9), 9);
    QCOMPARE(history.nearest(4 * 3.1), 3);
  }

  void scalesAreRoundNumbers() {
    QCOMPARE(StripHistory::niceCeiling(0), 1.0);
    QCOMPARE(StripHistory::niceCeiling(kNone), 1.0);
    QCOMPARE(StripHistory::niceCeiling(1), 1.0);
    QCOMPARE(StripHistory::niceCeiling(1034), 2000.0);
    QCOMPARE(StripHistory::niceCeiling(4999), 5000.0);
    QCOMPARE(StripHistory::niceCeiling(14865), 20000.0);
    QCOMPARE(StripHistory::niceCeiling(0.07), 0.1);
  }

  void eachBandHasAScaleOfItsOwn() {
    Shown shown;
    shown.feed(0, 1, 1034, 14865);
    QTRY_COMPARE(shown.chart.scaleMaximum(0), 2000.0);
    QCOMPARE(shown.chart.scaleMaximum(1), 20000.0);
    QCOMPARE(shown.chart.sampleCount(), 60);
  }

  void scalesGrowAtOnceAndShrinkLate() {
    Shown shown;
    shown.feed(0, 1, 900, 1);
    QTRY_COMPARE(shown.chart.scaleMaximum(0), 1000.0);
    shown.feed(1, 0.5, 1100, 1);
    QTRY_COMPARE(shown.chart.scaleMaximum(0), 2000.0);
    shown.feed(1.5, 30, 900, 1);
    waferpair::test::rest();
    QCOMPARE(shown.chart.scaleMaximum(0), 2000.0);  // 900 still uses a good part of it
    shown.feed(31.5, 30, 300, 1);
    QTRY_COMPARE(shown.chart.scaleMaximum(0), 500.0);
  }

  void linesAreDrawnInTheColorsOfTheirOrigin() {
    Shown shown;
    shown.feed(0, 6, 1000, 10000);
    waferpair::test::rest();
    const WaferColors theme = waferColors(shown.chart.palette());
    const QImage image = shown.chart.grab().toImage();
    const QRect upper(12, 20, 340, 76), lower(12, 122, 340, 76);
    QVERIFY(pixelsOf(image, theme.hostSeries, upper) > 50);
    QVERIFY(pixelsOf(image, theme.waferSeries, lower) > 50);
    QCOMPARE(pixelsOf(image, theme.waferSeries, upper), 0);
    QCOMPARE(pixelsOf(image, theme.hostSeries, lower), 0);
  }

  // Scrolled sample by sample, or drawn at once from the history: the same line.
  void scrollingGivesWhatAFreshDrawingShows() {
    Shown shown;
    shown.feed(0, 0.5, 1000, 10000);
    waferpair::test::rest();
    for (int i = 0; i < 300; ++i) {
      shown.chart.append(0.5 + i / 60.0, {1000 + 300 * std::sin(i * 0.1), 10000});
      if (i % 50 == 49) waferpair::test::dealWithEvents();
    }
    waferpair::test::rest();
    const QImage scrolled = shown.chart.grab().toImage();
    shown.chart.setPaused(true);
    shown.chart.setPaused(false);  // draws anew
    const QImage anew = shown.chart.grab().toImage();
    int different = 0;
    for (int y = 0; y < anew.height(); ++y)
      for (int x = 0; x < anew.width(); ++x)
        different += std::abs(qGreen(anew.pixel(x, y)) - qGreen(scrolled.pixel(x, y))) > 40;
    QVERIFY2(different < 100, qPrintable(QString::number(different)));
  }

  void missingValuesLeaveAGap() {
    Shown shown;
    shown.feed(0, 2, 1000, 10000);
    QTRY_COMPARE(shown.chart.scaleMaximum(0), 1000.0);
    shown.feed(2, 9, kNone, 10000);
    waferpair::test::rest();
    const WaferColors theme = waferColors(shown.chart.palette());
    QCOMPARE(pixelsOf(shown.chart.grab().toImage(), theme.hostSeries, QRect(12, 40, 330, 50)), 0);
  }

  void marksAreDrawn() {
    Shown shown;
    shown.feed(0, 4, 1000, 10000);
    waferpair::test::rest();
    const QImage before = shown.chart.grab().toImage();
    shown.chart.addMark(0, QStringLiteral("41 ms"));
    shown.chart.addMark(7, QStringLiteral("no such band"));
    QVERIFY(shown.chart.grab().toImage() != before);
  }

  void pointingReadsOutTheSample() {
    Shown shown;
    shown.feed(0, 6, 1034, 14865);
    waferpair::test::rest();
    moveMouse(&shown.chart, QPoint(200, 60));
    const QString text = shown.chart.readoutText();
    QVERIFY2(text.contains(QLatin1String("host 1,034 tokens/s")), qPrintable(text));
    QVERIFY(text.contains(QLatin1String("wafer (emulated) 14,865 tokens/s")));
    QVERIFY(text.contains(QLatin1String("s before the newest")));
    moveMouse(&shown.chart, QPoint(399, 60));
    QCOMPARE(shown.chart.readoutText(), QString());
  }

  void idleHiddenAndPausedChartsDoNoWork() {
    Shown shown;
    shown.feed(0, 1, 1000, 10000);
    QTRY_VERIFY(!shown.chart.hasActiveTimer());
    waferpair::test::rest();
    int paints = shown.chart.paintCount();
    waferpair::test::rest();
    QCOMPARE(shown.chart.paintCount(), paints);
    shown.chart.setPaused(true);
    waferpair::test::rest();
    paints = shown.chart.paintCount();
    shown.feed(1, 1, 2000, 10000);
    waferpair::test::rest();
    QCOMPARE(shown.chart.paintCount(), paints);
    QCOMPARE(shown.chart.scaleMaximum(0), 1000.0);
    QCOMPARE(shown.chart.sampleCount(), 120);
    shown.chart.setPaused(false);
    QTRY_COMPARE(shown.chart.scaleMaximum(0), 2000.0);
    shown.chart.hide();
    paints = shown.chart.paintCount();
    shown.feed(2, 1, 4000, 10000);
    waferpair::test::rest();
    QCOMPARE(shown.chart.paintCount(), paints);
    QVERIFY(!shown.chart.hasActiveTimer());
  }

  void clearForgetsEverything() {
    Shown shown;
    shown.feed(0, 1, 1000, 10000);
    moveMouse(&shown.chart, QPoint(200, 60));
    shown.chart.clear();
    QCOMPARE(shown.chart.sampleCount(), 0);
    QCOMPARE(shown.chart.readoutText(), QString());
    QVERIFY(!shown.chart.grab().isNull());
  }
};

QTEST_MAIN(TestStripChart)
#include "test_strip_chart.moc"
