// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <csignal>

#include "gui/client/completion_service.h"
#include "gui/client/runtime_service.h"
#include "tests/gui/client/scripted_server.h"
#include "tests/support/text_sync.h"

using namespace waferpair;
using namespace waferpair::gui;
using waferpair::test::ScriptedServer;
using State = RuntimeService::State;

class TestRuntimeService : public QObject {
  Q_OBJECT
 private slots:
  void init() {
    QLoggingCategory::setFilterRules("waferpair.*=false");
    server_ = std::make_unique<ScriptedServer>();
  }

  void aKilledServerIsReplacedAndTheDocumentsAreSentAnew() {
    RuntimeService service({server_->program(), "/models/first.gguf"});
    test::TextSync sync;
    sync.subscribe(service.documents());
    start(service);
    sync.openText("/a.cpp", "C++", 1, "int a;");
    sync.change("/a.cpp", 2, {{6, 6, " int b;"}});
    QTRY_COMPARE(server_->messagesOf("document.change").size(), 1);
    server_->forgetMessages();
    QList<State> states;
    connect(&service, &RuntimeService::stateChanged, this, [&] { states.append(service.state()); });
    ::kill(static_cast<pid_t>(service.processId()), SIGKILL);
    server_->dropSession();  // as the kernel would
    QTRY_VERIFY(states.contains(State::kRestarting));
    QTRY_COMPARE(service.state(), State::kReady);
    QTRY_COMPARE(ScriptedServer::documentAfter(server_->messages(), "/a.cpp"),
                 QByteArray("int a; int b;"));
    QVERIFY(service.completions()->requestCompletion({"/a.cpp", 2, 3}) != 0);
  }

