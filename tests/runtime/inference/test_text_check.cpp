// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/sampling/text_check.h"

#include <QtTest>
#include <cmath>
#include <random>

#include "runtime/gguf/file.h"
#include "runtime/inference/sampling/bracket_check.h"
#include "runtime/inference/sampling/name_check.h"
#include "runtime/inference/sampling/repetition_check.h"
#include "runtime/inference/sampling/sampler.h"
#include "tests/support/tiny_model.h"

namespace waferpair::inference {

using std::string;
using Family = BracketReader::Family;

namespace {

bool fits(const TextCheck& check, std::string_view bytes) {
  return check.judge(bytes) == Verdict::kFits;
}

BracketCheck brackets(Family family, std::string_view text, bool complete,
                      std::string_view suffix) {
  BracketReader reader(family, complete);
  reader.read(text);
  return {std::move(reader), suffix};
}

NameCheck names(const string& begun, const string& text, const NameTable& documents = {}) {
  const std::array<std::string_view, 1> texts = {text};
  return {begun, NameCheck::namesFor(begun, texts, documents, /*without=*/-1)};
}

// Code whose brackets fit, with strings and comments full of such that do not.
string balanced(std::mt19937& random, Family family, int depth) {
  string text;
  for (int i = static_cast<int>(random() % 4); i >= 0; --i) {
    switch (random() % 7) {
      case 0:
        text += family == Family::kPython ? "# :-) }\n" : "// :-) }\n";
        break;
      case 1:
        text += family == Family::kPython ? "\"\"\"([ \" ')\n}\"\"\"" : "/* ]) * \" ' */";
        break;
      case 2:
        text += " \"\\\")\" ";
        break;
      case 3:
        text += family == Family::kC ? " ')' '\\'' 'a " : " '(' ";
        break;
      case 4:
        text += "a / b\n";
        break;
      default:
        if (depth == 0) break;
        const char opener = "([{"[random() % 3];
        text += opener + balanced(random, family, depth - 1) +
                (opener == '('   ? ')'
                 : opener == '[' ? ']'
                                 : '}');
    }
  }
  return text;
}

}  // namespace

class TestTextCheck : public QObject {
  Q_OBJECT
 private slots:
  // Of a text without a name.
  void theFamilyIsToldByHowLinesEnd() {
    using Family = BracketReader::Family;
    QVERIFY(BracketReader::guess("def f(a):\n    if a:  \n        b\n\n\n") == Family::kPython);
    QVERIFY(BracketReader::guess("switch (a) {\n  case 1:\n    b();\n}\n") == Family::kC);
    QVERIFY(BracketReader::guess("Some words.\n") == Family::kNone);
    QVERIFY(BracketReader::guess("") == Family::kNone);
  }

  void onlyWhatIsOpenIsClosed() {
    BracketCheck check = brackets(Family::kC, "int f(int a) {\n  g(a[0", true, "\n}\n");
    QVERIFY(fits(check, "]"));
    QVERIFY(fits(check, "]);\n}\n"));
    QCOMPARE(check.judge(")"), Verdict::kRefused);
    QCOMPARE(check.judge("]);\n}\n}"), Verdict::kRefused);
    check.came("]);");
    QCOMPARE(check.judge(")"), Verdict::kRefused);
    QVERIFY(fits(check, "\n}"));
  }

  // Text in front of the beginning may have opened any bracket.
  void atAnUnknownBeginningAllMayBeOpen() {
    const BracketCheck part = brackets(Family::kC, "  g(a);\n", false, "");
    QVERIFY(fits(part, "}"));
    QVERIFY(fits(part, ")"));
    const BracketCheck whole = brackets(Family::kC, "  g(a);\n", true, "");
    QCOMPARE(whole.judge("}"), Verdict::kRefused);
  }

  void whatTheLineClosesEndsTheText() {
    BracketCheck check = brackets(Family::kC, "f(g(", true, "))\n)");
    QCOMPARE(check.judge(")"), Verdict::kEndsHere);
    QVERIFY(fits(check, "a(b)"));
    check.came("a(");
    QVERIFY(fits(check, ")"));
    QCOMPARE(check.judge("))"), Verdict::kEndsHere);
    const BracketCheck open = brackets(Family::kC, "f(g(", true, ")\n)");
    QCOMPARE(open.judge(")"), Verdict::kEndsHere);
    const BracketCheck free = brackets(Family::kC, "f(g(", true, "\n))");
    QVERIFY(fits(free, "))"));
  }

