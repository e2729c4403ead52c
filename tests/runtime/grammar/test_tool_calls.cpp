// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "runtime/grammar/free_text.h"
#include "runtime/grammar/tool_calls.h"
#include "tests/runtime/grammar/json_schema_cases.h"
#include "tests/runtime/grammar/matches.h"
#include "tests/runtime/grammar/validity.h"

namespace waferpair::grammar {

namespace {

constexpr std::string_view kTag[] = {"<call>"};
constexpr std::string_view kBegun[] = {"{\"name\": \"", "{\"name\":\""};
constexpr CallSyntax kTagged{.openings = kTag, .closing = "</call>"};
constexpr CallSyntax kBare{.openings = kBegun,
                           .arguments = "parameters",
                           .onlyAtStart = true,
                           .openingIsOfCall = true,
                           .several = false};
constexpr CallSyntax kList{.openings = kTag, .list = true, .hasId = true};

const CallableTool kTools[] = {{"read",
                                "{\"type\":\"object\",\"properties\":{\"path\":{\"type\":"
                                "\"string\"}},\"required\":[\"path\"]}"},
                               {"now", ""}};

Grammar callGrammarOf(const CallSyntax& syntax, Calls calls, bool parallel = true,
                      std::string_view end = {}, std::span<const CallableTool> tools = kTools) {
  auto grammar = toolCallGrammar(syntax, tools, calls, parallel, end);
  if (!grammar) qFatal("%s", grammar.error().message().c_str());
  return std::move(*grammar);
}

Grammar freeTextOf(std::span<const std::string_view> openings, Openings where, bool mayOpen) {
  Builder builder;
  const auto then = mayOpen ? std::optional(builder.literal("!")) : std::nullopt;
  const std::int32_t root = builder.addRule("root");
  builder.addAlternative(root, freeText(builder, openings, where, then));
  return std::move(*builder.finish(root));
}

// Control tokens as they are spelled where only they will do.
std::string marked(std::string text) {
  for (std::size_t at = 0; (at = text.find("<|", at)) != std::string::npos; at += 3)
    text.insert(at, 1, kTokenMark);
  return text;
}

std::string tagged(const std::string& call) { return "<call>\n" + call + "\n</call>"; }

const std::string kRead = "{\"name\": \"read\", \"arguments\": {\"path\":\"a\"}}";
const std::string kNow = "{\"name\": \"now\", \"arguments\": {}}";

}  // namespace

class TestToolCalls : public QObject {
  Q_OBJECT
 private slots:
  // Held against what is said in the header, by searching the text.
  void freeTextEndsAtTheFirstOpening() {
    constexpr std::string_view openings[] = {"aab", "bx", "abac"};
    const Grammar open = freeTextOf(openings, Openings::kAnywhere, true);
    const Grammar closed = freeTextOf(openings, Openings::kAnywhere, false);
    std::mt19937 random(5);
    int opened = 0;
    for (int round = 0; round < 4000; ++round) {
      std::string text;
      for (auto length = random() % 12; length > 0; --length) text += "aaabbcx!"[random() % 8];
      std::size_t end = std::string::npos;
      for (const std::string_view opening : openings)
        if (const auto at = text.find(opening); at != std::string::npos)
          end = std::min(end, at + opening.size());
      const bool has = end != std::string::npos;
      opened += has;
      QVERIFY2(matches(closed, text) == !has, text.c_str());
      QVERIFY2(matches(open, text) == (!has || text.substr(end) == "!"), text.c_str());
    }
    QVERIFY(opened > 300);
  }

  void anOpeningAtTheStartCountsOnlyThere() {
    const Grammar grammar = freeTextOf(kBegun, Openings::kAtStart, true);
    QVERIFY(matches(grammar, "{\"name\": \"!"));
    QVERIFY(matches(grammar, "{\"name\":\"!"));
    QVERIFY(!begins(grammar, "{\"name\": \"?"));
    for (const char* text : {"", "{", "{\"name\"", " {\"name\": \"?", "{\"names\": \"", "\xff"})
      QVERIFY2(matches(grammar, text), text);
  }

  void anAnswerIsTextAndThenCalls() {
    const Grammar grammar = callGrammarOf(kTagged, Calls::kAllowed);
    for (const std::string& text :
         {std::string(), std::string("I cannot."), std::string("a <call b"), tagged(kRead),
          "Let me see.\n" + tagged(kRead), tagged(kRead) + "\n" + tagged(kNow),
          std::string("<call>") + kNow + "</call>"})
      QVERIFY2(matches(grammar, text), text.c_str());
    for (const std::string& text :
         {std::string("<call>\nread"), tagged("{\"name\": \"write\", \"arguments\": {}}"),
          tagged("{\"name\": \"read\", \"arguments\": {}}"), tagged(kNow) + "Done.",
          tagged("{\"name\": \"now\", \"arguments\": {\"x\":1}}")})
      QVERIFY2(!begins(grammar, text), text.c_str());
    QVERIFY(!matches(grammar, "<call>\n" + kRead));  // not closed
  }

