// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <boost/asio/io_context.hpp>
#include <random>

#include "runtime/server/core/events.h"
#include "runtime/server/dialects/response_request.h"
#include "runtime/server/session/completions.h"
#include "runtime/server/session/document_messages.h"
#include "runtime/server/session/features.h"

namespace waferpair::server {

namespace {

const char* const kSamples[] = {
    R"({"type":"document.open","uri":"file:///a","language":"cpp","version":1,"text":"int é;\n"})",
    R"({"type":"document.change","uri":"u","version":2,"edits":[{"start":0,"end":3,"text":"x"}]})",
    R"({"type":"document.close","uri":"u"})",
    R"({"type":"completion.create","id":7,"uri":"u","version":2,"offset":3,"max_tokens":64})",
    R"({"type":"completion.create","id":"s","uri":"u","version":2,"offset":3,"temperature":0.5})",
    R"({"type":"completion.cancel","id":7})",
    R"({"type":"response.create","id":"r","input":[{"role":"user","content":[{"type":"input_text","text":"a"}]}]})",
    R"({"type":"response.create","input":"x","seed":9,"top_k":3,"top_p":0.5})",
    R"({"type":"response.cancel","response_id":"r"})",
    R"({"type":"telemetry.subscribe","hz":59.94})",
    R"({"type":"telemetry.unsubscribe"})",
    R"({"type":"status.get"})",
    R"({"type":"response.create","input":"x","min_p":0.1,"repetition_penalty":1.5,"stop":["a","b"],
        "logit_bias":{"5":-1.5}})",
};

template <typename T>
T parsed(const char* text, T (*read)(JsonFields&)) {
  const Checked<Json> object = parseMessage(text);
  if (!object) qFatal("%s", object.error().what.c_str());
  JsonFields fields(*object, {}, text);
  T value = read(fields);
  if (fields.problem()) qFatal("%s", fields.problem()->what.c_str());
  return value;
}

// A session without a connection, whose model is still being loaded.
class Listener {
 public:
  // Returns the session's answers to `text`, if any.
  std::vector<Json> answers(const std::string& text) {
    features_.follow(text);
    std::vector<Json> all;
    Outbox::Frame frame;
    while (client_.outbox().take(frame)) {
      all.push_back(Json::parse(frame.bytes, nullptr, false));
      client_.outbox().written();
    }
    return all;
  }
  // The error that it answers with, null if the message is understood: that something cannot be
  // done now is not a fault of a message's form.
  Json problem(const std::string& text) {
    for (const Json& answer : answers(text))
      if (answer.at("type") == "error" && isOfForm(answer["error"].at("code"))) return answer;
    return nullptr;
  }

 private:
  static bool isOfForm(const std::string& code) {
    return code == "malformed_json" || code == "unknown_type" || code == "invalid_field";
  }

  Log log_;
  boost::asio::io_context context_{1};
  Client client_{std::make_shared<Commons>(std::make_shared<Hub>(Baton(context_), "", log_)),
                 std::size_t{1} << 20};
  Features features_{client_, Features::Kind::kWaferpair};
};

}  // namespace

class TestMessages : public QObject {
  Q_OBJECT
 private slots:
  void everySampleIsUnderstood() {
    for (const char* text : kSamples) QVERIFY2(Listener().problem(text).is_null(), text);
  }

  void fieldsArriveAsSent() {
    const auto open = parsed(kSamples[0], readDocumentOpen);
    QCOMPARE(open.uri, std::string("file:///a"));
    QCOMPARE(open.language, std::string("cpp"));
    QCOMPARE(open.text, std::string("int \u00e9;\n"));
    const auto change = parsed(kSamples[1], readDocumentChange);
    QCOMPARE(change.version, std::int64_t{2});
    QCOMPARE(change.edits.at(0).end, size_t{3});
    const auto create = parsed(kSamples[3], readCompletionCreate);
    QCOMPARE(create.id, Json(7));
    QCOMPARE(create.offset, size_t{3});
    QCOMPARE(create.maxLines, 0);
    QCOMPARE(parsed(kSamples[4], readCompletionCreate).sampling.temperature, 0.5f);
    QCOMPARE(parsed(kSamples[7], readResponseCreate).sampling.topK, 3);
    const auto sampled = parsed(kSamples[12], readResponseCreate);
    QCOMPARE(sampled.sampling.minP, 0.1f);
    QCOMPARE(sampled.sampling.repetitionPenalty, 1.5f);
    QCOMPARE(sampled.stop, (std::vector<std::string>{"a", "b"}));
    QVERIFY(sampled.sampling.bias == (std::vector<inference::TokenBias>{{5, -1.5f}}));
  }

