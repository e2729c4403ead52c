// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <type_traits>

#include "gui/client/model_gate.h"
#include "gui/client/runtime_client.h"
#include "runtime/protocol/telemetry.h"
#include "tests/gui/client/scripted_server.h"
#include "tests/support/rest.h"

using namespace waferpair;
using namespace waferpair::gui;
using waferpair::test::ScriptedServer;

// The compiler says no to whoever goes round the gate.
static_assert(!std::is_default_constructible_v<PassedText>);
static_assert(!std::is_constructible_v<PassedText, GatedText>);
static_assert(!std::is_constructible_v<PassedChange, TextChange>);
static_assert(!std::is_constructible_v<PassedQuery, editor::CompletionQuery>);
static_assert(!std::is_constructible_v<PassedPrompt, LonePrompt>);
static_assert(!std::is_assignable_v<decltype(*std::declval<PassedText&>()), GatedText>);
template <typename... Args>
constexpr bool kOpens = requires(RuntimeClient& client, Args... args) {
  client.openDocument(args...);
};
static_assert(kOpens<PassedText>);
static_assert(!kOpens<GatedText> && !kOpens<QString> && !kOpens<QByteArray>);
static_assert(!kOpens<QString, QString, qint64, QByteArray>);
template <typename... Args>
constexpr bool kChanges = requires(RuntimeClient& client, Args... args) {
  client.changeDocument(args...);
};
static_assert(kChanges<PassedChange>);
static_assert(!kChanges<TextChange> && !kChanges<QString, qint64, QVector<editor::TextEdit>>);
template <typename Query>
constexpr bool kAsks = requires(RuntimeClient& client, Query query) {
  client.createCompletion(quint64{1}, query);
};
static_assert(kAsks<PassedQuery> && !kAsks<editor::CompletionQuery>);
template <typename Prompt>
constexpr bool kContinues = requires(RuntimeClient& client, Prompt prompt) {
  client.createResponse(prompt);
};
static_assert(kContinues<PassedPrompt> && !kContinues<LonePrompt> && !kContinues<QString>);

namespace {

const char kLayout[] = R"({"type":"telemetry.layout","layout":{
  "machine":"wse3","profile":"p","model":"m","clock_hz":1e9,"fabric_width":8,"fabric_height":8,
  "die_columns":1,"die_rows":1,"sram_per_pe":49152,
  "regions":[{"name":"r","x":0,"y":0,"width":4,"height":4,
    "sram":{"code":0,"weights":0,"kv_cache":0,"activations":0,"free":49152}}],
  "ops":[{"name":"o","region":0,"layer":0}]}})";

