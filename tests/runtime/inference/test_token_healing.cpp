// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <cmath>
#include <random>

#include "runtime/gguf/file.h"
#include "runtime/inference/output/behind_typed.h"
#include "runtime/inference/sampling/token_healing.h"
#include "tests/support/tiny_model.h"

namespace waferpair::inference {

namespace {

tokenizer::Tokenizer tiny(const char* preTokenizer) {
  const auto bytes = test::makeTinyModel({.layers = 1, .preTokenizer = preTokenizer}).bytes();
  const auto file = gguf::File::parse(bytes, "tiny.gguf");
  auto tokenizer = tokenizer::Tokenizer::fromGguf(*file);
  if (!tokenizer) qFatal("%s", tokenizer.error().message().c_str());
  return std::move(*tokenizer);
}

std::vector<std::int32_t> allowed(TokenHealing& healing, int vocabSize) {
  std::vector<float> logits(static_cast<std::size_t>(vocabSize), 0.0f);
  if (healing.applies()) healing.apply(logits);
  std::vector<std::int32_t> tokens;
  for (int token = 0; token < vocabSize; ++token)
    if (logits[static_cast<std::size_t>(token)] > -INFINITY) tokens.push_back(token);
  return tokens;
}

}  // namespace

class TestTokenHealing : public QObject {
  Q_OBJECT
 private slots:
  void theLastWordIsWrittenAnew_data() {
    QTest::addColumn<QByteArray>("prefix");
    QTest::addColumn<QByteArray>("healed");
    const auto row = [](const char* prefix, const char* healed) {
      QTest::newRow(prefix) << QByteArray(prefix) << QByteArray(healed);
    };
    row("", "");
    row("int", "");  // nothing would be left
    row("int cou", " cou");
    row("int countLo", "Lo");  // this pre-tokenizer cuts in front of a capital
    row("x = f(", "(");
    row("x = ", " ");
    row("x;\n", "");
    row("x;\n    ", "");
    row("x;\n    re", "re");  // the line's blanks belong to its end
    row("a\nre", "re");
    row("x \xC3\xA4\xC3\xB6", " \xC3\xA4\xC3\xB6");
  }
  void theLastWordIsWrittenAnew() {
    QFETCH(QByteArray, prefix);
    QFETCH(QByteArray, healed);
    const auto tokenizer = tiny("waferpair");
    const auto end = healedEnd(tokenizer, std::string_view(prefix.data(), prefix.size()));
    QCOMPARE(QByteArray(end.data(), end.size()), healed);
  }

  // Where the pre-tokenizer gives the last blank of a line's indentation to the word behind it.
  void anIndentationIsWrittenAnew_data() {
    QTest::addColumn<QByteArray>("prefix");
    QTest::addColumn<QByteArray>("healed");
    const auto row = [](const char* prefix, const char* healed) {
      QTest::newRow(prefix) << QByteArray(prefix) << QByteArray(healed);
    };
    row("x:\n    ", "\n    ");
    row("x:\n\n    ", "\n\n    ");
    row("x:\n\t\t", "\n\t\t");
    row("x:\r\n  ", "\r\n  ");
    row("x:\n", "\n");
    row("x:\n    re", " re");
    row("x = ", " ");
    row("    ", "");  // nothing would be left
  }
  void anIndentationIsWrittenAnew() {
    QFETCH(QByteArray, prefix);
    QFETCH(QByteArray, healed);
    const auto tokenizer = tiny("gpt-2");
    const auto end = healedEnd(tokenizer, std::string_view(prefix.data(), prefix.size()));
    QCOMPARE(QByteArray(end.data(), end.size()), healed);
    const QByteArray deep = "x:\n" + QByteArray(80, ' ');
    QCOMPARE(healedEnd(tokenizer, std::string_view(deep.data(), deep.size())).size(),
             std::size_t{81});
  }

  // Qwen's cuts behind line ends; the indentation is another word.
  void aLineEndOfItsOwnStays() {
    const auto tokenizer = tiny("qwen2");
    const auto healed = [&](const char* prefix) {
      return std::string(healedEnd(tokenizer, prefix));
    };
    QCOMPARE(healed("f():\n"), std::string());
    QCOMPARE(healed("f():\n    "), std::string("    "));
    QCOMPARE(healed("x\n\n"), std::string());
  }

  void onlyWhatAgreesIsAllowed() {
    const auto tokenizer = tiny("gpt-2");
    TokenHealing healing(tokenizer, "re");
    QStringList spelled;
    for (const std::int32_t token : allowed(healing, tokenizer.vocabSize()))
      spelled << QString::fromStdString(std::string(tokenizer.bytes(token)));
    QVERIFY(spelled.contains("r") && spelled.contains("re"));
    QVERIFY(!spelled.contains("e") && !spelled.contains(""));
    for (const QString& text : spelled) QVERIFY(text == "r" || text.startsWith("re"));
  }

  // Whatever tokens are taken, they spell what was typed, and what comes behind it is what is told.
  void anyWaySpellsWhatWasTyped() {
    const auto tokenizer = tiny("gpt-2");
    std::mt19937 random(4);
    for (const std::string typed :
         {" return", "the", "x", " \xC3\xA4 \xE2\x82\xAC", "   ", "\n    "}) {
      for (int round = 0; round < 200; ++round) {
        TokenHealing healing(tokenizer, typed);
        BehindTyped behind(typed);
        std::string spelled, told;
        while (healing.applies()) {
          const auto tokens = allowed(healing, tokenizer.vocabSize());
          QVERIFY(!tokens.empty() && std::ssize(tokens) < tokenizer.vocabSize());
          const std::int32_t token = tokens[random() % tokens.size()];
          healing.chosen(token);
          spelled += tokenizer.bytes(token);
          told += behind.push(std::string(tokenizer.bytes(token)), 1);
        }
        QVERIFY(spelled.starts_with(typed));
        QCOMPARE(told, spelled.substr(typed.size()));
        QCOMPARE(behind.push("more", 1), std::string("more"));
      }
    }
  }
};

}  // namespace waferpair::inference

QTEST_APPLESS_MAIN(waferpair::inference::TestTokenHealing)
#include "test_token_healing.moc"
