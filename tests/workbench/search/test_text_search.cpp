// SPDX-License-Identifier: GPL-3.0-or-later
// What is found in a text, and what comes of replacing it.
#include <QtTest>
#include <random>

#include "editor/text/snapshot.h"
#include "workbench/search/text_search.h"

using namespace waferpair;
using editor::FindQuery;
using workbench::TextMatch;
using workbench::TextSearch;

namespace {

// "1:4 needle" for each match, with the line from 1 and the column from 0.
QStringList found(const FindQuery& query, const QByteArray& text, qsizetype most = 1'000) {
  const auto search = TextSearch::make(query);
  if (!search) return {"refused"};
  QStringList found;
  for (const TextMatch& match : search->find(text, most))
    found.append(QStringLiteral("%1:%2 %3")
                     .arg(match.line + 1)
                     .arg(match.start - match.lineStart)
                     .arg(QString::fromUtf8(text.mid(match.start, match.end - match.start))));
  return found;
}

QByteArray replaced(const FindQuery& query, const QByteArray& text, const QString& with) {
  return TextSearch::make(query)->replaced(text, with);
}

// Each line by itself, as somebody would do it who has time.
QVector<TextMatch> slowly(const FindQuery& query, const QByteArray& text) {
  const QRegularExpression expression = *editor::findExpression(query);
  const editor::Snapshot snapshot(text);
  QVector<TextMatch> found;
  for (qint64 line = 0; line < snapshot.lineCount(); ++line) {
    const QString utf16 = QString::fromUtf8(snapshot.line(line));
    auto matches = expression.globalMatch(utf16);
    while (matches.hasNext()) {
      const QRegularExpressionMatch match = matches.next();
      if (match.capturedLength() == 0) continue;
      const auto bytes = [&](qsizetype unit) { return utf16.left(unit).toUtf8().size(); };
      const qint64 start = snapshot.lineStart(line);
      found.append({start + bytes(match.capturedStart()), start + bytes(match.capturedEnd()), line,
                    start, snapshot.lineEnd(line)});
    }
  }
  return found;
}

}  // namespace

class TestTextSearch : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void plainText() {
    const QByteArray text = "int Add(int a);\n  add(1);\r\nADDED\radd";
    QCOMPARE(found({"add"}, text), (QStringList{"1:4 Add", "2:2 add", "3:0 ADD", "4:0 add"}));
    QCOMPARE(found({"add", true}, text), (QStringList{"2:2 add", "4:0 add"}));
    QCOMPARE(found({"add", false, true}, text), (QStringList{"1:4 Add", "2:2 add", "4:0 add"}));
    QCOMPARE(found({"a.d"}, text), QStringList());
    QCOMPARE(found({"aa"}, "aaaaa"), (QStringList{"1:0 aa", "1:2 aa"}));
    QCOMPARE(found({"add"}, text, 2), (QStringList{"1:4 Add", "2:2 add"}));
    QCOMPARE(found({"ab", true, true}, "aab ab"), (QStringList{"1:4 ab"}));
  }

  void otherLetters() {
    QCOMPARE(found({"straße"}, "Die STRASSE, die Straße"), (QStringList{"1:17 Straße"}));
    QCOMPARE(found({"ÄRGER"}, "der Ärger"), (QStringList{"1:4 Ärger"}));
    QCOMPARE(found({"ä.", false, false, true}, "xä\nä😀y"), (QStringList{"2:0 ä😀"}));
  }

  void expressions() {
    const QByteArray text = "a = 1;\nbb = 22;\n";
    QCOMPARE(found({R"((\w+) = (\d+))", true, false, true}, text),
             (QStringList{"1:0 a = 1", "2:0 bb = 22"}));
    QCOMPARE(found({R"(;$)", true, false, true}, text), (QStringList{"1:5 ;", "2:7 ;"}));
    QCOMPARE(found({R"(^b+)", true, false, true}, text), (QStringList{"2:0 bb"}));
    QCOMPARE(found({R"(\Ab+)", true, false, true}, text), (QStringList{"2:0 bb"}));
    // None reaches over a line's end, and none is without letters.
    QCOMPARE(found({R"(\s+bb)", true, false, true}, "a\n  bb"), (QStringList{"2:0   bb"}));
    QCOMPARE(found({R"(1;\nbb)", true, false, true}, text), QStringList());
    QCOMPARE(found({"x*", true, false, true}, "axxb\n"), (QStringList{"1:1 xx"}));
    QCOMPARE(found({";$", true, false, true}, "a;\r\nb;\r\n"), (QStringList{"1:1 ;", "2:1 ;"}));
  }

  void whatIsRefused() {
    QVERIFY(!TextSearch::make({""}));
    QVERIFY(!TextSearch::make({"a\nb"}));
    const auto wrong = TextSearch::make({"a(b", true, false, true});
    QVERIFY(!wrong);
    QVERIFY2(wrong.error().what.contains("a(b"), qPrintable(wrong.error().what));
  }

  void replacing() {
    QCOMPARE(replaced({"add", true}, "add(add)\n", "sum"), "sum(sum)\n");
    QCOMPARE(replaced({"add", true}, "add", "$1\\n"), "$1\\n");  // plain text is what it is
    QCOMPARE(replaced({R"((\w+), (\w+))", true, false, true}, "f(a, b)\r\n", R"(\2,\n$1)"),
             "f(b,\r\na)\r\n");
    QCOMPARE(replaced({"none"}, "text", "x"), "text");
    QCOMPARE(replaced({"ä", true}, "xäy", "ö"), "xöy");
  }

  // Against the slow way, over random texts of few letters.
  void randomTexts() {
    const FindQuery queries[] = {
        {"ab"},
        {"aB", true},
        {"ä"},
        {"a+b?", true, false, true},
        {"[^b]+", true, false, true},
        {R"(a\s*b)", false, false, true},
        {R"(\s+a)", true, false, true},
        {"^.", true, false, true},
        {".$", true, false, true},
        {"(?s)a.*b", true, false, true},
        {"(?<!a)b", true, false, true},
        {"a(?!b)", true, false, true},
        {R"(a\s++b|\n)", true, false, true},
        {"a", true, true, true},
    };
    std::mt19937 random(7);
    const QByteArrayList letters{"a", "b", "A", "B", " ", "\n", "\n", "\r\n", "ä", "Ä", "_", "\r"};
    for (int round = 0; round < 3'000; ++round) {
      QByteArray text;
      const auto size = random() % 40;
      const auto kinds = round % 2 == 0 ? letters.size() : 7;  // without CR, too
      for (unsigned i = 0; i < size; ++i) text += letters[random() % kinds];
      const FindQuery& query = queries[random() % std::size(queries)];
      const QVector<TextMatch> expected = slowly(query, text);
      const QVector<TextMatch> actual = TextSearch::make(query)->find(text, 1'000);
      QVERIFY2(actual == expected, text.toPercentEncoding() + " for " + query.text.toUtf8());
    }
  }
};

QTEST_GUILESS_MAIN(TestTextSearch)
#include "test_text_search.moc"
