// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <random>

#include "editor/assist/suggestion_filter.h"
#include "editor/assist/typed_since.h"

using namespace waferpair::editor;

class TestSuggestionFilter : public QObject {
  Q_OBJECT

  static void addRows() {
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("rest");
    QTest::addColumn<QByteArray>("next");
    QTest::addColumn<QByteArray>("suggestion");
    QTest::addColumn<QByteArray>("shown");
    const auto row = [](const char* name, const char* rest, const char* next,
                        const char* suggestion, const char* shown) {
      QTest::newRow(name) << QByteArray() << QByteArray(rest) << QByteArray(next)
                          << QByteArray(suggestion) << QByteArray(shown);
    };
    const auto block = [](const char* name, const char* before, const char* suggestion,
                          const char* shown) {
      QTest::newRow(name) << QByteArray(before) << QByteArray() << QByteArray()
                          << QByteArray(suggestion) << QByteArray(shown);
    };
    row("plain", "", "", "int a = 1;", "int a = 1;");
    row("nothing", "", "", "", "");
    row("only blanks", "", "", "  \n \n", "");
    row("blanks at the end", "", "", "int a;  \n\n", "int a;");
    row("several lines", "", "", "a;\n  b;\n}", "a;\n  b;\n}");
    row("blank line inside stays", "", "", "a;\n\nb;", "a;\n\nb;");
    row("carriage returns go", "", "", "a;\r\nb;", "a;\nb;");
    row("repeats the bracket", ")", "", "a, b)", "a, b");
    row("own bracket stays", ")", "", "bar()", "bar()");
    row("own and foreign bracket", ");", "", "bar());", "bar()");
    row("repeats words", " else {", "", "} else {", "}");
    row("word end is no repetition", "bar", "", "foobar", "foobar");
    row("semicolon", ";", "", "x = 1;", "x = 1");
    row("quote closes what was open", "\"", "", "hello\"", "hello");
    row("begins what follows", "(order.address)", "", "(order.", "");
    row("begins the word that follows", "items:", "", "it", "");
    row("ends with what follows begins with", "(order.address)", "", ".info(order", ".info");
    row("a comma that is there", ", b)", "", "a,", "a");
    row("a blank and a mark that are there", " + y;", "", "a +", "a");
    row("a semicolon that is there", "; i < n; ++i) {", "", "int i = 0;", "int i = 0");
    row("goes another way than what follows", "(order.address)", "", "(order.name)", "");
    row("leads on to what follows", "self.b", "", "self.a +", "self.a +");
    row("an argument more", "bar)", "", "bar.x, ", "bar.x,");
    row("an argument before others", "a, b)", "", "x, ", "x,");
    row("part of a word is no repetition", "bar)", "", "x = b", "x = b");
    row("own bracket before others", "))", "", "g(a)", "g(a)");
    row("closers that are there", "))", "", "a)", "a");
    row("own quotes stay", "\"", "", "\"a\" + \"b\"", "\"a\" + \"b\"");
    row("after the repetition all goes", ")", "", "a)\nmore();\n", "a");
    row("no repetition inside", ")", "", "f(a) + b", "f(a) + b");
    row("more lines behind the rest", ")", "", "a,\n  b", "a,\n  b");
    row("one line before words", "x, 1);", "", "a,\n  b", "a,");
    row("repeats the next line", "", "  return x;", "x += 1;\n  return x;\n}", "x += 1;");
    row("other depth is another line", "", "return x;", "{\n  return x;", "{\n  return x;");
    row("closing brace of outside", "", "}", "return x;\n}", "return x;");
    row("own closing brace", "", "}", "if (x) {\n  y();\n}", "if (x) {\n  y();\n}");
    row("own brace, then outside's", "", "}", "if (x) {\n  y();\n}\n}\n", "if (x) {\n  y();\n}");
    row("starts like the next line", "", "  foo(1);", "a;\n  foo(2);", "a;\n  foo(2);");
    row("all is repetition", "return;", "", "return;", "");
    row("ornament", "", "", "a;\n// ---------------\nb;", "a;");
    row("ornament begun by the user", "", "", "------------\n", "------------");
    row("brackets are no ornament", "", "", "f([\n{\n  1}\n]);", "f([\n{\n  1}\n]);");
    block("ends with the block", "  for ", "(;;) {\n    x;\n  }\n  y;\n}\n\n// z",
          "(;;) {\n    x;\n  }\n  y;\n}");
    block("what does not close is outside", "    return ", "x\n\ndef f():\n    y", "x");
    block("another branch is outside", "    a", "b;\n  } else {\n    c;\n  }", "b;");
    block("tabs", "\tif ", "a {\n\t\tb\n\t}\n}\nfunc c", "a {\n\t\tb\n\t}\n}");
    block("the next function", "", "f() {\n  x;\n\n  y;\n}\n\ng() {", "f() {\n  x;\n\n  y;\n}");
    block("functions without a blank line", "", "f() {\n  x;\n}\ng();", "f() {\n  x;\n}\ng();");
  }

