// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <random>

#include "runtime/gguf/file.h"
#include "runtime/gguf/writer.h"
#include "runtime/inference/output/answer_reader.h"
#include "runtime/inference/output/tool_call_reader.h"
#include "runtime/inference/prompt/chat_template.h"
#include "runtime/inference/prompt/tools.h"
#include "tests/support/tiny_model.h"

namespace waferpair::inference {

namespace {

using Kind = AnswerPart::Kind;

// Pieces of text and of arguments that follow one another are joined.
void addJoined(std::vector<AnswerPart>& all, const std::vector<AnswerPart>& parts) {
  for (const AnswerPart& part : parts) {
    const bool grows = part.kind == Kind::kText || part.kind == Kind::kArguments;
    if (grows && !all.empty() && all.back().kind == part.kind)
      all.back().text += part.text;
    else
      all.push_back(part);
  }
}

// The values of "edit" are a text, a choice, numbers, and what may be a text or null.
std::vector<Tool> tools() {
  std::string schema =
      "{'type':'object','properties':{'text':{'type':'string'},'how':{'enum':['a','b']},"
      "'at':{'type':'array','items':{'type':'integer'}},'name':{'type':['string','null']}}}";
  std::ranges::replace(schema, '\'', '"');
  return {{"edit", "", schema}, {"now", "", ""}};
}

std::vector<AnswerPart> readIn(ToolStyle style, const std::vector<std::string>& pieces) {
  const std::vector<Tool> known = tools();
  ToolCallReader reader(callSyntax(style), known);
  std::vector<AnswerPart> all;
  for (const std::string& piece : pieces) addJoined(all, reader.push(piece));
  addJoined(all, reader.finish());
  return all;
}

QString shown(const std::vector<AnswerPart>& parts) {
  QString all;
  for (const AnswerPart& part : parts) {
    const QString text = QString::fromStdString(part.text);
    if (part.kind == Kind::kText) all += "text(" + text + ")";
    if (part.kind == Kind::kCall) all += text + "(";
    if (part.kind == Kind::kArguments) all += text;
    if (part.kind == Kind::kCallEnd) all += ")";
  }
  return all;
}

}  // namespace

class TestToolCallReader : public QObject {
  Q_OBJECT
 private slots:
  void answersAreTakenApart_data() {
    QTest::addColumn<ToolStyle>("style");
    QTest::addColumn<QString>("answer");
    QTest::addColumn<QString>("parts");
    const auto row = [](const char* name, ToolStyle style, const char* answer, const char* parts) {
      QTest::newRow(name) << style << QString(answer) << QString(parts);
    };
    row("text", ToolStyle::kHermes, "No <tool, \n", "text(No <tool, \n)");
    row("a call behind text", ToolStyle::kHermes,
        "Let me see.\n\n<tool_call>\n{\"name\": \"read\", \"arguments\": {\"path\": \"a\\\"}b\", "
        "\"n\": [{}]}}\n</tool_call>",
        "text(Let me see.)read({\"path\": \"a\\\"}b\", \"n\": [{}]})");
    row("two calls", ToolStyle::kHermes,
        "<tool_call>{\"name\":\"a\",\"arguments\":{}}</tool_call>\n<tool_call>\n"
        "{\"name\": \"arguments\", \"arguments\": {\"name\":\"x\"}}\n</tool_call>",
        "a({})arguments({\"name\":\"x\"})");
    row("cut in the tag", ToolStyle::kHermes, "x <tool_ca", "text(x <tool_ca)");
    row("cut in the head", ToolStyle::kHermes, "x <tool_call>\n{\"name\": \"re", "text(x)");
    row("cut in the arguments", ToolStyle::kHermes,
        "<tool_call>\n{\"name\": \"read\", \"arguments\": {\"path\": \"a", "read({\"path\": \"a");
    row("llama", ToolStyle::kLlama3, "{\"name\": \"f\", \"parameters\": {\"a\":1}}",
        "f({\"a\":1})");
    row("llama, closer", ToolStyle::kLlama3, "{\"name\":\"f\",\"parameters\":{}}", "f({})");
    row("llama, text", ToolStyle::kLlama3, "See {\"name\": \"f\"}", "text(See {\"name\": \"f\"})");
    row("llama, other JSON", ToolStyle::kLlama3, " {\"names\": 1}", "text( {\"names\": 1})");
    row("mistral", ToolStyle::kMistral,
        "[TOOL_CALLS] [{\"name\": \"f\", \"arguments\": {}, \"id\": \"abcDEF123\"}, "
        "{\"name\": \"g\", \"arguments\": {\"x\": []}, \"id\": \"abcDEF124\"}]",
        "f({})g({\"x\": []})");
    row("xml", ToolStyle::kXml,
        "So.\n<tool_call>\n<function=edit>\n<parameter=text>\n a \"b\"\n</p> </parameter>\n\n"
        "</parameter>\n<parameter=how>\na\n</parameter>\n<parameter=at>\n[1,\n 2]\n</parameter>\n"
        "</function>\n</tool_call>\n<tool_call>\n<function=now>\n</function>\n</tool_call>",
        "text(So.)edit({\"text\": \" a \\\"b\\\"\\n</p> </parameter>\\n\", \"how\": \"a\", \"at\": "
        "[1,\n 2]})now({})");
    row("xml, what may be either", ToolStyle::kXml,
        "<tool_call><function=edit><parameter=name>\nnull\n</parameter><parameter=name>\n12\n"
        "</parameter><parameter=other>\n12\n</parameter><parameter=other>\n1x\n</parameter>"
        "</function>",
        "edit({\"name\": null, \"name\": \"12\", \"other\": 12, \"other\": \"1x\"})");
    row("xml, empty text", ToolStyle::kXml,
        "<tool_call>\n<function=edit>\n<parameter=text>\n\n</parameter>\n</function>\n</tool_call>",
        "edit({\"text\": \"\"})");
    row("xml, cut in a text", ToolStyle::kXml,
        "<tool_call>\n<function=edit>\n<parameter=text>\nab\n</par", "edit({\"text\": \"ab");
    row("xml, cut in a number", ToolStyle::kXml, "<tool_call>\n<function=edit>\n<parameter=at>\n[1",
        "edit({\"at\": ");
    row("harmony", ToolStyle::kHarmony,
        "Let me see.<|channel|>commentary to=functions.now<|message|>{\"a\": {}}",
        "text(Let me see.)now({\"a\": {}})");
    row("harmony, cut", ToolStyle::kHarmony, "<|channel|>commentary to=functions.no", "");
  }
  // However the answer is cut into pieces.
  void answersAreTakenApart() {
    QFETCH(ToolStyle, style);
    QFETCH(QString, answer);
    QFETCH(QString, parts);
    const std::string text = answer.toStdString();
    QCOMPARE(shown(readIn(style, {text})), parts);
    std::vector<std::string> bytes;
    for (const char c : text) bytes.emplace_back(1, c);
    QCOMPARE(shown(readIn(style, bytes)), parts);
    std::mt19937 random(1);
    for (int round = 0; round < 50; ++round) {
      std::vector<std::string> pieces;
      for (std::size_t at = 0; at < text.size();) {
        pieces.push_back(text.substr(at, random() % 9));
        at += pieces.back().size();
      }
      QCOMPARE(shown(readIn(style, pieces)), parts);
    }
  }

