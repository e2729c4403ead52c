// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "gui/client/live_figures.h"
#include "gui/client/server_events.h"

using namespace waferpair;
using namespace waferpair::gui;

namespace {

ServerStatus ready(const QString& model) {
  ServerStatus status;
  status.state = ModelState::kReady;
  status.model = model;
  status.machine = "wse3";
  status.profile = "p";
  status.clockHz = 1.1e9;
  status.contextLimit = 1024;
  return status;
}

RuntimeFigures completion(double host, double wafer, const QString& shadow = {}) {
  RuntimeFigures measured;
  measured.shadow = shadow;
  measured.profile = "q";
  measured.hostTokensPerSecond = host;
  measured.firstTokenHostMs = 4.2;
  measured.waferTokensPerSecond = wafer;
  measured.firstTokenWaferMs = 0.2;
  return measured;
}

}  // namespace

class TestLiveFigures : public QObject {
  Q_OBJECT
 private slots:
  void aStatusSaysWhatRunsAndNothingMeasured() {
    LiveFigures figures;
    QSignalSpy changed(&figures, &LiveFigures::changed);
    figures.follow(ready("m"));
    QCOMPARE(changed.size(), 1);
    QCOMPARE(figures.now().model, QString("m"));
    QCOMPARE(figures.now().clockHz, 1.1e9);
    QCOMPARE(figures.now().contextLimit, std::optional<qint64>(1024));
    QVERIFY(!figures.now().hostTokensPerSecond);
    figures.follow(ready("m"));
    QCOMPARE(changed.size(), 1);
  }

  void figuresOfAnotherModelAreDropped() {
    LiveFigures figures;
    figures.follow(ready("m"));
    figures.setShadow(ShadowFacts{.model = "llama"});
    figures.add(completion(700, 2000, "llama"));
    figures.follow(ready("m"));
    QCOMPARE(figures.now().hostTokensPerSecond, std::optional<double>(700));
    figures.follow(ready("other"));
    QVERIFY(!figures.now().hostTokensPerSecond);
    QVERIFY(!figures.now().waferTokensPerSecond);
    QCOMPARE(figures.now().shadow, QString("llama"));
  }

  void waferFiguresAreOfWhatIsShown() {
    LiveFigures figures;
    figures.follow(ready("m"));
    figures.add(completion(700, 6120));
    QCOMPARE(figures.now().profile, QString("q"));
    const ShadowFacts llama{.model = "llama", .tokensPerSecond = 2000};
    figures.setShadow(llama);
    QVERIFY(!figures.now().waferTokensPerSecond);
    QVERIFY(!figures.now().firstTokenWaferMs);
    QCOMPARE(figures.now().hostTokensPerSecond, std::optional<double>(700));
    figures.add(completion(710, 6120));  // it began before
    QVERIFY(!figures.now().waferTokensPerSecond);
    QCOMPARE(figures.now().hostTokensPerSecond, std::optional<double>(710));
    figures.add(completion(720, 2000, "llama"));
    QCOMPARE(figures.now().waferTokensPerSecond, std::optional<double>(2000));
    figures.setShadow(llama);  // an answer that changes nothing
    QCOMPARE(figures.now().waferTokensPerSecond, std::optional<double>(2000));
    // The same model on other wafers.
    figures.setShadow(ShadowFacts{.model = "llama", .wafers = 4, .tokensPerSecond = 2500});
    QVERIFY(!figures.now().waferTokensPerSecond);
  }

  void telemetryFillsInBetweenCompletions() {
    LiveFigures figures;
    figures.follow(ready("m"));
    protocol::TelemetryFrame frame;
    frame.hostTokensPerSecond = 500;
    frame.waferTokensPerSecond = 6000;
    frame.contextUsed = 17;
    frame.contextLimit = 1024;
    figures.add(frame);  // nothing was decoded: no rate
    QVERIFY(!figures.now().hostTokensPerSecond);
    frame.intervalDecoded = 10;
    figures.add(frame);
    QCOMPARE(figures.now().hostTokensPerSecond, std::optional<double>(500));
    QCOMPARE(figures.now().waferTokensPerSecond, std::optional<double>(6000));
    QCOMPARE(figures.now().contextUsed, std::optional<qint64>(17));
    figures.add(completion(812.5, 6120));
    // Figures that change faster cannot be read; the last is not lost.
    frame.hostTokensPerSecond = 5;
    frame.firstTokenHostMs = 0;
    figures.add(frame);
    frame.hostTokensPerSecond = 6;
    figures.add(frame);
    QCOMPARE(figures.now().hostTokensPerSecond, std::optional<double>(812.5));
    QTRY_COMPARE(figures.now().hostTokensPerSecond, std::optional<double>(6));
    // Nothing of the completion before stands beside it.
    QVERIFY(!figures.now().firstTokenHostMs);
    QCOMPARE(figures.now().waferTokensPerSecond, std::optional<double>(6000));
    // One that has ended is newer than a frame that waits.
    frame.hostTokensPerSecond = 7;
    figures.add(frame);
    figures.add(completion(900, 6130));
    frame.hostTokensPerSecond = 8;
    figures.add(frame);
    QTRY_COMPARE(figures.now().hostTokensPerSecond, std::optional<double>(8));
  }

