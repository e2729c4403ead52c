// SPDX-License-Identifier: GPL-3.0-or-later
// Snippets as they are written, and what they are put in as.
#include <QtTest>

#include "editor/text/snippet.h"
#include "editor/text/snippet_variables.h"

using namespace Qt::StringLiterals;
using namespace waferpair::editor;

namespace {

// The text with its places: "for ([1:i])"; mirrors have the same number.
QString shown(const SnippetText& made) {
  QByteArray text;
  for (qsizetype at = 0; at <= made.text.size(); ++at) {
    for (auto place = made.places.crbegin(); place != made.places.crend(); ++place)
      if (place->end == at && place->start < at) text += ']';
    for (const SnippetPlace& place : made.places) {
      if (place.start != at) continue;
      text += '[' + QByteArray::number(made.fields[place.field].number) + ':';
      if (place.end == at) text += ']';
    }
    if (at < made.text.size()) text += made.text[at];
  }
  return QString::fromUtf8(text);
}

std::optional<QString> someVariables(const QString& name) {
  if (name == u"TM_FILENAME"_s) return u"my_file.cpp"_s;
  if (name == u"TM_SELECTED_TEXT"_s) return QString();
  return std::nullopt;
}

}  // namespace

class TestSnippet : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void isReadAsTheProtocolHasIt_data() {
    QTest::addColumn<QString>("snippet");
    QTest::addColumn<QString>("expected");
    QTest::newRow("text alone") << "plain"
                                << "plain[0:]";
    QTest::newRow("empty") << ""
                           << "[0:]";
    QTest::newRow("stops") << "f($1, $2)$0;"
                           << "f([1:], [2:])[0:];";
    QTest::newRow("braces") << "${1}${0}"
                            << "[1:][0:]";
    QTest::newRow("placeholder") << "f(${1:int a})"
                                 << "f([1:int a])[0:]";
    QTest::newRow("nested") << "${1:a ${2:b} c}"
                            << "[1:a [2:b] c][0:]";
    QTest::newRow("mirror") << "${1:x} = $1 + ${1};"
                            << "[1:x] = [1:x] + [1:x];[0:]";
    QTest::newRow("mirror before its text") << "$1 ${1:x}"
                                            << "[1:x] [1:x][0:]";
    QTest::newRow("choice") << "${1|one,t\\,wo,th\\|ree|}"
                            << "[1:one][0:]";
    QTest::newRow("variable") << "$TM_FILENAME ${TM_FILENAME}"
                              << "my_file.cpp my_file.cpp[0:]";
    QTest::newRow("empty variable") << "<${TM_SELECTED_TEXT:none}>"
                                    << "<none>[0:]";
    QTest::newRow("place in a default") << "${TM_SELECTED_TEXT:${1:x}}"
                                        << "[1:x][0:]";
    QTest::newRow("unknown variable") << "a $NOPE b"
                                      << "a [-1:NOPE] b[0:]";
    QTest::newRow("escapes") << "\\$1 \\} \\\\ \\n"
                             << "$1 } \\ \\n[0:]";
    QTest::newRow("dollars alone") << "cost: $ and $$1"
                                   << "cost: $ and $[1:][0:]";
    QTest::newRow("no end") << "${1:open"
                            << "${1:open[0:]";
    QTest::newRow("no name") << "${} ${-}"
                             << "${} ${-}[0:]";
    QTest::newRow("end with text") << "${0:here}"
                                   << "[0:here]";
    QTest::newRow("in itself") << "${1:a $1 b}"
                               << "[1:a [1:] b][0:]";
    QTest::newRow("transformed variable") << "${TM_FILENAME/^(.*)\\.cpp$/${1:/upcase}/}"
                                          << "MY_FILE[0:]";
    QTest::newRow("pascal") << "${TM_FILENAME/(.*)\\.cpp/${1:/pascalcase}/}"
                            << "MyFile[0:]";
    QTest::newRow("camel") << "${TM_FILENAME/(.*)\\.cpp/${1:/camelcase}/}"
                           << "myFile[0:]";
    QTest::newRow("everywhere") << "${TM_FILENAME/[_.]/-/g}"
                                << "my-file-cpp[0:]";
    QTest::newRow("once") << "${TM_FILENAME/[_.]/-/}"
                          << "my-file.cpp[0:]";
    QTest::newRow("if") << "${TM_FILENAME/(my)|(your)/${1:+ours}${2:-none}/}"
                        << "oursnone_file.cpp[0:]";
    QTest::newRow("if and else") << "${TM_FILENAME/(x)?my/${1:?yes:no}/}"
                                 << "no_file.cpp[0:]";
    QTest::newRow("transformed mirror") << "${1:abc} ${1/(.)/${1:/upcase}/}"
                                        << "[1:abc] [1:Abc][0:]";
    QTest::newRow("wrong expression") << "${1/(/x/}"
                                      << "${1/(/x/}[0:]";
    QTest::newRow("beyond ASCII") << "ä${1:ö}ü" << u"ä[1:ö]ü[0:]"_s;
  }
  void isReadAsTheProtocolHasIt() {
    QFETCH(QString, snippet);
    QFETCH(QString, expected);
    QCOMPARE(shown(expandSnippet(snippet, {.variable = someVariables})), expected);
  }

  void choicesAreTold() {
    const SnippetText made = expandSnippet(u"${1|one,t\\,wo,th\\|ree|}"_s);
    QCOMPARE(made.fields[0].choices, (QByteArrayList{"one", "t,wo", "th|ree"}));
  }

  void fieldsAreVisitedByNumberAndTheEndLast() {
    const SnippetText made = expandSnippet(u"$0 $2 $1 $10 $X"_s);
    QVector<int> numbers;
    for (const SnippetField& field : made.fields) numbers.append(field.number);
    QCOMPARE(numbers, (QVector<int>{1, 2, 10, -1, 0}));
  }

  void linesTakeTheIndentationOfTheirPlace() {
    SnippetSurroundings around;
    around.lineEnd = "\r\n";
    around.indent = "  ";
    around.level = "    ";
    const SnippetText made = expandSnippet(u"if ($1) {\n\treturn\t1;\n}"_s, around);
    QCOMPARE(made.text, QByteArray("if () {\r\n      return\t1;\r\n  }"));
  }

  void onlyTextHasNothingToFillIn() {
    QVERIFY(expandSnippet(u"plain"_s).isPlain());
    QVERIFY(expandSnippet(u"plain$0"_s).isPlain());
    QVERIFY(!expandSnippet(u"pl$0ain"_s).isPlain());
    QVERIFY(!expandSnippet(u"pl$1ain"_s).isPlain());
  }

  void aTextIsTheSnippetThatMeansIt() {
    const QString text = u"$1 ${2:x} } \\ \\$"_s;
    QCOMPARE(expandSnippet(snippetOf(text)).text, text.toUtf8());
  }

  void depthAndLengthHaveTheirLimits() {
    QString deep = u"x"_s;
    for (int i = 1; i < 200; ++i) deep = u"${%1:"_s.arg(i) + deep + u'}';
    QVERIFY(expandSnippet(deep).text.contains('x'));
    // Each doubles what the one before it says.
    QString growing = u"${1:ab}"_s;
    for (int i = 2; i < 40; ++i) growing += u"${%1:$%2$%2}"_s.arg(i).arg(i - 1);
    QVERIFY(expandSnippet(growing).text.size() < 4 * kLongestSnippet);
  }

  void variablesAreOfThePlace() {
    SnippetSite site;
    site.path = u"/project/src/my.tar.gz"_s;
    site.folder = u"/project"_s;
    site.lineIndex = 6;
    site.now = QDateTime(QDate(2024, 3, 7), QTime(9, 5, 2), Qt::UTC);
    const auto value = [&site](const char* name) {
      return snippetVariable(site, QLatin1String(name)).value_or(u"(none)"_s);
    };
    QCOMPARE(value("TM_FILENAME"), u"my.tar.gz"_s);
    QCOMPARE(value("TM_FILENAME_BASE"), u"my.tar"_s);
    QCOMPARE(value("TM_DIRECTORY"), u"/project/src"_s);
    QCOMPARE(value("RELATIVE_FILEPATH"), u"src/my.tar.gz"_s);
    QCOMPARE(value("WORKSPACE_NAME"), u"project"_s);
    QCOMPARE(value("TM_LINE_NUMBER"), u"7"_s);
    QCOMPARE(value("CURRENT_YEAR"), u"2024"_s);
    QCOMPARE(value("CURRENT_MONTH_NAME"), u"March"_s);
    QCOMPARE(value("CURRENT_DATE"), u"07"_s);
    QCOMPARE(value("CURRENT_TIMEZONE_OFFSET"), u"+00:00"_s);
    QCOMPARE(value("NOPE"), u"(none)"_s);
    QVERIFY(QRegularExpression(u"^[0-9]{6}$"_s).match(value("RANDOM")).hasMatch());
    QVERIFY(QRegularExpression(u"^[0-9a-f]{6}$"_s).match(value("RANDOM_HEX")).hasMatch());
  }
};

QTEST_GUILESS_MAIN(TestSnippet)
#include "test_snippet.moc"
