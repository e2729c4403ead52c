// SPDX-License-Identifier: GPL-3.0-or-later
// The wave by keys and mouse: it begins anew by itself, stands still when paused, and can be taken
// step by step, to any cycle, and faster or slower.
#include <QComboBox>
#include <QLabel>
#include <QSlider>
#include <QToolButton>
#include <QtTest>

#include "tests/wafer_view/demo.h"
#include "wafer_view/wafer_panel.h"
#include "wafer_view/wafer_view.h"
#include "wafer_view/wave.h"

using namespace waferpair;
using namespace waferpair::view;

namespace {

// Eight ops of 1,000 cycles, one after another.
protocol::WaferLayout eightOps() {
  std::vector<protocol::Rect> rects;
  for (int i = 0; i < 8; ++i) rects.push_back({80 * i, 0, 60, 60});
  return demo::layoutOf(rects);
}

struct Shown {
  explicit Shown(QSize size = {420, 700}) {
    panel.resize(size);
    panel.show();
    panel.activateWindow();
    [[maybe_unused]] const bool active = QTest::qWaitForWindowActive(&panel);
    panel.setLayout(eightOps());
    auto frame = demo::frame(eightOps(), 0);
    frame.lastStep = demo::decodeStep(eightOps(), 1000);
    panel.addFrame(frame);
    QTest::keyClick(view(), Qt::Key_W);
  }
  WaferView* view() { return panel.view(); }
  QSlider* place() { return panel.findChild<QSlider*>(QStringLiteral("wavePlace")); }
  template <typename T>
  T* child(const char* name) {
    return panel.findChild<T*>(QLatin1String(name));
  }
  int op() { return view()->waveReplay().currentOp(); }
  QString badge() { return view()->badgeText(); }

  WaferPanel panel;
};

}  // namespace

