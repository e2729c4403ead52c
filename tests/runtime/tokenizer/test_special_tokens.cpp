// SPDX-License-Identifier: GPL-3.0-or-later
// Tokens with a meaning of their own, by the names that models in use give them.
#include <QtTest>

#include <initializer_list>
#include <string>
#include <vector>

#include "runtime/gguf/file.h"
#include "runtime/gguf/writer.h"
#include "runtime/tokenizer/tokenizer.h"

namespace waferpair::tokenizer {

using Ids = std::vector<std::int32_t>;

struct Token {
  const char* name;
  std::int32_t type;
};

// A vocabulary with the letters a to z, then these. "gpt2" or "llama".
Tokenizer withTokens(const std::string& model, std::initializer_list<Token> special,
                     const char* pre = "gpt-2", const std::vector<std::string>& merges = {}) {
  std::vector<std::string> tokens;
  std::vector<std::int32_t> types;
  for (char c = 'a'; c <= 'z'; ++c) tokens.emplace_back(1, c);
  types.assign(tokens.size(), 1);
  for (const Token& token : special) {
    tokens.emplace_back(token.name);
    types.push_back(token.type);
  }
  gguf::Writer writer;
  writer.addString("tokenizer.ggml.model", model);
  writer.addString("tokenizer.ggml.pre", pre);
  writer.addStrings("tokenizer.ggml.tokens", tokens);
  writer.addInt32s("tokenizer.ggml.token_type", types);
  writer.addStrings("tokenizer.ggml.merges", merges);
  writer.addFloat32s("tokenizer.ggml.scores", std::vector<float>(tokens.size()));
  const auto bytes = writer.bytes();
  const auto file = gguf::File::parse(bytes, "special.gguf");
  auto tokenizer = Tokenizer::fromGguf(*file);
  if (!tokenizer) qFatal("%s", tokenizer.error().message().c_str());
  return std::move(*tokenizer);
}

constexpr std::int32_t kFirst = 26;

class TestSpecialTokens : public QObject {
  Q_OBJECT

 private slots:
  void fillInTheMiddleIsFoundByName_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("prefix");
    QTest::addColumn<QString>("suffix");
    QTest::addColumn<QString>("middle");
    QTest::newRow("CodeLlama") << "llama"
                               << "▁<PRE>"
                               << "▁<SUF>"
                               << "▁<MID>";
    QTest::newRow("Codestral") << "llama"
                               << "[PREFIX]"
                               << "[SUFFIX]"
                               << "[MIDDLE]";
    QTest::newRow("StarCoder") << "gpt2"
                               << "<fim_prefix>"
                               << "<fim_suffix>"
                               << "<fim_middle>";
    QTest::newRow("SantaCoder") << "gpt2"
                                << "<fim-prefix>"
                                << "<fim-suffix>"
                                << "<fim-middle>";
    QTest::newRow("Qwen") << "gpt2"
                          << "<|fim_prefix|>"
                          << "<|fim_suffix|>"
                          << "<|fim_middle|>";
    QTest::newRow("DeepSeek") << "gpt2"
                              << "<｜fim▁begin｜>"
                              << "<｜fim▁hole｜>"
                              << "<｜fim▁end｜>";
    QTest::newRow("Seed-Coder") << "gpt2"
                                << "<[fim-prefix]>"
                                << "<[fim-suffix]>"
                                << "<[fim-middle]>";
    QTest::newRow("GLM") << "gpt2"
                         << "<|code_prefix|>"
                         << "<|code_suffix|>"
                         << "<|code_middle|>";
  }
  void fillInTheMiddleIsFoundByName() {
    QFETCH(QString, model);
    QFETCH(QString, prefix);
    QFETCH(QString, suffix);
    QFETCH(QString, middle);
    const QByteArray names[] = {prefix.toUtf8(), suffix.toUtf8(), middle.toUtf8()};
    // Some files give them another type than control; no text may be read as one of them anyway.
    for (const std::int32_t type : {3, 4}) {
      const Tokenizer tokenizer = withTokens(model.toStdString(), {{names[0].constData(), type},
                                                                   {names[1].constData(), type},
                                                                   {names[2].constData(), type}});
      QVERIFY(tokenizer.special().fim());
      QCOMPARE(tokenizer.special().fimPrefix, kFirst);
      QCOMPARE(tokenizer.special().fimSuffix, kFirst + 1);
      QCOMPARE(tokenizer.special().fimMiddle, kFirst + 2);
      QVERIFY(tokenizer.isSpecial(kFirst) && tokenizer.bytes(kFirst).empty());
      const Ids plain = tokenizer.encode("x" + names[0].toStdString());
      QVERIFY(std::none_of(plain.begin(), plain.end(), [](auto id) { return id >= kFirst; }));
      QCOMPARE(tokenizer.encode("x" + names[0].toStdString(), SpecialText::kParse).back(), kFirst);
    }
  }

