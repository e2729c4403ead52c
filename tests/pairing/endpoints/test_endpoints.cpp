// SPDX-License-Identifier: GPL-3.0-or-later
// Models behind each protocol, over real sockets: what is sent, what is told of the reply, and each
// way in which an endpoint may misbehave.
#include <QJsonArray>
#include <QJsonDocument>
#include <QLocale>
#include <QSignalSpy>
#include <QTcpServer>
#include <QTimer>
#include <QtTest>

#include "pairing/endpoints/chat_endpoint.h"
#include "pairing/endpoints/chat_format.h"
#include "pairing/endpoints/http_failure.h"
#include "pairing/endpoints/http_request.h"
#include "pairing/endpoints/responses_endpoint.h"
#include "pairing/endpoints/text_format.h"
#include "pairing/request/reply_wait.h"
#include "tests/pairing/scripted_endpoint.h"

using namespace waferpair::pairing;
using namespace std::chrono_literals;
using Kind = ReplyFailure::Kind;
using Then = ScriptedEndpoint::Then;

namespace {

enum class Protocol { kChat, kEvents, kSocket };

std::unique_ptr<Endpoint> makeEndpoint(Protocol protocol, const EndpointAddress& address,
                                       ReplyPatience patience = {}) {
  using Transport = ResponsesEndpoint::Transport;
  if (protocol == Protocol::kChat) return std::make_unique<ChatEndpoint>(address, patience);
  return std::make_unique<ResponsesEndpoint>(
      address, protocol == Protocol::kEvents ? Transport::kEvents : Transport::kWebSocket,
      patience);
}

// All that a reply told, in order.
struct Told {
  explicit Told(std::unique_ptr<ModelReply> sent) : reply(std::move(sent)) {
    QObject::connect(reply.get(), &ModelReply::textArrived,
                     [this](const QString& delta) { events.append("text " + delta); });
    QObject::connect(reply.get(), &ModelReply::reasoningArrived,
                     [this](const QString& delta) { events.append("think " + delta); });
    QObject::connect(reply.get(), &ModelReply::toolCalled, [this](const ToolCall& call) {
      events.append("call " + call.id + ' ' + call.name + ' ' + call.arguments);
    });
    QObject::connect(reply.get(), &ModelReply::usageTold, [this](const TokenUsage& usage) {
      events.append(QStringLiteral("usage %1 %2 %3 %4")
                        .arg(usage.input)
                        .arg(usage.cachedInput)
                        .arg(usage.output)
                        .arg(usage.reasoning));
    });
    QObject::connect(reply.get(), &ModelReply::finished, [this](ReplyDone done) {
      events.append(QStringLiteral("done %1").arg(static_cast<int>(done.reason)));
    });
    QObject::connect(reply.get(), &ModelReply::failed, [this](const ReplyFailure& why) {
      failure = why;
      events.append("failed");
    });
  }
  bool wait() {
    return QTest::qWaitFor([this] { return reply->isOver(); }, 20'000);
  }

  std::unique_ptr<ModelReply> reply;
  QStringList events;
  std::optional<ReplyFailure> failure;
};

ModelRequest simpleRequest() {
  ModelRequest request;
  request.instructions = QStringLiteral("Be brief.");
  request.input = {{InputItem::Kind::kUser, QStringLiteral("Hello"), {}}};
  request.mostOutputTokens = 20;
  return request;
}

// The messages of a reply that says "Hel" and "lo", as they are written to that protocol.
QByteArrayList goodPieces(Protocol protocol) {
  if (protocol == Protocol::kChat) {
    return {chatText("Hel"), chatText("lo"), chatFinish("stop"),
            sse(R"({"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":3,)"
                R"("prompt_tokens_details":{"cached_tokens":4},)"
                R"("completion_tokens_details":{"reasoning_tokens":1}}})"),
            sse("[DONE]")};
  }
  QByteArrayList pieces = {R"({"type":"response.created","response":{"id":"r"}})",
                           responseText("Hel"), responseText("lo"), responseCompleted()};
  if (protocol == Protocol::kEvents) {
    for (QByteArray& piece : pieces) piece = sse(piece);
  }
  return pieces;
}

}  // namespace

Q_DECLARE_METATYPE(Protocol)

class TestEndpoints : public QObject {
  Q_OBJECT

  static void protocols() {
    QTest::addColumn<Protocol>("protocol");
    QTest::newRow("chat") << Protocol::kChat;
    QTest::newRow("responses, events") << Protocol::kEvents;
    QTest::newRow("responses, WebSocket") << Protocol::kSocket;
  }

