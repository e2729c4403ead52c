// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <csignal>

#include "gui/client/model_trial.h"
#include "gui/client/runtime_client.h"
#include "tests/gui/client/scripted_server.h"

using namespace waferpair;
using namespace waferpair::gui;
using waferpair::test::ScriptedServer;

class TestModelTrial : public QObject {
  Q_OBJECT
 private slots:
  void init() {
    QLoggingCategory::setFilterRules("waferpair.*=false");
    server_ = std::make_unique<ScriptedServer>();
  }

  void whatServesCanBeTaken() {
    ModelTrial trial({server_->program(), "/models/second.gguf"});
    QCOMPARE(trial.model(), QString("/models/second.gguf"));
    QSignalSpy passed(&trial, &ModelTrial::passed);
    QSignalSpy failed(&trial, &ModelTrial::failed);
    trial.start();
    QTRY_COMPARE(passed.size(), 1);
    QCOMPARE(passed[0][0].value<ServerStatus>().model, QString("scripted-model"));
    const auto process = trial.takeProcess();
    const auto client = trial.takeClient();
    QVERIFY(process->isRunning());
    QVERIFY(client->isReady());
    // The trial no longer listens to them.
    server_->dropSession();
    QTRY_VERIFY(!client->isReady());
    QCOMPARE(passed.size(), 1);
    QCOMPARE(failed.size(), 0);
  }

  void loadingIsNoAnswerYet() {
    const QByteArray ready = server_->greeting;
    server_->greeting = R"({"type":"session.ready","protocol":1,"state":"loading","model":null})";
    ModelTrial trial({server_->program(), "/models/second.gguf"});
    QSignalSpy passed(&trial, &ModelTrial::passed);
    trial.start();
    QTRY_VERIFY(server_->hasSession());
    QVERIFY(!trial.told().progress);
    QSignalSpy progressed(&trial, &ModelTrial::progressed);
    server_->sendText(R"({"type":"status","state":"loading","model":null,"models":[
        {"file":"/models/second.gguf","state":"loading","progress":0.5}]})");
    QTRY_COMPARE(progressed.size(), 1);
    QCOMPARE(trial.told().progress, std::optional<double>(0.5));
    QCOMPARE(passed.size(), 0);
    server_->sendText(QByteArray(ready).replace("session.ready", "status"));
    QTRY_COMPARE(passed.size(), 1);
  }

  void aServerThatRefusesTheModelIsAFailure() {
    ModelTrial trial(
        {server_->program("echo 'bad.gguf: not a GGUF file.' >&2; exit 3"), "/models/bad.gguf"});
    QSignalSpy failed(&trial, &ModelTrial::failed);
    trial.start();
    QTRY_COMPARE(failed.size(), 1);
    QCOMPARE(failed[0][0].value<editor::Error>().what, QString("bad.gguf: not a GGUF file."));
    QCOMPARE(server_->sessions(), 0);
  }

  void aModelThatCannotBeLoadedIsAFailure() {
    server_->greeting = R"({"type":"session.ready","protocol":1,"state":"failed","model":null,
        "error":{"message":"does not fit.","remedy":"Choose a smaller one."}})";
    ModelTrial trial({server_->program(), "/models/second.gguf"});
    QSignalSpy failed(&trial, &ModelTrial::failed);
    trial.start();
    QTRY_COMPARE(failed.size(), 1);
    QCOMPARE(failed[0][0].value<editor::Error>().message(),
             QString("does not fit. Choose a smaller one."));
  }

  // Once it has failed, or is ended, nothing of its server stays, and nobody had to wait for that.
  void endedItLeavesNothing() {
    server_->greeting = R"({"type":"session.ready","protocol":1,"state":"loading","model":null})";
    QTemporaryDir folder;
    const QString pidFile = folder.filePath("pid");
    const QPointer<ModelTrial> trial(new ModelTrial(
        {server_->program("echo $$ > '" + pidFile.toLocal8Bit() + "'"), "/models/second.gguf"}));
    trial->start();
    QTRY_VERIFY(server_->hasSession());
    QFile file(pidFile);
    QVERIFY(file.open(QFile::ReadOnly));
    const int pid = file.readAll().trimmed().toInt();
    QCOMPARE(::kill(pid, 0), 0);
    trial->end();
    QTRY_VERIFY(!trial);
    QTRY_COMPARE(::kill(pid, 0), -1);
  }

 private:
  std::unique_ptr<ScriptedServer> server_;
};

QTEST_GUILESS_MAIN(TestModelTrial)
#include "test_model_trial.moc"
