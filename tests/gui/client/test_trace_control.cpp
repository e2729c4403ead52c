// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "gui/client/runtime_client.h"
#include "gui/client/trace_control.h"
#include "tests/gui/client/scripted_server.h"

using namespace waferpair;
using namespace waferpair::gui;
using waferpair::test::ScriptedServer;

class TestTraceControl : public QObject {
  Q_OBJECT
 private slots:
  void init() {
    QLoggingCategory::setFilterRules("waferpair.*=false");
    server_ = std::make_unique<ScriptedServer>();
    client_ = std::make_unique<RuntimeClient>();
    client_->connectTo(server_->endpoint());
    QTRY_VERIFY(client_->isReady());
    trace_ = std::make_unique<TraceControl>();
    trace_->setClient(client_.get());
  }
  void cleanup() {
    trace_.reset();
    client_.reset();
    server_.reset();
  }

  void aRecordingIsStartedAndWritten() {
    QSignalSpy changed(trace_.get(), &TraceControl::changed);
    QSignalSpy written(trace_.get(), &TraceControl::written);
    QSignalSpy failed(trace_.get(), &TraceControl::failed);
    trace_->start("/tmp/a.wptrace");
    QTRY_COMPARE(server_->messagesOf("trace.start").size(), 1);
    QCOMPARE(server_->messagesOf("trace.start")[0]["file"].toString(), QString("/tmp/a.wptrace"));
    QVERIFY(trace_->file().isEmpty());  // until the server says so
    begin("/tmp/a.wptrace");
    QCOMPARE(changed.size(), 1);
    trace_->stop();
    QTRY_COMPARE(server_->messagesOf("trace.stop").size(), 1);
    server_->sendText(R"({"type":"trace.stopped","file":"/tmp/a.wptrace","steps":12,"tokens":7})");
    QTRY_COMPARE(written.size(), 1);
    QCOMPARE(written[0], (QVariantList{QString("/tmp/a.wptrace"), qint64(12), qint64(7)}));
    QVERIFY(trace_->file().isEmpty());
    QCOMPARE(changed.size(), 2);
    QCOMPARE(failed.size(), 0);
  }

  void whatTheServerRefusesHasFailed() {
    QSignalSpy failed(trace_.get(), &TraceControl::failed);
    server_->sendText(R"({"type":"error","error":{"code":"no_such_document","message":"x."}})");
    server_->sendText(R"({"type":"error","error":{"code":"trace_failed",
        "message":"/no/a.wptrace cannot be written.","remedy":"Choose another folder."}})");
    QTRY_COMPARE(failed.size(), 1);
    QCOMPARE(failed[0][0].value<editor::Error>().message(),
             QString("/no/a.wptrace cannot be written. Choose another folder."));
  }

  void whatCannotBeRecordedIsNotAskedFor() {
    QSignalSpy failed(trace_.get(), &TraceControl::failed);
    trace_->setUnavailable("Loading model m.gguf");
    trace_->start("/tmp/a.wptrace");
    QCOMPARE(failed.size(), 1);
    QCOMPARE(failed[0][0].value<editor::Error>().what,
             QString("Nothing can be recorded: Loading model m.gguf."));
    trace_->setUnavailable({});
    trace_->start("/tmp/b.wptrace");
    QTRY_COMPARE(server_->messagesOf("trace.start").size(), 1);
    QCOMPARE(server_->messagesOf("trace.start")[0]["file"].toString(), QString("/tmp/b.wptrace"));
  }

  void aSessionThatBreaksEndsTheRecording() {
    begin("/tmp/a.wptrace");
    QSignalSpy failed(trace_.get(), &TraceControl::failed);
    server_->dropSession();
    QTRY_COMPARE(failed.size(), 1);
    QVERIFY(failed[0][0].value<editor::Error>().what.contains("ended while /tmp/a.wptrace"));
    QVERIFY(failed[0][0].value<editor::Error>().remedy.contains("unfinished"));
    QVERIFY(trace_->file().isEmpty());
  }

  void anotherSessionEndsTheRecordingToo() {
    begin("/tmp/a.wptrace");
    QSignalSpy failed(trace_.get(), &TraceControl::failed);
    RuntimeClient next;
    trace_->setClient(&next);
    QCOMPARE(failed.size(), 1);
    QVERIFY(failed[0][0].value<editor::Error>().what.contains("change of model"));
    QVERIFY(trace_->file().isEmpty());
    // The one before is not heard any more.
    QSignalSpy started(client_.get(), &RuntimeClient::told);
    server_->sendText(R"({"type":"trace.started","file":"/tmp/b.wptrace"})");
    QTRY_COMPARE(started.size(), 1);
    QVERIFY(trace_->file().isEmpty());
    trace_->setClient(client_.get());
  }

 private:
  void begin(const QString& file) {
    server_->sendText(
        QByteArray(R"({"type":"trace.started","file":"FILE"})").replace("FILE", file.toUtf8()));
    QTRY_COMPARE(trace_->file(), file);
  }

  std::unique_ptr<ScriptedServer> server_;
  std::unique_ptr<RuntimeClient> client_;
  std::unique_ptr<TraceControl> trace_;
};

QTEST_GUILESS_MAIN(TestTraceControl)
#include "test_trace_control.moc"