 private Q_SLOTS:
  void aReplyStreamsIn_data() { protocols(); }
  void aReplyStreamsIn();
  void piecesMayBeCutAnywhere_data() {
    // A WebSocket's messages are whole.
    QTest::addColumn<Protocol>("protocol");
    QTest::newRow("chat") << Protocol::kChat;
    QTest::newRow("responses, events") << Protocol::kEvents;
  }
  void piecesMayBeCutAnywhere();
  void theWafersTimesAreTaken_data();
  void theWafersTimesAreTaken();
  void theServersRateIsTaken_data();
  void theServersRateIsTaken();
  void whatIsAskedIsSent();
  void textsComeWithTheirProbabilities();
  void toolsAreCalled();
  void readingIsNoSilence_data() { protocols(); }
  void readingIsNoSilence();
  void whatTheServerWaitsForIsSaid();
  void whoIsBusyIsAskedAgainWhenItSays();
  void aContextThatIsTooSmallIsNamed_data();
  void aContextThatIsTooSmallIsNamed();
  void aFormGoesAlong();
  void onlyServersNearbyAreAskedToTellIt();
  void serversThatDoNotKnowItAreAskedWithout();
  void howFarItIsIsPutIntoWords();
  void stallsAreTold_data() { protocols(); }
  void stallsAreTold();
  void cancelStopsAtOnce_data() { protocols(); }
  void cancelStopsAtOnce();
  void cutRepliesAreTold_data() { protocols(); }
  void cutRepliesAreTold();
  void wrongJsonIsTold_data() { protocols(); }
  void wrongJsonIsTold();
  void modelsFailures_data() { protocols(); }
  void modelsFailures();
  void hugeAnswersAreBounded_data() { protocols(); }
  void hugeAnswersAreBounded();
  void nobodyThere_data() { protocols(); }
  void nobodyThere();
  void statusesHaveRemedies_data();
  void statusesHaveRemedies();
  void redirectionsAreNotFollowed();
  void otherContentIsTold();
  void noHttpIsTold();
  void keysAreNotTold();
  void keysGoOverNoOpenLine();
  void socketsServeAgain();
  void socketsClosedMeanwhileAreOpenedAnew();
  void refusedSocketsAreTold();
  void withoutSocketsEventsServe();
  void whatServesInPlaceOfASocketIsCanceledAndFailsAlike();
  void bytesOnASocketAreTold();
  void aReplyMayGoAtAnyTime_data() { protocols(); }
  void aReplyMayGoAtAnyTime();
  void placesAreNamed();
  void retryTimesAreRead();
  void speedIsCounted();
};

void TestEndpoints::aReplyStreamsIn() {
  QFETCH(Protocol, protocol);
  ScriptedEndpoint server;
  server.script({goodPieces(protocol)});
  const auto endpoint = makeEndpoint(protocol, {server.base(), {}, "m"});
  Told told(endpoint->send(*ShownRequest::of(simpleRequest())));
  QVERIFY(told.events.isEmpty());
  QVERIFY(told.wait());
  QCOMPARE(told.events, QStringList({"text Hel", "text lo", "usage 7 4 3 1", "done 0"}));
  QCOMPARE(told.reply->text(), QStringLiteral("Hello"));
  QCOMPARE(told.reply->timings().deltas, 2);
  QVERIFY(told.reply->timings().firstTokenMs);
  QVERIFY(*told.reply->timings().firstTokenMs > 0);
  QVERIFY(told.reply->timings().lastTokenMs >= *told.reply->timings().firstTokenMs);
}

void TestEndpoints::piecesMayBeCutAnywhere() {
  QFETCH(Protocol, protocol);
  const QByteArray body = goodPieces(protocol).join();
  QByteArrayList bytes;
  for (const char byte : body) bytes.append(QByteArray(1, byte));
  ScriptedEndpoint server;
  server.script({bytes});
  const auto endpoint = makeEndpoint(protocol, {server.base(), {}, "m"});
  Told told(endpoint->send(*ShownRequest::of(simpleRequest())));
  QVERIFY(told.wait());
  QCOMPARE(told.events, QStringList({"text Hel", "text lo", "usage 7 4 3 1", "done 0"}));
}

void TestEndpoints::theWafersTimesAreTaken_data() {
  using Timings = std::optional<WaferTimings>;
  QTest::addColumn<QByteArray>("timings");
  QTest::addColumn<Timings>("expected");
  const QByteArray wafer =
      R"("wafer":{"cycles":9,"first_token_ms":0.5,"tokens_per_second":1432,"machine":"WSE-3",)"
      R"("profile":"measured","clock_hz":1.1e9})";
  QTest::newRow("the model's own")
      << wafer + R"(,"shadow":null)" << Timings({{}, "WSE-3", "measured", 1.1e9, 0.5, 1432});
  QTest::newRow("the shadow's")
      << wafer + R"(,"shadow":{"model":"big","first_token_ms":2,"tokens_per_second":null,)"
                 R"("machine":"WSE-3","profile":"fast","clock_hz":1e9})"
      << Timings({"big", "WSE-3", "fast", 1e9, 2, {}});
  QTest::newRow("no wafer") << QByteArray(R"("prompt_ms":12.5)") << Timings();
  QTest::newRow("without an origin")
      << QByteArray(R"("wafer":{"tokens_per_second":1432,"machine":"WSE-3"})") << Timings();
  QTest::newRow("no times") << QByteArray(R"("wafer":{"machine":"WSE-3","profile":"measured",)"
                                          R"("clock_hz":1e9,"first_token_ms":-1,)"
                                          R"("tokens_per_second":"many"})")
                            << Timings({{}, "WSE-3", "measured", 1e9, {}, {}});
  QTest::newRow("nonsense") << QByteArray(R"("wafer":[1])") << Timings();
}

void TestEndpoints::theWafersTimesAreTaken() {
  QFETCH(QByteArray, timings);
  QFETCH(std::optional<WaferTimings>, expected);
  ScriptedEndpoint server;
  server.script(
      {{sse(R"({"type":"response.created","response":{"id":"r"}})"), sse(responseText("Hi")),
        sse(R"({"type":"response.completed","response":{"timings":{)" + timings + "}}}")}});
  const auto endpoint = makeEndpoint(Protocol::kEvents, {server.base(), {}, "m"});
  Told told(endpoint->send(*ShownRequest::of(simpleRequest())));
  QVERIFY(told.wait());
  QCOMPARE(told.events, QStringList({"text Hi", "done 0"}));
  QVERIFY(told.reply->waferTimings() == expected);
}

void TestEndpoints::theServersRateIsTaken_data() {
  using Rate = std::optional<double>;
  QTest::addColumn<Protocol>("protocol");
  QTest::addColumn<QByteArray>("timings");
  QTest::addColumn<Rate>("expected");
  const QByteArray ours =
      R"("host":{"first_token_ms":4.5,"tokens_per_second":812.5},"wafer":{"cycles":9,)"
      R"("tokens_per_second":1432,"machine":"WSE-3","profile":"measured","clock_hz":1.1e9})";
  const QByteArray llama = R"("prompt_n":7,"prompt_per_second":900,"predicted_n":3,)"
                           R"("predicted_ms":60,"predicted_per_second":50)";
  QTest::newRow("waferd, chat") << Protocol::kChat << ours << Rate(812.5);
  QTest::newRow("waferd, responses") << Protocol::kEvents << ours << Rate(812.5);
  QTest::newRow("llama-server, chat") << Protocol::kChat << llama << Rate(50);
  QTest::newRow("not measured") << Protocol::kChat << QByteArray(R"("host":{})") << Rate();
  QTest::newRow("nonsense") << Protocol::kChat << QByteArray(R"("predicted_per_second":-3)")
                            << Rate();
}

void TestEndpoints::theServersRateIsTaken() {
  QFETCH(Protocol, protocol);
  QFETCH(QByteArray, timings);
  QFETCH(std::optional<double>, expected);
  QByteArrayList pieces = {
      sse(R"({"type":"response.created","response":{"id":"r"}})"), sse(responseText("Hi")),
      sse(R"({"type":"response.completed","response":{"timings":{)" + timings + "}}}")};
  if (protocol == Protocol::kChat) {
    pieces = {sse(R"({"choices":[{"delta":{"content":"Hi"}}]})"),
              sse(R"({"choices":[{"delta":{},"finish_reason":"stop"}]})"),
              sse(R"({"choices":[],"timings":{)" + timings + "}}"), sse("[DONE]")};
  }
  ScriptedEndpoint server;
  server.script({pieces});
  const auto endpoint = makeEndpoint(protocol, {server.base(), {}, "m"});
  Told told(endpoint->send(*ShownRequest::of(simpleRequest())));
  QVERIFY(told.wait());
  QCOMPARE(told.events, QStringList({"text Hi", "done 0"}));
  // One piece of text says nothing of a rate: what there is, the server has told.
  QCOMPARE(told.reply->tokensPerSecond(), expected);
  // Chat Completions are spoken by others, whose wafers are none of ours.
  QCOMPARE(told.reply->waferTimings().has_value(), protocol == Protocol::kEvents);
}

void TestEndpoints::whatIsAskedIsSent() {
  ModelRequest request = simpleRequest();
  request.temperature = 0.5;
  request.input.append({InputItem::Kind::kAssistant, "Hi", {}});
  request.input.append({InputItem::Kind::kToolCall, {}, {"c1", "look", "{\"at\":1}"}});
  request.input.append({InputItem::Kind::kToolCall, {}, {"c2", "look", "{}"}});
  request.input.append({InputItem::Kind::kToolOutput, "seen", {"c1", {}, {}}});
  request.tools = {{"look", "Looks", QJsonObject{{"type", "object"}}}};
  ScriptedEndpoint server;
  const EndpointAddress address{server.base(), "secret", "m"};
  for (const Protocol protocol : {Protocol::kChat, Protocol::kEvents, Protocol::kSocket}) {
    server.script({goodPieces(protocol)});
    Told told(makeEndpoint(protocol, address)->send(*ShownRequest::of(request)));
    QVERIFY(told.wait());
  }
  QCOMPARE(server.requests().size(), 3);
  const auto json = [](const char* text) { return QJsonDocument::fromJson(text).object(); };
  QCOMPARE(server.requests()[0].method, QByteArray("POST"));
  QCOMPARE(server.requests()[0].path, QByteArray("/v1/chat/completions"));
  QCOMPARE(server.requests()[0].headers.value("authorization"), QByteArray("Bearer secret"));
  QCOMPARE(server.requests()[0].headers.value("accept-encoding"), QByteArray("identity"));
  QCOMPARE(server.requests()[0].body, json(R"({"model":"m","stream":true,"return_progress":true,
      "stream_options":{"include_usage":true},"max_tokens":20,"temperature":0.5,
      "messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"Hello"},
        {"role":"assistant","content":"Hi","tool_calls":[
          {"id":"c1","type":"function","function":{"name":"look","arguments":"{\"at\":1}"}},
          {"id":"c2","type":"function","function":{"name":"look","arguments":"{}"}}]},
        {"role":"tool","tool_call_id":"c1","content":"seen"}],
      "tools":[{"type":"function","function":{"name":"look","description":"Looks",
        "parameters":{"type":"object"}}}]})"));
  QJsonObject responses = json(R"({"model":"m","stream":true,"store":false,"return_progress":true,
      "instructions":"Be brief.","max_output_tokens":20,"temperature":0.5,
      "input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"Hello"}]},
        {"type":"message","role":"assistant","content":[{"type":"output_text","text":"Hi"}]},
        {"type":"function_call","call_id":"c1","name":"look","arguments":"{\"at\":1}"},
        {"type":"function_call","call_id":"c2","name":"look","arguments":"{}"},
        {"type":"function_call_output","call_id":"c1","output":"seen"}],
      "tools":[{"type":"function","name":"look","description":"Looks",
        "parameters":{"type":"object"}}]})");
  QCOMPARE(server.requests()[1].path, QByteArray("/v1/responses"));
  QCOMPARE(server.requests()[1].body, responses);
  responses.remove("stream");
  responses.insert("type", "response.create");
  QVERIFY(server.requests()[2].onSocket);
  QCOMPARE(server.requests()[2].headers.value("authorization"), QByteArray("Bearer secret"));
  QCOMPARE(server.requests()[2].body, responses);
}

