// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <memory>

#include "runtime/gguf/file.h"
#include "runtime/inference/engine/block_end.h"
#include "runtime/inference/output/behind_typed.h"
#include "runtime/inference/output/certainty.h"
#include "runtime/inference/output/line_limit.h"
#include "runtime/inference/output/loop_end.h"
#include "runtime/inference/output/output.h"
#include "runtime/inference/output/stop_strings.h"
#include "runtime/inference/output/text_below.h"
#include "tests/support/tiny_model.h"

namespace waferpair::inference {

using std::string;

class TestOutput : public QObject {
  Q_OBJECT

  std::optional<tokenizer::Tokenizer> tokenizer_;

  // Returns the text that is shown of `text`, a token for each of its bytes, each chosen with
  // `probability`.
  string pushed(Output& output, const string& text, double probability = 1) {
    string shown;
    for (const char byte : text) {
      for (std::int32_t token = 0; token < tokenizer_->vocabSize(); ++token) {
        if (tokenizer_->bytes(token) != string(1, byte)) continue;
        shown += output.push(token, probability);
        break;
      }
    }
    return shown;
  }

 private slots:
  void aTextEndsWithTheBlockThatItGoesOnWith_data() {
    QTest::addColumn<QString>("prompt");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("shown");
    QTest::newRow("open brace") << "int f() {"
                                << "\n  if (a) {\n  }\n}\n\nint g() {"
                                << "\n  if (a) {\n  }\n}";
    QTest::newRow("else") << "if (a) {"
                          << "\n} else {\n  b();\n}\nc();"
                          << "\n} else {\n  b();\n}";
    QTest::newRow("behind the brace") << "call({"
                                      << "\n  a: 1,\n});\ncall"
                                      << "\n  a: 1,\n});";
    QTest::newRow("its own brace") << "for (;;)"
                                   << " {\n  a();\n}\nb();"
                                   << " {\n  a();\n}";
    QTest::newRow("in a string") << "f() {"
                                 << "\n  a('}');\n}\n"
                                 << "\n  a('}');\n}";
    QTest::newRow("indented") << "def f():"
                              << "\n    a\n\n    b\ndef g():"
                              << "\n    a\n\n    b";
    QTest::newRow("nested") << "  def f():\n"
                            << "    a:\n      b\n  c"
                            << "    a:\n      b";
    QTest::newRow("none") << "#include <a>\n"
                          << "#include <b>\n\nx\n"
                          << "#include <b>\n\nx\n";
  }
  void aTextEndsWithTheBlockThatItGoesOnWith() {
    QFETCH(QString, prompt);
    QFETCH(QString, text);
    QFETCH(QString, shown);
    BlockEnd stage(prompt.toStdString());
    string out;
    for (const char byte : text.toStdString()) {
      if (stage.stop()) break;
      out += stage.push(string(1, byte), 1);
    }
    if (!stage.stop()) out += stage.finish({}, TextEnd::kChosen, 1);
    QCOMPARE(QString::fromStdString(out), shown);
    QCOMPARE(stage.stop().has_value(), shown != text);
  }

  // In an indented block the line that the caret is in tells how deep that is.
  void aGapEndsWithItsBlock_data() {
    QTest::addColumn<QString>("prompt");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("shown");
    const auto row = [](const char* name, const char* prompt, const char* text, const char* shown) {
      QTest::newRow(name) << prompt << text << shown;
    };
    row("in a function", "def f():\n    a = 1\n    ", "return a\n\n\ndef g():\n    pass",
        "return a");
    row("in a line", "def f():\n    a = ", "1\n    return a\nx", "1\n    return a");
    row("behind a colon", "def f():\n    if a:", "\n        b\n    c", "\n        b");
    row("deeper", "def f():\n    ", "if a:\n        b\n    c\n", "if a:\n        b\n    c\n");
    row("at the edge", "import a\n", "import b\n\ndef f():\n    a\n",
        "import b\n\ndef f():\n    a\n");
    row("in brackets", "    f(a,\n      ", "b)\n    c\nd", "b)");
  }
  void aGapEndsWithItsBlock() {
    QFETCH(QString, prompt);
    QFETCH(QString, text);
    QFETCH(QString, shown);
    BlockEnd stage(prompt.toStdString(), BracketReader::Family::kPython);
    string out = stage.push(text.toStdString(), 1);
    if (!stage.stop()) out += stage.finish({}, TextEnd::kChosen, 1);
    QCOMPARE(QString::fromStdString(out), shown);
    QCOMPARE(stage.stop().has_value(), shown != text);
  }

