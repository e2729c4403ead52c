// SPDX-License-Identifier: GPL-3.0-or-later
#include <QMainWindow>
#include <QtTest>

#include "gui/app_paths.h"
#include "gui/runtime_service.h"
#include "gui/trace_replay.h"
#include "gui/wafer_dock.h"
#include "tests/gui/runtime/scripted_server.h"
#include "tests/runtime/trace/sample_trace.h"
#include "wafer_view/wafer_panel.h"
#include "wafer_view/wafer_view.h"

using namespace waferpair;
using namespace waferpair::gui;
using waferpair::test::ScriptedServer;

class TestWaferDock : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { useProfile(profile_.path()); }
  void init() {
    server_ = std::make_unique<ScriptedServer>();
    runtime_ =
        std::make_unique<RuntimeService>(RuntimeOptions{server_->program(), "/models/m.gguf"});
    window_ = std::make_unique<QMainWindow>();
    window_->resize(800, 600);
    dock_ = new WaferDock(runtime_.get(), window_.get());
    window_->addDockWidget(Qt::RightDockWidgetArea, dock_);
    runtime_->start();
    QTRY_COMPARE(runtime_->state(), RuntimeService::State::kReady);
  }
  void cleanup() {
    window_.reset();
    runtime_.reset();
    server_.reset();
  }

  void telemetryIsAskedForOnlyWhileTheViewCanBeSeen() {
    QVERIFY(!dock_->isSubscribed());
    window_->show();
    QTRY_COMPARE(server_->messagesOf("telemetry.subscribe").size(), 1);
    QCOMPARE(server_->messages().last()["hz"].toInt(), 60);
    dock_->hide();
    QTRY_COMPARE(server_->messagesOf("telemetry.unsubscribe").size(), 1);
    dock_->show();
    QTRY_COMPARE(server_->messagesOf("telemetry.subscribe").size(), 2);
  }

  void aMinimizedWindowAsksForNothing() {
    window_->show();
    QTRY_VERIFY(dock_->isSubscribed());
    window_->showMinimized();
    QTRY_VERIFY(!dock_->isSubscribed());
    window_->showNormal();
    QTRY_VERIFY(dock_->isSubscribed());
  }

  void aPausedViewAsksForNothing() {
    window_->show();
    QTRY_VERIFY(dock_->isSubscribed());
    dock_->panel()->setPaused(true);
    QTRY_VERIFY(!dock_->isSubscribed());
    dock_->panel()->setPaused(false);
    QTRY_VERIFY(dock_->isSubscribed());
  }

  void theLayoutReachesTheView() {
    window_->show();
    QTRY_VERIFY(dock_->isSubscribed());
    QVERIFY(!dock_->panel()->view()->hasLayout());
    server_->sendText(R"({"type":"telemetry.layout","layout":{"machine":"wse3","profile":"p",
        "model":"m","clock_hz":1.1e9,"fabric_width":762,"fabric_height":1172,"die_columns":7,
        "die_rows":12,"sram_per_pe":49152,"regions":[{"name":"r","x":0,"y":0,"width":64,"height":64,
        "sram":{"code":0,"weights":0,"kv_cache":0,"activations":0,"free":49152}}],
        "ops":[{"name":"o","region":0,"layer":0}]}})");
    QTRY_VERIFY(dock_->panel()->view()->hasLayout());
    QVERIFY(dock_->panel()->view()->machineText().contains("wse3"));
  }

  void aTraceIsReplayedInPlaceOfTheLiveWafer() {
    window_->show();
    QTRY_VERIFY(dock_->isSubscribed());
    QVERIFY(!openSample().isEmpty());
    QVERIFY(dock_->replay());
    QTRY_VERIFY(!dock_->isSubscribed());
    QVERIFY(dock_->panel()->view()->hasLayout());
    auto* bar = dock_->findChild<QWidget*>("replayBar");
    QVERIFY(bar->isVisible());
    QVERIFY(dock_->replay()->isPlaying());
    QSignalSpy frames(dock_->replay(), &TraceReplay::frame);
    QTRY_VERIFY(dock_->replay()->position() > 0);
    QTRY_VERIFY(!frames.isEmpty());

    QTest::mouseClick(dock_->findChild<QWidget*>("replayClose"), Qt::LeftButton);
    QVERIFY(!dock_->replay());
    QVERIFY(!bar->isVisible());
    QVERIFY(!dock_->panel()->view()->hasLayout());  // until the server tells it
    QTRY_VERIFY(dock_->isSubscribed());
  }

  // Without a layout nothing could go on: there is no wafer to resume on.
  void aPauseEndsWithTheTrace() {
    window_->show();
    QVERIFY(!openSample().isEmpty());
    dock_->panel()->setPaused(true);
    dock_->closeTrace();
    QTRY_VERIFY(dock_->isSubscribed());
  }

  void playingCountsEveryTokenOnceAndEndsAtTheEnd() {
    window_->show();
    QVERIFY(!openSample().isEmpty());
    TraceReplay* replay = dock_->replay();
    quint64 tokens = 0;
    connect(replay, &TraceReplay::frame, this,
            [&](const protocol::TelemetryFrame& frame) { tokens += frame.intervalDecoded; });
    replay->setPlaying(false);
    replay->setPosition(0);
    tokens = 0;
    replay->setSlowdown(replay->seconds() > 0 ? 0.2 / replay->seconds() : 1);
    replay->setPlaying(true);
    QTRY_VERIFY(!replay->isPlaying());
    QCOMPARE(replay->position(), replay->seconds());
    QCOMPARE(tokens, replay->tokens());
    // Once more, from the beginning.
    QSignalSpy back(replay, &TraceReplay::wentBack);
    replay->setPlaying(true);
    QCOMPARE(back.size(), 1);
    QVERIFY(replay->position() < replay->seconds());
  }

  void theKeyboardMovesThroughIt() {
    window_->show();
    QVERIFY(!openSample().isEmpty());
    TraceReplay* replay = dock_->replay();
    auto* play = dock_->findChild<QWidget*>("replayPlay");
    play->setFocus();
    QTest::keyClick(play, Qt::Key_Space);
    QVERIFY(!replay->isPlaying());
    auto* place = dock_->findChild<QWidget*>("replayPlace");
    QTest::keyClick(place, Qt::Key_End);
    QCOMPARE(replay->position(), replay->seconds());
    QSignalSpy back(replay, &TraceReplay::wentBack);
    QTest::keyClick(place, Qt::Key_PageDown);
    QVERIFY(replay->position() < replay->seconds());
    QCOMPARE(back.size(), 1);
    QTest::keyClick(place, Qt::Key_Home);
    QCOMPARE(replay->position(), 0.0);
    QTest::keyClick(play, Qt::Key_Space);
    QVERIFY(replay->isPlaying());
  }

  void whatIsNoTraceLeavesTheLiveWaferAlone() {
    window_->show();
    QTRY_VERIFY(dock_->isSubscribed());
    RuntimeProblem problem;
    QVERIFY(!dock_->openTrace("/nothing/there.wptrace", &problem));
    QVERIFY(problem.what.contains("there.wptrace"));
    QVERIFY(!problem.remedy.isEmpty());
    QVERIFY(dock_->isSubscribed());
    QVERIFY(!dock_->replay());
  }

  void aTraceThatWasCutShortIsShownAsFarAsItGoes() {
    const QString path = profile_.filePath("cut.wptrace");
    QVERIFY(test::writeTrace(path.toStdString(), test::sampleSteps(30'000)).has_value());
    QVERIFY(QFile::resize(path, QFileInfo(path).size() - 10));
    RuntimeProblem problem;
    QVERIFY(dock_->openTrace(path, &problem));
    QVERIFY(problem.what.contains("cut.wptrace"));
    QVERIFY(dock_->replay()->tokens() > 0);
  }

 private:
  QString openSample() {
    const QString path = profile_.filePath("run.wptrace");
    RuntimeProblem problem;
    const bool opened = test::writeTrace(path.toStdString(), test::sampleSteps(300)).has_value() &&
                        dock_->openTrace(path, &problem);
    return opened && problem.message().isEmpty() ? path : QString();
  }

  QTemporaryDir profile_;
  std::unique_ptr<ScriptedServer> server_;
  std::unique_ptr<RuntimeService> runtime_;
  std::unique_ptr<QMainWindow> window_;
  WaferDock* dock_ = nullptr;
};

QTEST_MAIN(TestWaferDock)
#include "test_wafer_dock.moc"
