// SPDX-License-Identifier: GPL-3.0-or-later
// Requests of both of OpenAI's dialects: conversations, and the tools that they offer.
#include <QtTest>

#include "runtime/server/dialects/chat_request.h"
#include "runtime/server/dialects/response_request.h"

namespace waferpair::server {

namespace {

using inference::ChatMessage;
using inference::ChatRole;

constexpr const char* kParameters =
    "{\"type\":\"object\",\"properties\":{\"z\":{\"type\":\"string\"},\"a\":{\"type\":\"integer\"}}"
    "}";

std::string chatBody(const std::string& fields) {
  return "{\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]," + fields + "}";
}

std::string chatTool(const std::string& name, const std::string& more = "") {
  return "{\"type\":\"function\",\"function\":{\"name\":\"" + name + "\",\"description\":\"d\"," +
         more + "\"parameters\":" + kParameters + "}}";
}

std::string flatTool(const std::string& name) {
  return "{\"type\":\"function\",\"name\":\"" + name +
         "\",\"description\":\"d\",\"parameters\":" + kParameters + "}";
}

std::string shown(const std::vector<ChatMessage>& messages) {
  std::string all;
  for (const ChatMessage& message : messages) {
    all +=
        "[" + std::to_string(static_cast<int>(message.role)) + message.callId + " " + message.text;
    for (const inference::ToolCall& call : message.calls)
      all += "|" + call.id + " " + call.name + call.arguments;
    all += "]";
  }
  return all;
}

}  // namespace

class TestChatRequest : public QObject {
  Q_OBJECT
 private slots:
  void conversationsAreRead() {
    const auto chat = parseChatBody(
        "{\"model\":\"any\",\"messages\":["
        "{\"role\":\"developer\",\"content\":\"Be brief.\"},"
        "{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"a\"},{\"type\":\"text\","
        "\"text\":\"b\"}]},"
        "{\"role\":\"assistant\",\"content\":null,\"tool_calls\":["
        "{\"id\":\"1\",\"type\":\"function\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}},"
        "{\"id\":\"2\",\"type\":\"custom\",\"custom\":{\"name\":\"g\",\"input\":\"\"}}]},"
        "{\"role\":\"tool\",\"tool_call_id\":\"1\",\"content\":\"r\"},"
        "{\"role\":\"assistant\",\"content\":\"done\"}],"
        "\"max_tokens\":7,\"stop\":\"x\",\"stream\":true,\"stream_options\":{\"include_usage\":"
        "true},"
        "\"n\":1,\"logprobs\":null,\"tools\":null,\"response_format\":{\"type\":\"text\"},\"user\":"
        "\"me\"}");
    QVERIFY2(chat.has_value(), chat ? "" : chat.error().message().c_str());
    QCOMPARE(shown(chat->messages),
             std::string("[0 Be brief.][1 a\nb][2 |1 f{}|2 g{\"input\":\"\"}]"
                         "[31 r][2 done]"));
    QCOMPARE(chat->maxOutputTokens, std::optional(7));
    QCOMPARE(chat->stop, std::vector<std::string>{"x"});
    QVERIFY(chat->stream && chat->includeUsage && !chat->tools.any());
    QVERIFY(!parseChatBody(chatBody("\"n\":1"))->maxOutputTokens);
    QCOMPARE(
        parseChatBody(chatBody("\"max_tokens\":7,\"max_completion_tokens\":9"))->maxOutputTokens,
        std::optional(9));
  }

  void itemsAreRead() {
    const auto create = parseResponseBody(
        "{\"input\":["
        "{\"type\":\"reasoning\",\"id\":\"rs\",\"summary\":[]},"
        "{\"role\":\"user\",\"content\":\"a\"},"
        "{\"type\":\"message\",\"role\":\"assistant\",\"content\":[{\"type\":\"output_text\","
        "\"text\":\"Well.\"}]},"
        "{\"type\":\"function_call\",\"id\":\"fc\",\"call_id\":\"1\",\"name\":\"f\",\"arguments\":"
        "\"{}\"},"
        "{\"type\":\"function_call\",\"call_id\":\"2\",\"name\":\"g\",\"arguments\":\"{\\\"x\\\":1}"
        "\"},"
        "{\"type\":\"function_call_output\",\"call_id\":\"1\",\"output\":\"r\"},"
        "{\"type\":\"function_call_output\",\"call_id\":\"2\",\"output\":[{\"type\":\"input_text\","
        "\"text\":\"s\"}]},"
        "{\"type\":\"web_search_call\",\"id\":\"ws\"},"
        "{\"type\":\"function_call\",\"call_id\":\"3\",\"name\":\"f\",\"arguments\":\"{}\"}]}");
    QVERIFY2(create.has_value(), create ? "" : create.error().message().c_str());
    QCOMPARE(shown(create->messages),
             std::string("[1 a][2 Well.|1 f{}|2 g{\"x\":1}][31 r][32 s][2 |3 f{}]"));
  }

