// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/text/pairs.h"

#include <QtTest>

using namespace Qt::StringLiterals;
using namespace waferpair::editor;

class TestPairs : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void whatIsClosedWhere_data() {
    QTest::addColumn<QString>("language");
    QTest::addColumn<QByteArray>("line");  // '|' is the place
    QTest::addColumn<char>("typed");
    QTest::addColumn<QByteArray>("closer");
    const auto row = [](const char* name, const QString& language, const char* line, char typed,
                        const char* closer) {
      QTest::newRow(name) << language << QByteArray(line) << typed << QByteArray(closer);
    };
    row("call", u"C++"_s, "foo|", '(', ")");
    row("before a word", u"C++"_s, "|foo", '(', "");
    row("before a blank", u"C++"_s, "a = | + b", '[', "]");
    row("before a closer", u"C++"_s, "f(|)", '{', "}");
    row("plain text", {}, "see |", '(', ")");
    row("no opener", u"C++"_s, "f(|", ')', "");
    row("string", u"C++"_s, "f(|)", '"', "\"");
    row("string behind a word", u"C++"_s, "f(ab|)", '"', "");
    row("string with a prefix", u"C++"_s, "f(u8|)", '"', "\"");
    row("f-string", u"Python"_s, "print(f|)", '\'', "'");
    row("no prefix there", u"Go"_s, "print(f|)", '"', "");
    row("character", u"C++"_s, "c == |;", '\'', "'");
    row("bracket as a character", u"C++"_s, "c == '|'", '(', "");
    row("apostrophe in text", {}, "don|", '\'', "");
    row("apostrophe in Markdown", u"Markdown"_s, "the |", '\'', "");
    row("lifetime", u"Rust"_s, "fn f(x: &|", '\'', "");
    row("type variable", u"FSharp"_s, "let f (x: |", '\'', "");
    row("quoted form", u"Scheme"_s, "(list |)", '\'', "");
    row("behind the same", u"C++"_s, "\"|", '"', "");
    row("behind a backslash", u"C++"_s, "\\|", '"', "");
    row("backtick", u"Markdown"_s, "see |", '`', "`");
    row("template", u"TypeScript"_s, "a = |", '`', "`");
    row("backtick elsewhere", u"C++"_s, "a = |", '`', "");
    row("third of three", u"Python"_s, "\"\"|", '"', "\"\"\"");
    row("fourth", u"Python"_s, "\"\"\"|", '"', "");
    row("three elsewhere", u"C++"_s, "\"\"|", '"', "");
    row("tag of a template", u"JavaScript"_s, "html|", '`', "`");
    row("string behind a word of it", u"JavaScript"_s, "html|", '"', "");
    row("interpolator", u"Scala"_s, "a = s|", '"', "\"");
    row("macro of strings", u"Julia"_s, "md|", '"', "\"");
    row("transposition", u"Julia"_s, "(a * b)|", '\'', "");
    row("letter", u"Julia"_s, "a = |", '\'', "'");
    row("national string", u"SQL"_s, "select N|", '\'', "'");
    row("column of a table", u"SQL (MySQL)"_s, "select |", '`', "`");
    row("command", u"Perl"_s, "my $a = |;", '`', "`");
    row("apostrophe in a message", u"Email"_s, "the |", '\'', "");
    row("comment", u"VBScript"_s, "|", '\'', "");
    row("C string of Rust", u"Rust"_s, "f(c|)", '"', "\"");
    row("template string", u"Python"_s, "t|", '"', "\"");
    row("raw string of C#", u"C#"_s, "a = \"\"|;", '"', "\"\"\"");
    row("wide string of CUDA", u"CUDA"_s, "f(L|)", '"', "\"");
    row("fence", u"Markdown"_s, "``|", '`', "");
  }
  void whatIsClosedWhere() {
    QFETCH(QString, language);
    QFETCH(QByteArray, line);
    QFETCH(char, typed);
    QFETCH(QByteArray, closer);
    const qsizetype at = line.indexOf('|');
    const PairPlace place{.language = language, .before = line.left(at), .after = line.mid(at + 1)};
    QCOMPARE(closerFor(typed, place), closer);
  }

  void inStringsAndCommentsOnlyBracketsAreClosed() {
    for (const TextKind kind : {TextKind::kString, TextKind::kComment}) {
      const PairPlace place{.language = u"C++"_s, .before = "see ", .after = "", .kind = kind};
      QCOMPARE(closerFor('"', place), QByteArray());
      QCOMPARE(closerFor('\'', place), QByteArray());
      QCOMPARE(closerFor('(', place), QByteArray(")"));
    }
  }

  void aCloserThatWasPutInIsNothingToStopAt() {
    PairPlace place{.language = u"Python"_s, .before = "f(\"", .after = "\")"};
    QCOMPARE(closerFor('{', place), QByteArray());
    place.closerFollows = true;
    QCOMPARE(closerFor('{', place), QByteArray("}"));
  }

  void aSuggestionTakesTheClosersThatItClosesItself() {
    const auto taken = [](const char* before, const char* text, const char* closers) {
      return closersTaken(before, text, closers);
    };
    QCOMPARE(taken("", "a, b);", ")"), 1);
    QCOMPARE(taken("", "a, b", ")"), 0);
    QCOMPARE(taken("", "f(a), b", ")"), 0);
    QCOMPARE(taken("", "f(a));", ")"), 1);
    QCOMPARE(taken("", "x))", "))"), 2);
    QCOMPARE(taken("", "x)", "))"), 1);
    QCOMPARE(taken("", "\n  f();\n}", "}"), 1);
    QCOMPARE(taken("", "a])", ")"), 1);
    // A bracket in a string is none.
    QCOMPARE(taken("", "\")\"", ")"), 0);
    QCOMPARE(taken("", "\")\")", ")"), 1);
    // The quote that ends the string in which the place is.
    QCOMPARE(taken("", "a \\\" b\");", "\")"), 2);
    QCOMPARE(taken("", "it's\"", "\""), 1);
    // What the first part opened the second closes.
    QCOMPARE(taken("f(", "a)", ")"), 0);
    QCOMPARE(taken("f(", "a))", ")"), 1);
    QCOMPARE(taken("", "anything)", ""), 0);
  }
};

QTEST_GUILESS_MAIN(TestPairs)
#include "test_pairs.moc"