  // Of small models, which know the JSON of a call and forget what stands around it.
  void bareCallsAreRead_data() {
    QTest::addColumn<std::string>("text");
    QTest::addColumn<QString>("parts");
    const auto row = [](const char* name, std::string text, QString parts) {
      std::ranges::replace(text, '\'', '"');
      QTest::newRow(name) << text << parts.replace("'", "\"");
    };
    const std::string call = "{'name': 'edit', 'arguments': {'text': 'a}{', 'at': [1]}}";
    const QString read = "edit({'text':'a}{','at':[1]})";
    row("bare", call, read);
    row("blanks", "\n " + call + "\n", read);
    row("fenced", "```json\n" + call + "\n```", read);
    row("a fence without a language", "```\n" + call + "\n```\n", read);
    row("a list", "[" + call + ", " + call + "]", read + read);
    row("two fences", "```json\n" + call + "\n```\n\n```json\n" + call + "\n```", read + read);
    row("its type", "{'type': 'function', 'name': 'now', 'arguments': {}}", "now({})");
    row("parameters", "{'name':'edit','parameters':{'how':'a'}}", "edit({'how':'a'})");
    row("no arguments", "{'name': 'now'}", "now({})");
    row("text behind", call + "\nI have asked.", read + "text(I have asked.)");
    row("its own form", "<tool_call>\n" + call + "\n</tool_call>",
        "edit({'text': 'a}{', 'at': [1]})");
    for (const char* text :
         {"Hello", "{'name': 'other', 'arguments': {}}", "{'name': 'edit'}",
          "{'name': 'edit', 'arguments': 'text'}", "{'name': 'edit', 'arguments': {",
          "{'name': 'edit', 'arguments': {a: 1}}", "{'name': 'edit', 'name': 'x'}",
          "{'city': 'Paris', 'name': 'edit'}", "```python\nprint(1)\n```", "{", "[1, 2]", "```",
          "Like this: {'name': 'now', 'arguments': {}}"})
      row(text, text, "text(" + QString(text) + ")");
  }
  void bareCallsAreRead() {
    QFETCH(const std::string, text);
    QFETCH(const QString, parts);
    const std::vector<Tool> known = tools();
    std::mt19937 random(5);
    for (int round = 0; round < 30; ++round) {
      AnswerReader reader(std::nullopt, ToolCallReader(callSyntax(ToolStyle::kHermes), known),
                          BareCallReader(known));
      std::vector<AnswerPart> all;
      for (std::size_t at = 0; at < text.size();) {
        const std::string piece = text.substr(at, round == 0 ? text.size() : random() % 9);
        addJoined(all, reader.push(piece));
        at += piece.size();
      }
      addJoined(all, reader.finish());
      QCOMPARE(shown(all), parts);
    }
  }
  void ofCallsThatMayNotFollowTheFirstCounts() {
    BareCallReader reader(tools(), /*several=*/false);
    std::string text = "[{'name': 'now'}, {'name': 'edit', 'arguments': {'how': 'a'}}]";
    std::ranges::replace(text, '\'', '"');
    QCOMPARE(shown(reader.push(text).calls), QString("now({})"));
    QVERIFY(reader.finish().text.empty());
  }

