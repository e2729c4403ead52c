// SPDX-License-Identifier: GPL-3.0-or-later
// The roster holds what the user has set up and what waferd serves, and remembers who does what.
#include <QJsonArray>
#include <QJsonDocument>
#include <QtTest>
#include <csignal>

#include "gui/client/runtime_service.h"
#include "gui/model/pairing_models.h"
#include "tests/gui/client/scripted_server.h"

using namespace waferpair;
using namespace waferpair::gui;
using pairing::ModelRoster;
using pairing::Work;
using waferpair::test::ScriptedServer;
using Role = ModelRoster::Role;

class TestPairingModels : public QObject {
  Q_OBJECT
 private slots:
  void init() {
    QLoggingCategory::setFilterRules("waferpair.*=false");
    profile_ = std::make_unique<QTemporaryDir>();
    paths_ = {profile_->filePath("config"), profile_->filePath("state")};
    server_ = std::make_unique<ScriptedServer>();
    server_->greeting.replace(R"("context":1024)", R"("context":1024,"chat":"chatml")");
  }

  void theServedModelIsAskedOverHttpWithTheSessionsToken() {
    RuntimeService service({server_->program(), "/models/first.gguf"});
    ModelRoster roster;
    const PairingModels models(&roster, &service, paths_);
    QVERIFY(roster.models().isEmpty());
    start(service);
    QCOMPARE(roster.models().size(), 1);
    // Where nothing was chosen yet it does small work.
    const ModelRoster::Choice choice = roster.choose(Work::kQuestion);
    QCOMPARE(choice.model->id, PairingModels::servedId());
    QCOMPARE(choice.model->name, QString("scripted-model"));
    QCOMPARE(choice.model->protocol, pairing::Protocol::kResponses);
    QCOMPARE(choice.model->contextTokens, 1024);
    QCOMPARE(choice.endpoint->address().base,
             QUrl(QStringLiteral("http://127.0.0.1:%1/v1").arg(server_->endpoint().port)));
    QCOMPARE(choice.endpoint->address().key, server_->token());
    QCOMPARE(models.servedRefusal(), QString());
    service.stop();
    QVERIFY(roster.models().isEmpty());
    QVERIFY(!roster.choose(Work::kQuestion).model);
  }

  // It follows no instructions, and has the work that it was taught.
  void aServedModelThatWasTaughtNextEditsWritesThem() {
    server_->greeting.replace(R"("chat":"chatml")", R"("chat":null)");
    server_->greeting.replace("scripted-model", "Sweep Next Edit 1.5B");
    RuntimeService service({server_->program(), "/models/first.gguf"});
    ModelRoster roster;
    PairingModels models(&roster, &service, paths_);
    start(service);
    QCOMPARE(models.servedRefusal(), QString());
    QVERIFY(!roster.choose(Work::kQuestion).model);
    const auto choice = roster.chooseForNextEdits();
    QVERIFY(choice.endpoint);
    QCOMPARE(choice.model->id, PairingModels::servedId());
    QCOMPARE(choice.endpoint->address().key, server_->token());
    // Somebody who does not want that says so, and it is remembered.
    models.setRole(Role::kNextEdit, {});
    QVERIFY(!roster.chooseForNextEdits().model);
    ModelRoster again;
    const PairingModels remembered(&again, nullptr, paths_);
    QCOMPARE(remembered.wanted(Role::kNextEdit), QString());
  }

  void aModelThatOnlyCompletesIsNotOffered() {
    server_->greeting.replace(R"("chat":"chatml")", R"("chat":null)");
    RuntimeService service({server_->program(), "/models/first.gguf"});
    ModelRoster roster;
    const PairingModels models(&roster, &service, paths_);
    QCOMPARE(models.servedRefusal(), QString());
    start(service);
    QVERIFY(roster.models().isEmpty());
    QVERIFY2(models.servedRefusal().startsWith("scripted-model completes code"),
             qPrintable(models.servedRefusal()));
  }

