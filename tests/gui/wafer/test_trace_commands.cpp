// SPDX-License-Identifier: GPL-3.0-or-later
// The Wafer menu of the real window: traces are recorded, and replayed from what is said of them.
#include <QAction>
#include <QFileDialog>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QPushButton>
#include <QtTest>

#include "gui/client/runtime_service.h"
#include "gui/shell/main_window.h"
#include "gui/store/app_paths.h"
#include "gui/wafer/trace_replay.h"
#include "gui/wafer/wafer_dock.h"
#include "tests/gui/client/scripted_server.h"
#include "tests/runtime/trace/sample_trace.h"

using namespace waferpair;
using namespace waferpair::gui;
using waferpair::test::ScriptedServer;

class TestTraceCommands : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { useProfile(profile_.path()); }
  void init() {
    server_ = std::make_unique<ScriptedServer>();
    runtime_ =
        std::make_unique<RuntimeService>(RuntimeCommand{server_->program(), "/models/m.gguf"});
    window_ = std::make_unique<MainWindow>(AppPaths::forUser(), runtime_.get());
    window_->show();
    runtime_->start();
    QTRY_COMPARE(runtime_->state(), RuntimeService::State::kReady);
  }
  void cleanup() {
    window_.reset();
    runtime_.reset();
    server_.reset();
  }

  void aTraceIsRecordedStoppedAndReplayed() {
    const QString path = profile_.filePath("run.wptrace");
    QAction* record = action("wafer.record");
    QAction* stop = action("wafer.stopRecording");
    QVERIFY(record->isEnabled() && !stop->isEnabled());
    record->trigger();
    auto* dialog = window_->findChild<QFileDialog*>("recordTraceDialog");
    QTRY_VERIFY(dialog && dialog->isVisible());
    QVERIFY(dialog->selectedFiles().value(0).endsWith(".wptrace"));
    dialog->selectFile(path);
    QMetaObject::invokeMethod(dialog, "accept");
    QTRY_COMPARE(server_->messagesOf("trace.start").size(), 1);
    QCOMPARE(server_->messages().last()["file"].toString(), path);
    say({{"type", "trace.started"}, {"file", path}});
    QTRY_VERIFY(stop->isEnabled() && !record->isEnabled());
    QVERIFY(noticeText().contains("run.wptrace"));

    QTest::mouseClick(button("stopRecording"), Qt::LeftButton);
    QTRY_COMPARE(server_->messagesOf("trace.stop").size(), 1);
    QVERIFY(test::writeTrace(path.toStdString(), test::sampleSteps(100)).has_value());
    say({{"type", "trace.stopped"}, {"steps", 101}, {"tokens", 125}, {"file", path}});
    QTRY_VERIFY(record->isEnabled() && !stop->isEnabled());
    QTRY_VERIFY(noticeText().contains("101"));

    auto* dock = window_->findChild<WaferDock*>();
    QVERIFY(!action("wafer.closeTrace")->isEnabled());
    QTest::mouseClick(button("replayTrace"), Qt::LeftButton);
    QVERIFY(dock->replay());
    QCOMPARE(dock->replay()->path(), path);
    QVERIFY(action("wafer.closeTrace")->isEnabled());
    action("wafer.closeTrace")->trigger();
    QVERIFY(!dock->replay());
  }

  void whatGoesWrongIsSaidWithItsRemedy() {
    action("wafer.openTrace")->trigger();
    auto* dialog = window_->findChild<QFileDialog*>("openTraceDialog");
    QTRY_VERIFY(dialog && dialog->isVisible());
    const QString path = profile_.filePath("no.wptrace");
    QFile file(path);
    QVERIFY(file.open(QFile::WriteOnly) && file.write("hello") == 5);
    file.close();
    dialog->selectFile(path);
    QMetaObject::invokeMethod(dialog, "accept");
    QTRY_VERIFY(noticeText().contains("not a trace"));

    say({{"type", "error"},
         {"error", QJsonObject{{"code", "trace_failed"},
                               {"message", "The disk is full."},
                               {"remedy", "Make room."}}}});
    QTRY_VERIFY(noticeText().contains("Make room."));
  }

 private:
  void say(const QJsonObject& event) { server_->sendText(QJsonDocument(event).toJson()); }
  QAction* action(const char* id) const { return window_->findChild<QAction*>(QLatin1String(id)); }
  QPushButton* button(const char* name) const {
    return window_->findChild<QPushButton*>(QLatin1String(name));
  }
  // Returns the text of the newest notice: those before it are on their way out.
  QString noticeText() const {
    for (const QWidget* banner : window_->findChildren<QWidget*>("traceNotice"))
      if (banner->isVisible()) return banner->findChild<QLabel*>("bannerText")->text();
    return {};
  }

  QTemporaryDir profile_;
  std::unique_ptr<ScriptedServer> server_;
  std::unique_ptr<RuntimeService> runtime_;
  std::unique_ptr<MainWindow> window_;
};

QTEST_MAIN(TestTraceCommands)
#include "test_trace_commands.moc"