// A prompt that takes longer to be read than a silence may last, and then a silence.
void TestEndpoints::readingIsNoSilence() {
  QFETCH(Protocol, protocol);
  constexpr int kSteps = 15;
  const auto reading = [protocol](int step) {
    const int read = step * 400, tokens = kSteps * 400;
    if (protocol == Protocol::kChat) return chatReading(read, tokens);
    const QByteArray event = responseReading(read, tokens);
    return protocol == Protocol::kEvents ? sse(event) : event;
  };
  ScriptedEndpoint server;
  server.script({{reading(0)}, Then::kStall});
  const auto endpoint = makeEndpoint(protocol, {server.base(), {}, "m"}, {20s, 1s});
  Told told(endpoint->send(*ShownRequest::of(simpleRequest())));
  int step = 0;
  QTimer steps;
  connect(&steps, &QTimer::timeout, this, [&] {
    server.say(reading(++step));
    if (step == kSteps) steps.stop();
  });
  QTRY_VERIFY(told.reply->promptProgress());
  QCOMPARE(*told.reply->promptProgress(), (PromptProgress{kSteps * 400, 0, 0}));
  qint64 last = -1;
  connect(told.reply.get(), &ModelReply::waited, this, [&] {
    QVERIFY(told.reply->promptProgress()->read >= last);
    last = told.reply->promptProgress()->read;
  });
  steps.start(150ms);
  QTRY_COMPARE_WITH_TIMEOUT(last, kSteps * 400, 20'000);
  QVERIFY(told.reply->age() > 2s);
  QVERIFY2(!told.reply->isOver(), "nothing came");
  QVERIFY(told.wait());
  QCOMPARE(told.events, QStringList("failed"));
  QCOMPARE(told.failure->kind, Kind::kTimeout);
  QVERIFY2(told.failure->what.contains("fallen silent"), qPrintable(told.failure->what));
}

void TestEndpoints::whatTheServerWaitsForIsSaid() {
  const QByteArray loading =
      R"({"type":"response.queued","waiting":{"for":"model","loaded":0.43},"response":{}})";
  ScriptedEndpoint server;
  server.script({{sse(loading)}, Then::kStall});
  Told told(makeEndpoint(Protocol::kEvents, {server.base(), {}, "m"})
                ->send(*ShownRequest::of(simpleRequest())));
  QTRY_VERIFY(told.reply->serverWait());
  QVERIFY2(progressText(*told.reply).startsWith("Loading the model (43 %), "),
           qPrintable(progressText(*told.reply)));
  server.say(sse(R"({"type":"response.queued","waiting":{"for":"queue"},"response":{}})"));
  QTRY_COMPARE(told.reply->serverWait()->what, ServerWait::For::kQueue);
  QVERIFY(progressText(*told.reply).startsWith("Waiting for other work, "));
  server.say(sse(R"({"type":"response.queued","waiting":{"for":"tea"},"response":{}})"));
  server.say(sse(responseReading(100, 400)));
  QTRY_VERIFY(!told.reply->serverWait());
  QVERIFY(progressText(*told.reply).startsWith("Reading 100 of 400 tokens"));
  told.reply->cancel();
}

// Where somebody waits for the answer; it is counted down, and can be called off.
void TestEndpoints::whoIsBusyIsAskedAgainWhenItSays() {
  ModelRequest request = simpleRequest();
  request.waitsOut = true;
  const auto busy = [](const QByteArray& when) {
    return ScriptedEndpoint::Reply{{"{}"}, Then::kEnd, 429, {"Retry-After: " + when}};
  };
  for (const Protocol protocol : {Protocol::kChat, Protocol::kEvents}) {
    ScriptedEndpoint server;
    server.script(busy("1"));
    server.script(
        protocol == Protocol::kChat
            ? ScriptedEndpoint::Reply{{chatText("hello"), chatFinish("stop")}}
            : ScriptedEndpoint::Reply{{sse(responseText("hello")), sse(responseCompleted())}});
    Told told(makeEndpoint(protocol, {server.base(), {}, "m"})->send(*ShownRequest::of(request)));
    QTRY_VERIFY(told.reply->serverWait());
    QCOMPARE(told.reply->serverWait()->what, ServerWait::For::kBusy);
    QCOMPARE(progressText(*told.reply), "The server is busy; asking again in 1 s");
    QVERIFY(told.wait());
    QVERIFY2(!told.failure, told.failure ? qPrintable(told.failure->message()) : "");
    QCOMPARE(told.reply->text(), "hello");
    QCOMPARE(server.requests().size(), 2);
  }
  // It can be called off meanwhile.
  ScriptedEndpoint server;
  server.script(busy("50"));
  Told stopped(
      makeEndpoint(Protocol::kChat, {server.base(), {}, "m"})->send(*ShownRequest::of(request)));
  QTRY_VERIFY(stopped.reply->serverWait());
  stopped.reply->cancel();
  QVERIFY(stopped.reply->isOver());
  QCOMPARE(server.requests().size(), 1);
  // Nobody waits for minutes, nor for ever.
  server.script(busy("61"));
  Told late(
      makeEndpoint(Protocol::kChat, {server.base(), {}, "m"})->send(*ShownRequest::of(request)));
  QVERIFY(late.wait());
  QCOMPARE(late.failure->kind, Kind::kBusy);
  for (int i = 0; i < 4; ++i) server.script(busy("0"));
  Told tired(
      makeEndpoint(Protocol::kChat, {server.base(), {}, "m"})->send(*ShownRequest::of(request)));
  QVERIFY(tired.wait());
  QCOMPARE(tired.failure->kind, Kind::kBusy);
  QCOMPARE(server.requests().size(), 6);
}

void TestEndpoints::aContextThatIsTooSmallIsNamed_data() {
  QTest::addColumn<int>("status");
  QTest::addColumn<QByteArray>("body");
  QTest::addColumn<QString>("what");
  const QString sized = "What was asked is longer than the model's context of 8,192 tokens.";
  QTest::newRow("as OpenAI's API says it")
      << 400
      << QByteArray(R"({"error":{"code":"context_length_exceeded","message":"This model's maximum )"
                    R"(context length is 8192 tokens. However, you requested 9000."}})")
      << sized;
  QTest::newRow("as vLLM says it")
      << 400
      << QByteArray(R"({"error":{"type":"BadRequestError","message":"This model's maximum context )"
                    R"(length is 8192 tokens. However, your request has 9000 input tokens."}})")
      << sized;
  QTest::newRow("as llama-server says it")
      << 400
      << QByteArray(
             R"({"error":{"type":"exceed_context_size_error","message":"the request exceeds )"
             R"(the available context size (8192 tokens), try increasing it"}})")
      << sized;
  QTest::newRow("without a size")
      << 400 << QByteArray(R"({"error":{"code":"context_length_exceeded","message":"no"}})")
      << "What was asked is longer than the model's context.";
  QTest::newRow("something else") << 400
                                  << QByteArray(
                                         R"({"error":{"message":"max_tokens 8192 is wrong"}})")
                                  << "refuses what was asked (HTTP 400)";
}

