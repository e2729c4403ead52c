// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <map>
#include <random>
#include <string>
#include <vector>

#include "runtime/gguf/file.h"
#include "runtime/gguf/writer.h"
#include "runtime/tokenizer/merge_table.h"
#include "runtime/tokenizer/pre_tokenizer.h"
#include "runtime/tokenizer/tokenizer.h"
#include "tests/runtime/tokenizer/mutated_vocabulary.h"
#include "tests/support/tiny_model.h"

namespace waferpair::tokenizer {

using Ids = std::vector<std::int32_t>;

class TestTokenizer : public QObject {
  Q_OBJECT

 private slots:
  void mergesJoinTheBestPairFirst();
  void mergingEqualsTheDefinition();
  void anyBytesComeBack_data();
  void anyBytesComeBack();
  void specialTokensAreTextUnlessAskedFor();
  void userTokensAreFoundInAnyText();
  void specialIdsAreRead();
  void streamsAreValidUtf8AtEachStep();
  void invalidBytesBecomeReplacements();
  void brokenVocabulariesAreNamed_data();
  void brokenVocabulariesAreNamed();
  void anIdOutsideOfTheVocabularyIsNone();
  void mutatedVocabulariesDoNoHarm();
  void longWordsTakeNoQuadraticTime();
};

Tokenizer tiny(const char* preTokenizer = "gpt-2") {
  const auto bytes = test::makeTinyModel({.layers = 1, .preTokenizer = preTokenizer}).bytes();
  const auto file = gguf::File::parse(bytes, "tiny.gguf");
  auto tokenizer = Tokenizer::fromGguf(*file);
  if (!tokenizer) qFatal("%s", tokenizer.error().message().c_str());
  return std::move(*tokenizer);  // keeps nothing of the file
}

Ids bytesOf(std::string_view text) {
  Ids ids;
  for (const char c : text) ids.push_back(static_cast<unsigned char>(c));
  return ids;
}

void TestTokenizer::mergesJoinTheBestPairFirst() {
  const Tokenizer tokenizer = tiny();
  const auto parts = [&](std::string_view text) {
    QStringList list;
    for (const std::int32_t id : tokenizer.encode(text)) {
      list.append(QString::fromStdString(std::string(tokenizer.bytes(id))));
    }
    return list;
  };
  QCOMPARE(parts("the"), QStringList{"the"});
  QCOMPARE(parts(" for the"), (QStringList{" for", " the"}));
  QCOMPARE(parts("return"), (QStringList{"re", "t", "urn"}));  // "r e" comes before "e t"
  QCOMPARE(parts("int"), QStringList{"int"});
  QCOMPARE(parts("ant"), (QStringList{"a", "nt"}));  // "n t" comes before "a n"
  QCOMPARE(parts("     x"), (QStringList{"    ", " ", "x"}));
  QVERIFY(tokenizer.encode("").empty());
}

// The same merges done as they are defined: all pairs looked at, again and again.
void TestTokenizer::mergingEqualsTheDefinition() {
  std::mt19937 random(1);
  constexpr int kLetters = 4, kMerges = 40;
  MergeTable table(kMerges);
  std::map<std::pair<int, int>, std::pair<int, int>> merges;
  for (int rank = 0; rank < kMerges; ++rank) {
    const int known = kLetters + rank;
    const std::pair pair{static_cast<int>(random() % known), static_cast<int>(random() % known)};
    if (merges.try_emplace(pair, rank, known).second) {
      table.add(pair.first, pair.second, {rank, known});
    } else {
      table.add(pair.first, pair.second, {-5, -5});  // is ignored
    }
  }
  QCOMPARE(table.find(99, 99).rank, -1);
  Merger merger(table);
  for (int round = 0; round < 500; ++round) {
    Ids word(random() % 60);
    for (auto& id : word) id = static_cast<std::int32_t>(random() % kLetters);
    Ids expected = word;
    for (;;) {
      std::size_t best = expected.size();
      int bestRank = kMerges;
      for (std::size_t i = 0; i + 1 < expected.size(); ++i) {
        const auto it = merges.find({expected[i], expected[i + 1]});
        if (it != merges.end() && it->second.first < bestRank) {
          best = i;
          bestRank = it->second.first;
        }
      }
      if (best == expected.size()) break;
      expected[best] = merges.at({expected[best], expected[best + 1]}).second;
      expected.erase(expected.begin() + static_cast<std::ptrdiff_t>(best) + 1);
    }
    merger.merge(word);
    QCOMPARE(word, expected);
  }
}

void TestTokenizer::anyBytesComeBack_data() {
  QTest::addColumn<QString>("scheme");
  for (const char* scheme :
       {"gpt-2", "starcoder", "deepseek-coder", "deepseek-llm", "deepseek-v3", "llama-bpe", "qwen2",
        "qwen35", "seed-coder", "minicpm5", "gpt-4o", "tekken", "kimi-k2", "waferpair"}) {
    QTest::newRow(scheme) << scheme;
  }
}

void TestTokenizer::anyBytesComeBack() {
  QFETCH(QString, scheme);
  const Tokenizer tokenizer = tiny(qPrintable(scheme));
  const PreTokenizer preTokenizer = findPreTokenizer(scheme.toStdString())->scheme;
  // Pieces that the rules look at, so that random texts meet their corners.
  const std::vector<std::string> pieces{"a",
                                        "Z",
                                        "the",
                                        " ",
                                        "  ",
                                        "\t",
                                        "\n",
                                        "\r\n",
                                        "7",
                                        "'",
                                        "'s",
                                        "'re",
                                        "_",
                                        "__",
                                        "+=",
                                        "é",
                                        "\xc2\xa0",
                                        "\xe2\x80\x83",
                                        "中",
                                        "\xf0\x9f\xa6\x99",
                                        "\xff",
                                        "\xc3",
                                        "\xe4\xb8",
                                        "\xed\xa0\x80",
                                        "¾",
                                        "Ⅷ",
                                        "़",
                                        std::string(1, '\0'),
                                        std::string(40, 'x'),
                                        std::string(70, ' ')};
  std::mt19937 random(2);
  for (int round = 0; round < 2000; ++round) {
    std::string text;
    for (std::size_t n = random() % 12; n > 0; --n) text += pieces[random() % pieces.size()];
    std::vector<std::size_t> ends;
    cutWords(preTokenizer, text, ends);
    QCOMPARE(ends.empty() ? 0 : ends.back(), text.size());
    QVERIFY(std::is_sorted(ends.begin(), ends.end(), std::less_equal<>()));
    const Ids ids = tokenizer.encode(text);
    QVERIFY2(tokenizer.decode(ids) == text, qPrintable(QString::fromStdString(text)));
  }
}

void TestTokenizer::specialTokensAreTextUnlessAskedFor() {
  const Tokenizer tokenizer = tiny();
  const std::string text = "a<fim_suffix>b<eos>";
  const Ids plain = tokenizer.encode(text);
  QVERIFY(
      std::none_of(plain.begin(), plain.end(), [&](auto id) { return tokenizer.isSpecial(id); }));
  QVERIFY(tokenizer.decode(plain) == text);
  const Ids parsed = tokenizer.encode(text, SpecialText::kParse);
  QCOMPARE(parsed, (Ids{'a', test::kTinyFimSuffix, 'b', test::kTinyEos}));
  QVERIFY(tokenizer.decode(parsed) == "ab");
  QVERIFY(tokenizer.name(test::kTinyEos) == "<eos>");
  Ids appended{5};
  tokenizer.encode("x", SpecialText::kPlain, appended);
  QCOMPARE(appended, (Ids{5, 'x'}));
}

// A vocabulary with the 256 bytes and what a test adds.
class SmallVocabulary {
 public:
  SmallVocabulary() {
    const auto bytes = test::makeTinyModel({.layers = 1}).bytes();
    const auto file = gguf::File::parse(bytes, "tiny");
    const auto names = file->strings("tokenizer.ggml.tokens");
    for (const auto name : *names) {
      if (tokens.size() < 256) tokens.emplace_back(name);
    }
    types.assign(tokens.size(), 1);
  }
  void add(std::string token, std::int32_t type) {
    tokens.push_back(std::move(token));
    types.push_back(type);
  }
  base::Result<Tokenizer> read() const {
    gguf::Writer writer;
    if (!model.empty()) writer.addString("tokenizer.ggml.model", model);
    if (!pre.empty()) writer.addString("tokenizer.ggml.pre", pre);
    writer.addStrings("tokenizer.ggml.tokens", tokens);
    writer.addInt32s("tokenizer.ggml.token_type", types);
    if (hasMerges) writer.addStrings("tokenizer.ggml.merges", merges);
    if (eos >= -1) writer.addInt32("tokenizer.ggml.eos_token_id", eos);
    const auto bytes = writer.bytes();
    const auto file = gguf::File::parse(bytes, "vocabulary.gguf");
    return Tokenizer::fromGguf(*file);
  }