  void rolesAreRememberedWhileTheirModelsAreAway() {
    const pairing::ModelEntry endpoint = anEndpoint("http://127.0.0.1:11434/v1");
    {
      ModelRoster roster;
      PairingModels models(&roster, nullptr, paths_);
      models.setUp(endpoint);
      models.setRole(Role::kFast, endpoint.id);
      models.setRole(Role::kDeep, PairingModels::servedId());
      models.nextRouting();
      QCOMPARE(roster.inRole(Role::kFast)->id, endpoint.id);
      QVERIFY(!roster.inRole(Role::kDeep));
    }
    RuntimeService service({server_->program(), "/models/first.gguf"});
    ModelRoster roster;
    PairingModels models(&roster, &service, paths_);
    QCOMPARE(roster.inRole(Role::kFast)->id, endpoint.id);
    QCOMPARE(roster.routing(), ModelRoster::Routing::kFast);
    QVERIFY(!roster.inRole(Role::kDeep));
    start(service);
    QCOMPARE(roster.inRole(Role::kDeep)->id, PairingModels::servedId());
    models.nextRouting();
    QCOMPARE(roster.routing(), ModelRoster::Routing::kDeep);
    models.nextRouting();
    QCOMPARE(roster.routing(), ModelRoster::Routing::kByWork);
  }

  void aRoleCanBeGivenToNobody() {
    {
      ModelRoster roster;
      PairingModels models(&roster, nullptr, paths_);
      models.setRole(Role::kFast, {});
    }
    RuntimeService service({server_->program(), "/models/first.gguf"});
    ModelRoster roster;
    const PairingModels models(&roster, &service, paths_);
    start(service);
    QCOMPARE(roster.models().size(), 1);
    QVERIFY(!roster.inRole(Role::kFast));
  }

  void anEndpointIsReplacedAndRemoved() {
    ModelRoster roster;
    PairingModels models(&roster, nullptr, paths_);
    pairing::ModelEntry endpoint = anEndpoint("http://127.0.0.1:11434/v1");
    models.setUp(endpoint);
    models.setRole(Role::kDeep, endpoint.id);
    endpoint.name = "renamed";
    models.setUp(endpoint);
    QCOMPARE(roster.models().size(), 1);
    QCOMPARE(roster.inRole(Role::kDeep)->name, QString("renamed"));
    models.remove(endpoint.id);
    QVERIFY(roster.models().isEmpty());
    QCOMPARE(models.wanted(Role::kDeep), QString());
  }

  void agreementIsKeptPerHostAndCanBeWithdrawn() {
    const pairing::ModelEntry far = anEndpoint("https://api.example.com/v1");
    {
      ModelRoster roster;
      PairingModels models(&roster, nullptr, paths_);
      models.setUp(far);
      models.setRole(Role::kFast, far.id);
      QVERIFY(!roster.choose(Work::kQuestion).endpoint);
      models.agree("api.example.com");
      QVERIFY(roster.choose(Work::kQuestion).endpoint);
    }
    ModelRoster roster;
    PairingModels models(&roster, nullptr, paths_);
    QVERIFY(roster.choose(Work::kQuestion).endpoint);
    models.withdraw("api.example.com");
    QVERIFY(!roster.choose(Work::kQuestion).endpoint);
  }

