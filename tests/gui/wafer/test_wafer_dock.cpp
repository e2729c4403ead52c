// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAccessible>
#include <QComboBox>
#include <QMainWindow>
#include <QtTest>

#include "gui/client/runtime_service.h"
#include "gui/kit/command_registry.h"
#include "gui/store/app_paths.h"
#include "gui/store/settings.h"
#include "gui/wafer/defects_command.h"
#include "gui/wafer/trace_replay.h"
#include "gui/wafer/wafer_dock.h"
#include "tests/gui/client/scripted_server.h"
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
        std::make_unique<RuntimeService>(RuntimeCommand{server_->program(), "/models/m.gguf"});
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

  void defectsAreATickThatIsRemembered() {
    QTemporaryDir folder;
    Settings settings(AppPaths{folder.filePath("config"), folder.filePath("state")});
    CommandRegistry commands(window_.get(), folder.filePath("keys.json"));
    addDefectsCommand(commands, &settings, dock_);
    QAction* action = commands.action(QStringLiteral("wafer.defects"));
    QVERIFY(action->isCheckable() && !action->isChecked());
    QVERIFY(!dock_->panel()->view()->showsDefects());
    action->trigger();
    QVERIFY(action->isChecked() && dock_->panel()->view()->showsDefects());
    QVERIFY(settings.get().waferDefects);
    action->trigger();
    QVERIFY(!dock_->panel()->view()->showsDefects());
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

  void itsControlsHaveNamesThatStayAndTellTheirValues() {
    window_->show();
    QVERIFY(!openSample().isEmpty());
    TraceReplay* replay = dock_->replay();
    replay->setPlaying(false);
    const auto text = [this](const char* name, QAccessible::Text kind) {
      return QAccessible::queryAccessibleInterface(dock_->findChild<QWidget*>(name))->text(kind);
    };
    const struct {
      const char *object, *name;
      QAccessible::Role role;
    } controls[] = {{"replayPlay", "Play", QAccessible::PushButton},
                    {"replayLoop", "Repeat", QAccessible::CheckBox},
                    {"replayPlace", "Place in the recording", QAccessible::Slider},
                    {"replaySpeed", "Slow-down", QAccessible::ComboBox},
                    {"replayTitle", "Recording", QAccessible::StaticText},
                    {"replayTime", "Time in the recording", QAccessible::StaticText}};
    const auto names = [&] {
      QStringList all;
      for (const auto& control : controls) all << text(control.object, QAccessible::Name);
      return all;
    };
    for (const auto& control : controls) {
      QCOMPARE(text(control.object, QAccessible::Name), QString(control.name));
      QVERIFY2(!text(control.object, QAccessible::Description).isEmpty(), control.object);
      auto* widget = dock_->findChild<QWidget*>(control.object);
      QCOMPARE(QAccessible::queryAccessibleInterface(widget)->role(), control.role);
    }
    const QStringList before = names();
    auto* speed = dock_->findChild<QComboBox*>("replaySpeed");
    QTest::keyClick(speed, Qt::Key_End);
    QCOMPARE(replay->slowdown(), 1.0);
    QCOMPARE(text("replaySpeed", QAccessible::Value), QString("As fast as the wafer"));
    auto* place = dock_->findChild<QWidget*>("replayPlace");
    QTest::keyClick(place, Qt::Key_End);
    const QString last = text("replayTime", QAccessible::Description);
    QTest::keyClick(place, Qt::Key_Home);
    QVERIFY(text("replayTime", QAccessible::Description) != last);
    QVERIFY(text("replayTime", QAccessible::Description).startsWith("0.0"));
    QCOMPARE(text("replayPlace", QAccessible::Description),
             text("replayTime", QAccessible::Description));
    QCOMPARE(names(), before);
  }

  void itIsRepeatedOnDemand() {
    window_->show();
    QVERIFY(!openSample().isEmpty());
    TraceReplay* replay = dock_->replay();
    replay->setSlowdown(0.05 / replay->seconds());
    auto* loop = dock_->findChild<QWidget*>("replayLoop");
    QTest::keyClick(loop, Qt::Key_Space);
    QSignalSpy back(replay, &TraceReplay::wentBack);
    replay->setPlaying(true);
    QTRY_VERIFY(back.size() >= 3);
    QVERIFY(replay->isPlaying());
    QTest::keyClick(loop, Qt::Key_Space);
    QTRY_VERIFY(!replay->isPlaying());
    QCOMPARE(replay->position(), replay->seconds());
  }

  // A dock is as narrow as its user wants it.
  void aNarrowDockHoldsIt() {
    window_->setCentralWidget(new QWidget);
    window_->show();
    QVERIFY(!openSample().isEmpty());
    for (const int width : {170, 240, 500}) {
      window_->resizeDocks({dock_}, {width}, Qt::Horizontal);
      QTRY_COMPARE(dock_->width(), width);
      QCoreApplication::processEvents();
      for (const QWidget* child : dock_->findChildren<QWidget*>())
        if (child->isVisible() && !child->isWindow())
          QVERIFY2(dock_->rect().contains(QRect(child->mapTo(dock_, QPoint()), child->size())),
                   qPrintable(child->objectName()));
    }
  }

  void whatIsNoTraceLeavesTheLiveWaferAlone() {
    window_->show();
    QTRY_VERIFY(dock_->isSubscribed());
    editor::Error problem;
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
    editor::Error problem;
    QVERIFY(dock_->openTrace(path, &problem));
    QVERIFY(problem.what.contains("cut.wptrace"));
    QVERIFY(dock_->replay()->tokens() > 0);
  }

 private:
  QString openSample() {
    const QString path = profile_.filePath("run.wptrace");
    editor::Error problem;
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
