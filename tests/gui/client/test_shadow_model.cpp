// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "gui/client/runtime_client.h"
#include "gui/client/shadow_model.h"
#include "tests/gui/client/scripted_server.h"

using namespace waferpair;
using namespace waferpair::gui;
using waferpair::test::ScriptedServer;

namespace {

const char kPlaced[] = R"({"type":"shadow.changed","shadow":{"model":"llama-3.1-8b",
    "parameters":8000000000,"wafers":1,"context":8192,"tokens_per_second":2000}})";
const char kNone[] = R"({"type":"shadow.changed","shadow":null})";
const char kRefused[] = R"({"type":"error","error":{"code":"shadow_failed","field":"shape",
    "message":"gone.","remedy":"Choose another."}})";

}  // namespace

class TestShadowModel : public QObject {
  Q_OBJECT
 private slots:
  void init() {
    QLoggingCategory::setFilterRules("waferpair.*=false");
    server_ = std::make_unique<ScriptedServer>();
    client_ = std::make_unique<RuntimeClient>();
    client_->connectTo(server_->endpoint());
    QTRY_VERIFY(client_->isReady());
  }
  void cleanup() {
    client_.reset();
    server_.reset();
  }

  void oneIsChosenWhenTheServerHasPlacedIt() {
    ShadowModel shadow({});
    shadow.setClient(client_.get());
    QSignalSpy chosen(&shadow, &ShadowModel::chosen);
    QSignalSpy changed(&shadow, &ShadowModel::changed);
    shadow.choose("llama-3.1-8b");
    QTRY_COMPARE(wishes().size(), 1);
    QCOMPARE(wishes()[0]["shape"].toString(), QString("llama-3.1-8b"));
    QVERIFY(!shadow.shown());
    QCOMPARE(shadow.shape(), QString());
    server_->sendText(kPlaced);
    QTRY_VERIFY(shadow.shown());
    QCOMPARE(shadow.shown()->model, QString("llama-3.1-8b"));
    QCOMPARE(shadow.shape(), QString("llama-3.1-8b"));
    QCOMPARE(chosen.size(), 1);
    QCOMPARE(changed.size(), 1);
    // The same again is an answer all the same, and nothing new to remember.
    shadow.choose("llama-3.1-8b");
    server_->sendText(kPlaced);
    QTRY_VERIFY(changed.size() >= 2);
    QCOMPARE(chosen.size(), 1);
    shadow.choose({});
    server_->sendText(kNone);
    QTRY_VERIFY(!shadow.shown());
    QCOMPARE(chosen.size(), 2);
    QCOMPARE(shadow.shape(), QString());
  }

  void whatAnotherSessionChoseIsNotMyChoice() {
    ShadowModel shadow({});
    shadow.setClient(client_.get());
    QSignalSpy chosen(&shadow, &ShadowModel::chosen);
    server_->sendText(kPlaced);
    QTRY_VERIFY(shadow.shown());
    QCOMPARE(shadow.shape(), QString());
    QCOMPARE(chosen.size(), 0);
  }

  void aChosenOneIsWishedForAgain() {
    ShadowModel shadow({"llama-3.1-8b", {"replicas", 4096}});
    shadow.setClient(client_.get());
    shadow.follow({});
    QTRY_COMPARE(wishes().size(), 1);
    QCOMPARE(wishes()[0]["shape"].toString(), QString("llama-3.1-8b"));
    QTRY_COMPARE(server_->messagesOf("shadow.list").size(), 1);
    // The list is not asked for twice while it is unanswered, but again in the next session.
    shadow.follow({});
    shadow.setClient(client_.get());
    shadow.follow({});
    QTRY_COMPARE(server_->messagesOf("shadow.list").size(), 3);
    QCOMPARE(wishes().size(), 2);
  }

  void oneThatCannotBeHadAnyMoreIsForgotten() {
    ShadowModel shadow({"llama-3.1-8b", {"replicas", 4096}});
    shadow.setClient(client_.get());
    QSignalSpy failed(&shadow, &ShadowModel::failed);
    QSignalSpy chosen(&shadow, &ShadowModel::chosen);
    shadow.follow({});
    server_->sendText(kRefused);
    QTRY_COMPARE(failed.size(), 1);
    QCOMPARE(shadow.shape(), QString());
    QCOMPARE(chosen.size(), 1);
    // The placement of the next shadow stays.
    QCOMPARE(chosen[0][0].value<ShadowChoice>(), (ShadowChoice{{}, {"replicas", 4096}}));
  }

  void whatCannotBePlacedChangesNothing() {
    ShadowModel shadow({});
    shadow.setClient(client_.get());
    shadow.choose("llama-3.1-8b");
    server_->sendText(kPlaced);
    QTRY_VERIFY(shadow.shown());
    QSignalSpy failed(&shadow, &ShadowModel::failed);
    QSignalSpy chosen(&shadow, &ShadowModel::chosen);
    shadow.setPlacement({"context", 1 << 20});
    server_->sendText(kRefused);
    QTRY_COMPARE(failed.size(), 1);
    QCOMPARE(failed[0][0].value<editor::Error>().message(), QString("gone. Choose another."));
    QCOMPARE(shadow.placement(), ShadowPlacement());
    QCOMPARE(shadow.shape(), QString("llama-3.1-8b"));
    QVERIFY(shadow.shown());
    QCOMPARE(chosen.size(), 0);
  }

  void theCatalogOfShapesIsRead() {
    ShadowModel shadow({});
    shadow.setClient(client_.get());
    server_->sendText(R"({"type":"shadow.shapes","shapes":[{"name":"a","parameters":5,"wafers":2,
        "guess":true,"source":"s"},{"parameters":1},3]})");
    QTRY_COMPARE(shadow.shapes().size(), 1);
    const ShadowShape& read = shadow.shapes()[0];
    QCOMPARE(read.name, QString("a"));
    QCOMPARE(read.parameters, qint64{5});
    QCOMPARE(read.wafers, 2);
    QVERIFY(read.guess);
    QCOMPARE(read.source, QString("s"));
  }

  void aPlacementForLaterNeedsNoServer() {
    ShadowModel shadow({});
    shadow.setUnavailable("Model stopped");
    QSignalSpy chosen(&shadow, &ShadowModel::chosen);
    shadow.setPlacement({"replicas", 0});
    QCOMPARE(shadow.placement().objective, QString("replicas"));
    QCOMPARE(chosen.size(), 1);
    shadow.setPlacement({"replicas", 0});
    QCOMPARE(chosen.size(), 1);
  }

  void whileNothingCanBeShownThatIsSaid() {
    ShadowModel shadow({});
    shadow.setClient(client_.get());
    shadow.setUnavailable("Model stopped");
    QSignalSpy failed(&shadow, &ShadowModel::failed);
    shadow.choose("llama-3.1-8b");
    QCOMPARE(failed.size(), 1);
    QCOMPARE(failed[0][0].value<editor::Error>().what,
             QString("No shadow can be shown: Model stopped."));
    QVERIFY(wishes().isEmpty());
  }

 private:
  QList<QJsonObject> wishes() const { return server_->messagesOf("shadow.set"); }

  std::unique_ptr<ScriptedServer> server_;
  std::unique_ptr<RuntimeClient> client_;
};

QTEST_GUILESS_MAIN(TestShadowModel)
#include "test_shadow_model.moc"