  void aFileWithARoleIsOfferedByTheSameServer() {
    RuntimeService service({server_->program(), "/models/first.gguf"});
    ModelRoster roster;
    PairingModels models(&roster, &service, paths_);
    start(service);
    models.start();
    models.setFileRole(Role::kDeep, kDeepFile, "other:7b");
    QCOMPARE(models.wantedText(Role::kDeep), QString("other:7b (loading)"));
    // Offered, and not loaded before it is asked.
    QTRY_COMPARE(server_->messagesOf("model.load").size(), 1);
    const QJsonObject load = server_->messagesOf("model.load").first();
    QCOMPARE(load["model"].toString(), QString(kDeepFile));
    QCOMPARE(load["now"], QJsonValue(false));
    QVERIFY(!roster.inRole(Role::kDeep));
    tell("idle");
    QTRY_VERIFY(roster.inRole(Role::kDeep));
    const pairing::ModelEntry deep = *roster.inRole(Role::kDeep);
    QCOMPARE(deep.id, PairingModels::fileId(kDeepFile));
    QCOMPARE(deep.name, QString("other:7b"));
    QCOMPARE(deep.contextTokens, 4096);
    QCOMPARE(deep.address.model, QString(kDeepFile));
    QCOMPARE(deep.address.base, roster.inRole(Role::kFast)->address.base);
    QCOMPARE(models.wantedText(Role::kDeep), QString("other:7b (idle)"));
    tell("loading", 0.43);
    QTRY_COMPARE(models.wantedText(Role::kDeep), QString("other:7b (loading, 43 %)"));
    QVERIFY(roster.inRole(Role::kDeep));  // what it is asked waits
    tell("ready");
    QTRY_COMPARE(models.wantedText(Role::kDeep), QString("other:7b"));
    QCOMPARE(models.memoryText(Role::kDeep), QString("in memory, 1.40 GB"));
    QCOMPARE(server_->sessions(), 1);
    QCOMPARE(server_->messagesOf("model.load").size(), 1);
    // It is forgotten with its role, and the other one is not touched.
    models.setRole(Role::kDeep, {});
    QTRY_COMPARE(server_->messagesOf("model.unload").size(), 1);
    const QJsonObject unload = server_->messagesOf("model.unload").first();
    QCOMPARE(unload["model"].toString(), QString(kDeepFile));
    QCOMPARE(unload["forget"], QJsonValue(true));
    QCOMPARE(roster.models().size(), 1);
    QVERIFY(models.stored().files.isEmpty());
  }

  void anotherDeepFileTakesThePlaceOfTheOneBefore() {
    RuntimeService service({server_->program(), "/models/first.gguf"});
    ModelRoster roster;
    PairingModels models(&roster, &service, paths_);
    start(service);
    models.start();
    models.setFileRole(Role::kDeep, kDeepFile, "other:7b");
    tell("ready");
    QTRY_VERIFY(roster.inRole(Role::kDeep));
    const qint64 process = service.processId();
    models.setFileRole(Role::kDeep, "/models/third.gguf", "third:30b");
    QTRY_COMPARE(server_->messagesOf("model.unload").size(), 1);
    QCOMPARE(server_->messagesOf("model.unload").first().value("model"), QJsonValue(kDeepFile));
    QTRY_COMPARE(server_->messagesOf("model.load").size(), 2);
    const QJsonObject load = server_->messagesOf("model.load").last();
    QCOMPARE(load["model"], QJsonValue("/models/third.gguf"));
    QCOMPARE(load["now"], QJsonValue(false));
    // The first one goes on in the same process and session.
    QCOMPARE(service.processId(), process);
    QCOMPARE(server_->sessions(), 1);
    QVERIFY(roster.inRole(Role::kFast));
    QCOMPARE(models.wantedText(Role::kDeep), QString("third:30b (loading)"));
    // While the one before is at work it stays, and is told to leave with the next news.
    tell("ready");
    QTRY_COMPARE(server_->messagesOf("model.unload").size(), 2);
  }

