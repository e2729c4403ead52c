// SPDX-License-Identifier: GPL-3.0-or-later
#include <QComboBox>
#include <QLabel>
#include <QSignalSpy>
#include <QToolButton>
#include <QtTest>

#include "tests/support/rest.h"
#include "tests/wafer_view/demo.h"
#include "wafer_view/model_card.h"
#include "wafer_view/strip_chart.h"
#include "wafer_view/wafer_panel.h"
#include "wafer_view/wafer_view.h"

using namespace waferpair;
using namespace waferpair::view;

namespace {

struct Shown {
  explicit Shown(QSize size = {320, 860}) {
    panel.resize(size);
    panel.show();
    [[maybe_unused]] const bool exposed = QTest::qWaitForWindowExposed(&panel);
  }
  void load() { panel.setLayout(demo::layout()); }
  void play(int frames) {
    for (int n = 0; n < frames; ++n) panel.addFrame(demo::frame(demo::layout(), n));
  }
  template <typename T>
  T* control(const char* name) {
    for (T* child : panel.findChildren<T*>())
      if (child->accessibleName() == QLatin1String(name)) return child;
    return nullptr;
  }
  QStringList labels() {
    QStringList texts;
    for (const QLabel* label : panel.findChildren<QLabel*>()) texts << label->text();
    return texts;
  }
  WaferPanel panel;
};

}  // namespace

