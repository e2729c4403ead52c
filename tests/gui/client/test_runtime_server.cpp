// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <csignal>

#include "gui/client/runtime_client.h"
#include "gui/client/runtime_server.h"
#include "tests/gui/client/scripted_server.h"

using namespace waferpair;
using namespace waferpair::gui;
using waferpair::test::ScriptedServer;
using State = RuntimeServer::State;

class TestRuntimeServer : public QObject {
  Q_OBJECT
 private slots:
  void init() {
    QLoggingCategory::setFilterRules("waferpair.*=false");
    waferd_ = std::make_unique<ScriptedServer>();
  }

  void itStartsLoadsAndIsReady() {
    const QByteArray readyNow = waferd_->greeting;
    waferd_->greeting = R"({"type":"session.ready","protocol":1,"state":"loading","model":null})";
    RuntimeServer server({waferd_->program(), "/models/first.gguf"});
    QCOMPARE(server.state(), State::kStopped);
    QCOMPARE(server.processId(), 0);
    server.start();
    QCOMPARE(server.state(), State::kStarting);
    QTRY_COMPARE(server.state(), State::kLoading);
    QVERIFY(server.stateText().contains("first.gguf"));
    QCOMPARE(server.unavailable(), server.stateText());
    QSignalSpy changed(&server, &RuntimeServer::stateChanged);
    waferd_->sendText(R"({"type":"status","state":"loading","model":null,"models":[
        {"file":"/models/first.gguf","name":"First","state":"loading","progress":0.43}]})");
    QTRY_COMPARE(server.stateText(), QString("Loading 43 %: First"));
    QCOMPARE(changed.size(), 1);
    QSignalSpy ready(&server, &RuntimeServer::ready);
    State whenLoaded = State::kReady;
    connect(&server, &RuntimeServer::loaded, this, [&] { whenLoaded = server.state(); });
    QByteArray status = readyNow;
    waferd_->sendText(status.replace("session.ready", "status"));
    QTRY_COMPARE(server.state(), State::kReady);
    QCOMPARE(whenLoaded, State::kLoading);
    QCOMPARE(server.unavailable(), QString());
    QVERIFY(server.processId() > 0);
    QCOMPARE(ready.size(), 1);
    QCOMPARE(ready[0][0].value<ServerStatus>().model, QString("scripted-model"));
    // Receivers of ready() hear of news that change no state.
    waferd_->sendText(status);
    QTRY_COMPARE(ready.size(), 2);
  }

  void aModelThatCannotBeLoadedIsExplained() {
    waferd_->greeting = R"({"type":"session.ready","protocol":1,"state":"failed","model":null,
        "error":{"message":"first.gguf: no tensor named output.","remedy":"Choose another."}})";
    RuntimeServer server({waferd_->program(), "/models/first.gguf"});
    server.start();
    QTRY_COMPARE(server.state(), State::kFailed);
    QCOMPARE(server.problem().message(),
             QString("first.gguf: no tensor named output. Choose another."));
  }

  void withoutAModelItSaysSo() {
    RuntimeServer server({waferd_->program(), QString()});
    server.start();
    QCOMPARE(server.state(), State::kFailed);
    QCOMPARE(server.problem().what, QString("There is no model file."));
    QVERIFY(!server.problem().remedy.isEmpty());
    QCOMPARE(server.processId(), 0);
  }

  void aKilledServerIsReplaced() {
    RuntimeServer server({waferd_->program(), "/models/first.gguf"});
    start(server);
    QList<State> states;
    connect(&server, &RuntimeServer::stateChanged, this, [&] { states.append(server.state()); });
    const qint64 process = server.processId();
    ::kill(static_cast<pid_t>(process), SIGKILL);
    waferd_->dropSession();  // as the kernel would
    QTRY_VERIFY(states.contains(State::kRestarting));
    QTRY_COMPARE(server.state(), State::kReady);
    QVERIFY(server.processId() != process);
    QVERIFY(server.problem().what.isEmpty());
  }

  void aConnectionThatBreaksIsMended() {
    RuntimeServer server({waferd_->program(), "/models/first.gguf"});
    start(server);
    const qint64 process = server.processId();
    waferd_->dropSession();
    QTRY_COMPARE(server.state(), State::kRestarting);
    QVERIFY(!server.problem().what.isEmpty());
    QTRY_COMPARE(server.state(), State::kReady);
    QVERIFY(server.problem().what.isEmpty());
    QCOMPARE(server.processId(), process);
  }

  void restartTakesAnotherProcess() {
    RuntimeServer server({waferd_->program(), "/models/first.gguf"});
    start(server);
    const qint64 process = server.processId();
    server.restart();
    QCOMPARE(server.state(), State::kStarting);
    QTRY_COMPARE(server.state(), State::kReady);
    QVERIFY(server.processId() != process);
  }

  void stopEndsTheServerAndIsNoFailure() {
    RuntimeServer server({waferd_->program(), "/models/first.gguf"});
    start(server);
    const qint64 process = server.processId();
    server.stop();
    QCOMPARE(server.state(), State::kStopped);
    QTRY_COMPARE(::kill(static_cast<pid_t>(process), 0), -1);
    QCOMPARE(server.state(), State::kStopped);
    start(server);
  }

  void anotherTakesItsPlace() {
    RuntimeServer server({waferd_->program(), "/models/first.gguf", "/tmp/cache"});
    start(server);
    const auto old = static_cast<pid_t>(server.processId());
    const QPointer<RuntimeClient> oldClient = server.client();

    ScriptedServer second;
    auto process = std::make_unique<RuntimeProcess>(
        RuntimeCommand{second.program(), "/models/second.gguf"}, RuntimeProcess::Restarts::kNever);
    auto client = std::make_unique<RuntimeClient>();
    QSignalSpy status(client.get(), &RuntimeClient::status);
    connect(process.get(), &RuntimeProcess::listening, client.get(), &RuntimeClient::connectTo);
    process->start();
    QTRY_COMPARE(status.size(), 1);
    process->disconnect(client.get());

    bool oldWasOpen = false;
    connect(&server, &RuntimeServer::clientChanged, this,
            [&] { oldWasOpen = oldClient && oldClient->isReady(); });
    const RuntimeClient* next = client.get();
    server.replace(std::move(process), std::move(client), status[0][0].value<ServerStatus>());
    QVERIFY(oldWasOpen);
    QCOMPARE(server.client(), next);
    QCOMPARE(server.state(), State::kReady);
    QCOMPARE(server.command().model, QString("/models/second.gguf"));
    QTRY_VERIFY(!oldClient);
    QTRY_COMPARE(::kill(old, 0), -1);
    // It is restarted like any other from now on.
    ::kill(static_cast<pid_t>(server.processId()), SIGKILL);
    second.dropSession();
    QTRY_COMPARE(second.sessions(), 2);
    QTRY_COMPARE(server.state(), State::kReady);
  }

 private:
  static void start(RuntimeServer& server) {
    server.start();
    QTRY_COMPARE(server.state(), State::kReady);
  }

  std::unique_ptr<ScriptedServer> waferd_;
};

QTEST_GUILESS_MAIN(TestRuntimeServer)
#include "test_runtime_server.moc"