  void bracketsInStringsAndCommentsAreText_data() {
    QTest::addColumn<int>("family");
    QTest::addColumn<QByteArray>("text");
    const auto row = [](const char* name, Family family, const char* text) {
      QTest::newRow(name) << static_cast<int>(family) << QByteArray(text);
    };
    row("line comment", Family::kC, "// :-)");
    row("block comment", Family::kC, "/* **/ /* ) /");
    row("string", Family::kC, "\" \\\" )");
    row("Python comment", Family::kPython, "x # )");
    row("Python string", Family::kPython, "x = ')");
    row("triple string", Family::kPython, "'''\n'' \" )");
    row("template", Family::kJavaScript, "x = `\n$)");
    row("Go raw string", Family::kC, "x = `\\");
    row("character", Family::kC, "c = '");
  }
  void bracketsInStringsAndCommentsAreText() {
    QFETCH(int, family);
    QFETCH(QByteArray, text);
    const BracketCheck check = brackets(static_cast<Family>(family), text.toStdString(), true, "");
    QVERIFY(fits(check, ")"));
  }
  void behindThemTheyAreNot_data() {
    QTest::addColumn<int>("family");
    QTest::addColumn<QByteArray>("text");
    const auto row = [](const char* name, Family family, const char* text) {
      QTest::newRow(name) << static_cast<int>(family) << QByteArray(text);
    };
    row("line comment", Family::kC, "// (\n");
    row("block comment", Family::kC, "/* ( **/");
    row("a quotient", Family::kC, "a / b");
    row("string", Family::kC, "\"(\\\\\"");
    row("a string left open", Family::kC, "\"(\n");
    row("character", Family::kC, "'(' '\\'' '\\x28'");
    row("lifetime", Family::kC, "&'a str");
    row("number", Family::kC, "1'000 ");
    row("Go raw string", Family::kC, "`(\\`");
    row("Python comment", Family::kPython, "# (\n");
    row("empty strings", Family::kPython, "'' \"\" '' ");
    row("triple string", Family::kPython, "'''('(''' ");
    row("a docstring's quotes", Family::kPython, "\"\"\"a \"(\" b\"\"\"");
    row("template", Family::kJavaScript, "`(`");
  }
  void behindThemTheyAreNot() {
    QFETCH(int, family);
    QFETCH(QByteArray, text);
    const BracketCheck check = brackets(static_cast<Family>(family), text.toStdString(), true, "");
    QCOMPARE(check.judge(")"), Verdict::kRefused);
  }

  void whereTheTextItselfDoesNotFitNothingIsRefused() {
    const BracketCheck check = brackets(Family::kC, "#if A\nf(a)) {\n#endif\n", true, "");
    QVERIFY(fits(check, ")"));
  }

  void languagesAreKnownByTheirFiles() {
    QCOMPARE(BracketReader::familyOf("a.b.cpp"), Family::kC);
    QCOMPARE(BracketReader::familyOf("a.py"), Family::kPython);
    QCOMPARE(BracketReader::familyOf("a.ts"), Family::kJavaScript);
    for (const char* name : {"", "Makefile", "a.md", "py", "a."})
      QCOMPARE(BracketReader::familyOf(name), Family::kNone);
  }

  // Whatever the pieces in which it comes.
  void nothingLegalIsRefused() {
    std::mt19937 random(5);
    for (int round = 0; round < 2000; ++round) {
      const Family family =
          std::array{Family::kC, Family::kJavaScript, Family::kPython}[random() % 3];
      const string text = balanced(random, family, 4);
      std::size_t at = random() % (text.size() + 1);
      BracketCheck check = brackets(family, std::string_view(text).substr(0, at), true, "");
      while (at < text.size()) {
        const std::string_view piece = std::string_view(text).substr(at, 1 + random() % 5);
        QVERIFY2(fits(check, piece), text.c_str());
        check.came(piece);
        at += piece.size();
      }
      QCOMPARE(check.judge("\n)"), Verdict::kRefused);
    }
  }

  void anyBytesWillDo() {
    std::mt19937 random(6);
    for (int round = 0; round < 2000; ++round) {
      string text;
      for (int i = 0; i < 40; ++i) text += "()[]{}\"'`\\/*#\n a\xC3\0"[random() % 19];
      for (const Family family : {Family::kC, Family::kJavaScript, Family::kPython}) {
        BracketReader whole(family, random() % 2 == 0), parts = whole;
        const bool fit = whole.read(text);
        parts.read(std::string_view(text).substr(0, 17));
        QCOMPARE(parts.read(std::string_view(text).substr(17)), fit);
        QCOMPARE(parts.open(), whole.open());
      }
    }
  }