class TestWaferPanel : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void aShadowsFiguresAreCalledThat() {
    Shown shown;
    shown.load();
    const QString own = QStringLiteral("Tokens/s, wafer (emul.)");
    const QString shadows = QStringLiteral("Tokens/s, shadow (emul.)");
    QVERIFY(shown.labels().contains(own) && !shown.labels().contains(shadows));
    shown.panel.setLayout(demo::shadowLayout());
    QVERIFY(!shown.labels().contains(own) && shown.labels().contains(shadows));
    const auto* card = shown.control<ModelCard>("Model on the wafer");
    QVERIFY(card->text().contains(QLatin1String("llama-3.1-70b")));
    QVERIFY(card->text().contains(QLatin1String("4 wafer")));
    QVERIFY(card->text().contains(QLatin1String("of 3,572,256 PEs")));
    QVERIFY(!card->text().contains(QLatin1String("loading")));  // not known
    protocol::WaferLayout loaded = demo::shadowLayout();
    loaded.loadBytes = 141.1e9;
    loaded.loadSeconds = 0.25;
    const int before = card->sizeHint().height();
    shown.panel.setLayout(loaded);
    QVERIFY2(card->text().contains(QStringLiteral("loading 141 GB over 4 links: 250 ms, emulated")),
             qPrintable(card->text()));
    QVERIFY(card->sizeHint().height() > before);
    shown.load();
    QVERIFY(shown.labels().contains(own));
  }

  void aShadowIsLabeledAboveTheMapAndNowhereElse() {
    Shown shown;
    shown.load();
    auto* band = shown.panel.findChild<QWidget*>(QStringLiteral("shadowBand"));
    QVERIFY(!band->isVisible());
    shown.panel.setLayout(demo::shadowLayout());
    QVERIFY(band->isVisible());
    QVERIFY(band->mapTo(&shown.panel, QPoint()).y() <
            shown.panel.view()->mapTo(&shown.panel, QPoint()).y());
    QCOMPARE(band->accessibleName(),
             QStringLiteral("Shadow of llama-3.1-70b. Its placement and cycles, waferpair-mini's "
                            "text."));
    for (const QWidget* widget : shown.panel.findChildren<QWidget*>())
      if (widget != band)
        QVERIFY2(!(widget->accessibleName() + widget->accessibleDescription())
                      .contains(QLatin1String("waferpair-mini")),
                 qPrintable(widget->objectName()));
    QSignalSpy ended(&shown.panel, &WaferPanel::endShadowWanted);
    auto* end = shown.panel.findChild<QToolButton*>(QStringLiteral("endShadow"));
    QTest::keyClick(end, Qt::Key_Space);
    QCOMPARE(ended.count(), 1);
    shown.panel.setShadowEndable(false);  // a recording's
    QVERIFY(!end->isVisible() && band->isVisible());
    shown.panel.setShadowEndable(true);
    shown.panel.setShadowProgress(QStringLiteral("Placing another on wafers…"));
    QCOMPARE(band->accessibleName(), QStringLiteral("Placing another on wafers…"));
    QVERIFY(!end->isVisible());
    shown.panel.setShadowProgress({});
    QVERIFY(band->accessibleName().startsWith(QLatin1String("Shadow of llama-3.1-70b")));
    shown.load();
    QVERIFY(!band->isVisible());
  }

  void controlsAreNamedUniquelyAndHaveToolTips() {
    Shown shown;
    QStringList names;
    QList<QWidget*> controls;
    for (auto* button : shown.panel.findChildren<QToolButton*>()) controls << button;
    for (auto* combo : shown.panel.findChildren<QComboBox*>()) controls << combo;
    QVERIFY(controls.size() >= 8);
    for (const QWidget* control : controls) {
      QVERIFY(!control->accessibleName().isEmpty());
      QVERIFY(!control->toolTip().isEmpty());
      QVERIFY(!names.contains(control->accessibleName()));
      names << control->accessibleName();
    }
  }

  void controlsWaitForAModel() {
    Shown shown;
    QVERIFY(!shown.control<QToolButton>("Zoom in")->isEnabled());
    shown.panel.setConnectionState(QStringLiteral("Connecting to the runtime"));
    shown.play(3);
    QCOMPARE(shown.panel.chart()->sampleCount(), 0);
    shown.load();
    QVERIFY(shown.control<QToolButton>("Zoom in")->isEnabled());
  }

  void metricIsChosenByComboAndByKey() {
    Shown shown;
    shown.load();
    auto* combo = shown.control<QComboBox>("Metric");
    combo->setCurrentIndex(static_cast<int>(Metric::kSramUsed));
    QCOMPARE(shown.panel.view()->metric(), Metric::kSramUsed);
    QTest::keyClick(shown.panel.view(), Qt::Key_M);
    QCOMPARE(combo->currentIndex(), static_cast<int>(Metric::kSramCode));
  }

  void zoomButtonsZoom() {
    Shown shown;
    shown.load();
    const double wafer = shown.panel.view()->pixelsPerCore();
    QTest::mouseClick(shown.control<QToolButton>("Zoom in"), Qt::LeftButton);
    const double larger = shown.panel.view()->pixelsPerCore();
    QVERIFY(larger > wafer);
    QTest::mouseClick(shown.control<QToolButton>("Zoom in"), Qt::LeftButton);
    QTest::mouseClick(shown.control<QToolButton>("Zoom out"), Qt::LeftButton);
    QCOMPARE(shown.panel.view()->pixelsPerCore(), larger);
    QTest::mouseClick(shown.control<QToolButton>("Show the whole wafer"), Qt::LeftButton);
    QCOMPARE(shown.panel.view()->pixelsPerCore(), wafer);
  }

  void waveButtonShowsItsSpeeds() {
    Shown shown;
    shown.load();
    shown.play(1);
    auto* speed = shown.control<QComboBox>("Wave slow-down");
    QVERIFY(!speed->isVisible());
    QTest::mouseClick(shown.control<QToolButton>("Wave"), Qt::LeftButton);
    QVERIFY(shown.panel.view()->isWave());
    QVERIFY(speed->isVisible());
    speed->setCurrentIndex(speed->findText(QStringLiteral("100,000×")));
    QCOMPARE(shown.panel.view()->waveSlowdown(), 100'000.0);
    QVERIFY(shown.panel.view()->waveText().endsWith(QStringLiteral("slowed 100,000×")));
    QTest::keyClick(shown.panel.view(), Qt::Key_W);
    QVERIFY(!shown.control<QToolButton>("Wave")->isChecked());
  }

  void pauseStopsPictureChartAndFrames() {
    Shown shown;
    shown.load();
    QVERIFY(shown.panel.wantsFrames());
    QSignalSpy wanted(&shown.panel, &WaferPanel::wantsFramesChanged);
    QTest::mouseClick(shown.control<QToolButton>("Pause"), Qt::LeftButton);
    QVERIFY(shown.panel.isPaused());
    QVERIFY(shown.panel.chart()->isPaused());
    QCOMPARE(wanted.count(), 1);
    QVERIFY(!shown.panel.wantsFrames());
    QTest::mouseClick(shown.control<QToolButton>("Resume"), Qt::LeftButton);
    QVERIFY(!shown.panel.isPaused());
    QVERIFY(!shown.panel.chart()->isPaused());
    QVERIFY(shown.panel.wantsFrames());
  }

  void framesAreWantedOnlyWhileThePanelIsSeen() {
    Shown shown;
    QSignalSpy wanted(&shown.panel, &WaferPanel::wantsFramesChanged);
    shown.panel.hide();
    QCOMPARE(wanted.last().first().toBool(), false);
    shown.panel.show();
    QCOMPARE(wanted.last().first().toBool(), true);
    shown.panel.setWindowState(Qt::WindowMinimized);
    QTRY_COMPARE(wanted.last().first().toBool(), false);
  }

  void figuresNameHostAndWaferApart() {
    Shown shown;
    shown.load();
    shown.play(1);
    shown.panel.setRates({1040, 14'865});
    QTRY_VERIFY(shown.labels().contains(QStringLiteral("1,040")));
    const QStringList texts = shown.labels();
    for (const char* caption : {"Tokens/s, host", "Tokens/s, wafer (emul.)", "First token, host",
                                "First token, wafer (emul.)", "Context used"})
      QVERIFY2(texts.contains(QLatin1String(caption)), caption);
    for (const char* value : {"1,040", "14,865", "38.0 ms", "310 µs", "812 of 4,096"})
      QVERIFY2(texts.contains(QString::fromUtf8(value)), value);
  }

  void theLastRatesOfABurstAreTheOnesShown() {
    Shown shown;
    shown.load();
    for (int i = 1; i <= 20; ++i) shown.panel.setRates({1000.0 + i, 0});
    shown.panel.setRates({777, 0});
    QTRY_VERIFY(shown.labels().contains(QStringLiteral("777")));
    // A frame may hold the last token or two of a completion: it is no rate to be read.
    auto last = demo::frame(demo::layout(), 20);
    last.hostTokensPerSecond = 5;
    last.contextUsed = 99;
    shown.panel.addFrame(last);
    QTRY_VERIFY(shown.labels().contains(QStringLiteral("99 of 4,096")));
    QVERIFY(shown.labels().contains(QStringLiteral("777")));
  }

  void framesWithoutDecodeLeaveGapsNotZeros() {
    Shown shown;
    shown.load();
    shown.play(5);
    auto prefill = demo::frame(demo::layout(), 6);
    prefill.intervalDecoded = 0;
    prefill.hostTokensPerSecond = prefill.waferTokensPerSecond = 0;
    shown.panel.addFrame(prefill);
    test::rest();
    QVERIFY(!shown.labels().contains(QStringLiteral("0")));
    QCOMPARE(shown.panel.chart()->sampleCount(), 6);
  }

  void eachCompletionIsMarkedOnce() {
    Shown shown;
    shown.load();
    auto late = demo::frame(demo::layout(), 30);  // its first token came before the panel looked
    shown.panel.addFrame(late);
    QCOMPARE(shown.panel.chart()->markCount(), 0);
    shown.panel.addFrame(demo::frame(demo::layout(), 31));
    QCOMPARE(shown.panel.chart()->markCount(), 0);
    shown.panel.addFrame(demo::frame(demo::layout(), 120));  // another one
    shown.panel.addFrame(demo::frame(demo::layout(), 121));
    QCOMPARE(shown.panel.chart()->markCount(), 2);  // host and wafer
    Shown early;
    early.load();
    early.play(3);
    QCOMPARE(early.panel.chart()->markCount(), 2);
  }

  void anotherModelClearsFiguresAndCharts() {
    Shown shown;
    shown.load();
    shown.play(5);
    shown.load();  // the same one: kept
    QCOMPARE(shown.panel.chart()->sampleCount(), 5);
    auto other = demo::layout();
    other.model = "another";
    shown.panel.setLayout(other);
    QCOMPARE(shown.panel.chart()->sampleCount(), 0);
    QVERIFY(!shown.labels().contains(QStringLiteral("1,040")));
  }

  void narrowPanelsStackAndWideOnesPutSideBySide() {
    Shown shown({320, 860});
    shown.load();
    QCoreApplication::processEvents();
    QCOMPARE(shown.panel.width(), 320);
    QVERIFY(shown.panel.chart()->isVisible());
    const auto below = [&] {
      return shown.panel.chart()->mapTo(&shown.panel, QPoint()).y() >=
             shown.panel.view()->geometry().bottom();
    };
    QVERIFY(below());
    QTest::mouseClick(shown.control<QToolButton>("Wave"), Qt::LeftButton);
    QCoreApplication::processEvents();
    QCOMPARE(shown.panel.width(), 320);  // the speeds fit in, too
    shown.panel.resize(1200, 780);
    QCoreApplication::processEvents();
    QVERIFY(!below());
    QVERIFY(shown.panel.view()->width() > 800);
    shown.panel.resize(320, 400);
    QCoreApplication::processEvents();
    QVERIFY(!shown.panel.chart()->isVisible());  // the map keeps the room there is
    QVERIFY(shown.panel.view()->height() > 280);
  }

  void aSeenButIdlePanelHasNoTimers() {
    Shown shown;
    shown.load();
    shown.play(3);
    QTRY_VERIFY_WITH_TIMEOUT(!shown.panel.view()->hasActiveTimer(), 2500);
    QTRY_VERIFY(!shown.panel.chart()->hasActiveTimer());
    const int paints = shown.panel.view()->paintCount() + shown.panel.chart()->paintCount();
    test::rest();
    QCOMPARE(shown.panel.view()->paintCount() + shown.panel.chart()->paintCount(), paints);
  }
};

QTEST_MAIN(TestWaferPanel)
#include "test_wafer_panel.moc"