void TestEndpoints::aContextThatIsTooSmallIsNamed() {
  QFETCH(const int, status);
  QFETCH(const QByteArray, body);
  QFETCH(const QString, what);
  ScriptedEndpoint server;
  server.script({{body}, Then::kEnd, status, {"Content-Type: application/json"}});
  Told told(makeEndpoint(Protocol::kChat, {server.base(), {}, "m"})
                ->send(*ShownRequest::of(simpleRequest())));
  QVERIFY(told.wait());
  QCOMPARE(told.failure->kind, Kind::kRequest);
  QVERIFY2(told.failure->what.contains(what), qPrintable(told.failure->what));
}

// Each server has its own field for it.
void TestEndpoints::aFormGoesAlong() {
  ModelRequest request = simpleRequest();
  request.grammar = "root ::= \"a\"";
  ScriptedEndpoint server;
  for (const Protocol protocol : {Protocol::kChat, Protocol::kEvents}) {
    server.script({goodPieces(protocol)});
    Told told(makeEndpoint(protocol, {server.base(), {}, "m"})->send(*ShownRequest::of(request)));
    QVERIFY(told.wait());
  }
  QCOMPARE(server.requests()[0].body.value("grammar").toString(), request.grammar);
  const QJsonObject format =
      server.requests()[1].body.value("text").toObject().value("format").toObject();
  QCOMPARE(format,
           (QJsonObject{{"type", "grammar"}, {"syntax", "gbnf"}, {"definition", request.grammar}}));
}

void TestEndpoints::onlyServersNearbyAreAskedToTellIt() {
  for (const auto& [url, isAsked] : {std::pair{"http://127.0.0.1:8080/v1", true},
                                     {"https://localhost/v1", true},
                                     {"http://192.168.1.2/v1", true},
                                     {"https://api.example.com/v1", false}}) {
    QJsonObject body;
    wantProgress(&body, {QUrl(url), {}, "m"});
    QCOMPARE(body.value("return_progress").toBool(), isAsked);
  }
}

void TestEndpoints::serversThatDoNotKnowItAreAskedWithout() {
  for (const Protocol protocol : {Protocol::kChat, Protocol::kEvents}) {
    ScriptedEndpoint server;
    server.script({{R"({"error":{"message":"Unrecognized request argument: return_progress"}})"},
                   Then::kEnd,
                   400,
                   {"Content-Type: application/json"}});
    server.script({goodPieces(protocol)});
    Told told(
        makeEndpoint(protocol, {server.base(), {}, "m"})->send(*ShownRequest::of(simpleRequest())));
    QVERIFY(told.wait());
    QCOMPARE(told.events, QStringList({"text Hel", "text lo", "usage 7 4 3 1", "done 0"}));
    QCOMPARE(server.requests().size(), 2);
    QJsonObject first = server.requests()[0].body;
    QCOMPARE(first.take("return_progress"), QJsonValue(true));
    QCOMPARE(server.requests()[1].body, first);
    // What is wrong beside that is told.
    server.script({{R"({"error":{"message":"no return_progress"}})"}, Then::kEnd, 400});
    server.script({{R"({"error":{"message":"return_progress? no"}})"}, Then::kEnd, 400});
    Told refused(
        makeEndpoint(protocol, {server.base(), {}, "m"})->send(*ShownRequest::of(simpleRequest())));
    QVERIFY(refused.wait());
    QCOMPARE(refused.failure->kind, Kind::kRequest);
  }
}

