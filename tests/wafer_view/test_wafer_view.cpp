// SPDX-License-Identifier: GPL-3.0-or-later
#include <QMouseEvent>
#include <QSignalSpy>
#include <QWheelEvent>
#include <QtTest>
#include <cmath>

#include "tests/support/rest.h"
#include "tests/wafer_view/demo.h"
#include "wafer_view/defect_map.h"
#include "wafer_view/header.h"
#include "wafer_view/wafer_strip.h"
#include "wafer_view/wafer_view.h"

using namespace waferpair;
using namespace waferpair::view;

namespace {

constexpr int kIdleWaitMs = 5000;  // far longer than the view waits before it calls itself idle

void wheel(QWidget* widget, QPoint at, int delta) {
  QWheelEvent event(at, widget->mapToGlobal(at), QPoint(), QPoint(0, delta), Qt::NoButton,
                    Qt::NoModifier, Qt::NoScrollPhase, false);
  QCoreApplication::sendEvent(widget, &event);
}

// QTest::mouseMove() goes by the platform's cursor, which under offscreen tells nobody when it is
// there already.
void moveMouse(QWidget* widget, QPoint at, Qt::MouseButtons held = Qt::NoButton) {
  QMouseEvent event(QEvent::MouseMove, at, widget->mapToGlobal(at), Qt::NoButton, held,
                    Qt::NoModifier);
  QCoreApplication::sendEvent(widget, &event);
}

struct Shown {
  explicit Shown(QSize size = {600, 700}) {
    view.resize(size);
    view.show();
    [[maybe_unused]] const bool exposed = QTest::qWaitForWindowExposed(&view);
  }
  void load(const protocol::WaferLayout& l = demo::layout()) {
    layout = l;
    view.setLayout(layout);
    settle();
  }
  void settle() {
    QTRY_VERIFY(!view.hasActiveTimer());
    QCoreApplication::processEvents();
  }
  QPoint middle() const { return view.mapRect().center(); }

  WaferView view;
  protocol::WaferLayout layout;
};

QString firstLine(const WaferView& view) {
  return view.readoutText().section(QLatin1Char('\n'), 0, 0);
}

}  // namespace