  std::string model = "gpt2", pre = "gpt-2";
  std::vector<std::string> tokens, merges;
  std::vector<std::int32_t> types;
  std::int32_t eos = -2;
  bool hasMerges = true;
};

void TestTokenizer::userTokensAreFoundInAnyText() {
  SmallVocabulary vocabulary;
  vocabulary.add("[one]", 4);
  vocabulary.add("[one][two]", 4);
  vocabulary.add("[control]", 3);
  const auto tokenizer = vocabulary.read();
  QVERIFY(tokenizer.has_value());
  QCOMPARE(tokenizer->encode("x[one]y"), (Ids{'x', 256, 'y'}));
  QCOMPARE(tokenizer->encode("[one][two][one]"), (Ids{257, 256}));  // the longest first
  QCOMPARE(tokenizer->encode("[control]"), bytesOf("[control]"));
  QCOMPARE(tokenizer->encode("[control]", SpecialText::kParse), (Ids{258}));
  QVERIFY(tokenizer->decode(Ids{'x', 256, 258}) == "x[one]");
}

void TestTokenizer::specialIdsAreRead() {
  const Tokenizer tokenizer = tiny();
  const SpecialIds& special = tokenizer.special();
  QVERIFY(special.fim());
  QCOMPARE(special.fimPrefix, test::kTinyFimPrefix);
  QCOMPARE(special.fimSuffix, test::kTinyFimSuffix);
  QCOMPARE(special.fimMiddle, test::kTinyFimMiddle);
  QCOMPARE(special.bos, test::kTinyBos);
  QCOMPARE(special.pad, -1);
  QVERIFY(tokenizer.isEnd(test::kTinyEos) && tokenizer.isEnd(test::kTinyEot));
  QVERIFY(!tokenizer.isEnd('a') && !tokenizer.isEnd(-1));
  QVERIFY(!tokenizer.addsBos());
  QCOMPARE(tokenizer.vocabSize(), test::TinyModel{}.vocabSize);
  QVERIFY(tokenizer.bytes(-1).empty() && tokenizer.bytes(1 << 30).empty());

  SmallVocabulary named;  // no keys: found by their usual names
  named.add("<fim_prefix>", 3);
  named.add("<fim_suffix>", 3);
  named.add("<fim_middle>", 3);
  QCOMPARE(named.read()->special().fimMiddle, 258);
}

void TestTokenizer::streamsAreValidUtf8AtEachStep() {
  const Tokenizer tokenizer = tiny();
  const std::string text = "naïve 中文 🦙!";
  StreamDecoder stream(tokenizer);
  std::string shown;
  for (const std::int32_t id : tokenizer.encode(text)) {
    const std::string next = stream.push(id);
    const QString decoded = QString::fromUtf8(next.c_str());
    QVERIFY(decoded.toUtf8().toStdString() == next && !decoded.contains(QChar(0xfffd)));
    shown += next;
  }
  QVERIFY(shown == text);
  QVERIFY(stream.finish().empty());
  stream.push(0xf0);
  QVERIFY(stream.push(0x9f).empty());
  QVERIFY(stream.finish() == "\xef\xbf\xbd");
  QVERIFY(stream.finish().empty());
}

void TestTokenizer::invalidBytesBecomeReplacements() {
  const Tokenizer tokenizer = tiny();
  const std::string mark = "\xef\xbf\xbd";
  const auto decode = [&](std::string_view bytes) {
    StreamDecoder stream(tokenizer);
    std::string text;
    for (const std::int32_t id : bytesOf(bytes)) text += stream.push(id);
    return text + stream.finish();
  };
  QVERIFY(decode("a\xff"
                 "b") == "a" + mark + "b");
  QVERIFY(decode("\xc3(") == mark + "(");
  QVERIFY(decode("\xe4\xb8(") == mark + "(");
  QVERIFY(decode("\xc0\xaf") == mark + mark);             // overlong
  QVERIFY(decode("\xed\xa0\x80") == mark + mark + mark);  // surrogate
  QVERIFY(decode("\xf4\x90\x80\x80") == mark + mark + mark + mark);
}

void TestTokenizer::brokenVocabulariesAreNamed_data() {
  QTest::addColumn<QString>("fault");
  QTest::addColumn<QString>("named");
  QTest::addRow("no model") << "no model"
                            << "tokenizer.ggml.model";
  QTest::addRow("unknown kind") << "kind"
                                << "\"t5\"";
  QTest::addRow("pre-tokenizer not told") << "default"
                                          << "does not say";
  QTest::addRow("no pre-tokenizer") << "no pre"
                                    << "tokenizer.ggml.pre";
  QTest::addRow("unknown pre-tokenizer") << "unknown pre"
                                         << "some-other-pre";
  QTest::addRow("no tokens") << "no tokens"
                             << "tokenizer.ggml.tokens";
  QTest::addRow("types do not match") << "types"
                                      << "tokenizer.ggml.token_type";
  QTest::addRow("no merges") << "no merges"
                             << "tokenizer.ggml.merges";
  QTest::addRow("merge of unknown tokens") << "merge"
                                           << "entry 1";
  QTest::addRow("merge without a space") << "one word"
                                         << "entry 0";
}

void TestTokenizer::brokenVocabulariesAreNamed() {
  QFETCH(QString, fault);
  QFETCH(QString, named);
  SmallVocabulary v;
  if (fault == "no model") v.model.clear();
  if (fault == "kind") v.model = "t5";
  if (fault == "default") v.pre = "default";
  if (fault == "no pre") v.pre.clear();
  if (fault == "unknown pre") v.pre = "some-other-pre";
  if (fault == "no tokens") v.tokens.clear();
  if (fault == "types") v.types.pop_back();
  if (fault == "no merges") v.hasMerges = false;
  if (fault == "merge") {
    v.add("ab", 1);
    v.merges = {"a b", "x y"};
  }
  if (fault == "one word") v.merges = {"ab"};
  const auto tokenizer = v.read();
  QVERIFY(!tokenizer.has_value());
  const QString what = QString::fromStdString(tokenizer.error().what);
  QVERIFY2(what.startsWith("vocabulary.gguf: ") && what.contains(named), qPrintable(what));
  QVERIFY(!tokenizer.error().remedy.empty());
}

void TestTokenizer::anIdOutsideOfTheVocabularyIsNone() {
  for (const std::int32_t outside : {-1, 256, 1 << 30}) {
    SmallVocabulary v;
    v.eos = outside;
    const auto tokenizer = v.read();
    QVERIFY(tokenizer.has_value());
    QCOMPARE(tokenizer->special().eos, -1);
  }
}

void TestTokenizer::mutatedVocabulariesDoNoHarm() {
  gguf::Writer writer;  // the tokenizer of a tiny model without its tensors
  SmallVocabulary v;
  v.add("<eos>", 3);
  v.add("th", 1);
  writer.addString("tokenizer.ggml.model", "gpt2");
  writer.addString("tokenizer.ggml.pre", "waferpair");
  writer.addStrings("tokenizer.ggml.tokens", v.tokens);
  writer.addInt32s("tokenizer.ggml.token_type", v.types);
  writer.addStrings("tokenizer.ggml.merges", std::vector<std::string>{"t h"});
  writer.addUint32("tokenizer.ggml.eos_token_id", 256);
  mutationsDoNoHarm(writer.bytes(), 8000, "the thing: \xff中\n");
}

// Texts that let a regular expression look again and again: one word of a megabyte, spaces that no
// line's end follows, capitals that wait for a small letter.
void TestTokenizer::longWordsTakeNoQuadraticTime() {
  for (const char* scheme :
       {"gpt-2", "deepseek-llm", "llama-bpe", "gpt-4o", "deepseek-v3", "kimi-k2"}) {
    const Tokenizer tokenizer = tiny(scheme);
    for (const char* unit : {"the", " ", "+", "A", "中A", "\n ", "\x01", "\u0301A", " 中"}) {
      std::string text;
      while (text.size() < 100000) text += unit;
      for (const char* end : {"", "x"}) {
        QVERIFY(tokenizer.decode(tokenizer.encode(text + end)) == text + end);
      }
    }
  }
}

}  // namespace waferpair::tokenizer

QTEST_APPLESS_MAIN(waferpair::tokenizer::TestTokenizer)
#include "test_tokenizer.moc"