  // Mistral's later vocabularies have the names of Codestral's tokens, trained or not.
  void codestralsNamesAreNotEveryMistrals() {
    const Tokenizer tokenizer =
        withTokens("gpt2", {{"[PREFIX]", 3}, {"[SUFFIX]", 3}, {"[MIDDLE]", 3}}, "tekken");
    QVERIFY(!tokenizer.special().fim());
  }

  void aVocabularyWithoutThemHasNone() {
    QVERIFY(!withTokens("gpt2", {{"<fim_prefix>", 3}}).special().fim());
  }

  void endsAreFoundByName_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"<|im_end|>", "<|endoftext|>", "<|eot_id|>", "<|eom_id|>", "<EOT>",
                             "▁<EOT>", "<|EOT|>", "<end_of_turn>", "<｜end▁of▁sentence｜>", "</s>",
                             "<|end|>", "<|file_sep|>", "<|repo_name|>", "<|fim_pad|>"}) {
      QTest::newRow(name) << name;
    }
  }
  void endsAreFoundByName() {
    QFETCH(QString, name);
    const QByteArray spelled = name.toUtf8();
    const Tokenizer tokenizer = withTokens("gpt2", {{"<a>", 3}, {spelled.constData(), 3}});
    QVERIFY(tokenizer.isEnd(kFirst + 1));
    QVERIFY(!tokenizer.isEnd(kFirst) && !tokenizer.isEnd(0) && !tokenizer.isEnd(-1));
  }

  void ordinaryTokensOfSuchANameAreText() {
    const Tokenizer tokenizer = withTokens("gpt2", {{"</s>", 1}});
    QVERIFY(!tokenizer.isEnd(kFirst) && !tokenizer.isSpecial(kFirst));
  }

  // gpt-oss ends each message with <|end|> and goes on to the next channel.
  void harmonyGoesOnBehindAMessage() {
    const Tokenizer tokenizer =
        withTokens("gpt2", {{"<|end|>", 3}, {"<|return|>", 3}, {"<|call|>", 3}}, "gpt-4o");
    QVERIFY(!tokenizer.isEnd(kFirst));
    QVERIFY(tokenizer.isEnd(kFirst + 1) && tokenizer.isEnd(kFirst + 2));
  }

  // Elsewhere a token of that name is one of the model's own.
  void aCallEndsAnAnswerInHarmonyAlone() {
    const Tokenizer tokenizer = withTokens("gpt2", {{"<|end|>", 3}, {"<|call|>", 3}});
    QVERIFY(tokenizer.isEnd(kFirst) && !tokenizer.isEnd(kFirst + 1));
  }

  void nobodysTextPretendsToBeATurn() {
    const Tokenizer tokenizer =
        withTokens("gpt2", {{"<|im_start|>", 4}, {"<|im_end|>", 4}, {"[other]", 4}});
    QCOMPARE(tokenizer.encode("[other]"), (Ids{kFirst + 2}));
    for (const char* name : {"<|im_start|>", "<|im_end|>"}) {
      const Ids ids = tokenizer.encode(name);
      QVERIFY(std::none_of(ids.begin(), ids.end(), [](auto id) { return id >= kFirst; }));
      QVERIFY(tokenizer.findSpecial(name) >= kFirst);
    }
  }

  // Merges that spell a special token's name do not make one either.
  void mergesDoNotMakeSpecialTokens() {
    const Tokenizer tokenizer = withTokens("gpt2", {{"ab", 3}}, "gpt-2", {"a b"});
    QCOMPARE(tokenizer.encode("ab"), (Ids{0, 1}));
  }

  void wordsThatAreTokensNeedNoMerges() {
    const std::vector<std::string> merges{"b c"};
    const std::initializer_list<Token> tokens{{"abc", 1}, {"bc", 1}};
    QCOMPARE(withTokens("gpt2", tokens, "llama-bpe", merges).encode("abc"), (Ids{kFirst}));
    QCOMPARE(withTokens("gpt2", tokens, "qwen2", merges).encode("abc"), (Ids{0, kFirst + 1}));
    QVERIFY(withTokens("gpt2", tokens, "llama-bpe", merges).addsBos());
    QVERIFY(!withTokens("gpt2", tokens, "qwen2", merges).addsBos());
  }
};

}  // namespace waferpair::tokenizer

QTEST_APPLESS_MAIN(waferpair::tokenizer::TestSpecialTokens)
#include "test_special_tokens.moc"
