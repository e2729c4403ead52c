// SPDX-License-Identifier: GPL-3.0-or-later
// The roster holds what the user has set up and what waferd serves, and remembers who does what.
#include <QtTest>

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

  void aFileWithARoleIsServedByAServerOfItsOwn() {
    RuntimeService service({server_->program(), "/models/first.gguf"});
    ModelRoster roster;
    PairingModels models(&roster, &service, paths_);
    start(service);
    models.start();
    models.setFileRole(Role::kDeep, "/models/other.gguf", "other:7b");
    QCOMPARE(models.wantedText(Role::kDeep), QString("other:7b (loading)"));
    QTRY_VERIFY(roster.inRole(Role::kDeep));
    QCOMPARE(roster.inRole(Role::kDeep)->id, PairingModels::fileId("/models/other.gguf"));
    QCOMPARE(roster.inRole(Role::kDeep)->name, QString("other:7b"));
    QCOMPARE(models.wantedText(Role::kDeep), QString("other:7b"));
    QCOMPARE(server_->sessions(), 2);
    QCOMPARE(service.modelPath(), QString("/models/first.gguf"));
    // Its server ends with its role.
    models.setRole(Role::kDeep, {});
    QCOMPARE(roster.models().size(), 1);
    QVERIFY(models.stored().files.isEmpty());
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

  void aFileThatCannotBeServedIsSaid() {
    RuntimeService service(
        {server_->program("case $2 in *other*) echo 'other.gguf: is damaged.' >&2; exit 3;; esac"),
         "/models/first.gguf"});
    ModelRoster roster;
    PairingModels models(&roster, &service, paths_);
    start(service);
    models.start();
    QSignalSpy problem(&models, &PairingModels::problem);
    models.setFileRole(Role::kDeep, "/models/other.gguf", "other:7b");
    QTRY_COMPARE(problem.size(), 1);
    QVERIFY2(problem[0][0].toString().contains("other.gguf: is damaged."),
             qPrintable(problem[0][0].toString()));
    QVERIFY(!roster.inRole(Role::kDeep));
    QCOMPARE(models.wantedText(Role::kDeep), QString("other:7b (cannot be used)"));
    QCOMPARE(service.state(), RuntimeService::State::kReady);
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