class TestWaferView : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void saysThatNoModelIsLoaded() {
    Shown shown;
    const QImage empty = shown.view.grab().toImage();
    shown.view.setEmptyText(QStringLiteral("Connecting to the runtime"));
    QVERIFY(shown.view.grab().toImage() != empty);
    QVERIFY(!shown.view.hasLayout());
    shown.settle();
    QCOMPARE(shown.view.machineText(), QString());
    QTest::keyClick(&shown.view, Qt::Key_Plus);
    wheel(&shown.view, shown.middle(), 120);
    shown.view.addFrame(demo::frame(demo::layout(), 0));
    QVERIFY(!shown.view.hasActiveTimer());
  }

  // As many as a published density and area say, on the fabric, the same each time.
  void defectsAreAnIllustration() {
    const protocol::WaferLayout layout = demo::layout();
    const DefectMap map = illustrativeDefects(layout, 0);
    QCOMPARE(map.defects.size(), std::size_t{46});
    QVERIFY(std::abs(map.spareShare - 70.0 / 970) < 1e-12);
    for (const QPoint& core : map.defects) QVERIFY(QRect(0, 0, 762, 1172).contains(core));
    QVERIFY(illustrativeDefects(layout, 0).defects == map.defects);
    QVERIFY(illustrativeDefects(layout, 1).defects != map.defects);
    QCOMPARE(defectText(map), QStringLiteral("defects: an illustration, 46 of 970,000 cores"));
    protocol::WaferLayout older = layout;
    older.machine = "wse2";
    QVERIFY(illustrativeDefects(older, 0).isEmpty());
    QVERIFY(defectText({}).contains(QStringLiteral("nothing is published")));

    Shown shown;
    shown.load(layout);
    const QImage plain = shown.view.grab(shown.view.mapRect()).toImage();
    QVERIFY(!shown.view.badgeText().contains(QStringLiteral("defects")));
    shown.view.setShowsDefects(true);
    QVERIFY(shown.view.badgeText().endsWith(defectText(map)));
    QVERIFY(shown.view.accessibleDescription().contains(defectText(map)));
    QVERIFY(shown.view.grab(shown.view.mapRect()).toImage() != plain);
    shown.view.setShowsDefects(false);
    QCOMPARE(shown.view.grab(shown.view.mapRect()).toImage(), plain);
    QVERIFY(!shown.view.accessibleDescription().contains(QStringLiteral("defects")));
  }

  void namesMachineProfileAndClock() {
    Shown shown;
    shown.load();
    for (const char* part : {"wse3", "emulated", "waferllm-2025-wse3", "1.10 GHz"})
      QVERIFY(shown.view.machineText().contains(QLatin1String(part)));
    QVERIFY(shown.view.accessibleDescription().contains(QLatin1String("emulated")));
    QCOMPARE(shown.view.accessibleName(), QStringLiteral("Wafer map"));
  }

  void pointingAtAPeReadsItOut() {
    Shown shown;
    shown.load();
    shown.view.addFrame(demo::frame(shown.layout, 5));
    moveMouse(&shown.view, shown.middle());
    QTRY_VERIFY(!shown.view.readoutText().isEmpty());
    const QString text = shown.view.readoutText();
    for (const char* part : {"PE (", "die (", "Region: layers", "Ops: blk.", "Utilization: ",
                             "Activity: ", "wavelets/cycle", "SRAM weights: 25,856 B",
                             "SRAM kv cache: 8,192 B", "SRAM free: ", "1,332,000 cycles"})
      QVERIFY2(text.contains(QLatin1String(part)), qPrintable(text));
    QVERIFY(shown.view.accessibleDescription().startsWith(firstLine(shown.view)));
    moveMouse(&shown.view, QPoint(5, shown.view.height() - 5));  // on the legend
    QTRY_VERIFY(shown.view.readoutText().isEmpty());
  }

  void wheelZoomsAtTheCursor() {
    Shown shown;
    shown.load();
    const QPoint at = shown.middle() + QPoint(40, 60);
    moveMouse(&shown.view, at);
    QTRY_VERIFY(!shown.view.readoutText().isEmpty());
    const double before = shown.view.pixelsPerCore();
    for (int i = 0; i < 8; ++i) wheel(&shown.view, at, 120);
    shown.settle();
    QVERIFY(shown.view.pixelsPerCore() > 10 * before);
    // The core under the cursor is still the one, give or take what a pixel spanned at first.
    const QString text = firstLine(shown.view);
    for (int i = 0; i < 2; ++i) wheel(&shown.view, at, -120);
    shown.settle();
    QCOMPARE(firstLine(shown.view), text);
    for (int i = 0; i < 40; ++i) wheel(&shown.view, at, -120);
    shown.settle();
    QVERIFY(std::abs(shown.view.pixelsPerCore() - before) < 1e-9);
  }

  void draggingMovesTheWafer() {
    Shown shown;
    shown.load();
    shown.view.fitDie(5, 3);
    shown.settle();
    const QPoint at = shown.middle();
    moveMouse(&shown.view, at);
    QTRY_VERIFY(!shown.view.readoutText().isEmpty());
    const QString before = firstLine(shown.view);
    QTest::mousePress(&shown.view, Qt::LeftButton, Qt::NoModifier, at);
    moveMouse(&shown.view, at + QPoint(30, 0), Qt::LeftButton);
    moveMouse(&shown.view, at + QPoint(60, 40), Qt::LeftButton);
    QTest::mouseRelease(&shown.view, Qt::LeftButton, Qt::NoModifier, at + QPoint(60, 40));
    QTRY_COMPARE(firstLine(shown.view), before);  // the PE went along with the mouse
    moveMouse(&shown.view, at);
    QTRY_VERIFY(firstLine(shown.view) != before);
  }

  void doubleClickGoesToTheDieThenThePeThenBack() {
    Shown shown;
    shown.load();
    const double wafer = shown.view.pixelsPerCore();
    const QPoint at = shown.middle();
    QTest::mouseDClick(&shown.view, Qt::LeftButton, Qt::NoModifier, at);
    shown.settle();
    const double die = shown.view.pixelsPerCore();
    QVERIFY(die > 3 * wafer && die < 24);
    QTest::mouseDClick(&shown.view, Qt::LeftButton, Qt::NoModifier, at);
    shown.settle();
    QVERIFY(shown.view.pixelsPerCore() > 200);
    QTest::mouseDClick(&shown.view, Qt::LeftButton, Qt::NoModifier, at);
    shown.settle();
    QCOMPARE(shown.view.pixelsPerCore(), wafer);
  }

  void keysZoomPanCycleAndPause() {
    Shown shown;
    shown.load();
    WaferView& view = shown.view;
    const double wafer = view.pixelsPerCore();
    QTest::keyClick(&view, Qt::Key_Plus);
    QTest::keyClick(&view, Qt::Key_Plus);
    QVERIFY(view.pixelsPerCore() > 2 * wafer);
    shown.settle();
    const QString center = firstLine(view);
    QVERIFY(center.startsWith(QLatin1String("PE (")));
    QTest::keyClick(&view, Qt::Key_Right);
    QTRY_VERIFY(firstLine(view) != center);
    QTest::keyClick(&view, Qt::Key_Left);
    QTRY_COMPARE(firstLine(view), center);
    QTest::keyClick(&view, Qt::Key_Down);
    QTRY_VERIFY(firstLine(view) != center);
    QTest::keyClick(&view, Qt::Key_Minus);
    QVERIFY(view.pixelsPerCore() < 2 * wafer);
    QTest::keyClick(&view, Qt::Key_Home);
    QCOMPARE(view.pixelsPerCore(), wafer);
    QTest::keyClick(&view, Qt::Key_Plus);
    QTest::keyClick(&view, Qt::Key_0);
    QCOMPARE(view.pixelsPerCore(), wafer);

    QSignalSpy metrics(&view, &WaferView::metricChanged);
    QTest::keyClick(&view, Qt::Key_M);
    QCOMPARE(view.metric(), Metric::kActivity);
    QTest::keyClick(&view, Qt::Key_M, Qt::ShiftModifier);
    QCOMPARE(view.metric(), Metric::kUtilization);
    QTest::keyClick(&view, Qt::Key_M, Qt::ShiftModifier);
    QCOMPARE(view.metric(), Metric::kSramActivations);
    QCOMPARE(metrics.count(), 3);

    QTest::keyClick(&view, Qt::Key_Space);
    QVERIFY(view.isPaused());
    QTest::keyClick(&view, Qt::Key_Space);
    QVERIFY(!view.isPaused());
    QTest::keyClick(&view, Qt::Key_W);
    QVERIFY(view.isWave());
  }

  void aNewMetricIsSeen() {
    Shown shown;
    shown.load();
    shown.view.addFrame(demo::frame(shown.layout, 1));
    shown.settle();
    const QImage before = shown.view.grab().toImage();
    shown.view.setMetric(Metric::kSramUsed);
    shown.settle();
    QVERIFY(shown.view.grab().toImage() != before);
  }

  void pausedPicturesStandStillAndCatchUp() {
    Shown shown;
    shown.load(demo::layoutOf({{0, 0, 762, 1172}}));
    shown.view.addFrame(demo::evenFrame(shown.layout, 100));
    moveMouse(&shown.view, shown.middle());
    QTRY_VERIFY(shown.view.readoutText().contains(QLatin1String("Utilization: 10.0 %")));
    shown.view.setPaused(true);
    for (int i = 0; i < 5; ++i) shown.view.addFrame(demo::evenFrame(shown.layout, 200 + i));
    test::rest();
    QVERIFY2(shown.view.readoutText().contains(QLatin1String("Utilization: 10.0 %")),
             qPrintable(shown.view.readoutText()));
    QVERIFY(!shown.view.hasActiveTimer());
    shown.view.setPaused(false);
    QTRY_VERIFY(shown.view.readoutText().contains(QLatin1String("Utilization: 20.4 %")));
  }

  void anIdleViewDoesNoWork() {
    Shown shown;
    shown.load();
    QSignalSpy idle(&shown.view, &WaferView::idleChanged);
    shown.view.addFrame(demo::frame(shown.layout, 0));
    QCOMPARE(idle.count(), 1);
    QTRY_COMPARE_WITH_TIMEOUT(idle.count(), 2, kIdleWaitMs);
    QVERIFY(idle.last().first().toBool());
    shown.settle();
    const int paints = shown.view.paintCount(), ticks = shown.view.tickCount();
    test::rest();
    QCOMPARE(shown.view.paintCount(), paints);
    QCOMPARE(shown.view.tickCount(), ticks);
    QVERIFY(!shown.view.hasActiveTimer());
  }

  void aHiddenViewDoesNoWorkAndShowsTheNewestLater() {
    Shown shown;
    shown.load(demo::layoutOf({{0, 0, 762, 1172}}));
    shown.view.setWave(true);
    shown.view.addFrame(demo::frame(shown.layout, 0));
    test::dealWithEvents();
    shown.view.hide();
    const int paints = shown.view.paintCount(), ticks = shown.view.tickCount();
    for (int i = 0; i < 50; ++i) {
      shown.view.addFrame(demo::evenFrame(shown.layout, 300 + i));
      test::dealWithEvents();
    }
    shown.view.zoomIn();
    test::rest();
    QCOMPARE(shown.view.paintCount(), paints);
    QCOMPARE(shown.view.tickCount(), ticks);
    QVERIFY(!shown.view.hasActiveTimer());
    shown.view.setWave(false);
    shown.view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&shown.view));
    moveMouse(&shown.view, shown.middle() + QPoint(1, 1));
    QTRY_VERIFY(shown.view.readoutText().contains(QLatin1String("Utilization: 34.9 %")));
  }

  void aMinimizedWindowDoesNoWork() {
    QWidget window;
    auto* view = new WaferView(&window);
    window.resize(400, 500);
    view->resize(400, 500);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    const auto layout = demo::layout();
    view->setLayout(layout);
    view->addFrame(demo::frame(layout, 0));
    QTRY_VERIFY(view->paintCount() > 0);
    window.setWindowState(Qt::WindowMinimized);
    QCoreApplication::processEvents();
    const int ticks = view->tickCount();
    for (int i = 1; i < 20; ++i) view->addFrame(demo::frame(layout, i));
    test::rest();
    QCOMPARE(view->tickCount(), ticks);
    QVERIFY(!view->hasActiveTimer());
  }

  void paintsAtMostSixtyTimesASecond() {
    Shown shown;
    shown.load();
    QElapsedTimer time;
    time.start();
    const int before = shown.view.tickCount();
    for (int n = 0; time.elapsed() < 600; ++n) {
      shown.view.addFrame(demo::frame(shown.layout, n));
      test::dealWithEvents();
    }
    const double allowed = time.elapsed() * 60.0 / 1000 + 2;
    const int ticks = shown.view.tickCount() - before;
    QVERIFY2(ticks <= allowed, qPrintable(QString::number(ticks)));
    QVERIFY(ticks > 3);
  }

  void framesThatDoNotFitTheLayoutAreDropped() {
    Shown shown;
    shown.load();
    auto frame = demo::frame(shown.layout, 0);
    frame.regions.pop_back();
    shown.view.addFrame(frame);
    QVERIFY(!shown.view.hasActiveTimer());
  }

  void theWavePlaysUntilItIsPaused() {
    Shown shown;
    shown.load();
    shown.view.addFrame(demo::frame(shown.layout, 0));
    shown.view.setWaveSlowdown(5000);
    shown.view.setWave(true);
    QCOMPARE(shown.view.waveText(), QStringLiteral("1 token = 73,967 cycles, slowed 5,000×"));
    QVERIFY(shown.view.hasActiveTimer());
    // 73,967 cycles at 1.1 GHz, slowed 5,000 times, take a third of a second.
    QSignalSpy idle(&shown.view, &WaferView::idleChanged);
    QTRY_VERIFY_WITH_TIMEOUT(!idle.isEmpty(), kIdleWaitMs);
    QVERIFY(shown.view.hasActiveTimer());
    shown.view.setPaused(true);
    QTRY_VERIFY(!shown.view.hasActiveTimer());
    const int ticks = shown.view.tickCount();
    test::rest();
    QCOMPARE(shown.view.tickCount(), ticks);
  }

  void theWaveChangesWhatIsDrawn() {
    Shown shown;
    shown.load();
    shown.view.addFrame(demo::frame(shown.layout, 0));
    shown.view.setWaveSlowdown(20000);
    shown.view.setWave(true);
    const QImage early = shown.view.grab(QRect(0, 60, 600, 500)).toImage();
    QTRY_VERIFY(shown.view.grab(QRect(0, 60, 600, 500)).toImage() != early);
  }

  void aPausedWaveStandsStill() {
    Shown shown;
    shown.load();
    shown.view.addFrame(demo::frame(shown.layout, 0));
    shown.view.setWave(true);
    test::dealWithEvents();
    shown.view.setPaused(true);
    shown.settle();
    const QImage still = shown.view.grab().toImage();
    test::rest();
    QCOMPARE(shown.view.grab().toImage(), still);
    shown.view.setPaused(false);
    QVERIFY(shown.view.hasActiveTimer());
  }

  void anotherMetricEndsTheWave() {
    Shown shown;
    shown.load();
    shown.view.setWave(true);
    QSignalSpy waves(&shown.view, &WaferView::waveChanged);
    shown.view.setMetric(Metric::kTraffic);
    QVERIFY(!shown.view.isWave());
    QCOMPARE(waves.count(), 1);
  }

  void theSameLayoutAgainKeepsTheView() {
    Shown shown;
    shown.load();
    QSignalSpy layouts(&shown.view, &WaferView::layoutChanged);
    shown.view.fitDie(2, 2);
    const double scale = shown.view.pixelsPerCore();
    shown.view.setLayout(shown.layout);
    QCOMPARE(shown.view.pixelsPerCore(), scale);
    auto other = shown.layout;
    other.regions[0].sramPerPe[1] += 4;
    shown.view.setLayout(other);
    QVERIFY(shown.view.pixelsPerCore() < scale);
    QCOMPARE(layouts.count(), 1);
    shown.view.clearLayout();
    QVERIFY(!shown.view.hasLayout());
  }

  void aSmallerLayoutUnderTheMouseIsTaken() {
    Shown shown;
    shown.load();
    moveMouse(&shown.view, shown.middle());
    QTRY_VERIFY(shown.view.readoutText().contains(QLatin1String("layers")));
    shown.view.setLayout(demo::layoutOf({{0, 0, 762, 1172}}));
    QVERIFY(!shown.view.grab().isNull());  // before the next tick
    QTRY_VERIFY(shown.view.readoutText().contains(QLatin1String("region 0")));
    shown.view.setLayout(demo::layoutOf({}));
    QVERIFY(!shown.view.grab().isNull());
    QTRY_VERIFY(shown.view.readoutText().contains(QLatin1String("unused")));
  }

  void fitsRegionsModelAndPes() {
    Shown shown;
    shown.load(demo::layoutOf({{10, 10, 60, 60}, {80, 10, 60, 60}}));
    const double wafer = shown.view.pixelsPerCore();
    shown.view.fitModel();
    const double model = shown.view.pixelsPerCore();
    QVERIFY(model > 3 * wafer);
    shown.view.fitRegion(1);
    QVERIFY(shown.view.pixelsPerCore() > 1.5 * model);
    shown.view.fitRegion(99);
    shown.view.fitPe(12, 12);
    QVERIFY(shown.view.pixelsPerCore() > 200);
    shown.view.fitWafer();
    QCOMPARE(shown.view.pixelsPerCore(), wafer);
  }

  void followsThePalette() {
    Shown shown;
    shown.load();
    QPalette light(Qt::white), dark(QColor(30, 30, 34));
    light.setColor(QPalette::Base, Qt::white);
    light.setColor(QPalette::Text, Qt::black);
    dark.setColor(QPalette::Base, QColor(20, 22, 26));
    dark.setColor(QPalette::Text, Qt::white);
    shown.view.setPalette(light);
    QCOMPARE(shown.view.grab().toImage().pixel(2, 60), QColor(Qt::white).rgb());
    shown.view.setPalette(dark);
    QCOMPARE(shown.view.grab().toImage().pixel(2, 60), QColor(20, 22, 26).rgb());
  }

  void keysAndClicksShowTheOtherWafers() {
    Shown shown;
    shown.load(demo::shadowLayout());
    WaferView& view = shown.view;
    view.addFrame(demo::frame(shown.layout, 5));
    shown.settle();
    QSignalSpy changed(&view, &WaferView::waferChanged);
    const QImage first = view.grab().toImage();
    QVERIFY(view.accessibleDescription().contains(QLatin1String("Wafer 1 of 4")));
    QTest::keyClick(&view, Qt::Key_BracketRight);
    QCOMPARE(view.wafer(), 1);
    QCOMPARE(changed.size(), 1);
    QVERIFY(view.accessibleDescription().contains(QLatin1String("Wafer 2 of 4")));
    shown.settle();
    QVERIFY(view.grab().toImage() != first);
    QTest::keyClick(&view, Qt::Key_PageDown);
    QTest::keyClick(&view, Qt::Key_BracketRight);
    QTest::keyClick(&view, Qt::Key_BracketRight);  // there is no fifth
    QCOMPARE(view.wafer(), 3);
    QTest::keyClick(&view, Qt::Key_BracketLeft);
    QCOMPARE(view.wafer(), 2);
    // The strip lies under the header.
    Planes planes;
    planes.setLayout(shown.layout);
    const QRect strip(0, kHeaderHeight, view.width(), kWaferStripHeight);
    const WaferStrip pictures(strip, planes, view.font());
    for (const int wafer : {0, 3, 1}) {
      QTest::mouseClick(&view, Qt::LeftButton, {}, pictures.picture(wafer).center().toPoint());
      QCOMPARE(view.wafer(), wafer);
    }
    QTest::mouseClick(&view, Qt::LeftButton, {}, QPoint(5, strip.center().y()));
    QCOMPARE(view.wafer(), 1);
    view.fitRegion(static_cast<int>(shown.layout.regions.size()) - 1);
    QCOMPARE(view.wafer(), 3);
    shown.load();
    QCOMPARE(view.wafer(), 0);
    QTest::keyClick(&view, Qt::Key_BracketRight);
    QCOMPARE(view.wafer(), 0);
  }

  void whatIsPointedAtLiesOnTheWaferShown() {
    Shown shown;
    shown.load(demo::shadowLayout());
    moveMouse(&shown.view, shown.middle());
    QTRY_VERIFY(!shown.view.readoutText().isEmpty());
    const QString first = shown.view.readoutText();
    QVERIFY(first.contains(QLatin1String("wafer 1")));
    shown.view.setWafer(2);
    QTRY_VERIFY(shown.view.readoutText().contains(QLatin1String("wafer 3")));
    QVERIFY(shown.view.readoutText().contains(QLatin1String("block 2")));
  }

  void anySizeIsSurvived() {
    Shown shown;
    shown.load(demo::shadowLayout());
    for (const QSize size : {QSize(1, 1), QSize(40, 1200), QSize(1400, 60), QSize(240, 260)}) {
      shown.view.resize(size);
      moveMouse(&shown.view, QPoint(size.width() / 2, size.height() / 2));
      wheel(&shown.view, QPoint(0, 0), 240);
      QVERIFY(!shown.view.grab().isNull());
    }
  }
};

QTEST_MAIN(TestWaferView)
#include "test_wafer_view.moc"
