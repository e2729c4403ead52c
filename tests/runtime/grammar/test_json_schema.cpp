// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <nlohmann/json.hpp>
#include <random>

#include "runtime/grammar/json_schema.h"
#include "tests/runtime/grammar/json_schema_cases.h"
#include "tests/runtime/grammar/matches.h"
#include "tests/runtime/grammar/validity.h"

namespace waferpair::grammar {

namespace {

Grammar grammarOf(const std::string& schema) {
  auto grammar = jsonSchemaGrammar(schema);
  if (!grammar) qFatal("%s", grammar.error().message().c_str());
  return std::move(*grammar);
}

}  // namespace

class TestJsonSchema : public QObject {
  Q_OBJECT
 private slots:
  // Whatever the grammar allows is JSON and valid, by a parser and a validator that know nothing
  // of grammars.
  void whatMatchesIsValid() {
    std::mt19937 random(11);
    for (const QByteArray& schema : schemas()) {
      const Json read = Json::parse(schema.toStdString());
      const Grammar grammar = grammarOf(schema.toStdString());
      Matcher matcher(grammar);
      int complete = 0;
      for (int i = 0; i < 60; ++i) {
        const std::string text = anyText(matcher, random);
        if (text.empty()) continue;
        ++complete;
        const Json value = Json::parse(text, nullptr, false);
        QVERIFY2(!value.is_discarded(), text.c_str());
        QVERIFY2(valid(read, read, value), (schema.toStdString() + "\n" + text).c_str());
        if (matcher.crowded()) matcher.renewed(matcher.start());
      }
      QVERIFY2(complete > 20, schema);
    }
  }

  void textsMatchOrNot_data() {
    QTest::addColumn<QByteArray>("schema");
    QTest::addColumn<QList<QByteArray>>("yes");
    QTest::addColumn<QList<QByteArray>>("no");
    for (const SchemaCase& one : schemaCases())
      QTest::newRow(one.name) << one.schema << one.yes << one.no;
  }
  void textsMatchOrNot() {
    QFETCH(QByteArray, schema);
    QFETCH(QList<QByteArray>, yes);
    QFETCH(QList<QByteArray>, no);
    const Grammar grammar = grammarOf(schema.toStdString());
    for (const QByteArray& text : yes) QVERIFY2(matches(grammar, text.toStdString()), text);
    for (const QByteArray& text : no) QVERIFY2(!matches(grammar, text.toStdString()), text);
  }

  // The rest of the schema is kept to.
  void whatCannotBeKeptMayBeLeftOutAndIsTold_data() {
    QTest::addColumn<QByteArray>("schema");
    QTest::addColumn<QByteArray>("told");
    QTest::addColumn<QList<QByteArray>>("yes");
    QTest::addColumn<QList<QByteArray>>("no");
    for (const LaxSchema& one : laxSchemas())
      QTest::newRow(one.told.constData()) << one.schema << one.told << one.yes << one.no;
  }
  void whatCannotBeKeptMayBeLeftOutAndIsTold() {
    QFETCH(QByteArray, schema);
    QFETCH(QByteArray, told);
    QFETCH(QList<QByteArray>, yes);
    QFETCH(QList<QByteArray>, no);
    QVERIFY(!jsonSchemaGrammar(schema.toStdString()));
    std::vector<std::string> leftOut;
    const auto grammar = jsonSchemaGrammar(schema.toStdString(), &leftOut);
    QVERIFY2(grammar, grammar ? "" : grammar.error().message().c_str());
    QVERIFY2(leftOut == std::vector<std::string>{told.toStdString()},
             leftOut.empty() ? "nothing" : leftOut.front().c_str());
    for (const QByteArray& text : yes) QVERIFY2(matches(*grammar, text.toStdString()), text);
    for (const QByteArray& text : no) QVERIFY2(!matches(*grammar, text.toStdString()), text);
  }

  void whatIsKeptIsNotTold() {
    for (const QByteArray& schema : schemas()) {
      std::vector<std::string> leftOut;
      QVERIFY(jsonSchemaGrammar(schema.toStdString(), &leftOut));
      QVERIFY2(leftOut.empty(), schema);
    }
  }

  void whatIsNotSupportedIsNamedWithItsPlace_data() {
    QTest::addColumn<QByteArray>("schema");
    QTest::addColumn<QByteArray>("part");
    for (const BadSchema& one : badSchemas()) QTest::newRow(one.name) << one.schema << one.part;
  }
  void whatIsNotSupportedIsNamedWithItsPlace() {
    QFETCH(QByteArray, schema);
    QFETCH(QByteArray, part);
    const auto grammar = jsonSchemaGrammar(std::string_view(schema.constData(), schema.size()));
    QVERIFY(!grammar.has_value());
    QVERIFY2(grammar.error().what.find(part.toStdString()) != std::string::npos,
             grammar.error().what.c_str());
    QVERIFY(!grammar.error().remedy.empty());
  }
};

}  // namespace waferpair::grammar

QTEST_APPLESS_MAIN(waferpair::grammar::TestJsonSchema)
#include "test_json_schema.moc"