  void framesGiveNoFiguresWhereRunsMustShowTheSame() {
    LiveFigures figures;
    figures.follow(ready("m"));
    figures.setTakesFrames(false);
    protocol::TelemetryFrame frame;
    frame.intervalDecoded = 10;
    frame.hostTokensPerSecond = 500;
    frame.waferTokensPerSecond = 6000;
    frame.contextUsed = 17;
    figures.add(frame);
    QVERIFY(!figures.now().waferTokensPerSecond);
    figures.add(completion(812.5, 6120.25));
    figures.add(frame);
    QCoreApplication::processEvents();
    QCOMPARE(figures.now().waferTokensPerSecond, std::optional<double>(6120.25));
    QVERIFY(!figures.now().contextUsed);
  }

  void figuresOfTwoModelsNeverMix() {
    LiveFigures figures;
    figures.follow(ready("small"));
    figures.add(completion(700, 6120));
    QCOMPARE(figures.now().model, QString("small"));
    // The large one begins to work: its wafer is shown, and nothing of it was measured yet.
    protocol::WaferLayout layout;
    layout.machine = "wse3";
    layout.profile = "p";
    layout.model = "large";
    layout.clockHz = 1e9;
    figures.show(layout);
    QCOMPARE(figures.now().model, QString("large"));
    QCOMPARE(figures.now().clockHz, 1e9);
    QVERIFY(!figures.now().hostTokensPerSecond);
    QVERIFY(!figures.now().contextLimit);
    protocol::TelemetryFrame frame;
    frame.intervalDecoded = 3;
    frame.hostTokensPerSecond = 20;
    frame.waferTokensPerSecond = 900;
    frame.contextUsed = 40;
    frame.contextLimit = 4096;
    figures.add(frame);
    QCOMPARE(figures.now().hostTokensPerSecond, std::optional<double>(20));
    // A suggestion of the small one meanwhile is no figure of the large one.
    figures.add(completion(710, 6130));
    QCOMPARE(figures.now().model, QString("large"));
    QCOMPARE(figures.now().hostTokensPerSecond, std::optional<double>(20));
    QCOMPARE(figures.now().waferTokensPerSecond, std::optional<double>(900));
    QCOMPARE(figures.now().contextLimit, std::optional<qint64>(4096));
    layout.model = "small";
    figures.show(layout);
    QCOMPARE(figures.now().model, QString("small"));
    QCOMPARE(figures.now().hostTokensPerSecond, std::optional<double>(710));
    QCOMPARE(figures.now().waferTokensPerSecond, std::optional<double>(6130));
    // Nothing is shown any longer: the one that suggests is in sight.
    layout.model = "large";
    figures.show(layout);
    figures.showFirst();
    QCOMPARE(figures.now().model, QString("small"));
  }

  void aShadowIsOfTheFirstModelAlone() {
    LiveFigures figures;
    figures.follow(ready("small"));
    figures.setShadow(ShadowFacts{.model = "llama"});
    protocol::WaferLayout layout;
    layout.machine = "wse3";
    layout.profile = "p";
    layout.model = "large";
    figures.show(layout);
    QCOMPARE(figures.now().shadow, QString());
    layout.model = "llama";
    layout.shadowOf = "small";
    figures.show(layout);
    QCOMPARE(figures.now().model, QString("small"));
    QCOMPARE(figures.now().shadow, QString("llama"));
  }

  // Its first token would stand beside the rate of another completion.
  void aCompletionWithoutARateLeavesAllFigures() {
    LiveFigures figures;
    RuntimeFigures cancelled;
    cancelled.firstTokenHostMs = 3.1;
    figures.add(cancelled);  // nothing was measured before
    QCOMPARE(figures.now().firstTokenHostMs, std::optional<double>(3.1));
    figures.add(completion(700, 6120));
    figures.add(cancelled);
    QCOMPARE(figures.now().hostTokensPerSecond, std::optional<double>(700));
    QCOMPARE(figures.now().firstTokenHostMs, std::optional<double>(4.2));
    QCOMPARE(figures.now().profile, QString("q"));
  }
};

QTEST_GUILESS_MAIN(TestLiveFigures)
#include "test_live_figures.moc"
