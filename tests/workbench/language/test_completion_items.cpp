// SPDX-License-Identifier: GPL-3.0-or-later
// What servers answer, read: completions in their several forms, texts for people, places.
#include <QJsonArray>
#include <QJsonDocument>
#include <QtTest>

#include "workbench/language/completion_items.h"
#include "workbench/language/location.h"
#include "workbench/language/markup.h"

using namespace waferpair::workbench;
using namespace waferpair::editor;

namespace {

// Quotes are single ones here, which reads better.
QJsonValue json(QByteArray text) {
  return QJsonDocument::fromJson('[' + text.replace('\'', '"') + ']').array().at(0);
}

// Items for "ä.fo|" of the text "x\nä.fo", in UTF-16 columns.
CompletionItems read(const QByteArray& result) {
  LanguageAnswer answer;
  answer.result = json(result);
  answer.text = Snapshot("x\nä.fo");
  return readCompletions(answer, {"/a.cpp", 7, "fo"});
}

}  // namespace

class TestCompletionItems : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void whatAnItemPutsIn_data() {
    QTest::addColumn<QByteArray>("item");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("shown");
    const auto row = [](const char* name, const char* item, const char* text, const char* shown) {
      QTest::newRow(name) << QByteArray(item) << QByteArray(text) << QString(shown);
    };
    row("label", "{'label': 'foo'}", "foo", "foo");
    row("insertText", "{'label': 'foo(int)', 'insertText': 'foo'}", "foo", "foo(int)");
    row("edit",
        "{'label': ' foo()', 'textEdit': {'newText': 'foo', "
        "'range': {'start': {'line': 1, 'character': 2}, 'end': {'line': 1, 'character': 4}}}}",
        "foo", "foo()");
    row("insert or replace",
        "{'label': 'foo()', 'textEdit': {'newText': 'foo', "
        "'insert': {'start': {'line': 1, 'character': 2}, 'end': {'line': 1, 'character': 4}}, "
        "'replace': {'start': {'line': 1, 'character': 2}, 'end': {'line': 1, 'character': 9}}}}",
        "foo", "foo()");
    row("with what stands before",
        "{'label': 'foo', 'textEdit': {'newText': '.foo', "
        "'range': {'start': {'line': 1, 'character': 1}, 'end': {'line': 1, 'character': 4}}}}",
        "foo", "foo");
    row("behind the first letter",
        "{'label': 'foo', 'textEdit': {'newText': 'oo', "
        "'range': {'start': {'line': 1, 'character': 3}, 'end': {'line': 1, 'character': 4}}}}",
        "foo", "foo");
    row("a snippet",
        "{'label': 'foo', 'insertText': 'foo(${1:int x}, $2)$0', 'insertTextFormat': 2}",
        "foo(int x, )", "foo");
    row("marked", "{'label': '•foo', 'insertText': 'foo'}", "foo", "foo");
    row("details of the label",
        "{'label': 'foo', 'labelDetails': {'detail': '(int)', 'description': 'from x'}}", "foo",
        "foo(int)");
  }
  void whatAnItemPutsIn() {
    QFETCH(QByteArray, item);
    QFETCH(QByteArray, text);
    QFETCH(QString, shown);
    const CompletionItems items = read("[" + item + "]");
    QCOMPARE(items.items.size(), 1);
    QCOMPARE(items.items[0].text, text);
    QCOMPARE(items.items[0].shown(), shown);
  }

  void snippetsKeepTheirFields() {
    const char* const range =
        "'range': {'start': {'line': 1, 'character': %1}, 'end': {'line': 1, 'character': 4}}";
    const auto snippet = [&](const char* text, int from) {
      const QString edit = QString(range).arg(from);
      return read(QStringLiteral("[{'label': 'foo', 'insertTextFormat': 2, 'textEdit': {'newText': "
                                 "'%1', %2}}]")
                      .arg(QLatin1String(text), edit)
                      .toUtf8())
          .items.value(0);
    };
    QCOMPARE(snippet("foo(${1:x})$0", 2).snippet, "foo(${1:x})$0");
    QCOMPARE(snippet("foo(${1:x})$0", 2).matched(), "foo");
    QCOMPARE(snippet("foo(${1:x})$0", 2).text, "foo(x)");
    QCOMPARE(snippet(".foo($1)", 1).snippet, "foo($1)");
    QCOMPARE(snippet("oo($1)", 3).snippet, "foo($1)");
    // Without fields it is a text.
    QCOMPARE(snippet("foo$0", 2).snippet, "");
    QCOMPARE(snippet("foo$0", 2).text, "foo");
  }

  void whatStandsInFrontIsReplacedToo() {
    const auto item = [](const QByteArray& more, int line) {
      return read("[{'label': ' foo', " + more + "'textEdit': {'newText': '->foo', 'range': " +
                  "{'start': {'line': " + QByteArray::number(line) +
                  ", 'character': 1}, 'end': {'line': 1, 'character': 4}}}}]")
          .items.value(0);
    };
    QCOMPARE(item({}, 1).text, "->foo");
    QCOMPARE(item({}, 1).before, 1);
    QCOMPARE(item({}, 1).matched(), "foo");
    QCOMPARE(item("'filterText': '.foo', ", 1).matched(), "foo");
    QCOMPARE(item("'filterText': 'fooBar', ", 1).matched(), "fooBar");
    // A line in front of this one is none of its business.
    QCOMPARE(item({}, 0), ListItem());
  }

  void lineEndsAreThoseOfTheText() {
    LanguageAnswer answer;
    answer.result = json(
        "[{'label': 'foo', 'insertText': 'foo\\n  x', 'additionalTextEdits': [{'newText': "
        "'a\\nb\\n', "
        "'range': {'start': {'line': 0, 'character': 0}, 'end': {'line': 0, 'character': 0}}}]}]");
    for (const char* end : {"\n", "\r\n", "\r"}) {
      answer.text = Snapshot(QByteArray("x") + end + "fo");
      const qint64 caret = answer.text.size();
      const CompletionItems items = readCompletions(answer, {"/a.cpp", caret, "fo"});
      QCOMPARE(items.items.value(0).text, QByteArray("foo") + end + "  x");
      QCOMPARE(sideEditsOf(items.told.value(0), answer).value(0).text,
               QByteArray("a") + end + "b" + end);
    }
  }

  void listsAreReadAndRanked() {
    const CompletionItems items = read(
        "{'isIncomplete': true, "
        "'itemDefaults': {'editRange': {'start': {'line': 1, 'character': 2}, "
        "'end': {'line': 1, 'character': 4}}}, "
        "'items': [{'label': 'c', 'kind': 3}, {'label': 'z', 'sortText': 'a', 'kind': 99}, "
        "{'label': 'b', 'textEditText': 'bee', 'detail': 'int\\n b'}, 7, {'label': 8}]}");
    QVERIFY(!items.isWhole);
    QCOMPARE(items.items.size(), 3);
    QCOMPARE(items.items[0].text, "z");
    QCOMPARE(items.items[0].kind, ListKind::kWord);
    QCOMPARE(items.items[1].text, "bee");
    QCOMPARE(items.items[1].detail, "int b");
    QCOMPARE(items.items[2].kind, ListKind::kFunction);
    QVERIFY(read("null").items.isEmpty() && read("7").items.isEmpty());
    QVERIFY(read("[{'label': 'foo'}]").isWhole);
  }

  void textsForPeopleBecomeMarkdown() {
    QCOMPARE(markdownOf(json("'a *b*'")), "a *b*");
    QCOMPARE(markdownOf(json("{'kind': 'markdown', 'value': 'a *b*'}")), "a *b*");
    QCOMPARE(markdownOf(json("{'kind': 'plaintext', 'value': 'a *b*\\nc'}")), "a \\*b\\*  \nc");
    QCOMPARE(markdownOf(json("[{'language': 'cpp', 'value': 'int x;'}, 'an x']")),
             "```cpp\nint x;\n```\n\nan x");
    QCOMPARE(markdownOf(json("null")), "");
    QCOMPARE(aboutItem(json("{'detail': 'int', 'documentation': 'of <x>'}").toObject()),
             "```\nint\n```\n\nof \\<x\\>");
  }

  void placesAreReadInTheirForms() {
    const QVector<Location> one = readLocations(
        json("{'uri': 'file:///a%20b/%C3%BC.cpp', 'range': {'start': {'line': 3, 'character': 1}, "
             "'end': {'line': 3, 'character': 4}}}"),
        ColumnUnit::kUtf16);
    QCOMPARE(one, QVector<Location>({{"/a b/ü.cpp", {3, 1}, {3, 4}, ColumnUnit::kUtf16}}));
    const QVector<Location> links = readLocations(
        json("[{'targetUri': 'file:///x', 'targetRange': {}, 'targetSelectionRange': "
             "{'start': {'line': 1, 'character': 2}, 'end': {'line': 1, 'character': 3}}}, "
             "{'uri': 'http://elsewhere/x'}, {'uri': 7}, null]"),
        ColumnUnit::kUtf8);
    QCOMPARE(links, QVector<Location>({{"/x", {1, 2}, {1, 3}, ColumnUnit::kUtf8}}));
    QCOMPARE(readLocations(json("null"), ColumnUnit::kUtf8), QVector<Location>());
  }
};

QTEST_GUILESS_MAIN(TestCompletionItems)
#include "test_completion_items.moc"
