// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "runtime/grammar/gbnf.h"
#include "tests/runtime/grammar/matches.h"

namespace waferpair::grammar {

class TestGbnf : public QObject {
  Q_OBJECT

  static Grammar parsed(const char* text) {
    auto grammar = parseGbnf(text);
    if (!grammar) qFatal("%s", grammar.error().message().c_str());
    return std::move(*grammar);
  }

 private slots:
  void textsMatchOrNot_data() {
    QTest::addColumn<QByteArray>("grammar");
    QTest::addColumn<QList<QByteArray>>("yes");
    QTest::addColumn<QList<QByteArray>>("no");
    const auto row = [](const char* name, const char* grammar, QList<QByteArray> yes,
                        QList<QByteArray> no) {
      QTest::newRow(name) << QByteArray(grammar) << std::move(yes) << std::move(no);
    };
    row("literal", "root ::= \"ab\"", {"ab"}, {"", "a", "abc", "b"});
    row("alternatives", "root ::= \"a\" | \"b\" \"c\" |\n \"d\"", {"a", "bc", "d"}, {"b", "ac"});
    row("rules", "root ::= x y # both\nx ::= \"1\"\n\ny ::= \"2\" x?", {"12", "121"}, {"1", "122"});
    row("star", "root ::= \"a\"*", {"", "a", "aaaaaaaa"}, {"b", "aab"});
    row("plus", "root ::= [ab]+ \".\"", {"a.", "abba."}, {".", "ab"});
    row("count", "root ::= \"a\"{3}", {"aaa"}, {"aa", "aaaa", ""});
    row("at least", "root ::= \"ab\"{2,}", {"abab", "ababab"}, {"ab", "aba"});
    row("between", "root ::= [0-9]{1,3}", {"1", "12", "123"}, {"", "1234"});
    row("none", "root ::= \"a\"{0} \"b\"", {"b"}, {"ab", ""});
    row("groups", "root ::= (\"a\" | \"b\" (\"c\" | \"d\")+)* \"!\"", {"!", "abcd!", "bdabc!"},
        {"b!", "ca!"});
    row("empty alternative", "root ::= \"a\" | ", {"a", ""}, {"aa"});
    row("characters", "root ::= [^a-c\\n]+", {"d", "\xc3\xa9", "\xf0\x9f\x98\x80x"},
        {"a", "x\n", "\xff", "\xc3"});
    row("unicode", "root ::= [\xc3\xa0-\xc3\xbf]\"\\u00e9\\U0001F600\\x41\"",
        {"\xc3\xa9\xc3\xa9\xf0\x9f\x98\x80"
         "A"},
        {"e"});
    row("any", "root ::= . .", {"ab", "a\xe2\x82\xac", "\n\n"}, {"a", "\xe2\x82"});
    row("escapes", "root ::= \"\\\"\\\\\\t\" [\\]\\-\\^x]", {"\"\\\t]", "\"\\\t-"}, {"\"\\\ty"});
    row("dash at the end", "root ::= [a-]+", {"-a"}, {"b"});
    row("nested", "root ::= \"(\" root \")\" | \"x\"", {"x", "((x))"}, {"(x", "x)", "()"});
    row("empty twice over", "root ::= (\"a\"*)* \"b\"", {"b", "aab"}, {"a"});
    row("names", "root ::= my-rule_2\nmy-rule_2 ::= \"y\"", {"y"}, {"n"});
  }
  void textsMatchOrNot() {
    QFETCH(QByteArray, grammar);
    QFETCH(QList<QByteArray>, yes);
    QFETCH(QList<QByteArray>, no);
    const Grammar read = parsed(grammar.constData());
    for (const QByteArray& text : yes) QVERIFY2(matches(read, text.toStdString()), text);
    for (const QByteArray& text : no) QVERIFY2(!matches(read, text.toStdString()), text);
  }

  void mistakesNameTheLine_data() {
    QTest::addColumn<QByteArray>("grammar");
    QTest::addColumn<QByteArray>("part");
    const auto row = [](const char* name, QByteArray grammar, const char* part) {
      QTest::newRow(name) << std::move(grammar) << QByteArray(part);
    };
    row("no root", "a ::= \"x\"", "no rule named root");
    row("empty", "", "no rule named root");
    row("not defined", "root ::= \"a\"\n  | nowhere", "Line 2 of the grammar: rule nowhere");
    row("twice", "root ::= \"a\"\nroot ::= \"b\"", "defined twice");
    row("left", "root ::= root \"a\" | \"b\"", "left-recursive");
    row("left, indirectly", "root ::= a\na ::= \"x\"? b\nb ::= root \"y\" | \"z\"",
        "left-recursive");
    row("left, behind what may be empty", "root ::= e root \"a\" | \"b\"\ne ::= \"x\"*",
        "left-recursive");
    row("no end", "root ::= \"a\" root", "can never end");
    row("literal", "root ::= \"a", "not closed");
    row("set", "root ::= [a", "not closed");
    row("empty set", "root ::= []", "empty");
    row("group", "root ::= (\"a\"", "not closed");
    row("stray", "root ::= \"a\" )", "cannot stand here");
    row("range", "root ::= [z-a]", "ends before it begins");
    row("repetition", "root ::= \"a\"{3,2}", "smaller");
    row("too often", "root ::= \"a\"{1000000}", "more than");
    row("too large",
        "root ::= ((\"ab\"{9999} \"c\"){9999} \"d\"){9999} (\"e\"{9999} x{9999} " +
            QByteArray("y ").repeated(20) +
            ")\nx ::= \"x\"{9999}{9999}\ny ::= " + QByteArray("\"y\"{9999} ").repeated(30),
        "symbols");
    row("too large in one rule",
        "x ::= \"x\"\nroot ::= " + QByteArray("x{9999}").repeated((64 << 10) / 7 - 10), "symbols");
    row("too deep", "root ::= " + QByteArray("(").repeated(1000), "nested");
    row("too long", QByteArray(70000, ' '), "bytes");
    row("escape", "root ::= \"\\q\"", "escape");
    row("surrogate", "root ::= \"\\ud800\"", "no character");
    row("half an escape", "root ::= \"\\u12", "hexadecimal");
    row("backslash at the end", "root ::= [\\", "escape");
    row("not utf-8", "root ::= [\xff]", "UTF-8");
    row("no rule", "root \"a\"", "should be a rule");
  }
  void mistakesNameTheLine() {
    QFETCH(QByteArray, grammar);
    QFETCH(QByteArray, part);
    const auto read = parseGbnf(std::string_view(grammar.constData(), grammar.size()));
    QVERIFY(!read.has_value());
    QVERIFY2(read.error().what.find(part.toStdString()) != std::string::npos,
             read.error().what.c_str());
    QVERIFY(!read.error().remedy.empty());
  }
};

}  // namespace waferpair::grammar

QTEST_APPLESS_MAIN(waferpair::grammar::TestGbnf)
#include "test_gbnf.moc"