  // Text is shown at once unless it may begin a call.
  void onlyWhatMayBeginACallIsHeldBack() {
    ToolCallReader reader(callSyntax(ToolStyle::kHermes));
    QCOMPARE(shown(reader.push("a <b")), QString("text(a <b)"));
    QCOMPARE(shown(reader.push(" <tool_")), QString());
    QCOMPARE(shown(reader.push("bar>")), QString("text( <tool_bar>)"));
    ToolCallReader bare(callSyntax(ToolStyle::kLlama3));
    QCOMPARE(shown(bare.push("{\"na")), QString());
    QCOMPARE(shown(bare.push("!")), QString("text({\"na!)"));
    QCOMPARE(shown(bare.push("{\"name\": \"")), QString("text({\"name\": \")"));
  }

  // Whatever the values are: what is written for a call is read back as that call.
  void callsAreReadAsTheyAreWritten() {
    gguf::Writer writer = test::makeTinyModel({.layers = 1});
    const std::vector<std::byte> bytes = writer.bytes();
    const auto file = *gguf::File::parse(bytes, "tiny");
    const auto tokenizer = *tokenizer::Tokenizer::fromGguf(file);
    std::mt19937 random(3);
    const auto text = [&random] {
      constexpr std::string_view kPieces[] = {"a", "\n", "</parameter", ">", "\"", "\\",   "<",
                                              "é", " ",  "{",           "]", "1",  "null", ":"};
      std::string all;
      for (auto count = random() % 8; count > 0; --count)
        all += kPieces[random() % std::size(kPieces)];
      return all;
    };
    const std::vector<Tool> known = tools();
    for (const ToolStyle style : {ToolStyle::kHermes, ToolStyle::kXml, ToolStyle::kHarmony}) {
      for (int round = 0; round < 400; ++round) {
        nlohmann::ordered_json arguments = nlohmann::ordered_json::object();
        std::string free = text();
        // The form has no way to write what ends a value in one.
        for (std::size_t at;
             style == ToolStyle::kXml &&
             (at = ("\n" + free + "\n").find("\n</parameter>")) != std::string::npos;)
          free.erase(at > 0 ? at - 1 : 0, 2);
        if (random() % 4 > 0) arguments["text"] = free;
        if (random() % 2 > 0) arguments["how"] = random() % 2 > 0 ? "a" : "b";
        if (random() % 2 > 0) arguments["at"] = {static_cast<int>(random() % 100), 7};
        if (random() % 2 > 0) arguments["name"] = nullptr;
        const ChatMessage talk[] = {
            {.role = ChatRole::kAssistant, .calls = {{"1", "edit", arguments.dump()}}}};
        const ChatStyle chat =
            style == ToolStyle::kHarmony ? ChatStyle::kHarmony : ChatStyle::kChatMl;
        std::string written;
        for (const auto id : chatPrompt(tokenizer, chat, talk, style, known))
          written += tokenizer.isSpecial(id) ? std::string() : std::string(tokenizer.bytes(id));
        // As the model writes it: harmony's calls are headed in another order there.
        std::string answer;
        if (style == ToolStyle::kHarmony) {
          const std::size_t body = written.rfind("<|message|>");
          answer = "<|channel|>commentary to=functions.edit" +
                   written.substr(body, written.rfind("<|call|>") - body);
        } else {
          answer = written.substr(written.rfind("<tool_call>"));
        }
        std::string json, names;
        for (const AnswerPart& part : readIn(style, {answer})) {
          if (part.kind == Kind::kCall) names += part.text;
          if (part.kind == Kind::kArguments) json += part.text;
        }
        QCOMPARE(QString::fromStdString(names), QString("edit"));
        const auto read = nlohmann::ordered_json::parse(json, nullptr, false);
        QVERIFY2(read == arguments,
                 (json + " is not " + arguments.dump() + " in " + answer).c_str());
      }
    }
  }

  void argumentsStream() {
    ToolCallReader reader(callSyntax(ToolStyle::kHermes));
    QCOMPARE(shown(reader.push("<tool_call>{\"name\": \"f\", \"arguments\": {\"a")),
             QString("f({\"a"));
    QCOMPARE(shown(reader.push("b\": 1")), QString("b\": 1"));
    QCOMPARE(shown(reader.push("}}")), QString("})"));
  }
};

}  // namespace waferpair::inference

QTEST_APPLESS_MAIN(waferpair::inference::TestToolCallReader)
#include "test_tool_call_reader.moc"
