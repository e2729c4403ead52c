// SPDX-License-Identifier: GPL-3.0-or-later
// Token ids and pre-tokens that other implementations give for the same texts. The published
// vocabularies of other models are not the repository's to give away: where they are absent their
// test is skipped, and a vocabulary made here stands for them with each pre-tokenizer.
#include <QtTest>

#include <map>
#include <nlohmann/json.hpp>

#include "runtime/gguf/file.h"
#include "runtime/gguf/writer.h"
#include "runtime/tokenizer/byte_alphabet.h"
#include "runtime/tokenizer/pre_tokenizer.h"
#include "runtime/tokenizer/tokenizer.h"
#include "tests/support/paths.h"

namespace waferpair::tokenizer {

using Ids = std::vector<std::int32_t>;

class TestTokenizerConformance : public QObject {
  Q_OBJECT

 private slots:
  void idsOfOtherModels_data();
  void idsOfOtherModels();
  void preTokensOfOtherModels();
  void idsByPreTokenizer();
  void ourPreTokens();
  void ourIds();
};

QByteArray readAll(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

nlohmann::json readData(const char* name) {
  const QString path =
      QString::fromStdString(test::sourceDir() + "/tests/runtime/tokenizer/data/") + name;
  return nlohmann::json::parse(readAll(path).toStdString(), nullptr, false);
}

nlohmann::json readVectors(const char* name) {
  const auto json = readData(name);
  return json.is_object() ? json["vectors"] : nlohmann::json();
}

// Token b is the byte b, token 256 + r the two of merge r together.
Tokenizer byteVocabulary(const nlohmann::json& merges, const std::string& preTokenizer) {
  std::vector<std::string> tokens, lines;
  for (int byte = 0; byte < 256; ++byte)
    tokens.push_back(spellByte(static_cast<unsigned char>(byte)));
  for (const auto& merge : merges) {
    const std::string &left = tokens[merge[0]], &right = tokens[merge[1]];
    lines.push_back(left + " " + right);
    tokens.push_back(left + right);
  }
  gguf::Writer writer;
  writer.addString("tokenizer.ggml.model", "gpt2");
  writer.addString("tokenizer.ggml.pre", preTokenizer);
  writer.addStrings("tokenizer.ggml.tokens", tokens);
  writer.addStrings("tokenizer.ggml.merges", lines);
  const auto bytes = writer.bytes();
  auto tokenizer = Tokenizer::fromGguf(*gguf::File::parse(bytes, "made.gguf"));
  if (!tokenizer) qFatal("%s", tokenizer.error().message().c_str());
  return std::move(*tokenizer);
}

void TestTokenizerConformance::idsOfOtherModels_data() {
  QTest::addColumn<QString>("model");
  for (const char* model : {"gpt-2", "starcoder", "deepseek-coder", "llama-spm"})
    QTest::newRow(model) << model;
}

void TestTokenizerConformance::idsOfOtherModels() {
  QFETCH(QString, model);
  const QString path =
      QString::fromStdString(test::sourceDir() + "/../shared/tokenizers/ggml-vocab-%1.gguf")
          .arg(model);
  if (!QFile::exists(path)) QSKIP("../shared/tokenizers is not here");
  const auto file = gguf::File::open(path.toStdString());
  QVERIFY2(file.has_value(), file ? "" : file.error().message().c_str());
  const auto tokenizer = Tokenizer::fromGguf(*file);
  QVERIFY2(tokenizer.has_value(), tokenizer ? "" : tokenizer.error().message().c_str());

  // Texts with a line between them, ids of one text a line.
  const QByteArray separator = "\n__ggml_vocab_test__\n";
  const QByteArray input = readAll(path + ".inp");
  const QList<QByteArray> lines = readAll(path + ".out").split('\n');
  int cases = 0;
  for (qsizetype at = 0; at < input.size(); ++cases) {
    const qsizetype end = input.indexOf(separator, at);
    QVERIFY(end >= 0);
    const QByteArray text = input.mid(at, end - at);
    at = end + separator.size();
    Ids expected;
    for (const QByteArray& number : lines.value(cases).split(' ')) {
      if (!number.isEmpty()) expected.push_back(number.toInt());
    }
    const Ids got = tokenizer->encode({text.constData(), static_cast<std::size_t>(text.size())});
    if (got != expected) {
      QFAIL(qPrintable("\"" + text +
                       "\": " + QDebug::toString(QList<int>(got.begin(), got.end())).toUtf8()));
    }
    QVERIFY2(tokenizer->decode(expected) == text.toStdString(), text.constData());
  }
  QCOMPARE(cases, 46);
}

// The pre-tokens are those that Python makes with the published expressions:
// tests/runtime/tokenizer/data/make_pre_tokens.py.
void TestTokenizerConformance::preTokensOfOtherModels() {
  const auto vectors = readVectors("pre_tokens.json");
  QVERIFY(vectors.size() > 150);
  int cases = 0;
  for (const auto& vector : vectors) {
    const std::string text = vector["text"];
    for (const auto& [name, lengths] : vector["lengths"].items()) {
      const KnownPreTokenizer* known = findPreTokenizer(name);
      QVERIFY2(known != nullptr, name.c_str());
      std::vector<std::size_t> ends, expected;
      cutWords(known->scheme, text, ends);
      for (const std::size_t length : lengths) {
        expected.push_back((expected.empty() ? 0 : expected.back()) + length);
      }
      if (ends != expected) {
        const QList<std::size_t> got(ends.begin(), ends.end());
        QFAIL(qPrintable(QString::fromStdString(name + ": " + vector.dump()) + " got " +
                         QDebug::toString(got)));
      }
      ++cases;
    }
  }
  QVERIFY(cases > 2000);
}

// The ids are those that merging by the definition gives: tests/runtime/tokenizer/data/make_ids.py.
void TestTokenizerConformance::idsByPreTokenizer() {
  const auto data = readData("ids.json");
  QVERIFY(data.is_object());
  std::map<std::string, Tokenizer> tokenizers;
  std::map<std::string, int> cases;
  for (const auto& vector : data["vectors"]) {
    const std::string text = vector["text"];
    for (const auto& group : vector["expected"]) {
      const Ids expected = group["ids"];
      for (const std::string scheme : group["schemes"]) {
        auto at = tokenizers.find(scheme);
        if (at == tokenizers.end())
          at = tokenizers.emplace(scheme, byteVocabulary(data["merges"], scheme)).first;
        const Ids got = at->second.encode(text);
        if (got != expected) {
          QFAIL(qPrintable(QString::fromStdString(scheme + ": " + vector.dump()) + " got " +
                           QDebug::toString(QList<int>(got.begin(), got.end()))));
        }
        QVERIFY2(at->second.decode(got) == text, text.c_str());
        ++cases[scheme];
      }
    }
  }
  QCOMPARE(cases.size(), 13U);
  for (const auto& [scheme, count] : cases) QCOMPARE(count, 198);
}

void TestTokenizerConformance::ourPreTokens() {
  const auto vectors = readVectors("waferpair_pre.json");
  QVERIFY(vectors.size() > 50);
  for (const auto& vector : vectors) {
    const std::string text = vector["text"];
    std::vector<std::size_t> ends, expected;
    cutWords(PreTokenizer::kWaferpair, text, ends);
    for (const std::size_t length : vector["lengths"]) {
      expected.push_back((expected.empty() ? 0 : expected.back()) + length);
    }
    QVERIFY2(ends == expected, text.c_str());
  }
}

// Checks that the ids are those of training/tokenizer.py, which training/make_vectors.py wrote.
void checkIds(const Tokenizer& tokenizer, const char* name) {
  const auto vectors = readVectors(name);
  QVERIFY(vectors.size() > 50);
  for (const auto& vector : vectors) {
    const std::string text = vector["text"];
    const Ids expected = vector["ids"];
    QVERIFY2(tokenizer.encode(text) == expected, text.c_str());
    QVERIFY2(tokenizer.decode(expected) == text, text.c_str());
  }
}

void TestTokenizerConformance::ourIds() {
  const std::string path = test::sourceDir() + "/resources/models/waferpair-mini.gguf";
  if (!QFile::exists(QString::fromStdString(path)))
    QSKIP("resources/models/waferpair-mini.gguf is not here");
  const auto file = gguf::File::open(path);
  QVERIFY2(file.has_value(), file ? "" : file.error().message().c_str());
  const auto tokenizer = Tokenizer::fromGguf(*file);
  QVERIFY2(tokenizer.has_value(), tokenizer ? "" : tokenizer.error().message().c_str());
  checkIds(*tokenizer, "waferpair_ids.json");
}

}  // namespace waferpair::tokenizer

QTEST_APPLESS_MAIN(waferpair::tokenizer::TestTokenizerConformance)
#include "test_tokenizer_conformance.moc"