  void aFileIsLoadedAndUnloadedByWish() {
    RuntimeService service({server_->program(), "/models/first.gguf"});
    ModelRoster roster;
    PairingModels models(&roster, &service, paths_);
    QSignalSpy problem(&models, &PairingModels::problem);
    start(service);
    models.start();
    models.loadOrUnload();
    QCOMPARE(problem.size(), 1);  // there is no file of the user's
    models.setFileRole(Role::kDeep, kDeepFile, "other:7b");
    QTRY_COMPARE(server_->messagesOf("model.load").size(), 1);
    tell("idle");
    QTRY_VERIFY(roster.inRole(Role::kDeep));
    server_->forgetMessages();
    models.loadOrUnload();
    QTRY_COMPARE(server_->messagesOf("model.load").size(), 1);
    QVERIFY(server_->messagesOf("model.load").first().value("now").isUndefined());
    tell("ready");
    QTRY_COMPARE(models.wantedText(Role::kDeep), QString("other:7b"));
    models.loadOrUnload();
    QTRY_COMPARE(server_->messagesOf("model.unload").size(), 1);
    QVERIFY(server_->messagesOf("model.unload").first().value("forget").isUndefined());
    server_->sendText(R"({"type":"error","error":{"code":"not_ready","message":"other is at work.",
        "remedy":"Wait until that has ended."}})");
    QTRY_COMPARE(problem.size(), 2);
    QVERIFY(problem[1][0].toString().startsWith("other is at work."));
    // What nobody wished for here is somebody else's answer.
    server_->sendText(
        R"({"type":"error","error":{"code":"not_ready","message":"x","remedy":"y"}})");
    tell("idle");
    QTRY_COMPARE(models.wantedText(Role::kDeep), QString("other:7b (idle)"));
    QCOMPARE(problem.size(), 2);
  }

  void aServerThatDiesWhileAFileIsLoadedIsNotGivenItAgain() {
    RuntimeService service({server_->program(), "/models/first.gguf"});
    ModelRoster roster;
    PairingModels models(&roster, &service, paths_);
    QSignalSpy failed(&models, &PairingModels::loadFailed);
    start(service);
    models.start();
    models.setFileRole(Role::kDeep, kDeepFile, "other:7b");
    tell("loading", 0.5);
    QTRY_COMPARE(models.wantedText(Role::kDeep), QString("other:7b (loading, 50 %)"));
    server_->forgetMessages();
    kill(service);
    QTRY_COMPARE(failed.size(), 1);
    QCOMPARE(failed[0][0].toString(), QString(kDeepFile));
    const QString why = failed[0][1].toString();
    QVERIFY2(why.startsWith("other:7b cannot be used for pairing: The model server ended while it "
                            "loaded other.gguf. The model server stopped unexpectedly (signal 9)."),
             qPrintable(why));
    // The first model is back, and alone.
    QTRY_COMPARE(service.state(), RuntimeService::State::kReady);
    QTRY_COMPARE(server_->sessions(), 2);
    QTRY_COMPARE(models.wantedText(Role::kDeep), QString("other:7b (cannot be used)"));
    QVERIFY(roster.inRole(Role::kFast));
    QVERIFY(!roster.inRole(Role::kDeep));
    QCOMPARE(server_->messagesOf("model.load").size(), 0);
    // The user says that it is to be tried again.
    models.loadOrUnload();
    QTRY_COMPARE(server_->messagesOf("model.load").size(), 1);
    QTRY_COMPARE(failed.size(), 2);
    QCOMPARE(failed[1][1].toString(), QString());  // that is over
    // It may end the same way, however often, and the first comes back at once each time.
    for (int time = 0; time < 6; ++time) {
      kill(service);
      QTRY_COMPARE(failed.size(), 3 + 2 * time);
      QTRY_COMPARE(service.state(), RuntimeService::State::kReady);
      models.loadOrUnload();
      QTRY_COMPARE(failed.size(), 4 + 2 * time);
    }
  }

  void aServerThatDiesOtherwiseIsGivenItAgain() {
    RuntimeService service({server_->program(), "/models/first.gguf"});
    ModelRoster roster;
    PairingModels models(&roster, &service, paths_);
    const QSignalSpy failed(&models, &PairingModels::loadFailed);
    start(service);
    models.start();
    models.setFileRole(Role::kDeep, kDeepFile, "other:7b");
    tell("ready");
    QTRY_VERIFY(roster.inRole(Role::kDeep));
    server_->forgetMessages();
    kill(service);
    QTRY_COMPARE(server_->messagesOf("model.load").size(), 1);
    QCOMPARE(server_->messagesOf("model.load").first().value("now"), QJsonValue(false));
    QCOMPARE(failed.size(), 0);
  }

  void aFileThatIsServedAnywayNeedsNoOtherServer() {
    RuntimeService service({server_->program(), "/models/first.gguf"});
    ModelRoster roster;
    PairingModels models(&roster, &service, paths_);
    start(service);
    models.start();
    models.setFileRole(Role::kDeep, "/models/first.gguf", "first:7b");
    QCOMPARE(roster.inRole(Role::kDeep)->name, QString("first:7b"));
    QCOMPARE(server_->sessions(), 1);
  }

  void aFileThatCannotBeServedIsSaidOnce() {
    RuntimeService service({server_->program(), "/models/first.gguf"});
    ModelRoster roster;
    PairingModels models(&roster, &service, paths_);
    start(service);
    models.start();
    QSignalSpy failed(&models, &PairingModels::loadFailed);
    models.setFileRole(Role::kDeep, kDeepFile, "other:7b");
    const QJsonObject error{{"message", "other.gguf: is damaged."}, {"remedy", "Get it."}};
    tell("failed", {}, error);
    QTRY_COMPARE(failed.size(), 1);
    QVERIFY2(failed[0][1].toString().contains("other.gguf: is damaged."),
             qPrintable(failed[0][1].toString()));
    QVERIFY(!roster.inRole(Role::kDeep));
    QCOMPARE(models.wantedText(Role::kDeep), QString("other:7b (cannot be used)"));
    QVERIFY(models.memoryText(Role::kDeep).contains("is damaged."));
    QCOMPARE(service.state(), RuntimeService::State::kReady);
    tell("failed", {}, error);
    tell("idle");
    QTRY_COMPARE(models.wantedText(Role::kDeep), QString("other:7b (idle)"));
    QCOMPARE(failed.size(), 2);
    QCOMPARE(failed[1][1].toString(), QString());
  }

  void aFileThatCannotBeWrittenIsSaidAndTheChoiceHolds() {
    QFile inTheWay(paths_.config);
    QVERIFY(inTheWay.open(QFile::WriteOnly));
    inTheWay.close();
    ModelRoster roster;
    PairingModels models(&roster, nullptr, paths_);
    const QSignalSpy problem(&models, &PairingModels::problem);
    models.setUp(anEndpoint("http://127.0.0.1:11434/v1"));
    QCOMPARE(problem.size(), 1);
    QCOMPARE(roster.models().size(), 1);
  }

 private:
  static pairing::ModelEntry anEndpoint(const QString& base) {
    pairing::ModelEntry entry;
    entry.name = "somebody's model";
    entry.address.base = QUrl(base);
    entry.address.model = "m";
    entry.id = endpointId(entry.address);
    return entry;
  }

  // Says what waferd tells of its two models.
  void tell(const QString& state, const QJsonValue& progress = {}, const QJsonObject& error = {}) {
    QJsonObject other{
        {"name", "other"},
        {"file", kDeepFile},
        {"state", state},
        {"progress", progress},
        {"memory_bytes", 1'400'000'000},
        {"model", QJsonObject{{"name", "other"}, {"context", 4096}, {"chat", "chatml"}}}};
    if (!error.isEmpty()) other["error"] = error;
    const QJsonObject first{
        {"name", "scripted-model"}, {"file", "/models/first.gguf"}, {"state", "ready"}};
    QJsonObject status = QJsonDocument::fromJson(server_->greeting).object();
    status["type"] = "status";
    status["models"] = QJsonArray{first, other};
    server_->sendText(QJsonDocument(status).toJson());
  }

  void kill(const RuntimeService& service) {
    ::kill(static_cast<pid_t>(service.processId()), SIGKILL);
    server_->dropSession();  // as the kernel would
  }

  static constexpr char kDeepFile[] = "/models/other.gguf";

  static void start(RuntimeService& service) {
    service.start();
    QTRY_COMPARE(service.state(), RuntimeService::State::kReady);
  }

  std::unique_ptr<QTemporaryDir> profile_;
  AppPaths paths_;
  std::unique_ptr<ScriptedServer> server_;
};

QTEST_GUILESS_MAIN(TestPairingModels)
#include "test_pairing_models.moc"