  // The gap is between the prefix and the suffix.
  void aTextEndsWhereTheTextBelowBeginsAgain_data() {
    QTest::addColumn<QString>("prefix");
    QTest::addColumn<QString>("suffix");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("shown");
    const auto row = [](const char* name, const char* prefix, const char* suffix, const char* text,
                        const char* shown) {
      QTest::newRow(name) << prefix << suffix << text << shown;
    };
    row("a function", "def f():\n    ", "\n\n\ndef g():\n    pass\n",
        "return 1\n\n\ndef g():\n    pass\n", "return 1");
    row("a brace", "f() {\n  ", "\n}\n", "a();\n}\n\ng() {\n}\n", "a();");
    row("its own brace", "f() {\n", "\n  }\n", "  if (a) {\n    b();\n  }\n  c();\n  }\n",
        "  if (a) {\n    b();\n  }\n  c();");
    row("at once", "a\n  ", "\n  b = 1\n", "b = 1\nc", "");
    row("at another depth", "a\n  ", "\n  b = 1\n", "c\n    b = 1\n", "c\n    b = 1\n");
    row("more behind it", "a\n", "\n}\n", "b\n} else {\n", "b\n} else {\n");
    row("at its end", "a\n", "\nb = 1\n", "c\nb = 1", "c");
    row("in the line", "ret", "\nreturn a;\n", "urn a;\nx", "urn a;\nx");
    row("nothing below", "a\n", "\n\n", "b\n\n\nc\n", "b\n\n\nc\n");
    row("the end of the window", "a\n", "\nb", "c\nb\n", "c\nb\n");
    row("other blanks", "a\n", "\nb = 1  \r\n", "c\nb = 1\t\nd", "c");
    row("after a line", "a = 1\n", "\nreturn value;\n", "b = 2\nreturn value;\nc\n", "b = 2");
    row("after two", "a\n", "\nreturn value;\n", "b\nc\nreturn value;\nd\n", "b\nc");
    row("after blank lines", "a\n", "\n\n\nreturn value;\n", "b\n\n \nreturn value;\n", "b");
    // Lines that are ordinary in a text count with the one behind them.
    row("else, and what follows", "if a:\n    b\n", "\nelse:\n    last()\n",
        "c()\nelse:\n    last()\nd()\n", "c()");
    row("else, and blank lines", "if a:\n    b\n", "\nelse:\n\n    last()\n",
        "c()\nelse:\n\n\n    last()\nd()\n", "c()");
    row("its own else", "if a:\n    b\n", "\nelse:\n    last()\n",
        "c()\nif d:\n    e()\nelse:\n    f()\ng()\n", "c()\nif d:\n    e()\nelse:\n    f()\ng()\n");
    row("its own, then the one below", "a\n", "\nelse:\n    last()\n",
        "if d:\n    e()\nelse:\n    f()\nelse:\n    last()\ng()\n",
        "if d:\n    e()\nelse:\n    f()");
    row("a blank line between", "a\n", "\nelse:\n    b\n", "c()\nelse:\n      \n    b\nd\n", "c()");
    row("twice", "a\n", "\nnext()\nlast();\n", "next()\nnext()\nlast();\nb\n", "next()");
    row("a statement twice", "a\n", "\nb()\nc()\n", "b()\nd()\n", "b()\nd()\n");
    row("ordinary, at its end", "a\n", "\nelse:\n    last()\n", "c()\nelse:", "c()");
    row("one behind which nothing is", "a\n", "\npass\n", "c\npass\nd\n", "c");
  }
  void aTextEndsWhereTheTextBelowBeginsAgain() {
    QFETCH(QString, prefix);
    QFETCH(QString, suffix);
    QFETCH(QString, text);
    QFETCH(QString, shown);
    for (const bool bytewise : {true, false}) {
      TextBelow stage(prefix.toStdString(), suffix.toStdString());
      string out;
      if (bytewise) {
        for (const char byte : text.toStdString())
          if (!stage.stop()) out += stage.push(string(1, byte), 1);
      } else {
        out = stage.push(text.toStdString(), 1);
      }
      const bool stopped = stage.stop().has_value();
      out += stage.finish({}, TextEnd::kComplete, 1);
      QCOMPARE(QString::fromStdString(out), shown);
      QVERIFY(stopped || shown == text || !text.endsWith('\n'));
    }
    // A limit reached within such a line.
    TextBelow cut("a\n", "\nreturn a;\n");
    QCOMPARE(cut.push("b\nretu", 1) + cut.finish({}, TextEnd::kCut, 1), string("b"));
  }

  void initTestCase() {
    const auto bytes = test::makeTinyModel({.layers = 1}).bytes();
    auto made = tokenizer::Tokenizer::fromGguf(*gguf::File::parse(bytes, "tiny.gguf"));
    if (!made) qFatal("%s", made.error().message().c_str());
    tokenizer_ = std::move(*made);
  }