void TestEndpoints::howFarItIsIsPutIntoWords() {
  const QLocale before;
  QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
  ScriptedEndpoint server;
  server.script({{chatReading(2560, 6400)}, Then::kStall});
  Told told(makeEndpoint(Protocol::kChat, {server.base(), {}, "m"})
                ->send(*ShownRequest::of(simpleRequest())));
  QCOMPARE(waitText(*told.reply, "Asking it"), "Asking it, 0 s");
  QTRY_VERIFY(told.reply->promptProgress());
  QVERIFY2(progressText(*told.reply).startsWith("Reading 2,560 of 6,400 tokens (40 %), "),
           qPrintable(progressText(*told.reply)));
  server.say(chatReading(6400, 6400));
  QTRY_VERIFY2(progressText(*told.reply).startsWith("Asking, "),
               qPrintable(progressText(*told.reply)));
  server.say(sse(R"({"choices":[{"delta":{"reasoning_content":"hm"}}]})"));
  QTRY_VERIFY(progressText(*told.reply).startsWith("Thinking, "));
  server.say(chatText("one\\ntwo"));
  QTRY_VERIFY(progressText(*told.reply).startsWith("Writing, "));
  QCOMPARE(writtenText(*told.reply), "2 lines");
  // Nonsense is not shown.
  for (const char* wrong :
       {"7", "{}", R"({"total":0,"processed":0})", R"({"total":5,"cache":9,"processed":2})",
        R"({"total":5,"processed":6})"})
    QVERIFY(ChatDecoder().take(QByteArray(R"({"prompt_progress":)") + wrong + "}").isEmpty());
  QLocale::setDefault(before);
}

void TestEndpoints::toolsAreCalled() {
  ScriptedEndpoint server;
  server.script(
      {{sse(R"({"choices":[{"delta":{"reasoning_content":"hm"}}]})"),
        sse(R"({"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c1","function":)"
            R"({"name":"look","arguments":"{\"a"}}]}}]})"),
        sse(R"({"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"t\":1}"}},)"
            R"({"index":1,"id":"c2","function":{"name":"find"}}]}}]})"),
        chatFinish("tool_calls"), sse("[DONE]")}});
  Told chat(makeEndpoint(Protocol::kChat, {server.base(), {}, "m"})
                ->send(*ShownRequest::of(simpleRequest())));
  QVERIFY(chat.wait());
  QCOMPARE(chat.events,
           QStringList({"think hm", "call c1 look {\"at\":1}", "call c2 find ", "done 2"}));

  server.script(
      {{R"({"type":"response.created"})",
        R"({"type":"response.reasoning_text.delta","delta":"hm"})",
        R"({"type":"response.function_call_arguments.delta","delta":"{}"})",
        R"({"type":"response.output_item.done","item":{"type":"function_call","call_id":"c1",)"
        R"("name":"look","arguments":"{}"}})",
        R"({"type":"response.output_item.done","item":{"type":"web_search_call"}})",
        R"({"type":"response.of.the.future","delta":"x"})",
        R"({"type":"response.completed","response":{}})"}});
  Told socket(makeEndpoint(Protocol::kSocket, {server.base(), {}, "m"})
                  ->send(*ShownRequest::of(simpleRequest())));
  QVERIFY(socket.wait());
  QCOMPARE(socket.events, QStringList({"think hm", "call c1 look {}", "done 2"}));
}

void TestEndpoints::stallsAreTold() {
  QFETCH(Protocol, protocol);
  ScriptedEndpoint server;
  const ReplyPatience patience{300ms, 300ms};
  // The server sends nothing, not even a status.
  ScriptedEndpoint::Reply silent;
  silent.silent = true;
  server.script(silent);
  const auto endpoint = makeEndpoint(protocol, {server.base(), {}, "m"}, patience);
  Told slow(endpoint->send(*ShownRequest::of(simpleRequest())));
  QVERIFY(slow.wait());
  QCOMPARE(slow.events, QStringList("failed"));
  QCOMPARE(slow.failure->kind, Kind::kTimeout);
  QCOMPARE(slow.failure->what, QStringLiteral("The model did not begin to answer within 0.3 s."));
  QVERIFY(!slow.failure->remedy.isEmpty());
  // The text that came stays.
  server.script({goodPieces(protocol).mid(0, 2), Then::kStall});
  Told stalled(endpoint->send(*ShownRequest::of(simpleRequest())));
  QVERIFY(stalled.wait());
  QCOMPARE(stalled.events.last(), QStringLiteral("failed"));
  QCOMPARE(stalled.failure->kind, Kind::kTimeout);
  QCOMPARE(stalled.failure->what,
           QStringLiteral("The model has fallen silent: nothing came for 0.3 s."));
  QVERIFY(stalled.reply->text().startsWith("Hel"));
  // Both connections are let go.
  QTRY_COMPARE(server.openConnections(), 0);
}

void TestEndpoints::cancelStopsAtOnce() {
  QFETCH(Protocol, protocol);
  ScriptedEndpoint server;
  server.script({goodPieces(protocol).mid(0, 2), Then::kStall});
  const auto endpoint = makeEndpoint(protocol, {server.base(), {}, "m"});
  Told told(endpoint->send(*ShownRequest::of(simpleRequest())));
  QTRY_VERIFY(told.reply->text().startsWith("Hel"));
  told.events.clear();
  told.reply->cancel();
  QCOMPARE(told.events, QStringList("done 4"));
  QVERIFY(told.reply->isOver());
  told.reply->cancel();
  QCOMPARE(told.events, QStringList("done 4"));
  // The server hears of it, and the next request has a connection of its own.
  QTRY_COMPARE(server.openConnections(), 0);
  server.script({goodPieces(protocol)});
  Told next(endpoint->send(*ShownRequest::of(simpleRequest())));
  QVERIFY(next.wait());
  QCOMPARE(next.reply->text(), QStringLiteral("Hello"));
  // A request may be canceled before anything was sent.
  Told never(endpoint->send(*ShownRequest::of(simpleRequest())));
  never.reply->cancel();
  QCOMPARE(never.events, QStringList("done 4"));
}

void TestEndpoints::cutRepliesAreTold() {
  QFETCH(Protocol, protocol);
  ScriptedEndpoint server;
  const auto endpoint = makeEndpoint(protocol, {server.base(), {}, "m"});
  server.script({goodPieces(protocol).mid(0, 2), Then::kCut});
  Told cut(endpoint->send(*ShownRequest::of(simpleRequest())));
  QVERIFY(cut.wait());
  QCOMPARE(cut.events.last(), QStringLiteral("failed"));
  QCOMPARE(cut.failure->kind, Kind::kCut);
  QVERIFY(cut.reply->text().startsWith("Hel"));
  if (protocol == Protocol::kSocket) return;
  // The body is whole, but not what it says.
  server.script({goodPieces(protocol).mid(0, 2)});
  Told ended(endpoint->send(*ShownRequest::of(simpleRequest())));
  QVERIFY(ended.wait());
  QCOMPARE(ended.failure->kind, Kind::kCut);
}

