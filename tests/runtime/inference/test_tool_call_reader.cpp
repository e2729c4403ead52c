// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <random>

#include "runtime/inference/output/tool_call_reader.h"
#include "runtime/inference/prompt/tools.h"

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

std::vector<AnswerPart> readIn(ToolStyle style, const std::vector<std::string>& pieces) {
  ToolCallReader reader(callSyntax(style));
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