  void aLoopEnds_data() {
    QTest::addColumn<QStringList>("tokens");  // of one round
    QTest::addColumn<int>("rounds");          // that are let through; 0: all
    QTest::newRow("a line") << QStringList{"return ", "value;", "\n"} << 4;
    QTest::newRow("two lines") << QStringList{"step one\n", "step ", "two\n"} << 4;
    QTest::newRow("one word") << QStringList{" the"} << 48;
    QTest::newRow("a dozen tokens")
        << QStringList{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"} << 4;
    QTest::newRow("brackets") << QStringList{"}", "\n"} << 0;
    QTest::newRow("zeros") << QStringList{"  0, ", "0, ", "0, ", "0,", "\n"} << 0;
    QTest::newRow("a short line") << QStringList{"pass", "\n"} << 0;
  }
  void aLoopEnds() {
    QFETCH(QStringList, tokens);
    QFETCH(int, rounds);
    constexpr int kMost = 100;
    // What goes ahead of it is no part of it.
    LoopEnd stage;
    QCOMPARE(stage.push("Here you are:\n", 1), string("Here you are:\n"));
    int shown = 0;
    for (int round = 0; round < kMost && !stage.stop(); ++round) {
      for (const QString& token : tokens)
        QVERIFY(stage.push(token.toStdString(), 1) == token.toStdString() || stage.stop());
      ++shown;
    }
    // A short line is ordinary for a while, but nothing is for ever.
    if (rounds == 0) {
      QVERIFY(tokens.size() * shown >= 24);
    } else {
      QCOMPARE(shown, rounds);
      QVERIFY(stage.stop() == StopReason::kLoop);
      QCOMPARE(stage.push("more", 1), string());
    }
  }

  // A round is one more number N in the text.
  void aLoopThatCountsEnds_data() {
    QTest::addColumn<QString>("before");
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("rounds");
    QTest::addColumn<bool>("ends");
    const auto prose = static_cast<int>(LoopEnd::kMostCounted) + 40;
    const auto code = static_cast<int>(LoopEnd::kMostCountedInCode) + 40;
    const auto row = [](const char* name, const char* before, const char* text, int rounds,
                        bool ends) { QTest::newRow(name) << before << text << rounds << ends; };
    row("primes", "", "N is prime. ", prose, true);
    row("lines", "", "line N, ", prose, true);
    row("a numbered list", "Sure:\n\n", "N. Write the tests.\n", prose, true);
    row("columns", "", "|  N | a prime\t|\n", prose, true);
    row("behind code", "```c\nint a;\n```\n", "line N, ", prose, true);
    row("code for ever", "```c\n", "int value_N = N;\n", code, true);
    row("a hundred things", "", "Item N\n", 100, false);
    row("a table", "```c\nconst int kTable[] = {\n", "N, ", code, false);
    row("hexadecimal", "```c\n", "0xN, ", code, false);
    row("an enum", "```cpp\nenum Key {\n", "  kKeyN = N,\n", 512, false);
    row("cases", "```c\n", "    case N:\n      return value[N];\n", 256, false);
    row("rows", "```json\n[\n", "  {\"id\": N, \"name\": \"User N\"},\n", 300, false);
    row("numbers", "", "N\n", code, false);
    const auto bare = static_cast<int>(LoopEnd::kBareNumbers) * prose;
    row("numbers for ever", "", "N, ", bare, true);
    row("a large table", "```c\nconst int kTable[] = {\n", "N, ", bare, false);
  }
  void aLoopThatCountsEnds() {
    QFETCH(QString, before);
    QFETCH(QString, text);
    QFETCH(int, rounds);
    QFETCH(bool, ends);
    LoopEnd stage;
    stage.push(before.toStdString(), 1);
    for (int round = 0; round < rounds && !stage.stop(); ++round) {
      QString once = text;
      // A model writes numbers digit by digit, and what they are is not always one more.
      for (const QChar letter : once.replace('N', QString::number(7 * round + 1)))
        stage.push(QString(letter).toStdString(), 1);
    }
    QCOMPARE(stage.stop().has_value(), ends);
  }

  // Numbers in text that differs otherwise are no loop, however many there are.
  void aListOfDifferentThingsGoesOn() {
    LoopEnd stage;
    for (int round = 0; round < 2000 && !stage.stop(); ++round) {
      const string name(1 + static_cast<std::size_t>(round) % 7,
                        static_cast<char>('a' + round % 26));
      stage.push(std::to_string(round) + ". see " + name + ".h\n", 1);
    }
    QVERIFY(!stage.stop());
  }

  void aLineLimitCutsInFrontOfALineEnd() {
    LineLimit lines(2);
    QCOMPARE(lines.push("\n a\n\n", 1), string("\n a\n\n"));  // blank lines do not count
    QVERIFY(!lines.stop());
    QCOMPARE(lines.push("b\nc", 1), string("b"));
    QVERIFY(lines.stop() == StopReason::kMaxLines);
    QCOMPARE(lines.push("d", 1), string());
    QCOMPARE(lines.finish("e", TextEnd::kCut, 1), string());
  }

  void whatWasTypedIsNotShownAgain() {
    BehindTyped behind("word");
    QCOMPARE(behind.push("wo", 1), string());
    QCOMPARE(behind.push("rds are", 1), string("s are"));
    QCOMPARE(behind.finish("!", TextEnd::kComplete, 1), string("!"));
  }

  void anotherTextThanTheTypedGivesNothing() {
    BehindTyped behind("word");
    QCOMPARE(behind.push("wo", 1), string());
    QCOMPARE(behind.push("od", 1), string());
    QCOMPARE(behind.push("word and more", 1), string());
    QCOMPARE(behind.finish("?", TextEnd::kComplete, 1), string());
  }

  void charactersComeWhole() {
    Output output(*tokenizer_);
    QCOMPARE(pushed(output, "a\xC3"), string("a"));
    QCOMPARE(pushed(output, "\xA4"), string("\xC3\xA4"));
  }

  void aCharacterThatIsNotWholeIsToldWhereTheModelMeantToEnd() {
    for (const auto& [end, rest] :
         {std::pair(TextEnd::kChosen, "\xEF\xBF\xBD"),
          std::pair(TextEnd::kComplete, "\xEF\xBF\xBD"), std::pair(TextEnd::kCut, "")}) {
      Output output(*tokenizer_);
      pushed(output, "\xC3");
      QCOMPARE(output.finish(end), string(rest));
      QCOMPARE(output.finish(end), string());
    }
  }

  // The stages come in this order: behind the typed word, word by word, no more lines, no more than
  // a stop string.
  void stagesFollowOneAnother() {
    Output output(*tokenizer_);
    output.add(std::make_unique<BehindTyped>("re"));
    output.add(std::make_unique<Certainty>(0.1));
    output.add(std::make_unique<LineLimit>(2));
    output.add(std::make_unique<StopStrings>(std::vector<string>{";}"}));
    QCOMPARE(pushed(output, "return"), string());
    QCOMPARE(pushed(output, " x"), string("turn "));
    QCOMPARE(pushed(output, ";"), string("x"));  // it may be the beginning of a stop string
    QVERIFY(!output.stop());
    QCOMPARE(pushed(output, "\n"), string(";\n"));
    QCOMPARE(pushed(output, "y;"), string("y"));
    QCOMPARE(pushed(output, "}"), string());
    QVERIFY(output.stop() == StopReason::kStopString);
    QCOMPARE(output.finish(TextEnd::kCut), string());
  }

  void aLimitCutsAWordAndKeepsWhatMayHaveBecomeAStopString() {
    Output output(*tokenizer_);
    output.add(std::make_unique<Certainty>(0.1));
    output.add(std::make_unique<StopStrings>(std::vector<string>{"(("}));
    QCOMPARE(pushed(output, "a("), string("a"));
    QCOMPARE(pushed(output, "b"), string());
    QCOMPARE(output.finish(TextEnd::kCut), string("("));
  }

  void anEndThatIsNotSureIsOne() {
    Output output(*tokenizer_);
    output.add(std::make_unique<Certainty>(0.5));
    output.add(std::make_unique<LineLimit>(1));
    QCOMPARE(pushed(output, "b", 0.8), string());
    QCOMPARE(output.finish(TextEnd::kChosen, 0.6), string("b"));  // 0.48
    QVERIFY(output.stop() == StopReason::kUnsure);
  }

  // The word was held back until the end said that it was one.
  void aStopStringMayComeWithTheEnd() {
    Output output(*tokenizer_);
    output.add(std::make_unique<Certainty>(0.5));
    output.add(std::make_unique<StopStrings>(std::vector<string>{"END"}));
    QCOMPARE(pushed(output, "a END"), string("a "));
    QVERIFY(!output.stop());
    QCOMPARE(output.finish(TextEnd::kChosen), string());
    QVERIFY(output.stop() == StopReason::kStopString);
  }
};

}  // namespace waferpair::inference

QTEST_APPLESS_MAIN(waferpair::inference::TestOutput)
#include "test_output.moc"
