// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <memory>

#include "runtime/gguf/file.h"
#include "runtime/inference/engine/block_end.h"
#include "runtime/inference/output/behind_typed.h"
#include "runtime/inference/output/certainty.h"
#include "runtime/inference/output/line_limit.h"
#include "runtime/inference/output/output.h"
#include "runtime/inference/output/stop_strings.h"
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

  void initTestCase() {
    const auto bytes = test::makeTinyModel({.layers = 1}).bytes();
    auto made = tokenizer::Tokenizer::fromGguf(*gguf::File::parse(bytes, "tiny.gguf"));
    if (!made) qFatal("%s", made.error().message().c_str());
    tokenizer_ = std::move(*made);
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