class TestWaveControls : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void itBeginsAnewByItselfWithNoTokenComing() {
    Shown shown;
    shown.view()->setWaveSlowdown(20'000);  // 8,000 cycles at 1.1 GHz: 0.15 s
    int rounds = 0;
    std::uint32_t before = 0;
    connect(shown.view(), &WaferView::waveMoved, this, [&] {
      const std::uint32_t now = shown.view()->waveReplay().cycle();
      if (now < before) ++rounds;
      before = now;
    });
    QSignalSpy idle(shown.view(), &WaferView::idleChanged);
    QTRY_VERIFY_WITH_TIMEOUT(!idle.isEmpty(), 5000);  // the server has long been silent
    const int soFar = rounds;
    QTRY_VERIFY_WITH_TIMEOUT(rounds >= soFar + 3, 20'000);
    QCOMPARE(shown.badge(), QStringLiteral("Slow motion"));
    QTest::keyClick(shown.view(), Qt::Key_W);
    QTRY_VERIFY(!shown.view()->hasActiveTimer());
  }

  void keysStepFromOpToOpAndAroundTheEnds() {
    Shown shown;
    QTest::keyClick(shown.view(), Qt::Key_Space);
    QCOMPARE(shown.badge(), QStringLiteral("Paused"));
    QTest::keyClick(shown.view(), Qt::Key_Comma);
    const int first = shown.op();
    QVERIFY(first >= 0);
    for (int i = 1; i <= 8; ++i) {
      QTest::keyClick(shown.view(), Qt::Key_Period);
      QCOMPARE(shown.op(), (first + i) % 8);
      QCOMPARE(shown.view()->waveReplay().cycle(), std::uint32_t(shown.op()) * 1000 + 999);
    }
    for (int i = 1; i <= 9; ++i) {
      QTest::keyClick(shown.view(), Qt::Key_Comma);
      QCOMPARE(shown.op(), (first + 16 - i) % 8);
    }
    // It stands still, and so does the view.
    const std::uint32_t at = shown.view()->waveReplay().cycle();
    QTRY_VERIFY(!shown.view()->hasActiveTimer());
    QCOMPARE(shown.view()->waveReplay().cycle(), at);
    QTest::keyClick(shown.view(), Qt::Key_Space);
    QTRY_VERIFY(shown.view()->waveReplay().cycle() != at);
  }

  void aStepPausesAndShowsItsOpAtWork() {
    Shown shown;
    QTest::mouseClick(shown.child<QToolButton>("waveForward"), Qt::LeftButton);
    QVERIFY(shown.panel.isPaused());
    QCOMPARE(shown.badge(), QStringLiteral("Paused"));
    const auto& wave = shown.view()->waveReplay();
    QVERIFY(wave.currentOp() >= 0);
    QCOMPARE(wave.shares()[wave.regionOf(wave.currentOp())], 1.0f);
    const int before = shown.op();
    QTest::mouseClick(shown.child<QToolButton>("waveBack"), Qt::LeftButton);
    QCOMPARE(shown.op(), (before + 7) % 8);
    // The keyboard alone does it: the button has the focus, Space presses it.
    auto* forward = shown.child<QToolButton>("waveForward");
    forward->setFocus(Qt::TabFocusReason);
    QTest::keyClick(forward, Qt::Key_Space);
    QCOMPARE(shown.op(), before);
  }

  void theSliderGoesToAnyCycle() {
    Shown shown;
    QSlider* place = shown.place();
    QTest::keyClick(place, Qt::Key_Home);
    QVERIFY(shown.panel.isPaused());
    const auto cycle = [&] { return shown.view()->waveReplay().cycle(); };
    QCOMPARE(cycle(), 0u);
    QTest::keyClick(place, Qt::Key_PageUp);
    QCOMPARE(cycle(), 800u);
    QTest::keyClick(place, Qt::Key_Right);
    QCOMPARE(cycle(), 999u);
    QTest::keyClick(place, Qt::Key_Right);
    QCOMPARE(cycle(), 1999u);
    QTest::keyClick(place, Qt::Key_Left);
    QCOMPARE(cycle(), 999u);
    QTest::keyClick(place, Qt::Key_End);
    QCOMPARE(cycle(), 8000u);
    QCOMPARE(place->value(), 8000);
    QTest::keyClick(place, Qt::Key_Space);
    QVERIFY(!shown.panel.isPaused());
  }

  void theMouseHoldsItAndLetsItGo() {
    Shown shown;
    QSlider* place = shown.place();
    const auto cycle = [&] { return shown.view()->waveReplay().cycle(); };
    QTest::mousePress(place, Qt::LeftButton, {}, {place->width() / 2, 8});
    const std::uint32_t held = cycle();
    QVERIFY(held > 3500 && held < 4500);
    const int ticks = shown.view()->tickCount();
    QTRY_VERIFY(shown.view()->tickCount() > ticks);
    QCOMPARE(cycle(), held);
    QTest::mouseMove(place, {place->width() / 4, 8});
    QMouseEvent moved(QEvent::MouseMove, QPointF(place->width() / 4, 8),
                      place->mapToGlobal(QPointF(place->width() / 4, 8)), Qt::NoButton,
                      Qt::LeftButton, {});
    QCoreApplication::sendEvent(place, &moved);
    QVERIFY(cycle() > 1500 && cycle() < 2500);
    const std::uint32_t released = cycle();
    QTest::mouseRelease(place, Qt::LeftButton, {}, {place->width() / 4, 8});
    QVERIFY(!shown.panel.isPaused());
    QTRY_VERIFY(cycle() != released);
  }

  void theSpeedIsChosenByKeysAndByTheList() {
    Shown shown;
    auto* speed = shown.child<QComboBox>("waveSpeed");
    QCOMPARE(speed->currentText(), QStringLiteral("Auto"));
    speed->setFocus();
    QTest::keyClick(speed, Qt::Key_End);
    QCOMPARE(shown.view()->waveSlowdown(), 500'000.0);
    QTest::keyClick(shown.view(), Qt::Key_Greater, Qt::ShiftModifier);
    QCOMPARE(shown.view()->waveSlowdown(), 100'000.0);
    QCOMPARE(speed->currentText(), QStringLiteral("100,000×"));
    for (int i = 0; i < 9; ++i) QTest::keyClick(shown.view(), Qt::Key_Greater, Qt::ShiftModifier);
    QCOMPARE(shown.view()->waveSlowdown(), 1000.0);
    for (int i = 0; i < 2; ++i) QTest::keyClick(shown.view(), Qt::Key_Less, Qt::ShiftModifier);
    QCOMPARE(shown.view()->waveSlowdown(), 20'000.0);
    QCOMPARE(shown.child<QLabel>("waveSummary")->text(),
             QStringLiteral("1 token = 8,000 cycles, slowed 20,000×"));
  }

  void withoutATokenItSaysThatItWaits() {
    WaferPanel panel;
    panel.resize(420, 700);
    panel.show();
    panel.setLayout(eightOps());
    QTest::keyClick(panel.view(), Qt::Key_W);
    QCOMPARE(panel.view()->badgeText(), QStringLiteral("Waiting for a token"));
    QVERIFY(!panel.findChild<QToolButton*>(QStringLiteral("waveForward"))->isEnabled());
    QTest::keyClick(panel.view(), Qt::Key_Period);
    QVERIFY(!panel.isPaused());
    auto frame = demo::frame(eightOps(), 0);
    panel.addFrame(frame);
    QVERIFY(panel.findChild<QToolButton*>(QStringLiteral("waveForward"))->isEnabled());
    QCOMPARE(panel.view()->badgeText(), QStringLiteral("Slow motion"));
  }
};

QTEST_MAIN(TestWaveControls)
#include "test_wave_controls.moc"