  void toolsAreReadFromBoth() {
    const auto chat = parseChatBody(
        chatBody("\"tools\":[" + chatTool("f") + ",{\"type\":\"web_search\"}," +
                 "{\"type\":\"function\",\"function\":{\"name\":\"now\",\"strict\":true}}]"));
    const auto flat = parseResponseBody(
        "{\"input\":\"x\",\"tools\":[{\"type\":\"namespace\",\"tools\":[]}," + flatTool("f") +
        ",{\"type\":\"function\",\"name\":\"now\",\"strict\":true,\"parameters\":{}}]}");
    QVERIFY2(chat && flat, chat ? "" : chat.error().message().c_str());
    for (const ToolFields& tools : {chat->tools, flat->tools}) {
      QCOMPARE(tools.tools.size(), std::size_t{2});
      QCOMPARE(tools.tools[0].name, std::string("f"));
      QCOMPARE(tools.tools[0].description, std::string("d"));
      QCOMPARE(tools.tools[0].parameters, std::string(kParameters));  // in its own order
      QVERIFY(!tools.tools[0].strict && tools.tools[1].strict);
      QCOMPARE(tools.tools[1].parameters, std::string());
      QVERIFY(tools.calls == grammar::Calls::kAllowed && tools.parallel && tools.mayCall());
      QCOMPARE(tools.callable, (std::vector<std::size_t>{0, 1}));
    }
    QCOMPARE(chat->tools.schemaFields[0], std::string("tools[0].function.parameters"));
    QCOMPARE(flat->tools.schemaFields[0], std::string("tools[1].parameters"));
  }

  void choicesAreRead_data() {
    QTest::addColumn<QString>("chat");
    QTest::addColumn<QString>("flat");
    QTest::addColumn<int>("calls");
    QTest::addColumn<QList<int>>("callable");
    const auto row = [](const char* name, const char* chat, const char* flat, grammar::Calls calls,
                        const QList<int>& callable) {
      QTest::newRow(name) << chat << flat << static_cast<int>(calls) << callable;
    };
    using grammar::Calls;
    row("none", "\"none\"", "\"none\"", Calls::kNone, {0, 1});
    row("auto", "\"auto\"", "\"auto\"", Calls::kAllowed, {0, 1});
    row("required", "\"required\"", "\"required\"", Calls::kRequired, {0, 1});
    row("one", "{\"type\":\"function\",\"function\":{\"name\":\"g\"}}",
        "{\"type\":\"function\",\"name\":\"g\"}", Calls::kRequired, {1});
    row("some",
        "{\"type\":\"allowed_tools\",\"allowed_tools\":{\"mode\":\"required\",\"tools\":["
        "{\"type\":\"function\",\"function\":{\"name\":\"g\"}}]}}",
        "{\"type\":\"allowed_tools\",\"mode\":\"required\",\"tools\":[{\"type\":\"function\","
        "\"name\":\"g\"}]}",
        Calls::kRequired, {1});
    row("some of others",
        "{\"type\":\"allowed_tools\",\"allowed_tools\":{\"mode\":\"auto\",\"tools\":[]}}",
        "{\"type\":\"allowed_tools\",\"mode\":\"auto\",\"tools\":[{\"type\":\"web_search\"}]}",
        Calls::kNone, {});
  }
  void choicesAreRead() {
    QFETCH(QString, chat);
    QFETCH(QString, flat);
    QFETCH(int, calls);
    QFETCH(QList<int>, callable);
    const auto asked =
        parseChatBody(chatBody("\"parallel_tool_calls\":false,\"tools\":[" + chatTool("f") + "," +
                               chatTool("g") + "],\"tool_choice\":" + chat.toStdString()));
    const auto created = parseResponseBody(
        "{\"input\":\"x\",\"parallel_tool_calls\":false,\"tools\":[" + flatTool("f") + "," +
        flatTool("g") + "],\"tool_choice\":" + flat.toStdString() + "}");
    QVERIFY2(asked && created, asked ? "" : asked.error().message().c_str());
    for (const ToolFields& tools : {asked->tools, created->tools}) {
      QCOMPARE(static_cast<int>(tools.calls), calls);
      QCOMPARE(QList<int>(tools.callable.begin(), tools.callable.end()), callable);
      QVERIFY(!tools.parallel);
    }
  }