  void aChoiceIsKeptTo() {
    const Grammar none = callGrammarOf(kTagged, Calls::kNone);
    QVERIFY(matches(none, "a <call") && !begins(none, "a <call>"));
    const Grammar required = callGrammarOf(kTagged, Calls::kRequired);
    QVERIFY(matches(required, tagged(kNow)) && !begins(required, "a") && !matches(required, ""));
    const Grammar one = callGrammarOf(kTagged, Calls::kRequired, /*parallel=*/false);
    QVERIFY(matches(one, tagged(kNow)) && !begins(one, tagged(kNow) + "\n"));
    const Grammar named =
        callGrammarOf(kTagged, Calls::kRequired, true, {}, std::span(kTools).last(1));
    QVERIFY(matches(named, tagged(kNow)) && !begins(named, "<call>\n{\"name\": \"r"));
  }

  void whatEndsAnAnswerMayStandBehindTheLastCall() {
    const Grammar grammar = callGrammarOf(kTagged, Calls::kRequired, true, "<|end|>");
    QVERIFY(matches(grammar, tagged(kNow) + "<|end|>"));
    QVERIFY(matches(grammar, tagged(kNow)));
  }

  void argumentsInXml() {
    constexpr CallSyntax syntax{.form = CallForm::kXml, .openings = kTag, .closing = "</call>"};
    std::string schema =
        "{'type':'object','properties':{'text':{'type':'string'},'how':{'enum':['a','b']},"
        "'at':{'$ref':'#/$defs/n'},'more':{'type':['string','null']}},'required':['text'],"
        "'$defs':{'n':{'type':'integer'}}}";
    std::ranges::replace(schema, '\'', '"');
    const CallableTool tools[] = {{"edit", schema, true}, {"now", ""}};
    const Grammar grammar = callGrammarOf(syntax, Calls::kAllowed, true, {}, tools);
    const auto call = [](const std::string& body) {
      return "<call>\n<function=edit>\n" + body + "</function>\n</call>";
    };
    const auto value = [](const std::string& name, const std::string& text) {
      return "<parameter=" + name + ">\n" + text + "\n</parameter>\n";
    };
    const std::string text = value("text", "x </parameter> \" {\n\n<parameter=how>");
    for (const std::string& answer :
         {std::string("No."), call(text), call(value("text", "")),
          "Well.\n\n" + call(text + value("how", "b") + value("at", "-7") + value("more", "null")),
          call(text) + "\n<call>\n<function=now>\n</function>\n</call>"})
      QVERIFY2(matches(grammar, answer), answer.c_str());
    for (const std::string& answer :
         {call(""), call(value("how", "b") + text), call(text + value("how", "c")),
          call(text + value("at", "x")), call(text + value("other", "x")),
          std::string("<call>\n<function=edit>\n</function>"), std::string("<call>\n<function=e>"),
          std::string("<call>\n{")})
      QVERIFY2(!begins(grammar, answer), answer.c_str());
    QVERIFY(!matches(grammar, "<call>\n<function=edit>\n<parameter=text>\nx"));
    // What cannot be kept is refused where it is to be kept.
    std::string limited = "{'type':'object','properties':{'t':{'type':'string','maxLength':3}}}";
    std::ranges::replace(limited, '\'', '"');
    const CallableTool strict[] = {{"now", ""}, {"edit", limited, true}};
    const auto refused = toolCallGrammar(syntax, strict, Calls::kAllowed, true, {});
    QVERIFY(!refused && refused.error().tool == 1);
    QVERIFY(refused.error().what.find("#/properties/t") != std::string::npos);
    const CallableTool loose[] = {{"edit", limited, false}};
    QVERIFY(
        matches(callGrammarOf(syntax, Calls::kRequired, true, {}, loose),
                "<call>\n<function=edit>\n" + value("t", "long enough") + "</function>\n</call>"));
    // Without a list of them there may be any.
    const CallableTool any[] = {{"edit", "{\"type\":\"object\"}", false}};
    QVERIFY(matches(
        callGrammarOf(syntax, Calls::kRequired, true, {}, any),
        "<call>\n<function=edit>\n" + value("x", "1") + value("y", "2") + "</function>\n</call>"));
  }

