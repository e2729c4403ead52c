// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSignalSpy>
#include <QtTest>

#include "pairing/models/model_roster.h"
#include "pairing/taught/taught_format.h"
#include "tests/pairing/scripted_endpoint.h"

using namespace waferpair::pairing;

namespace {

ModelEntry entry(const QString& id, int port) {
  ModelEntry made;
  made.id = id;
  made.name = id;
  made.address.base = QUrl(QStringLiteral("http://127.0.0.1:%1/v1").arg(port));
  return made;
}

}  // namespace

class TestModelRoster : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void workGoesToTheRoleThatIsForIt() {
    ModelRoster roster;
    roster.setModels({entry("small", 1), entry("large", 2)});
    QVERIFY(!roster.choose(Work::kSmallEdit).endpoint);

    roster.setRole(ModelRoster::Role::kFast, "small");
    QCOMPARE(roster.choose(Work::kPlan).model->id, "small");

    roster.setRole(ModelRoster::Role::kDeep, "large");
    QCOMPARE(roster.choose(Work::kSmallEdit).model->id, "small");
    QCOMPARE(roster.choose(Work::kQuestion).model->id, "small");
    QCOMPARE(roster.choose(Work::kLargeEdit).model->id, "large");
    QCOMPARE(roster.choose(Work::kPlan).endpoint->address().base.port(), 2);
    QCOMPARE(roster.choose(Work::kSmallEdit).endpoint->address().base.port(), 1);
  }

  void whatIsTooSmallForEditsAnswersQuestionsOnly() {
    using Role = ModelRoster::Role;
    ModelRoster roster;
    ModelEntry tiny = entry("tiny", 1);
    tiny.parameters = 135'000'000;
    ModelEntry coder = entry("coder", 2);
    coder.parameters = 630'000'000;
    roster.setModels({tiny, coder, entry("smollm2:135m", 3)});
    roster.setRole(Role::kFast, "tiny");
    QCOMPARE(roster.choose(Work::kQuestion).model->id, "tiny");
    QVERIFY(!roster.choose(Work::kSmallEdit).model);
    QVERIFY(roster.choose(Work::kSmallEdit).reason.contains("tiny is too small for edits"));
    roster.setRole(Role::kDeep, "coder");
    QCOMPARE(roster.choose(Work::kSmallEdit).model->id, "coder");
    QCOMPARE(roster.choose(Work::kSmallEdit).reason, "tiny is too small for edits");
    // Where nobody says how many parameters there are, the name may.
    roster.setRole(Role::kDeep, {});
    roster.setRole(Role::kFast, "smollm2:135m");
    QVERIFY(!roster.choose(Work::kLargeEdit).model);
  }

  void anEndpointIsFoundAgainWhileItMayBeReached() {
    ModelRoster roster;
    roster.setModels({entry("one", 1)});
    roster.setRole(ModelRoster::Role::kFast, "one");
    QCOMPARE(roster.endpointFor("one"), roster.choose(Work::kSmallEdit).endpoint);
    QVERIFY(!roster.endpointFor("two"));
    ModelEntry away = entry("away", 1);
    away.address.base = QUrl("https://models.example.com/v1");
    roster.setModels({away});
    QVERIFY(!roster.endpointFor("one"));
    QVERIFY(!roster.endpointFor("away"));
  }

  // A model that was taught next edits may do nothing else, and another one may not do that.
  void nextEditsAreForAModelThatWasTaughtThem() {
    using Role = ModelRoster::Role;
    ModelRoster roster;
    ModelEntry taught = entry("sweep-next-edit-1.5B", 1);
    taught.followsInstructions = false;
    ModelEntry other = entry("coder", 2);
    roster.setModels({taught, other});
    QVERIFY(!roster.chooseForNextEdits().model);
    roster.setRole(Role::kFast, taught.id);
    QVERIFY(!roster.choose(Work::kSmallEdit).model);
    roster.setRole(Role::kNextEdit, taught.id);
    auto choice = roster.chooseForNextEdits();
    QVERIFY(choice.endpoint);
    QCOMPARE(choice.endpoint->address().base.port(), 1);
    QCOMPARE(QString(choice.format->name()), QString("Sweep"));
    TextEndpoint* const first = choice.endpoint;
    QCOMPARE(roster.chooseForNextEdits().endpoint, first);
    roster.setRole(Role::kNextEdit, other.id);
    choice = roster.chooseForNextEdits();
    QVERIFY(choice.model && !choice.endpoint && !choice.format);
    QVERIFY2(choice.reason.contains("coder"), qPrintable(choice.reason));
  }

  void nextEditsGoToNoHostBeforeThatWasAgreedTo() {
    ModelRoster roster;
    ModelEntry taught = entry("zeta-2", 1);
    taught.address.base = QUrl("https://models.example.com/v1");
    roster.setModels({taught});
    roster.setRole(ModelRoster::Role::kNextEdit, taught.id);
    QVERIFY(!roster.chooseForNextEdits().endpoint);
    QVERIFY(roster.chooseForNextEdits().reason.contains("models.example.com"));
    roster.setAgreedHosts({"models.example.com"});
    QVERIFY(roster.chooseForNextEdits().endpoint);
  }

  // A folder's name says nothing of the model in it.
  void whatAModelWasTaughtIsToldByItsNames() {
    ModelEntry model = entry("coder", 1);
    model.address.model = "/home/sweep/next-edit/zeta/coder.gguf";
    QVERIFY(!taughtFormat(model));
    model.address.model = "/home/me/models/zeta-2.1-Q4_K_M.gguf";
    QCOMPARE(QString(taughtFormat(model)->name()), QString("Zeta 2.1"));
  }

  void aRoleIsLostWithItsModel() {
    ModelRoster roster;
    roster.setModels({entry("small", 1), entry("large", 2)});
    roster.setRole(ModelRoster::Role::kDeep, "large");
    const QSignalSpy changed(&roster, &ModelRoster::changed);
    roster.setModels({entry("small", 1)});
    QCOMPARE(changed.size(), 1);
    QVERIFY(!roster.inRole(ModelRoster::Role::kDeep));
    roster.setModels({entry("small", 1)});
    QCOMPARE(changed.size(), 1);
  }

  void anEndpointStaysTheSameWhileTheModelsDo() {
    ModelRoster roster;
    roster.setModels({entry("small", 1)});
    roster.setRole(ModelRoster::Role::kFast, "small");
    Endpoint* const first = roster.choose(Work::kQuestion).endpoint;
    QCOMPARE(roster.choose(Work::kQuestion).endpoint, first);
    roster.setModels({entry("small", 3)});
    QCOMPARE(roster.choose(Work::kQuestion).endpoint->address().base.port(), 3);
  }

  void theUserOverrulesTheWork() {
    ModelRoster roster;
    roster.setModels({entry("small", 1), entry("large", 2)});
    roster.setRole(ModelRoster::Role::kFast, "small");
    roster.setRole(ModelRoster::Role::kDeep, "large");
    const QString byWork = roster.choose(Work::kPlan).reason;
    roster.setRouting(ModelRoster::Routing::kFast);
    QCOMPARE(roster.choose(Work::kPlan).model->id, "small");
    QVERIFY(roster.choose(Work::kPlan).reason != byWork);
    roster.setRouting(ModelRoster::Routing::kDeep);
    QCOMPARE(roster.choose(Work::kSmallEdit).model->id, "large");
    // Whoever wants a role that nobody has gets the other.
    roster.setRole(ModelRoster::Role::kDeep, {});
    QCOMPARE(roster.choose(Work::kSmallEdit).model->id, "small");
  }

  void theDeepModelIsOfferedAfterAFailure() {
    ModelRoster roster;
    roster.setModels({entry("small", 1), entry("large", 2)});
    roster.setRole(ModelRoster::Role::kFast, "small");
    QVERIFY(!roster.chooseAfterFailure("small").model);
    roster.setRole(ModelRoster::Role::kDeep, "large");
    QCOMPARE(roster.chooseAfterFailure("small").model->id, "large");
    QCOMPARE(roster.chooseAfterFailure("small").endpoint->address().base.port(), 2);
    QVERIFY(!roster.chooseAfterFailure("large").model);
  }

  void nothingGoesToAHostThatWasNotAgreedTo() {
    ModelEntry far = entry("far", 0);
    far.address.base = QUrl("https://api.example.com/v1");
    ModelRoster roster;
    roster.setModels({far});
    roster.setRole(ModelRoster::Role::kFast, "far");
    roster.setRole(ModelRoster::Role::kDeep, "far");
    for (const ModelRoster::Choice& choice :
         {roster.choose(Work::kQuestion), roster.chooseAfterFailure("near")}) {
      QCOMPARE(choice.model->id, "far");
      QVERIFY(!choice.endpoint);
      QVERIFY2(choice.reason.contains("api.example.com"), qPrintable(choice.reason));
    }
    roster.setAgreedHosts({"example.com"});
    QVERIFY(!roster.choose(Work::kQuestion).endpoint);
    roster.setAgreedHosts({"api.example.com"});
    QCOMPARE(roster.choose(Work::kQuestion).endpoint->address().base.host(), "api.example.com");
    roster.setAgreedHosts({});
    QVERIFY(!roster.choose(Work::kQuestion).endpoint);
  }

  void theLimitOfAModelIsAskedForWhereARequestNamesNone() {
    ScriptedEndpoint server;
    ModelEntry limited = entry("limited", 0);
    limited.address.base = server.base();
    limited.outputTokens = 4096;
    ModelRoster roster;
    roster.setModels({limited});
    roster.setRole(ModelRoster::Role::kFast, "limited");
    ModelRequest request;
    for (const std::optional<int> most : {std::optional<int>(), std::optional<int>(7)}) {
      request.mostOutputTokens = most;
      const auto reply = roster.choose(Work::kQuestion).endpoint->send(*ShownRequest::of(request));
      QTRY_VERIFY(server.requests().size() == (most ? 2 : 1));
    }
    QCOMPARE(server.requests()[0].body.value("max_tokens").toInt(), 4096);
    QCOMPARE(server.requests()[1].body.value("max_tokens").toInt(), 7);
  }
};

QTEST_GUILESS_MAIN(TestModelRoster)
#include "test_model_roster.moc"