  void anotherModelReplacesThePresentOneWhenItServes() {
    ScriptedServer second;
    second.greeting.replace("scripted-model", "second-model");
    RuntimeService service({server_->program("case \"$2\" in *second*) echo '" +
                                             second.listeningLine() + "'; exec cat;; esac"),
                            "/models/first.gguf"});
    test::TextSync sync;
    sync.subscribe(service.documents());
    start(service);
    sync.openText("/a.cpp", "C++", 1, "x");
    const qint64 process = service.processId();
    QSignalSpy chosen(&service, &RuntimeService::modelChosen);
    QCOMPARE(service.loadingText(), QString());
    const QByteArray ready = std::exchange(
        second.greeting,
        R"({"type":"session.ready","protocol":1,"state":"loading","model":null,"models":[
            {"file":"/models/second.gguf","state":"loading","progress":0.43}]})");
    service.chooseModel("/models/second.gguf");
    QVERIFY(service.isTryingModel());
    // The present one is still there, and what comes is in sight.
    QTRY_COMPARE(service.loadingText(), QString("Loading 43 %: second.gguf"));
    QCOMPARE(service.state(), State::kReady);
    second.greeting = ready;
    second.sendText(QByteArray(ready).replace("session.ready", "status"));
    QTRY_COMPARE(chosen.size(), 1);
    QCOMPARE(service.loadingText(), QString());
    QCOMPARE(service.state(), State::kReady);
    QCOMPARE(service.figures().model, QString("second-model"));
    QCOMPARE(service.modelPath(), QString("/models/second.gguf"));
    QVERIFY(!service.isTryingModel());
    QTRY_COMPARE(second.messagesOf("document.open").size(), 1);
    QTRY_COMPARE(::kill(static_cast<pid_t>(process), 0), -1);  // the old one has left
    // It is restarted like any other from now on.
    ::kill(static_cast<pid_t>(service.processId()), SIGKILL);
    second.dropSession();
    QTRY_COMPARE(second.sessions(), 2);
    QTRY_COMPARE(service.state(), State::kReady);
  }

  void anotherModelEndsTheRecording() {
    ScriptedServer second;
    RuntimeService service({server_->program("case \"$2\" in *second*) echo '" +
                                             second.listeningLine() + "'; exec cat;; esac"),
                            "/models/first.gguf"});
    start(service);
    service.trace()->start("/tmp/a.wptrace");
    server_->sendText(R"({"type":"trace.started","file":"/tmp/a.wptrace"})");
    QTRY_COMPARE(service.trace()->file(), QString("/tmp/a.wptrace"));
    QSignalSpy ended(service.trace(), &TraceControl::failed);
    QSignalSpy chosen(&service, &RuntimeService::modelChosen);
    service.chooseModel("/models/second.gguf");
    QTRY_COMPARE(chosen.size(), 1);
    QCOMPARE(ended.size(), 1);
    QCOMPARE(service.trace()->file(), QString());
  }

  void whatIsNotReadyIsSaidEverywhere() {
    RuntimeService service({server_->program(), "/models/first.gguf"});
    QSignalSpy shadow(service.shadow(), &ShadowModel::failed);
    QSignalSpy trace(service.trace(), &TraceControl::failed);
    service.shadow()->choose("llama-3.1-8b");
    service.trace()->start("/tmp/a.wptrace");
    QCOMPARE(shadow.size(), 1);
    QCOMPARE(trace.size(), 1);
    QVERIFY(trace[0][0].value<editor::Error>().what.contains(service.stateText()));
    QVERIFY(!service.silenceReason("/a.cpp").isEmpty());
    start(service);
    service.trace()->start("/tmp/a.wptrace");
    QTRY_COMPARE(server_->messagesOf("trace.start").size(), 1);
    service.stop();
    service.shadow()->choose("llama-3.1-8b");
    QCOMPARE(shadow.size(), 2);
  }

  void waferFiguresAreOfWhatIsShown() {
    RuntimeService service({server_->program(), "/models/first.gguf"});
    start(service);
    const QByteArray done = R"({"type":"completion.done","id":1,"version":1,"offset":0,
        "reason":"cancelled","timings":{"host":{"tokens_per_second":700},
          "wafer":{"tokens_per_second":6120,"machine":"wse3","profile":"p","clock_hz":1.1e9},
          "shadow":SHADOW}})";
    const QByteArray shadow = R"({"model":"llama-3.1-8b","tokens_per_second":2000,
        "machine":"wse3","profile":"p","clock_hz":1.1e9})";
    server_->sendText(R"({"type":"shadow.changed","shadow":{"model":"llama-3.1-8b","wafers":1}})");
    // A completion that began before.
    server_->sendText(QByteArray(done).replace("SHADOW", "null"));
    QTRY_COMPARE(service.figures().hostTokensPerSecond, std::optional<double>(700));
    QVERIFY(!service.figures().waferTokensPerSecond);
    server_->sendText(QByteArray(done).replace("SHADOW", shadow));
    QTRY_COMPARE(service.figures().waferTokensPerSecond, std::optional<double>(2000));
    server_->sendText(R"({"type":"shadow.changed","shadow":null})");
    QTRY_VERIFY(!service.figures().waferTokensPerSecond);
    server_->sendText(QByteArray(done).replace("SHADOW", "null"));
    QTRY_COMPARE(service.figures().waferTokensPerSecond, std::optional<double>(6120));
  }

  void aModelThatIsRefusedLeavesThePresentOneAtWork() {
    RuntimeService service(
        {server_->program(
             "case \"$2\" in *bad*) echo 'bad.gguf: not a GGUF file.' >&2; exit 3;; esac"),
         "/models/first.gguf"});
    start(service);
    const qint64 process = service.processId();
    QSignalSpy rejected(&service, &RuntimeService::modelRejected);
    service.chooseModel("/models/bad.gguf");
    QTRY_COMPARE(rejected.size(), 1);
    QCOMPARE(rejected[0][0].toString(), QString("/models/bad.gguf"));
    QCOMPARE(rejected[0][1].value<editor::Error>().what, QString("bad.gguf: not a GGUF file."));
    QCOMPARE(service.state(), State::kReady);
    QCOMPARE(service.processId(), process);
    QCOMPARE(service.modelPath(), QString("/models/first.gguf"));
    QCOMPARE(server_->sessions(), 1);
    QVERIFY(!service.isTryingModel());
  }

  // An adapter is tried as another model is; the setting that did not change anything tries
  // nothing.
  void anAdapterIsTriedBesideThePresentModel() {
    ScriptedServer second;
    second.greeting.replace("scripted-model", "first + style");
    RuntimeService service(
        {server_->program("case \"$*\" in *bad.gguf*) echo 'bad.gguf: is no adapter.' >&2; exit 3;;"
                          " *'--adapter /a/style.gguf:0.5'*) echo '" +
                          second.listeningLine() + "'; exec cat;; esac"),
         "/models/first.gguf"});
    start(service);
    QSignalSpy chosen(&service, &RuntimeService::modelChosen);
    QSignalSpy rejected(&service, &RuntimeService::modelRejected);
    service.setAdapters({"/models/other.gguf=/a/bad.gguf"});
    QVERIFY(!service.isTryingModel());
    service.setAdapters({"/models/first.gguf=/a/bad.gguf"});
    QVERIFY(service.isTryingModel());
    QTRY_COMPARE(rejected.size(), 1);
    QCOMPARE(rejected[0][1].value<editor::Error>().what, QString("bad.gguf: is no adapter."));
    QCOMPARE(service.figures().model, QString("scripted-model"));
    const QStringList lines{"/models/first.gguf=/a/style.gguf:0.5"};
    service.setAdapters(lines);
    QTRY_COMPARE(chosen.size(), 1);
    QCOMPARE(service.figures().model, QString("first + style"));
    QCOMPARE(service.modelPath(), QString("/models/first.gguf"));
    service.setAdapters(lines);
    QVERIFY(!service.isTryingModel());
  }

  void aModelThatFailsToLoadOnTrialIsRefused() {
    ScriptedServer second;
    second.greeting = R"({"type":"session.ready","protocol":1,"state":"failed","model":null,
        "error":{"message":"does not fit.","remedy":"Choose a smaller one."}})";
    RuntimeService service({server_->program("case \"$2\" in *second*) echo '" +
                                             second.listeningLine() + "'; exec cat;; esac"),
                            "/models/first.gguf"});
    start(service);
    QSignalSpy rejected(&service, &RuntimeService::modelRejected);
    service.chooseModel("/models/second.gguf");
    QTRY_COMPARE(rejected.size(), 1);
    QCOMPARE(rejected[0][1].value<editor::Error>().what, QString("does not fit."));
    QCOMPARE(service.state(), State::kReady);
    QCOMPARE(service.figures().model, QString("scripted-model"));
  }

  void figuresComeFromCompletionsAndFromTelemetry() {
    RuntimeService service({server_->program(), "/models/first.gguf"});
    start(service);
    server_->sendText(
        R"({"type":"completion.done","id":1,"version":1,"offset":0,"reason":"cancelled",
        "timings":{"host":{"first_token_ms":4.2,"tokens_per_second":null},
          "wafer":{"tokens_per_second":6120,"machine":"wse3","profile":"a-profile","clock_hz":1.1e9},
          "context_used":323,"context_limit":1024}})");
    QTRY_COMPARE(service.figures().firstTokenHostMs, std::optional<double>(4.2));
    QCOMPARE(service.figures().waferTokensPerSecond, std::optional<double>(6120));
    QCOMPARE(service.figures().contextUsed, std::optional<qint64>(323));
    QVERIFY(!service.figures().hostTokensPerSecond);

    service.setTelemetryRate(60);
    QTRY_COMPARE(server_->messagesOf("telemetry.subscribe").size(), 1);
    server_->sendText(
        R"({"type":"telemetry.layout","layout":{"machine":"wse3","profile":"a-profile",
        "model":"scripted-model","clock_hz":1.1e9,"fabric_width":8,"fabric_height":8,"die_columns":1,"die_rows":1,
        "sram_per_pe":49152,"regions":[],"ops":[]}})");
    protocol::TelemetryFrame frame;
    frame.intervalDecoded = 10;
    frame.hostTokensPerSecond = 500;
    frame.waferTokensPerSecond = 6000;
    sendFrame(frame);
    QTRY_COMPARE(service.figures().hostTokensPerSecond, std::optional<double>(500));
    QCOMPARE(service.figures().waferTokensPerSecond, std::optional<double>(6000));

    // The rate of a whole completion is not replaced by that of the last tokens of it.
    server_->sendText(
        R"({"type":"completion.done","id":2,"version":1,"offset":0,"reason":"stop",
        "timings":{"host":{"first_token_ms":4.2,"tokens_per_second":812.5},
          "context_used":324,"context_limit":1024}})");
    frame.hostTokensPerSecond = 5;
    QSignalSpy frames(&service, &RuntimeService::telemetryFrame);
    sendFrame(frame);
    QTRY_COMPARE(frames.size(), 1);
    QCOMPARE(service.figures().hostTokensPerSecond, std::optional<double>(812.5));
  }

 private:
  void start(RuntimeService& service) {
    service.start();
    QTRY_COMPARE(service.state(), State::kReady);
  }

  void sendFrame(const protocol::TelemetryFrame& frame) {
    const std::vector<std::byte> bytes = protocol::encode(frame);
    server_->sendBinary(QByteArray(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  }

  std::unique_ptr<ScriptedServer> server_;
};

QTEST_GUILESS_MAIN(TestRuntimeService)
#include "test_runtime_service.moc"