  void harmonysAnswersAreMessages() {
    constexpr CallSyntax syntax{.form = CallForm::kHarmony, .several = false};
    const auto matches = [](const Grammar& grammar, const std::string& text) {
      return grammar::matches(grammar, marked(text));
    };
    const auto begins = [](const Grammar& grammar, const std::string& text) {
      return grammar::begins(grammar, marked(text));
    };
    const std::string thought = "<|channel|>analysis<|message|>Hm.\n<|end|><|start|>assistant";
    const std::string said = "<|channel|>commentary<|message|>So:<|end|><|start|>assistant";
    const std::string final = "<|channel|>final<|message|>Yes.";
    const std::string read =
        "<|channel|>commentary to=functions.read <|constrain|>json<|message|>{\"path\":\"a\"}";
    const std::string now = " to=functions.now<|channel|>commentary json<|message|>{}";
    const Grammar allowed = callGrammarOf(syntax, Calls::kAllowed);
    for (const std::string& answer : {final, thought + final, thought + thought + said + read, read,
                                      now, said + now, std::string("<|channel|>final<|message|>")})
      QVERIFY2(matches(allowed, answer), answer.c_str());
    for (const std::string& answer :
         {std::string("Yes."), thought + "Yes.", final + "<|channel|>", read + "x", read + read,
          std::string("<|channel|>analysis<|message|>Hm.<|start|>"),
          std::string("<|channel|>other"), std::string("<|channel|>commentary to=functions.write"),
          now.substr(0, now.size() - 1) + "\"x"})
      QVERIFY2(!begins(allowed, answer), answer.c_str());
    QVERIFY(!matches(allowed, "<|channel|>analysis<|message|>Hm."));  // it does not end there
    const Grammar required = callGrammarOf(syntax, Calls::kRequired);
    QVERIFY(matches(required, thought + read) && !begins(required, thought + "<|channel|>final"));
    const Grammar none = callGrammarOf(syntax, Calls::kNone);
    QVERIFY(matches(none, thought + final) && !begins(none, "<|channel|>commentary to"));
    // Nothing but the tokens will do.
    QVERIFY(!grammar::begins(allowed, "<|channel|>"));
    QVERIFY(matches(allowed, thought + final) &&
            grammar::matches(allowed, marked(final) + "<|end|>"));
  }

  void otherSyntaxes() {
    const Grammar bare = callGrammarOf(kBare, Calls::kAllowed);
    QVERIFY(matches(bare, "{\"name\": \"now\", \"parameters\": {}}"));
    QVERIFY(matches(bare, "Text {\"name\": \"now\"?"));
    QVERIFY(!begins(bare, "{\"name\": \"other"));
    QVERIFY(!begins(bare, "{\"name\": \"now\", \"parameters\": {}}; "));
    const Grammar list = callGrammarOf(kList, Calls::kAllowed);
    const std::string first = "{\"name\": \"now\", \"arguments\": {}, \"id\": \"abcDEF123\"}";
    QVERIFY(matches(list, "<call>[" + first + "]"));
    QVERIFY(matches(list, "Well <call> [" + first + ", " + first + "]"));
    QVERIFY(!begins(list, "<call>[{\"name\": \"now\", \"arguments\": {}, \"id\": \"abc\"}"));
    const Grammar one = callGrammarOf(kList, Calls::kAllowed, /*parallel=*/false);
    QVERIFY(!begins(one, "<call>[" + first + ","));
  }

  // Any schema that an object may have; found valid by a validator that knows nothing of grammars.
  void argumentsAreValid() {
    std::mt19937 random(17);
    int checked = 0;
    for (const QByteArray& text : schemas()) {
      const Json schema = Json::parse(text.toStdString());
      if (!schema.is_object() || schema.value("type", Json()) != "object") continue;
      const CallableTool tools[] = {{"f", text.toStdString(), /*strict=*/true}};
      const Grammar grammar = callGrammarOf(kTagged, Calls::kRequired, false, {}, tools);
      Matcher matcher(grammar);
      for (int i = 0; i < 30; ++i) {
        const std::string answer = anyText(matcher, random);
        if (answer.empty()) continue;
        const auto begin = answer.find('{'), end = answer.rfind('}');
        const Json call = Json::parse(answer.substr(begin, end + 1 - begin), nullptr, false);
        QVERIFY2(!call.is_discarded(), answer.c_str());
        QVERIFY2(valid(schema, schema, call["arguments"]), answer.c_str());
        ++checked;
        if (matcher.crowded()) matcher.renewed(matcher.start());
      }
    }
    QVERIFY2(checked > 100, QByteArray::number(checked));
  }