 private Q_SLOTS:
  void tellsWhetherTheLineEndsBehindIt() {
    const auto ends = [](const char* rest, const char* text, bool complete) {
      SuggestionFilter filter("", rest, "");
      filter.append(text);
      filter.finish(complete);
      return filter.endsLine();
    };
    QVERIFY(ends("", "a;", true));
    QVERIFY(!ends("", "a;", false));
    QVERIFY(!ends("", "a ", false));
    QVERIFY(ends("", "a; \n", false));
    QVERIFY(ends("", "a;\n  b", true));
    QVERIFY(!ends("", "a;\n  b", false));
    QVERIFY(ends(")", "a)", false));  // the rest of the document's line follows
    SuggestionFilter going("", "", "");
    going.append("a");
    QVERIFY(!going.endsLine());
    going.append(";\n");
    QVERIFY(going.endsLine());
  }

  void dropsWhatRepeatsTheDocument_data() { addRows(); }
  void dropsWhatRepeatsTheDocument() {
    QFETCH(QByteArray, before);
    QFETCH(QByteArray, rest);
    QFETCH(QByteArray, next);
    QFETCH(QByteArray, suggestion);
    QFETCH(QByteArray, shown);
    SuggestionFilter whole(before, rest, next);
    whole.append(suggestion);
    whole.finish();
    QCOMPARE(whole.shown(), shown);
  }

  // However the stream is cut: what was shown stays, and the end is the same.
  void shownTextOnlyGrowsHoweverTheStreamIsCut_data() { addRows(); }
  void shownTextOnlyGrowsHoweverTheStreamIsCut() {
    QFETCH(QByteArray, before);
    QFETCH(QByteArray, rest);
    QFETCH(QByteArray, next);
    QFETCH(QByteArray, suggestion);
    QFETCH(QByteArray, shown);
    std::mt19937 random(3);
    for (int round = 0; round < 50; ++round) {
      SuggestionFilter filter(before, rest, next);
      QByteArray last;
      for (qsizetype at = 0; at < suggestion.size();) {
        const auto length = static_cast<qsizetype>(round == 0 ? 1 : 1 + random() % 5);
        filter.append(suggestion.mid(at, length));
        at += length;
        QVERIFY(filter.shown().startsWith(last));
        QVERIFY2(shown.startsWith(filter.shown()), filter.shown());
        last = filter.shown();
      }
      filter.finish();
      QVERIFY(filter.shown().startsWith(last));
      QCOMPARE(filter.shown(), shown);
    }
  }

  void anEndlessStreamEnds() {
    SuggestionFilter filter("", "", "");
    for (int i = 0; i < 100000 && !filter.isEnded(); ++i) filter.append("line;\n");
    QVERIFY(filter.isEnded());
    QCOMPARE(filter.shown().count('\n'), 9);
    const QByteArray shown = filter.shown();
    filter.append("more\n");
    filter.finish();
    QCOMPARE(filter.shown(), shown);
  }

  void anEndlessLineEnds() {
    SuggestionFilter filter("", "", "");
    for (int i = 0; i < 100000 && !filter.isEnded(); ++i) filter.append("0123456789");
    QVERIFY(filter.isEnded());
    QVERIFY(filter.shown().size() < 20 * 1024);
  }

  void typedSinceFollowsTypingAndDeleting() {
    TypedSince typed(100, 90);
    QVERIFY(typed.follow({100, 100, "fo"}));
    QVERIFY(typed.follow({102, 102, "x"}));
    QVERIFY(typed.agreesWith("foxtrot"));
    QVERIFY(!typed.agreesWith("foo"));
    QVERIFY(typed.follow({102, 103, "o"}));
    QVERIFY(typed.agreesWith("foo"));
    QVERIFY(typed.agreesWith("fo"));  // nothing contradicts it yet
    QCOMPARE(typed.end(), 103);
    QVERIFY(typed.follow({10, 12, "abcd"}));  // above: moves along
    QCOMPARE(typed.origin(), 102);
    QCOMPARE(typed.text(), QByteArray("foo"));
    QVERIFY(TypedSince(typed).follow({105, 106, ""}));    // right behind: a closer made room
    QVERIFY(!TypedSince(typed).follow({101, 105, ""}));   // deletes what was there before
    QVERIFY(!TypedSince(typed).follow({106, 107, ""}));   // further right
    QVERIFY(!TypedSince(typed).follow({103, 103, "x"}));  // in the middle
    QVERIFY(!TypedSince(typed).follow({95, 95, "x"}));    // same line
    QVERIFY(!TypedSince(typed).follow({200, 200, "x"}));  // below
  }
};

QTEST_GUILESS_MAIN(TestSuggestionFilter)
#include "test_suggestion_filter.moc"
