// SPDX-License-Identifier: GPL-3.0-or-later
// BERT's words and pieces, in a small vocabulary whose answers were worked out by hand.
#include <QtTest>

#include "runtime/gguf/file.h"
#include "runtime/gguf/writer.h"
#include "runtime/tokenizer/tokenizer.h"
#include "runtime/tokenizer/word_pieces.h"

namespace waferpair::tokenizer {

namespace {

const std::vector<std::string> kNames = {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "▁un",  "▁the",
                                         "aff",   "able",  "▁cafe", "▁,",    "▁!",   "▁日",
                                         "▁本",   "▁do",   "▁'",    "▁t",    "▁don", "s",
                                         "▁The",  "▁café", "▁[",    "▁sep",  "▁]",   "▁$"};

gguf::Writer vocabulary() {
  gguf::Writer writer;
  writer.addString("tokenizer.ggml.model", "bert");
  writer.addString("tokenizer.ggml.pre", "jina-v2-en");
  writer.addStrings("tokenizer.ggml.tokens", kNames);
  std::vector<std::int32_t> types(kNames.size(), 1);
  for (int id = 0; id < 4; ++id) types[static_cast<std::size_t>(id)] = 3;
  writer.addInt32s("tokenizer.ggml.token_type", types);
  writer.addUint32("tokenizer.ggml.cls_token_id", 2);
  writer.addUint32("tokenizer.ggml.seperator_token_id", 3);
  writer.addUint32("tokenizer.ggml.unknown_token_id", 1);
  return writer;
}

Tokenizer read(const gguf::Writer& writer) {
  const auto bytes = writer.bytes();
  const auto file = gguf::File::parse(bytes, "bert.gguf");
  auto tokenizer = Tokenizer::fromGguf(*file);
  if (!tokenizer) qFatal("%s", tokenizer.error().message().c_str());
  return std::move(*tokenizer);
}

std::string namesOf(const Tokenizer& tokenizer, std::string_view text) {
  std::string names;
  for (const std::int32_t id : tokenizer.encode(text))
    names += (names.empty() ? "" : " ") + std::string(tokenizer.name(id));
  return names;
}

}  // namespace

class TestWordPieces : public QObject {
  Q_OBJECT

 private slots:
  void wordsAreTheLongestPieces_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("names");
    QTest::newRow("pieces") << "Unaffable"
                            << "▁un aff able";
    QTest::newRow("unknown") << "unaffqq the"
                             << "[UNK] ▁the";
    QTest::newRow("accents") << "CAFÉ, thé"
                             << "▁cafe ▁, ▁the";
    QTest::newRow("apart already") << QString::fromUtf8("cafe\u0301!") << "▁cafe ▁!";
    QTest::newRow("marks") << "don't!!"
                           << "▁don ▁' ▁t ▁! ▁!";
    QTest::newRow("money") << "$the"
                           << "▁$ ▁the";
    QTest::newRow("Chinese") << "日本the"
                             << "▁日 ▁本 ▁the";
    QTest::newRow("spaces") << "  the\t\nthe\u00a0the "
                            << "▁the ▁the ▁the";
    QTest::newRow("left out") << "t\u200bh\u0007e"
                              << "▁the";
    QTest::newRow("no control token") << "[SEP]"
                                      << "▁[ ▁sep ▁]";
    QTest::newRow("nothing") << " "
                             << "";
    QTest::newRow("too long") << QString(101, 's') << "[UNK]";
  }
  void wordsAreTheLongestPieces() {
    QFETCH(QString, text);
    QFETCH(QString, names);
    QCOMPARE(QString::fromStdString(namesOf(read(vocabulary()), text.toStdString())), names);
  }

  void caseMayBeKept() {
    gguf::Writer writer = vocabulary();
    writer.addBool("tokenizer.ggml.normalizer.lowercase", false);
    QCOMPARE(namesOf(read(writer), "The café the"), std::string("▁The ▁café ▁the"));
    writer.addBool("tokenizer.ggml.normalizer.strip_accents", true);
    QCOMPARE(namesOf(read(writer), "The café"), std::string("▁The ▁cafe"));
  }

  void textsStandBetweenTheirTokens() {
    const Tokenizer tokenizer = read(vocabulary());
    QVERIFY(tokenizer.addsBos() && tokenizer.addsEos());
    QCOMPARE(tokenizer.special().bos, 2);
    QCOMPARE(tokenizer.special().eos, 3);
    const std::vector<std::int32_t> parsed = tokenizer.encode("[CLS]the[SEP]", SpecialText::kParse);
    QCOMPARE(parsed, (std::vector<std::int32_t>{2, 5, 3}));
    QCOMPARE(tokenizer.decode(tokenizer.encode("unaffable, the")), std::string("unaffable , the"));
  }

  void aVocabularyWithoutAnUnknownTokenIsRefused() {
    gguf::Writer writer;
    writer.addString("tokenizer.ggml.model", "bert");
    writer.addStrings("tokenizer.ggml.tokens", std::vector<std::string>{"[CLS]", "▁the"});
    const auto bytes = writer.bytes();
    const auto file = gguf::File::parse(bytes, "bert.gguf");
    const auto tokenizer = Tokenizer::fromGguf(*file);
    QVERIFY(!tokenizer.has_value());
    QVERIFY(tokenizer.error().what.find("unknown") != std::string::npos);
  }

  // Any bytes give tokens, and a long text takes no longer than its length.
  void anyBytesAreTaken() {
    const Tokenizer tokenizer = read(vocabulary());
    std::string bytes;
    for (unsigned i = 0; i < 100000; ++i) bytes += static_cast<char>(i * i % 256);
    tokenizer.encode(bytes);
    QCOMPARE(tokenizer.encode(std::string(1 << 20, 'q')), std::vector<std::int32_t>{1});
    QCOMPARE(tokenizer.encode("\xff\xfe the").back(), 5);
  }
};

}  // namespace waferpair::tokenizer

QTEST_APPLESS_MAIN(waferpair::tokenizer::TestWordPieces)
#include "test_word_pieces.moc"