QByteArray frame(size_t regions, uint16_t op) {
  protocol::TelemetryFrame frame;
  frame.regions.resize(regions);
  frame.lastStep.push_back({op, 0, 10});
  const std::vector<std::byte> bytes = protocol::encode(frame);
  return QByteArray(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

}  // namespace

class TestRuntimeClient : public QObject {
  Q_OBJECT
 private slots:
  void init() {
    server_ = std::make_unique<ScriptedServer>();
    client_ = std::make_unique<RuntimeClient>();
    QLoggingCategory::setFilterRules("waferpair.*=false");  // refusals are expected here
  }
  void cleanup() {
    client_.reset();
    server_.reset();
  }

  void aSessionBeginsWithTheTokenAndAGreeting() {
    QSignalSpy status(client_.get(), &RuntimeClient::status);
    connectNow();
    QCOMPARE(server_->lastAuthorization(), "Bearer " + server_->token());
    QCOMPARE(server_->lastPath(), QString("/v1/session"));
    QCOMPARE(status.size(), 1);
    QCOMPARE(status[0][0].value<ServerStatus>().model, QString("scripted-model"));
  }

  void nothingIsSentBeforeTheGreeting() {
    server_->greeting.clear();
    client_->connectTo(server_->endpoint());
    QTRY_VERIFY(server_->hasSession());
    client_->openDocument(passed("/a.cpp", "x"));
    server_->sendText(R"({"type":"session.ready","protocol":1,"state":"loading","model":null})");
    QTRY_VERIFY(client_->isReady());
    client_->openDocument(passed("/b.cpp", "y"));
    QTRY_COMPARE(server_->messages().size(), 1);
    QCOMPARE(server_->messages()[0]["uri"].toString(), QString("/b.cpp"));
  }

  // Offsets count every byte: none may get lost on the way, not even what looks like a mark.
  void textIsSentWhole() {
    connectNow();
    PassedText text = passed("/a.cpp", "\xEF\xBB\xBFx");
    client_->openDocument(text);
    const QVector<editor::TextEdit> edits{{0, 0, "\xEF\xBB\xBFy"}};
    const auto change = ModelGate::pass(&text, 2, edits, text->text.edited(edits[0]));
    QVERIFY(change);
    client_->changeDocument(*change);
    QTRY_COMPARE(server_->texts().size(), 2);
    QVERIFY(server_->texts()[0].contains(QStringLiteral("\"\uFEFFx\"")));
    QVERIFY(server_->texts()[1].contains(QStringLiteral("\"\uFEFFy\"")));
  }

  // The way for all other messages is none for texts.
  void aMessageThatTextsGoByIsSentByTheGateAlone() {
    connectNow();
    for (const char* type :
         {"document.open", "document.change", "completion.create", "response.create"})
      client_->send({{"type", type}, {"uri", "/a.cpp"}, {"text", "x"}, {"input", "x"}});
    client_->send({{"type", "status.get"}});
    QTRY_COMPARE(server_->messages().size(), 1);
    QCOMPARE(server_->messages()[0]["type"].toString(), QString("status.get"));
  }

  void malformedMessagesAreDroppedAndTheSessionLivesOn() {
    connectNow();
    QSignalSpy delta(client_.get(), &RuntimeClient::completionDelta);
    QSignalSpy lost(client_.get(), &RuntimeClient::lost);
    for (const char* bad : {"", "{", "[]", "{}", "null", "{\"type\":\"completion.delta\"}",
                            "{\"type\":\"telemetry.layout\",\"layout\":7}"})
      server_->sendText(bad);
    server_->sendBinary("not a frame");
    server_->sendText(R"({"type":"completion.delta","id":1,"version":1,"offset":0,"text":"good"})");
    QTRY_COMPARE(delta.size(), 1);
    QCOMPARE(delta[0][0].value<CompletionDelta>().utf8, QByteArray("good"));
    QCOMPARE(lost.size(), 0);
    QCOMPARE(server_->sessions(), 1);
  }

  void aBrokenSessionIsTakenUpAgain() {
    connectNow();
    QSignalSpy ready(client_.get(), &RuntimeClient::ready);
    QSignalSpy lost(client_.get(), &RuntimeClient::lost);
    for (int round = 1; round <= 3; ++round) {
      server_->dropSession();
      QTRY_COMPARE(lost.size(), round);
      QTRY_COMPARE(ready.size(), round);
    }
    QCOMPARE(server_->sessions(), 4);
  }

  void aServerThatStaysAwayIsReportedOnce() {
    connectNow();
    QSignalSpy unreachable(client_.get(), &RuntimeClient::unreachable);
    QSignalSpy lost(client_.get(), &RuntimeClient::lost);
    server_->stopListening();
    server_->dropSession();
    QTRY_COMPARE_WITH_TIMEOUT(unreachable.size(), 1, 20'000);
    QCOMPARE(lost.size(), 1);
    QVERIFY(!unreachable[0][0].value<editor::Error>().remedy.isEmpty());
    // Only connectTo() tries again.
    QVERIFY(server_->listenAgain());
    client_->connectTo(server_->endpoint());
    QTRY_VERIFY(client_->isReady());
  }

  void anotherProtocolIsNotSpoken() {
    server_->greeting = R"({"type":"session.ready","protocol":2,"state":"ready","model":{}})";
    QSignalSpy unreachable(client_.get(), &RuntimeClient::unreachable);
    client_->connectTo(server_->endpoint());
    QTRY_COMPARE(unreachable.size(), 1);
    QVERIFY(!client_->isReady());
    QVERIFY(unreachable[0][0].value<editor::Error>().what.contains("protocol 2"));
  }

  void aTokenFileOpenToOthersIsNotUsed() {
    QFile::setPermissions(server_->tokenFile(), QFile::ReadOwner | QFile::ReadOther);
    QSignalSpy unreachable(client_.get(), &RuntimeClient::unreachable);
    client_->connectTo(server_->endpoint());
    QTRY_COMPARE(unreachable.size(), 1);
    QCOMPARE(server_->sessions(), 0);
  }

  void closeEndsTheSessionForGood() {
    connectNow();
    QSignalSpy lost(client_.get(), &RuntimeClient::lost);
    client_->close();
    QCOMPARE(lost.size(), 1);
    QVERIFY(!client_->isReady());
    test::rest({client_.get()});
    QCOMPARE(server_->sessions(), 1);
  }

  void telemetryIsAskedForAgainInANewSession() {
    connectNow();
    client_->setTelemetryRate(60);
    QTRY_COMPARE(server_->messagesOf("telemetry.subscribe").size(), 1);
    QCOMPARE(server_->messages().last()["hz"].toInt(), 60);
    server_->dropSession();
    QTRY_COMPARE(server_->messagesOf("telemetry.subscribe").size(), 2);
    client_->setTelemetryRate(0);
    QTRY_COMPARE(server_->messagesOf("telemetry.unsubscribe").size(), 1);
    server_->dropSession();
    QTRY_COMPARE(server_->sessions(), 3);
    QTRY_VERIFY(client_->isReady());
    QCOMPARE(server_->messagesOf("telemetry.subscribe").size(), 2);
  }

  void framesThatDoNotFitTheLayoutAreDropped() {
    connectNow();
    client_->setTelemetryRate(60);
    QSignalSpy frames(client_.get(), &RuntimeClient::telemetryFrame);
    QSignalSpy layouts(client_.get(), &RuntimeClient::telemetryLayout);
    server_->sendBinary(frame(1, 0));  // before any layout
    server_->sendText(kLayout);
    QTRY_COMPARE(layouts.size(), 1);
    server_->sendBinary(frame(2, 0));             // a region too many
    server_->sendBinary(frame(1, 1));             // an op that is not there
    server_->sendBinary(frame(1, 0).chopped(1));  // cut short
    server_->sendBinary(frame(1, 0));
    QTRY_COMPARE(frames.size(), 1);
  }

 private:
  void connectNow() {
    QSignalSpy ready(client_.get(), &RuntimeClient::ready);
    client_->connectTo(server_->endpoint());
    QTRY_COMPARE(ready.size(), 1);
  }
  static PassedText passed(const QString& id, const QByteArray& utf8) {
    return *ModelGate().pass({id, "C++", 1, editor::Snapshot(utf8), -1});
  }

  std::unique_ptr<ScriptedServer> server_;
  std::unique_ptr<RuntimeClient> client_;
};

QTEST_GUILESS_MAIN(TestRuntimeClient)
#include "test_runtime_client.moc"