void TestEndpoints::wrongJsonIsTold() {
  QFETCH(Protocol, protocol);
  for (const QByteArray& wrong : {QByteArray("{\"choices\":[{"), QByteArray("7")}) {
    ScriptedEndpoint server;
    QByteArrayList pieces = goodPieces(protocol);
    pieces.insert(2, protocol == Protocol::kSocket ? wrong : sse(wrong));
    server.script({pieces});
    Told told(
        makeEndpoint(protocol, {server.base(), {}, "m"})->send(*ShownRequest::of(simpleRequest())));
    QVERIFY(told.wait());
    QCOMPARE(told.events.last(), QStringLiteral("failed"));
    QCOMPARE(told.failure->kind, Kind::kMalformed);
    QVERIFY(!told.failure->remedy.isEmpty());
  }
}

void TestEndpoints::modelsFailures() {
  QFETCH(Protocol, protocol);
  QByteArray error = R"({"error":{"message":"out of   memory","code":"server_error"}})";
  if (protocol != Protocol::kChat) {
    error = R"({"type":"response.failed","response":{"error":{"message":"out of   memory",)"
            R"("code":"server_error"}}})";
  }
  ScriptedEndpoint server;
  server.script({{protocol == Protocol::kSocket ? error : sse(error)}});
  Told told(
      makeEndpoint(protocol, {server.base(), {}, "m"})->send(*ShownRequest::of(simpleRequest())));
  QVERIFY(told.wait());
  QCOMPARE(told.failure->kind, Kind::kServer);
  QCOMPARE(told.failure->what, QStringLiteral("The model's server says: \"out of memory\""));
}

void TestEndpoints::hugeAnswersAreBounded() {
  QFETCH(Protocol, protocol);
  ScriptedEndpoint server;
  const auto endpoint = makeEndpoint(protocol, {server.base(), {}, "m"});
  // One event.
  const QByteArray huge(6 << 20, 'x');
  server.script({{protocol == Protocol::kSocket ? responseText(huge) : "data: " + huge}});
  Told one(endpoint->send(*ShownRequest::of(simpleRequest())));
  QVERIFY(one.wait());
  QCOMPARE(one.events.last(), QStringLiteral("failed"));
  QCOMPARE(one.failure->kind, Kind::kTooLong);
  // Many of them.
  const QByteArray some(1 << 20, 'x');
  const QByteArray piece = protocol == Protocol::kChat     ? chatText(some)
                           : protocol == Protocol::kEvents ? sse(responseText(some))
                                                           : responseText(some);
  server.script({QByteArrayList(10, piece), Then::kStall});
  Told many(endpoint->send(*ShownRequest::of(simpleRequest())));
  QVERIFY(many.wait());
  QCOMPARE(many.failure->kind, Kind::kTooLong);
  QVERIFY(many.reply->text().size() <= ModelReply::kMostText + some.size());
}

void TestEndpoints::nobodyThere() {
  QFETCH(Protocol, protocol);
  QTcpServer gone;
  QVERIFY(gone.listen(QHostAddress::LocalHost));
  const QUrl base(QStringLiteral("http://127.0.0.1:%1/v1").arg(gone.serverPort()));
  gone.close();
  Told told(makeEndpoint(protocol, {base, {}, "m"})->send(*ShownRequest::of(simpleRequest())));
  QVERIFY(told.wait());
  QCOMPARE(told.events, QStringList("failed"));
  QCOMPARE(told.failure->kind, Kind::kUnreachable);
  QVERIFY2(told.failure->what.contains(QStringLiteral("this computer, port %1").arg(base.port())),
           qPrintable(told.failure->what));
}