  void whatIsNotKnownOfASchemaIsLeftOut_data() {
    QTest::addColumn<QByteArray>("schema");
    QTest::addColumn<QByteArray>("relaxed");
    const char* kept =
        "{\"type\":\"object\",\"properties\":{\"b\":{\"type\":\"string\"},\"a\":{\"enum\":[1,2]}},"
        "\"required\":[\"a\"]}";
    QTest::newRow("all is known") << QByteArray(kept) << QByteArray(kept);
    QTest::newRow("a keyword deep inside")
        << QByteArray(
               "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"array\",\"items\":"
               "{\"type\":\"number\",\"multipleOf\":0.3}},\"b\":{\"type\":\"boolean\"}},"
               "\"required\":[\"a\",\"gone\"]}")
        << QByteArray(
               "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"array\",\"items\":"
               "{\"type\":\"number\"}},\"b\":{\"type\":\"boolean\"}},\"required\":[\"a\"]}");
    QTest::newRow("what nothing is left of")
        << QByteArray(
               "{\"type\":\"object\",\"properties\":{\"a\":{\"not\":{}},\"b\":{\"type\":\"wish\"}}"
               "}")
        << QByteArray("{\"type\":\"object\",\"properties\":{\"a\":true,\"b\":true}}");
    QTest::newRow("a definition")
        << QByteArray(
               "{\"type\":\"object\",\"minProperties\":1,\"properties\":{\"a\":{\"$ref\":\"#/$defs/"
               "n\"}},"
               "\"$defs\":{\"n\":{\"type\":\"integer\"}}}")
        << QByteArray(
               "{\"type\":\"object\",\"properties\":{\"a\":{\"$ref\":\"#/$defs/n\"}},"
               "\"$defs\":{\"n\":{\"type\":\"integer\"}}}");
    for (const char* no : {"", "nonsense", "true", "{\"type\":\"string\"}", "{\"properties\":{}}"})
      QTest::newRow(no) << QByteArray(no) << QByteArray("{\"type\":\"object\"}");
  }
  void whatIsNotKnownOfASchemaIsLeftOut() {
    QFETCH(QByteArray, schema);
    QFETCH(QByteArray, relaxed);
    QCOMPARE(QByteArray::fromStdString(relaxedSchema(schema.toStdString())), relaxed);
  }

  // A short schema may refer to a large part often: what is looked at is bounded for all tools
  // together, and the rest is any object.
  void muchWorkIsNotDone() {
    std::string properties, parts;
    for (int i = 0; i < 100; ++i)
      properties +=
          (i > 0 ? ",\"" : "\"") + std::to_string(i) + "\":{\"type\":\"string\",\"maxLength\":500}";
    for (int i = 0; i < 60; ++i)
      parts += (i > 0 ? ",\"" : "\"") + std::to_string(i) +
               (i % 2 == 0 ? "\":{\"not\":{}}" : "\":{\"$ref\":\"#/$defs/a\"}");
    const std::string schema = "{\"type\":\"object\",\"properties\":{" + parts +
                               "},\"$defs\":{\"a\":{\"type\":\"object\",\"properties\":{" +
                               properties + "}}}}";
    const std::vector<CallableTool> tools(100, {"f", schema});
    const Grammar grammar = callGrammarOf(kTagged, Calls::kAllowed, true, {}, tools);
    QVERIFY(matches(grammar, tagged("{\"name\": \"f\", \"arguments\": {\"other\": 1}}")));
  }

  void aStrictSchemaThatIsNotKnownIsAnError() {
    const CallableTool tools[] = {
        {"a", ""}, {"b", "{\"type\":\"object\",\"minProperties\":1}", /*strict=*/true}};
    const auto grammar = toolCallGrammar(kTagged, tools, Calls::kAllowed, true, {});
    QVERIFY(!grammar);
    QCOMPARE(grammar.error().tool, std::size_t{1});
    QVERIFY(grammar.error().what.find("minProperties") != std::string::npos);
    const CallableTool number[] = {{"a", "{\"type\":\"number\"}", /*strict=*/true}};
    QVERIFY(!toolCallGrammar(kTagged, number, Calls::kAllowed, true, {}));
  }

  // Each is small enough, all of them are not: then they are any objects.
  void schemasThatAreTooMuchTogetherAreLeftOut() {
    std::string properties;
    for (int i = 0; i < 40; ++i)
      properties +=
          (i > 0 ? ",\"" : "\"") + std::to_string(i) + "\":{\"type\":\"string\",\"maxLength\":90}";
    std::vector<CallableTool> tools;
    for (int i = 0; i < 120; ++i)
      tools.push_back(
          {"f" + std::to_string(i), "{\"type\":\"object\",\"properties\":{" + properties + "}}"});
    const Grammar grammar = callGrammarOf(kTagged, Calls::kAllowed, true, {}, tools);
    QVERIFY(matches(grammar, tagged("{\"name\": \"f7\", \"arguments\": {\"other\": 1}}")));
    for (CallableTool& tool : tools) tool.strict = true;
    const auto strict = toolCallGrammar(kTagged, tools, Calls::kAllowed, true, {});
    QVERIFY(!strict && strict.error().what.find("symbols") != std::string::npos);
  }
};

}  // namespace waferpair::grammar

QTEST_APPLESS_MAIN(waferpair::grammar::TestToolCalls)
#include "test_tool_calls.moc"
