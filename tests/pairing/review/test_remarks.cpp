// SPDX-License-Identifier: GPL-3.0-or-later
// Remarks as models write them, well and badly, and what they are asked for them and for tests.
#include <QtTest>

#include "pairing/answers/answer_reader.h"
#include "pairing/review/remarks.h"
#include "pairing/review/review_request.h"

using namespace waferpair::pairing;

namespace {

constexpr char kRemarkBlock[] = "a.c\n<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE\n";

// "path|line|text|changes" of each.
QString told(const QByteArray& answer) {
  QStringList lines;
  for (const Remark& remark : remarksIn(readAnswer(AnswerFormat::kSearchReplace, answer)))
    lines += QStringLiteral("%1|%2|%3|%4")
                 .arg(remark.path)
                 .arg(remark.line)
                 .arg(remark.text)
                 .arg(remark.changes.size());
  return lines.join(u'\n');
}

ContextItem item(const QString& name, const QString& text, ContextItem::Outcome outcome) {
  ContextItem made;
  made.name = name;
  made.text = text;
  made.outcome = outcome;
  return made;
}

}  // namespace

class TestRemarks : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void remarksAreReadAsModelsWriteThem_data() {
    QTest::addColumn<QByteArray>("answer");
    QTest::addColumn<QString>("remarks");
    const QByteArray block = kRemarkBlock;
    QTest::newRow("as asked for") << "src/a.c:12: It leaks.\n" + block + "\nb.c:3: Wrong sign.\n"
                                  << "src/a.c|12|It leaks.|1\nb.c|3|Wrong sign.|0";
    QTest::newRow("over several lines") << QByteArray("a.c:1: It leaks\n  when x is 0.\nAlways.\n")
                                        << "a.c|1|It leaks when x is 0. Always.|0";
    QTest::newRow("a list") << QByteArray(
                                   "Here are my remarks:\n\n- `a.c:1`: One.\n* **a.c:2** – "
                                   "Two.\n3. a.c:3-5: Three.\n")
                            << "a.c|1|One.|0\na.c|2|Two.|0\na.c|3|Three.|0";
    QTest::newRow("headings") << QByteArray("### a.c:7\n\nIt leaks.\n\n### b.c:8\nSo does it.\n")
                              << "a.c|7|It leaks.|0\nb.c|8|So does it.|0";
    QTest::newRow("with a column") << QByteArray("a.c:7:3: It leaks.\n") << "a.c|7|It leaks.|0";
    QTest::newRow("without a place") << QByteArray("- Tests are missing.\n- a.c:2: Two.\n")
                                     << "|0|Tests are missing.|0\na.c|2|Two.|0";
    QTest::newRow("several changes of one") << "a.c:1: Both.\n" + block + block << "a.c|1|Both.|2";
    QTest::newRow("a change alone") << block << "a.c|0|A change without a remark.|1";
    QTest::newRow("nothing") << QByteArray("No remarks.\n") << "";
    QTest::newRow("nothing at all") << QByteArray() << "";
    QTest::newRow("line 0 is no line")
        << QByteArray("a.c:0: It leaks.\n") << "|0|a.c:0: It leaks.|0";
    QTest::newRow("a number beyond all lines")
        << QByteArray("a.c:99999999999999999999: It leaks.\n")
        << "|0|a.c:99999999999999999999: It leaks.|0";
    QTest::newRow("a time is no place")
        << QByteArray("At 12:30 it broke.\n") << "|0|At 12:30 it broke.|0";
  }

  void remarksAreReadAsModelsWriteThem() {
    QFETCH(QByteArray, answer);
    QFETCH(QString, remarks);
    QCOMPARE(told(answer), remarks);
  }

  void endlessAnswersAreCut() {
    const auto many = remarksIn(readAnswer(AnswerFormat::kSearchReplace,
                                           QByteArray("a.c:1: x\n").repeated(kMostRemarks + 10)));
    QCOMPARE(many.size(), kMostRemarks);
    const auto longOne =
        remarksIn(readAnswer(AnswerFormat::kSearchReplace, "a.c:1: " + QByteArray(100'000, 'x')));
    QCOMPARE(longOne.size(), 1);
    QCOMPARE(longOne[0].text.size(), kMostOfRemark);
    // Characters of two units stay whole, wherever the cut falls, also in text that goes on.
    for (const QByteArray& before : {QByteArray(), QByteArray("x"), QByteArray("x\n")}) {
      const auto remarks = remarksIn(
          readAnswer(AnswerFormat::kSearchReplace,
                     "a.c:1: " + before + QByteArray("\xF0\x9F\x98\x80").repeated(9'000)));
      QCOMPARE(remarks.size(), 1);
      QVERIFY(remarks[0].text.isValidUtf16());
      QVERIFY(remarks[0].text.size() >= kMostOfRemark - 1);
      QVERIFY(remarks[0].text.size() <= kMostOfRemark);
    }
  }

  void aDiffIsNumbered() {
    QCOMPARE(
        numberedDiff(QStringLiteral("--- a/a.c\n+++ b/a.c\n@@ -9,3 +9,3 @@ int f()\n one\n-two\n"
                                    "+2\n three\n@@ -20 +20,2 @@\n twenty\n+more\n")),
        QStringLiteral("--- a/a.c\n+++ b/a.c\n@@ -9,3 +9,3 @@ int f()\n     9  one\n       -two\n"
                       "    10 +2\n    11  three\n@@ -20 +20,2 @@\n    20  twenty\n"
                       "    21 +more\n"));
  }

  void whatIsLeftOutIsNotSent() {
    using Outcome = ContextItem::Outcome;
    const ModelRequest request = remarksRequest(
        {item(QStringLiteral("diff of a.c"), QStringLiteral("@@ -1 +1 @@\n+x\n"), Outcome::kSent),
         item(QStringLiteral("diff of .env"), {}, Outcome::kLeftOut)});
    QVERIFY(request.input[0].text.contains(
        QStringLiteral("diff of a.c:\n```diff\n@@ -1 +1 @@\n     1 +x\n```\n")));
    QVERIFY(!request.input[0].text.contains(QStringLiteral(".env")));
  }

  void testsAreFoundByTheirNames_data() {
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("tests");
    QTest::newRow("C++") << "gui/kit/bar.cpp"
                         << "tests/gui/kit/test_bar.cpp tests/gui/kit/test_foo.cpp";
    QTest::newRow("Go") << "lib/bar.go"
                        << "lib/bar_test.go";
    QTest::newRow("TypeScript") << "src/bar.ts"
                                << "src/bar.spec.ts";
    QTest::newRow("Java") << "src/main/Bar.java"
                          << "src/test/BarTest.java";
    QTest::newRow("none of its kind") << "a.rb"
                                      << "";
  }

  void testsAreFoundByTheirNames() {
    QFETCH(QString, path);
    QFETCH(QString, tests);
    const QStringList files = QStringLiteral(
                                  "gui/kit/bar.cpp latest/contest.cpp lib/bar.go lib/bar_test.go "
                                  "src/bar.spec.ts src/bar.ts src/main/Bar.java "
                                  "src/test/BarTest.java tests/gui/kit/test_foo.cpp "
                                  "tests/gui/kit/test_bar.cpp")
                                  .split(u' ');
    QCOMPARE(testFilesFor(path, files).join(u' '), tests);
  }
};

QTEST_GUILESS_MAIN(TestRemarks)
#include "test_remarks.moc"