  void unknownAndNullFieldsAreIgnored() {
    const auto create = parsed(
        R"({"type":"response.create","input":"x","tools":[{"type":"namespace"}],"reasoning":{},
            "max_output_tokens":null,"include":["a"],"store":false})",
        readResponseCreate);
    QCOMPARE(create.input, std::string("x"));
    QVERIFY(!create.maxOutputTokens);
    QVERIFY(create.speculation);
  }

  void speculationCanBeSwitchedOff() {
    QVERIFY(
        !parsed(R"({"type":"response.create","input":"x","speculation":false})", readResponseCreate)
             .speculation);
    QVERIFY(!parsed(R"({"type":"completion.create","id":1,"uri":"u","version":2,
                                          "offset":3,"speculation":false})",
                    readCompletionCreate)
                 .speculation);
    QVERIFY(!Listener()
                 .problem(R"({"type":"response.create","input":"x","speculation":"no"})")
                 .is_null());
  }

  void integersMayComeAsFloats() {
    QCOMPARE(parsed(R"({"type":"completion.create","id":7.0,"uri":"u","version":2.0,"offset":3e0})",
                    readCompletionCreate)
                 .id,
             Json(7));
  }

  void messagesKeepTheirRoles() {
    const auto create = parsed(
        R"({"type":"response.create","instructions":"i","input":[{"type":"message","role":"user",
            "content":"a"},{"role":"assistant","content":[{"type":"output_text","text":"b"},
            {"type":"output_text","text":"c"}]},{"role":"developer","content":"d"}]})",
        readResponseCreate);
    using inference::ChatRole;
    QCOMPARE(create.instructions, std::string("i"));
    QVERIFY(create.input.empty());
    QCOMPARE(create.messages.size(), std::size_t{3});
    QVERIFY(create.messages[0].role == ChatRole::kUser && create.messages[0].text == "a");
    QVERIFY(create.messages[1].role == ChatRole::kAssistant && create.messages[1].text == "b\nc");
    QVERIFY(create.messages[2].role == ChatRole::kSystem && create.messages[2].text == "d");
  }

  void aSchemaKeepsItsOrder() {
    const auto create = parsed(
        R"({"type":"response.create","input":"x","text":{"format":{"type":"json_schema","name":"n",
            "schema":{"type":"object","properties":{"z":{},"a":{}}}}}})",
        readResponseCreate);
    QVERIFY(create.format.kind == OutputFormat::Kind::kJsonSchema);
    QCOMPARE(create.format.definition,
             std::string(R"({"type":"object","properties":{"z":{},"a":{}}})"));
    QVERIFY(parsed(R"({"type":"response.create","input":"x","text":{}})", readResponseCreate)
                .format.kind == OutputFormat::Kind::kText);
  }

  void problemsNameTheFieldAndTheRemedy_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("code");
    QTest::addColumn<QByteArray>("field");
    const auto row = [](const char* name, const char* text, const char* code, const char* field) {
      QTest::newRow(name) << QByteArray(text) << QByteArray(code) << QByteArray(field);
    };
    row("no json", "hello", "malformed_json", "");
    row("array", "[1]", "malformed_json", "");
    row("half", R"({"type":"status.get")", "malformed_json", "");
    row("lone surrogate", R"({"type":"\ud800"})", "malformed_json", "");
    row("no type", R"({"id":7})", "unknown_type", "type");
    row("number type", R"({"type":1})", "unknown_type", "type");
    row("unknown type", R"({"type":"document.explode"})", "unknown_type", "type");
    row("missing", R"({"type":"document.close"})", "invalid_field", "uri");
    row("wrong kind", R"({"type":"document.close","uri":5})", "invalid_field", "uri");
    row("fraction", R"({"type":"document.open","uri":"u","version":1.5,"text":""})",
        "invalid_field", "version");
    row("negative", R"({"type":"document.open","uri":"u","version":-1,"text":""})", "invalid_field",
        "version");
    row("beyond", R"({"type":"document.open","uri":"u","version":1e300,"text":""})",
        "invalid_field", "version");
    row("edits", R"({"type":"document.change","uri":"u","version":1,"edits":{}})", "invalid_field",
        "edits");
    row("edit", R"({"type":"document.change","uri":"u","version":1,"edits":[7]})", "invalid_field",
        "edits[0]");
    row("edit end",
        R"({"type":"document.change","uri":"u","version":1,"edits":[{"start":0,"end":0,"text":""},
            {"start":2,"end":1,"text":""}]})",
        "invalid_field", "edits[1].end");
    row("hz", R"({"type":"telemetry.subscribe","hz":0})", "invalid_field", "hz");
    row("hz high", R"({"type":"telemetry.subscribe","hz":241})", "invalid_field", "hz");
    row("id", R"({"type":"completion.cancel","id":[1]})", "invalid_field", "id");
    row("temperature", R"({"type":"response.create","input":"","temperature":"hot"})",
        "invalid_field", "temperature");
    row("stop", R"({"type":"response.create","input":"","stop":5})", "invalid_field", "stop");
    row("stop string", R"({"type":"response.create","input":"","stop":["a",5]})", "invalid_field",
        "stop[1]");
    row("bias", R"({"type":"response.create","input":"","logit_bias":[1]})", "invalid_field",
        "logit_bias");
    row("bias token", R"({"type":"response.create","input":"","logit_bias":{"x":1}})",
        "invalid_field", "logit_bias.x");
    row("bias value", R"({"type":"response.create","input":"","logit_bias":{"1":1000}})",
        "invalid_field", "logit_bias.1");
    row("image", R"({"type":"response.create","input":[{"content":[{"type":"input_image"}]}]})",
        "invalid_field", "input[0].content[0].type");
    row("role", R"({"type":"response.create","input":[{"role":"tool","content":""}]})",
        "invalid_field", "input[0].role");
    row("no messages", R"({"type":"response.create","input":[]})", "invalid_field", "input");
    row("text", R"({"type":"response.create","input":"","text":5})", "invalid_field", "text");
    row("format", R"({"type":"response.create","input":"","text":{"format":{"type":"x"}}})",
        "invalid_field", "text.format.type");
    row("item", R"({"type":"response.create","input":[{"type":"function_call"}]})", "invalid_field",
        "input[0].call_id");
    row("items of other kinds", R"({"type":"response.create","input":[{"type":"reasoning"}]})",
        "invalid_field", "input");
  }
  void problemsNameTheFieldAndTheRemedy() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, code);
    QFETCH(QByteArray, field);
    const Json told = Listener().problem(text.toStdString());
    QVERIFY(told.is_object());
    const Json& problem = told["error"];
    QCOMPARE(QByteArray::fromStdString(problem.at("code")), code);
    QCOMPARE(QByteArray::fromStdString(problem.value("field", "")), field);
    const std::string message = problem.at("message");
    QVERIFY(!message.empty() && !problem.at("remedy").get<std::string>().empty());
    if (!field.isEmpty()) QVERIFY(message.find(field.toStdString()) != std::string::npos);
  }

  void aProblemKnowsWhoseItIs() {
    Listener listener;
    QCOMPARE(listener.problem(R"({"type":"completion.create","id":7,"uri":5})").at("id"), Json(7));
    QVERIFY(listener.problem(R"({"type":"response.cancel","response_id":"r","x":1})").is_null());
    QVERIFY(!listener.problem(R"({"type":"completion.cancel","id":{"a":1}})").contains("id"));
    const Json created =
        listener.problem(R"({"type":"response.create","id":"r","input":"x","temperature":"hot"})");
    QVERIFY(!created.contains("id"));
    QCOMPARE(created.at("response_id"), Json("r"));
    const Json number = listener.problem(R"({"type":"response.create","id":7,"input":"x"})");
    QVERIFY(number.is_object() && !number.contains("id") && !number.contains("response_id"));
  }

  // These messages have the right form; what they ask for meets the session's state.
  void whatCannotBeDoneYetIsRefusedForWhomItWasAskedFor() {
    Listener listener;
    QCOMPARE(
        listener.answers(R"({"type":"document.open","uri":"u","version":1,"text":"x"})").size(),
        std::size_t{0});
    const auto refused = listener.answers(
        R"({"type":"completion.create","id":"mine","uri":"u","version":1,"offset":1})");
    QCOMPARE(refused.size(), std::size_t{1});
    QCOMPARE(refused[0].at("id"), Json("mine"));
    QCOMPARE(refused[0].at("error").at("code"), Json("not_ready"));
    const auto status = listener.answers(R"({"type":"status.get"})");
    QCOMPARE(status.at(0).at("state"), Json("loading"));
    QCOMPARE(status.at(0).at("queue").at("yours"), Json::array());
  }

  void deepNestingIsRefusedAndNotBuilt() {
    const Json told = Listener().problem("{\"a\":" + std::string(1'000'000, '['));
    QCOMPARE(told.at("error").at("code"), Json("malformed_json"));
  }

  // Bounded twin of tests/fuzz: any bytes are followed or answered.
  void mutatedMessagesDoNoHarm() {
    std::mt19937 random(11);
    int followed = 0, answered = 0;
    Listener listener;
    for (int round = 0; round < 30'000; ++round) {
      std::string text = kSamples[random() % std::size(kSamples)];
      const std::string other = kSamples[random() % std::size(kSamples)];
      for (unsigned i = random() % 4 + 1; i > 0; --i) {
        const size_t at = random() % text.size();
        switch (random() % 5) {
          case 0:
            text[at] = static_cast<char>(random());
            break;
          case 1:
            text.erase(at, random() % 9);
            break;
          case 2:
            text.insert(at, other.substr(random() % other.size(), random() % 20));
            break;
          case 3:
            text.insert(at, text.substr(at, random() % 20));
            break;
          default:
            text.replace(at, 1, std::to_string(static_cast<std::int32_t>(random())));
        }
        if (text.empty()) text = "{";
      }
      const auto told = listener.answers(text);
      for (const Json& answer : told) QVERIFY2(answer.is_object(), text.c_str());
      ++(told.empty() ? followed : answered);
    }
    QVERIFY(followed > 100 && answered > 100);
  }
};

}  // namespace waferpair::server

QTEST_APPLESS_MAIN(waferpair::server::TestMessages)
#include "test_messages.moc"