  void whatIsWrongIsNamed_data() {
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QByteArray>("field");
    const auto row = [](const std::string& body, const char* field) {
      QTest::addRow("%s %d", field, static_cast<int>(body.size()))
          << QByteArray::fromStdString(body) << QByteArray(field);
    };
    const auto with = [&](const std::string& fields, const char* field) {
      row(chatBody(fields), field);
    };
    row("{}", "messages");
    row("{\"messages\":\"x\"}", "messages");
    row("{\"messages\":[]}", "messages");
    row("{\"messages\":[5]}", "messages[0]");
    row("{\"messages\":[{\"content\":\"x\"}]}", "messages[0].role");
    row("{\"messages\":[{\"role\":\"wizard\",\"content\":\"x\"}]}", "messages[0].role");
    row("{\"messages\":[{\"role\":\"user\"}]}", "messages[0].content");
    row("{\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"image_url\"}]}]}",
        "messages[0].content[0].type");
    row("{\"messages\":[{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"1\",\"function\":{}}]}]}",
        "messages[0].tool_calls[0].function.name");
    with("\"n\":200", "n");
    with("\"logprobs\":\"all\"", "logprobs");
    with("\"functions\":[{}]", "functions[0].name");
    with("\"functions\":[],\"tools\":[]", "functions");
    with("\"functions\":[{\"name\":\"f\"}],\"function_call\":{\"name\":\"g\"}",
         "function_call.name");
    with("\"functions\":[],\"function_call\":{\"name\":\"g\"}", "function_call.name");
    with("\"max_tokens\":\"many\"", "max_tokens");
    with("\"stream\":\"yes\"", "stream");
    with("\"stream_options\":{\"include_usage\":1}", "stream_options.include_usage");
    with("\"temperature\":\"hot\"", "temperature");
    with("\"response_format\":{\"type\":\"xml\"}", "response_format.type");
    with("\"response_format\":{\"type\":\"json_schema\",\"json_schema\":{}}",
         "response_format.json_schema.schema");
    with("\"tools\":{}", "tools");
    with("\"tools\":[{\"type\":\"function\"}]", "tools[0].function");
    with("\"tools\":[{\"type\":\"function\",\"function\":{}}]", "tools[0].function.name");
    with("\"tools\":[" + chatTool("a b") + "]", "tools[0].function.name");
    with("\"tools\":[" + chatTool("f") + "," + chatTool("f") + "]", "tools[1].function.name");
    with("\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"f\",\"parameters\":[]}}]",
         "tools[0].function.parameters");
    with("\"tools\":[" + chatTool("f", "\"strict\":1,") + "]", "tools[0].function.strict");
    with("\"tool_choice\":\"required\"", "tool_choice");
    with("\"tools\":[{\"type\":\"web_search\"}],\"tool_choice\":\"required\"", "tool_choice");
    with("\"tools\":[" + chatTool("f") + "],\"tool_choice\":\"maybe\"", "tool_choice");
    with("\"tools\":[" + chatTool("f") +
             "],\"tool_choice\":{\"type\":\"function\",\"function\":{\"name\":\"g\"}}",
         "tool_choice.function.name");
    with("\"tools\":[" + chatTool("f") + "],\"tool_choice\":{\"type\":\"mcp\"}",
         "tool_choice.type");
    std::string many;
    for (int i = 0; i < 2000; ++i) many += (i > 0 ? "," : "") + chatTool("f" + std::to_string(i));
    with("\"tools\":[" + many + "]", "tools");
    const std::string large(300'000, 'x');
    with(
        "\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"f\",\"parameters\":{\"title\":"
        "\"" +
            large + "\"}}}]",
        "tools[0].function.parameters");
  }
  void whatIsWrongIsNamed() {
    QFETCH(QByteArray, body);
    QFETCH(QByteArray, field);
    const auto chat = parseChatBody(body.toStdString());
    QVERIFY(!chat);
    QCOMPARE(QByteArray::fromStdString(chat.error().field), field);
    QCOMPARE(chat.error().code, std::string("invalid_field"));
    QVERIFY(!chat.error().remedy.empty());
  }

  void whatIsNestedTooDeeplyIsRefused() {
    std::string deep;
    for (int i = 0; i < 80; ++i) deep += "{\"items\":";
    deep += "1" + std::string(80, '}');
    const auto chat = parseChatBody(chatBody(
        "\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"f\",\"parameters\":" + deep +
        "}}]"));
    QVERIFY(!chat);
    QCOMPARE(chat.error().code, std::string("malformed_json"));
  }
};

}  // namespace waferpair::server

QTEST_APPLESS_MAIN(waferpair::server::TestChatRequest)
#include "test_chat_request.moc"