void TestEndpoints::statusesHaveRemedies_data() {
  QTest::addColumn<int>("status");
  QTest::addColumn<QByteArray>("header");
  QTest::addColumn<Kind>("kind");
  QTest::addColumn<qint64>("retryMs");
  QTest::newRow("no key") << 401 << QByteArray() << Kind::kKey << qint64(-1);
  QTest::newRow("no model") << 404 << QByteArray() << Kind::kRequest << qint64(-1);
  QTest::newRow("too long") << 413 << QByteArray() << Kind::kRequest << qint64(-1);
  QTest::newRow("too many") << 429 << QByteArray("Retry-After: 12") << Kind::kBusy
                            << qint64(12'000);
  QTest::newRow("too many, no word when") << 429 << QByteArray() << Kind::kBusy << qint64(-1);
  QTest::newRow("failed") << 500 << QByteArray() << Kind::kServer << qint64(-1);
  QTest::newRow("overloaded") << 503 << QByteArray("Retry-After: 1") << Kind::kBusy
                              << qint64(1'000);
}

void TestEndpoints::statusesHaveRemedies() {
  QFETCH(int, status);
  QFETCH(QByteArray, header);
  QFETCH(Kind, kind);
  QFETCH(qint64, retryMs);
  for (const Protocol protocol : {Protocol::kChat, Protocol::kEvents}) {
    ScriptedEndpoint server;
    ScriptedEndpoint::Reply reply{{R"({"error":{"message":"because"}})"},
                                  Then::kEnd,
                                  status,
                                  {"Content-Type: application/json"}};
    if (!header.isEmpty()) reply.headers.append(header);
    server.script(reply);
    Told told(
        makeEndpoint(protocol, {server.base(), {}, "m"})->send(*ShownRequest::of(simpleRequest())));
    QVERIFY(told.wait());
    QCOMPARE(told.events, QStringList("failed"));
    QCOMPARE(told.failure->kind, kind);
    QVERIFY2(told.failure->what.endsWith("It says: \"because\""), qPrintable(told.failure->what));
    QVERIFY(!told.failure->remedy.isEmpty());
    QCOMPARE(told.failure->retryAfter ? told.failure->retryAfter->count() : -1, retryMs);
  }
}

void TestEndpoints::redirectionsAreNotFollowed() {
  ScriptedEndpoint server, other;
  for (const int status : {301, 302, 307, 308}) {
    server.script({{},
                   Then::kEnd,
                   status,
                   {"Location: " + other.base().toEncoded() + "/chat/completions?x=1"}});
    Told told(makeEndpoint(Protocol::kChat, {server.base(), "secret", "m"})
                  ->send(*ShownRequest::of(simpleRequest())));
    QVERIFY(told.wait());
    QCOMPARE(told.failure->kind, Kind::kRedirected);
    QVERIFY2(told.failure->what.contains(other.base().toString()), qPrintable(told.failure->what));
  }
  QCOMPARE(other.connections(), 0);
}

void TestEndpoints::otherContentIsTold() {
  ScriptedEndpoint server;
  server.script({{"<html>"}, Then::kEnd, 200, {"Content-Type: text/html"}});
  Told told(makeEndpoint(Protocol::kChat, {server.base(), {}, "m"})
                ->send(*ShownRequest::of(simpleRequest())));
  QVERIFY(told.wait());
  QCOMPARE(told.failure->kind, Kind::kMalformed);
  QVERIFY2(told.failure->what.contains("text/html"), qPrintable(told.failure->what));
}

void TestEndpoints::noHttpIsTold() {
  ScriptedEndpoint server;
  ScriptedEndpoint::Reply garbage{{"SSH-2.0-OpenSSH_9.2\r\n\r\n"}};
  garbage.raw = true;
  for (int i = 0; i < 4; ++i) server.script(garbage);
  Told told(makeEndpoint(Protocol::kChat, {server.base(), {}, "m"}, {2s, 2s})
                ->send(*ShownRequest::of(simpleRequest())));
  QVERIFY(told.wait());
  QCOMPARE(told.events, QStringList("failed"));
  QVERIFY(!told.failure->what.isEmpty());
}

void TestEndpoints::keysAreNotTold() {
  ScriptedEndpoint server;
  server.script({{R"({"error":{"message":"bad key sk-1234 given"}})"}, Then::kEnd, 401});
  Told refused(makeEndpoint(Protocol::kChat, {server.base(), "sk-1234", "m"})
                   ->send(*ShownRequest::of(simpleRequest())));
  QVERIFY(refused.wait());
  QCOMPARE(refused.failure->kind, Kind::kKey);
  QVERIFY2(refused.failure->what.contains("bad key (the key) given"),
           qPrintable(refused.failure->what));
  server.script({{R"({"type":"error","error":{"message":"sk-1234?"}})"}});
  Told said(makeEndpoint(Protocol::kSocket, {server.base(), "sk-1234", "m"})
                ->send(*ShownRequest::of(simpleRequest())));
  QVERIFY(said.wait());
  QCOMPARE(said.failure->what, QStringLiteral("The model's server says: \"(the key)?\""));
}

void TestEndpoints::keysGoOverNoOpenLine() {
  for (const Protocol protocol : {Protocol::kChat, Protocol::kSocket}) {
    const EndpointAddress open{QUrl("http://models.invalid/v1"), "secret", "m"};
    Told told(makeEndpoint(protocol, open)->send(*ShownRequest::of(simpleRequest())));
    QVERIFY(told.wait());
    QCOMPARE(told.failure->kind, Kind::kRequest);
    QCOMPARE(
        told.failure->what,
        QStringLiteral("The key is not sent to models.invalid: the connection is not encrypted."));
  }
}

void TestEndpoints::socketsServeAgain() {
  ScriptedEndpoint server;
  const auto endpoint = makeEndpoint(Protocol::kSocket, {server.base(), {}, "m"});
  for (int i = 0; i < 3; ++i) {
    server.script({goodPieces(Protocol::kSocket)});
    Told told(endpoint->send(*ShownRequest::of(simpleRequest())));
    QVERIFY(told.wait());
    QCOMPARE(told.reply->text(), QStringLiteral("Hello"));
  }
  QCOMPARE(server.connections(), 1);
  // Two at a time need two.
  server.script({goodPieces(Protocol::kSocket)});
  server.script({goodPieces(Protocol::kSocket)});
  Told first(endpoint->send(*ShownRequest::of(simpleRequest())));
  Told second(endpoint->send(*ShownRequest::of(simpleRequest())));
  QVERIFY(first.wait() && second.wait());
  QCOMPARE(first.reply->text() + second.reply->text(), QStringLiteral("HelloHello"));
  QCOMPARE(server.connections(), 2);
}

void TestEndpoints::socketsClosedMeanwhileAreOpenedAnew() {
  ScriptedEndpoint server;
  const auto endpoint = makeEndpoint(Protocol::kSocket, {server.base(), {}, "m"});
  server.script({goodPieces(Protocol::kSocket)});
  Told first(endpoint->send(*ShownRequest::of(simpleRequest())));
  QVERIFY(first.wait());
  server.closeSockets();
  // The next request is sent before the end of the socket is known here.
  server.script({goodPieces(Protocol::kSocket)});
  Told second(endpoint->send(*ShownRequest::of(simpleRequest())));
  QVERIFY(second.wait());
  QCOMPARE(second.reply->text(), QStringLiteral("Hello"));
  QCOMPARE(server.connections(), 2);
}

void TestEndpoints::refusedSocketsAreTold() {
  ScriptedEndpoint server;
  server.refuseSockets(418);
  Told told(makeEndpoint(Protocol::kSocket, {server.base(), {}, "m"})
                ->send(*ShownRequest::of(simpleRequest())));
  QVERIFY(told.wait());
  QCOMPARE(told.events, QStringList("failed"));
  QCOMPARE(told.failure->kind, Kind::kUnreachable);
  QVERIFY2(told.failure->what.contains("418"), qPrintable(told.failure->what));
}

void TestEndpoints::withoutSocketsEventsServe() {
  ScriptedEndpoint server;
  server.refuseSockets(426);
  for (int i = 0; i < 2; ++i)
    server.script({{sse(responseText("Hel")), sse(responseText("lo")), sse(responseCompleted())}});
  const auto endpoint = makeEndpoint(Protocol::kSocket, {server.base(), "sk-1", "m"});
  Told first(endpoint->send(*ShownRequest::of(simpleRequest())));
  QVERIFY(first.wait());
  QCOMPARE(first.events, QStringList({"text Hel", "text lo", "usage 7 4 3 1", "done 0"}));
  QCOMPARE(first.reply->text(), QStringLiteral("Hello"));
  QCOMPARE(server.requests().size(), 1);
  QVERIFY(!server.requests()[0].onSocket);
  QCOMPARE(server.requests()[0].path, QByteArray("/v1/responses"));
  QCOMPARE(server.requests()[0].body.value("stream").toBool(), true);
  QVERIFY(!server.requests()[0].body.contains("type"));
  // The next request does not try again.
  const int connections = server.connections();
  Told second(endpoint->send(*ShownRequest::of(simpleRequest())));
  QVERIFY(second.wait());
  QCOMPARE(second.reply->text(), QStringLiteral("Hello"));
  QVERIFY(server.connections() <= connections + 1);
  QCOMPARE(server.requests().size(), 2);
}

void TestEndpoints::whatServesInPlaceOfASocketIsCanceledAndFailsAlike() {
  ScriptedEndpoint server;
  server.refuseSockets(426);
  ScriptedEndpoint::Reply stall{{sse(responseText("Hel"))}};
  stall.then = Then::kStall;
  server.script(stall);
  ScriptedEndpoint::Reply cut{{sse(responseText("Hel"))}};
  cut.then = Then::kCut;
  server.script(cut);
  Told canceled(makeEndpoint(Protocol::kSocket, {server.base(), {}, "m"})
                    ->send(*ShownRequest::of(simpleRequest())));
  QTRY_COMPARE(canceled.events, QStringList("text Hel"));
  canceled.reply->cancel();
  QCOMPARE(canceled.events, QStringList({"text Hel", "done 4"}));
  QTRY_COMPARE(server.openConnections(), 0);
  Told failed(makeEndpoint(Protocol::kSocket, {server.base(), {}, "m"})
                  ->send(*ShownRequest::of(simpleRequest())));
  QVERIFY(failed.wait());
  QCOMPARE(failed.events, QStringList({"text Hel", "failed"}));
  QCOMPARE(failed.failure->kind, Kind::kCut);
}

void TestEndpoints::bytesOnASocketAreTold() {
  ScriptedEndpoint server;
  ScriptedEndpoint::Reply bytes{{"abc"}};
  bytes.binary = true;
  server.script(bytes);
  Told told(makeEndpoint(Protocol::kSocket, {server.base(), {}, "m"})
                ->send(*ShownRequest::of(simpleRequest())));
  QVERIFY(told.wait());
  QCOMPARE(told.failure->kind, Kind::kMalformed);
}

void TestEndpoints::aReplyMayGoAtAnyTime() {
  QFETCH(Protocol, protocol);
  ScriptedEndpoint server;
  auto endpoint = makeEndpoint(protocol, {server.base(), {}, "m"});
  endpoint->send(*ShownRequest::of(simpleRequest())).reset();
  // The first request may have gone out all the same, and takes a reply then.
  server.script({goodPieces(protocol).mid(0, 2), Then::kStall});
  server.script({goodPieces(protocol).mid(0, 2), Then::kStall});
  auto half = std::make_unique<Told>(endpoint->send(*ShownRequest::of(simpleRequest())));
  QTRY_VERIFY(half->reply->text().startsWith("Hel"));
  half.reset();
  server.forgetScript();
  // A reply outlives its endpoint.
  server.script({goodPieces(protocol)});
  Told told(endpoint->send(*ShownRequest::of(simpleRequest())));
  endpoint.reset();
  QVERIFY(told.wait());
  QCOMPARE(told.reply->text(), QStringLiteral("Hello"));
  told.reply.reset();
  QTRY_COMPARE(server.openConnections(), 0);
}

void TestEndpoints::placesAreNamed() {
  const auto at = [](const char* url) { return EndpointAddress{QUrl(url), {}, {}}; };
  QVERIFY(at("http://127.0.0.1:8080/v1").isLoopback());
  QVERIFY(at("http://[::1]:8080/v1").isLoopback());
  QVERIFY(at("http://localhost/v1").isLoopback());
  QVERIFY(!at("http://192.168.1.2/v1").isLoopback());
  QVERIFY(!at("https://localhost.example.com/v1").isLoopback());
  QCOMPARE(at("http://127.0.0.1:8080/v1").place(), QStringLiteral("this computer, port 8080"));
  QCOMPARE(at("https://user:pw@api.example.com/v1").place(), QStringLiteral("api.example.com"));
  QVERIFY(!at("ftp://example.com").problem().isEmpty());
  QVERIFY(!at("").problem().isEmpty());
  QCOMPARE(at("http://192.168.1.2/v1").problem(), QString());
}

void TestEndpoints::retryTimesAreRead() {
  const QDateTime now(QDate(2026, 11, 22), QTime(12, 0), Qt::UTC);
  QCOMPARE(retryAfter("7", now), 7s);
  QCOMPARE(retryAfter("Sun, 22 Nov 2026 12:00:30 GMT", now), 30s);
  QCOMPARE(retryAfter("Sun, 22 Nov 2026 11:00:30 GMT", now), 0s);
  QCOMPARE(retryAfter("99999999999999", now), 24h);
  QCOMPARE(retryAfter("-1", now), std::nullopt);
  QCOMPARE(retryAfter("soon", now), std::nullopt);
  QCOMPARE(retryAfter("", now), std::nullopt);
}

void TestEndpoints::speedIsCounted() {
  ReplyTimings timings;
  QCOMPARE(timings.tokensPerSecond(10), std::nullopt);
  timings.firstTokenMs = 100;
  timings.lastTokenMs = 600;
  QCOMPARE(timings.tokensPerSecond(11), 20.0);
  QCOMPARE(timings.tokensPerSecond(1), std::nullopt);
  QCOMPARE(timings.tokensPerSecond(-1), std::nullopt);
}

// OpenAI's lists, llama-server's objects, and servers that tell nothing.
void TestEndpoints::textsComeWithTheirProbabilities() {
  const auto told = [](const QByteArrayList& messages) {
    TextDecoder decoder;
    QVector<ReplyEvent> all;
    for (const QByteArray& message : messages) all += decoder.take(message);
    return all;
  };
  const QByteArray end = R"({"choices":[{"text":"","finish_reason":"stop"}]})";
  QCOMPARE(
      told(
          {R"({"choices":[{"text":"ab","logprobs":{"tokens":["a","b"],"token_logprobs":[-1,-0.5]}}]})",
           end, "[DONE]"}),
      (QVector<ReplyEvent>{TextDelta{"ab", -1.5}, ReplyDone{}}));
  QCOMPARE(
      told({R"({"choices":[{"text":"a","logprobs":{"content":[{"token":"a","logprob":-2}]}}]})"}),
      (QVector<ReplyEvent>{TextDelta{"a", -2.0}}));
  QCOMPARE(told({R"({"choices":[{"text":"a","logprobs":null}]})"}),
           (QVector<ReplyEvent>{TextDelta{"a", {}}}));
  // What is no probability is none.
  for (const char* wrong : {"[1]", "[null]", "[\"x\"]", "{}", "3"})
    QCOMPARE(told({QByteArray(R"({"choices":[{"text":"a","logprobs":{"token_logprobs":)") + wrong +
                   "}}]}"}),
             (QVector<ReplyEvent>{TextDelta{"a", {}}}));
  QCOMPARE(told({R"({"choices":[{"text":"","finish_reason":"length"}]})", "[DONE]"}),
           (QVector<ReplyEvent>{ReplyDone{ReplyDone::Reason::kLength}}));
  for (const char* bad : {"{", "[]", R"({"error":{"message":"no"}})"})
    QVERIFY(std::holds_alternative<ReplyFailure>(told({bad}).first()));
  TextDecoder cut;
  cut.take(R"({"choices":[{"text":"a"}]})");
  QVERIFY(std::holds_alternative<ReplyFailure>(cut.end().first()));
}

QTEST_GUILESS_MAIN(TestEndpoints)
#include "test_endpoints.moc"