  void aNameThatWasBegunIsFinishedToOneThatExists() {
    NameCheck check = names("countL", "int countLong, countLess; countLongest");
    QVERIFY(fits(check, "on"));
    QVERIFY(fits(check, "ong("));
    QVERIFY(fits(check, "ongest = 1"));
    QCOMPARE(check.judge("one"), Verdict::kRefused);
    QCOMPARE(check.judge("on("), Verdict::kRefused);
    check.came("on");
    QVERIFY(fits(check, "g"));
    QCOMPARE(check.judge(""), Verdict::kRefused);  // the text would end there
    check.came("g");
    QVERIFY(fits(check, ""));
    QVERIFY(fits(check, ", anything"));
    check.came(", ");
    QVERIFY(fits(check, "anything"));
  }

  void whatWasTypedMayBeAName() {
    const NameCheck check = names("fresh", "freshly");
    QVERIFY(fits(check, " = 1"));
    QVERIFY(fits(check, ""));
  }

  void aLanguagesOwnWordsExist() { QVERIFY(fits(names("ret", "retry"), "urn ")); }

  void namesOfDocumentsExistButNotThoseOfTheOwn() {
    NameTable table;
    table.add("int alphabet = alphanumeric;", 1);
    table.add("alphabet 4alphas", 2);
    std::vector<string> found;
    table.gather("alpha", 1, found);
    QCOMPARE(found, std::vector<string>{"alphabet"});
    table.gather("alpha", 7, found);
    QCOMPARE(found, (std::vector<string>{"alphabet", "alphabet", "alphanumeric"}));
    QVERIFY(fits(names("alpha", "", table), "numeric"));
  }

  void begunNames_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("name");
    const auto row = [](const char* text, const char* name) {
      QTest::newRow(text) << QByteArray(text) << QByteArray(name);
    };
    row("", "");
    row("a.count", "count");
    row("count", "count");
    row("count ", "");
    row("x = 4f", "");
    row("$_4", "$_4");
    row("\xC3\xA4"
        "b",
        "\xC3\xA4"
        "b");
  }
  void begunNames() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, name);
    const string held = text.toStdString();
    QCOMPARE(string(begunName(held)), name.toStdString());
  }

  void nothingIsSaidThreeTimesInARow() {
    RepetitionCheck check;
    check.came("sizeof(a) / sizeof(a) / sizeof(a)");
    QCOMPARE(check.judge(" / "), Verdict::kEndsHere);
    QVERIFY(fits(check, " * "));
    RepetitionCheck numbers;
    numbers.came("0, 0, 0, 0, 0, 0");
    QVERIFY(fits(numbers, ", "));
    RepetitionCheck lines;
    lines.came("x += 1;\n  x += 2;\n  x += 3;\n  x += 4");
    QVERIFY(fits(lines, ";\n"));
  }

  // The rule, over a vocabulary of bytes and some more.
  void theLikeliestThatFitsIsChosen() {
    const auto bytes = test::makeTinyModel({.layers = 1}).bytes();
    const auto file = gguf::File::parse(bytes, "tiny.gguf");
    const auto tokenizer = tokenizer::Tokenizer::fromGguf(*file);
    QVERIFY(tokenizer.has_value());
    const auto token = [&](const char* text) { return tokenizer->encode(text).front(); };
    std::vector<float> logits(static_cast<std::size_t>(tokenizer->vocabSize()), 0.0f);
    logits[static_cast<std::size_t>(token(")"))] = 3;
    logits[static_cast<std::size_t>(token("]"))] = 2;
    logits[static_cast<std::size_t>(token("x"))] = 1;

    const auto next = [&](std::string_view text, std::string_view rest, std::size_t unseen) {
      TextChecks rule(*tokenizer, unseen);
      rule.add(std::make_unique<BracketCheck>(brackets(Family::kC, text, true, rest)));
      Sampler sampler({});
      sampler.add(rule);
      return sampler.next(logits);
    };
    QCOMPARE(next("f(", "", 0), token(")"));
    QCOMPARE(next("f[", "", 0), token("]"));
    QCOMPARE(next("f", "", 0), token("x"));
    QVERIFY(tokenizer->isEnd(next("f(", ")", 0)));
    QCOMPARE(next("f", "", 1), token(")"));  // it stands in front of the cursor

    // If all tokens are refused, the model has its way.
    TextChecks rule(*tokenizer, 0);
    struct Never : TextCheck {
      std::unique_ptr<TextCheck> clone() const override { return std::make_unique<Never>(); }
      Verdict judge(std::string_view) const override { return Verdict::kRefused; }
      void came(std::string_view) override {}
    };
    rule.add(std::make_unique<Never>());
    std::vector<float> changed = logits;
    rule.apply(changed);
    QCOMPARE(changed, logits);
  }
};

}  // namespace waferpair::inference

QTEST_APPLESS_MAIN(waferpair::inference::TestTextCheck)
#include "test_text_check.moc"
