// SPDX-License-Identifier: GPL-3.0-or-later
// Vocabularies with scores (tokenizer.ggml.model = "llama").
#include <QtTest>

#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "runtime/gguf/file.h"
#include "runtime/gguf/writer.h"
#include "runtime/tokenizer/tokenizer.h"
#include "tests/runtime/tokenizer/mutated_vocabulary.h"

namespace waferpair::tokenizer {

using Ids = std::vector<std::int32_t>;

constexpr std::int32_t kUnk = 0, kBos = 1, kEos = 2, kByte0 = 3, kFirst = 3 + 256;
constexpr const char* kSpace = "\xe2\x96\x81";

// <unk>, <s>, </s>, the bytes, then what a test adds.
struct ScoredVocabulary {
  ScoredVocabulary() {
    add("<unk>", 0, 2);
    add("<s>", 0, 3);
    add("</s>", 0, 3);
    for (int byte = 0; byte < 256; ++byte)
      add(qPrintable(QString::asprintf("<0x%02X>", byte)), 0, 6);
  }
  void add(const char* token, float score, std::int32_t type = 1) {
    tokens.emplace_back(token);
    scores.push_back(score);
    types.push_back(type);
  }
  std::vector<std::byte> bytes() const {
    gguf::Writer writer;
    writer.addString("tokenizer.ggml.model", "llama");
    writer.addStrings("tokenizer.ggml.tokens", tokens);
    if (!scores.empty()) writer.addFloat32s("tokenizer.ggml.scores", scores);
    writer.addInt32s("tokenizer.ggml.token_type", types);
    writer.addUint32("tokenizer.ggml.unknown_token_id", kUnk);
    writer.addUint32("tokenizer.ggml.bos_token_id", kBos);
    writer.addUint32("tokenizer.ggml.eos_token_id", kEos);
    writer.addBool("tokenizer.ggml.add_space_prefix", addsSpace);
    return writer.bytes();
  }
  base::Result<Tokenizer> tryRead() const {
    const auto written = bytes();
    const auto file = gguf::File::parse(written, "scored.gguf");
    return Tokenizer::fromGguf(*file);
  }
  Tokenizer read() const {
    auto tokenizer = tryRead();
    if (!tokenizer) qFatal("%s", tokenizer.error().message().c_str());
    return std::move(*tokenizer);
  }

  std::vector<std::string> tokens;
  std::vector<float> scores;
  std::vector<std::int32_t> types;
  bool addsSpace = false;
};

ScoredVocabulary letters() {
  ScoredVocabulary v;
  v.add(kSpace, -1);  // kFirst
  v.add("a", -2);
  v.add("b", -3);
  v.add("c", -4);
  return v;
}

class TestScoredVocabulary : public QObject {
  Q_OBJECT

 private slots:
  void theBestScoreIsJoinedFirst() {
    ScoredVocabulary v = letters();
    v.add("ab", -9);   // +4
    v.add("bc", -8);   // +5
    v.add("abc", -7);  // +6
    const Tokenizer tokenizer = v.read();
    QCOMPARE(tokenizer.encode("abc"), (Ids{kFirst + 6}));  // b c, then a bc
    QCOMPARE(tokenizer.encode("abab"), (Ids{kFirst + 4, kFirst + 4}));
    QCOMPARE(tokenizer.encode("aabcc"), (Ids{kFirst + 1, kFirst + 6, kFirst + 3}));
    QVERIFY(tokenizer.encode("").empty());
    QVERIFY(tokenizer.addsBos());
  }

  // The same joined as it is defined: all neighbors looked at, again and again.
  void joiningEqualsTheDefinition() {
    std::mt19937 random(3);
    constexpr const char* kAlphabet[] = {kSpace, "a", "b", "c"};
    for (int round = 0; round < 120; ++round) {
      ScoredVocabulary v = letters();
      std::map<std::string, std::pair<float, std::int32_t>> known;
      for (std::size_t i = 0; i < std::size(kAlphabet); ++i)
        known[kAlphabet[i]] = {0, kFirst + static_cast<std::int32_t>(i)};
      // In every second vocabulary spaces are in front of other characters only, as usual.
      const bool spacesAnywhere = round % 2 == 0;
      for (int i = 0; i < 40; ++i) {
        std::string token;
        for (std::size_t n = 2 + random() % 4; n > 0; --n) {
          const bool space = spacesAnywhere || token.find_first_not_of(kSpace) == token.npos;
          token += kAlphabet[space ? random() % 4 : 1 + random() % 3];
        }
        const auto score = -static_cast<float>(random() % 10);  // equal ones among them
        const auto id = static_cast<std::int32_t>(v.tokens.size());
        if (known.try_emplace(token, score, id).second) v.add(token.c_str(), score);
      }
      const Tokenizer tokenizer = v.read();
      for (int text = 0; text < 20; ++text) {
        std::vector<std::string> parts;
        std::string whole;
        for (std::size_t n = random() % 40; n > 0; --n) {
          parts.emplace_back(kAlphabet[random() % 4]);
          whole += parts.back() == kSpace ? " " : parts.back();
        }
        for (;;) {
          std::size_t best = parts.size();
          float bestScore = -1e9F;
          for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
            const auto it = known.find(parts[i] + parts[i + 1]);
            if (it == known.end() || it->second.first <= bestScore) continue;
            best = i;
            bestScore = it->second.first;
          }
          if (best == parts.size()) break;
          parts[best] += parts[best + 1];
          parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(best) + 1);
        }
        Ids expected;
        for (const std::string& part : parts) expected.push_back(known.at(part).second);
        QCOMPARE(tokenizer.encode(whole), expected);
      }
    }
  }

  void unknownCharactersBecomeTheirBytes() {
    const Tokenizer tokenizer = letters().read();
    QCOMPARE(tokenizer.encode("a\xc3\xa9\n"),
             (Ids{kFirst + 1, kByte0 + 0xc3, kByte0 + 0xa9, kByte0 + '\n'}));
    std::mt19937 random(4);
    for (int round = 0; round < 500; ++round) {
      std::string text;
      for (std::size_t n = random() % 30; n > 0; --n) text += static_cast<char>(random());
      if (text.find(kSpace) != std::string::npos) continue;
      const Ids ids = tokenizer.encode(text);
      QVERIFY(tokenizer.decode(ids) == text);
    }
  }

  void withoutBytesTheyAreUnknown() {
    ScoredVocabulary v = letters();
    for (std::size_t i = kByte0; i < kFirst; ++i) {
      v.tokens[i] = "filler" + std::to_string(i);
      v.types[i] = 5;
    }
    QCOMPARE(v.read().encode("ax"), (Ids{kFirst + 1, kUnk}));
  }

  void aFreshTextBeginsWithASpace() {
    ScoredVocabulary v = letters();
    v.addsSpace = true;
    const std::string joined = std::string(kSpace) + "a";
    v.add(joined.c_str(), -9);  // +4
    const Tokenizer tokenizer = v.read();
    QVERIFY(tokenizer.addsSpace());
    QCOMPARE(tokenizer.encode("ab a"), (Ids{kFirst + 4, kFirst + 2, kFirst + 4}));
    QCOMPARE(tokenizer.encode("ab", SpecialText::kPlain, TextStart::kContinues),
             (Ids{kFirst + 1, kFirst + 2}));
    QVERIFY(tokenizer.encode("").empty());
    // Behind a control token text is fresh again.
    QCOMPARE(tokenizer.encode("b<s>a", SpecialText::kParse, TextStart::kContinues),
             (Ids{kFirst + 2, kBos, kFirst + 4}));
    for (const char* text : {"ab a", " a", "  ", "\n a"}) {
      QVERIFY(tokenizer.decode(tokenizer.encode(text)) == text);
    }
    QVERIFY(tokenizer.bytes(kFirst + 4) == " a");  // in the middle of a text it is a space
  }

  void controlTokensAreTextUnlessAskedFor() {
    ScoredVocabulary v = letters();
    v.add("<", -1);
    v.add("s", -1);
    v.add(">", -1);
    v.add("<s", -1);  // one step from <s>
    const Tokenizer tokenizer = v.read();
    const auto plain = tokenizer.encode("<s></s>");
    QVERIFY(std::none_of(plain.begin(), plain.end(), [&](auto id) { return id <= kEos; }));
    QVERIFY(tokenizer.decode(plain) == "<s></s>");
    QCOMPARE(tokenizer.encode("<s>a</s>", SpecialText::kParse), (Ids{kBos, kFirst + 1, kEos}));
    QCOMPARE(tokenizer.findSpecial("<s>"), kBos);
    QCOMPARE(tokenizer.findSpecial("a"), -1);
    QCOMPARE(tokenizer.findSpecial("<s>a"), -1);
  }

  // Converters of today write real spaces in such tokens, older ones escaped ones.
  void userTokensAreFoundWithEitherSpace() {
    ScoredVocabulary v = letters();
    v.add("  ", -1, 4);                                             // +4
    v.add((std::string(kSpace) + kSpace + kSpace).c_str(), -1, 4);  // +5
    const Tokenizer tokenizer = v.read();
    QCOMPARE(tokenizer.encode("a   b  c d"), (Ids{kFirst + 1, kFirst + 5, kFirst + 2, kFirst + 4,
                                                  kFirst + 3, kFirst, kByte0 + 'd'}));
    QVERIFY(tokenizer.decode(tokenizer.encode("a     b")) == "a     b");
  }

  void streamsAreValidUtf8AtEachStep() {
    ScoredVocabulary v = letters();
    v.addsSpace = true;
    const Tokenizer tokenizer = v.read();
    const std::string text = "na\u00efve \u4e2d\u6587 \U0001f999!";
    StreamDecoder stream(tokenizer);
    std::string shown;
    for (const auto id : tokenizer.encode(text, SpecialText::kPlain, TextStart::kContinues)) {
      const std::string next = stream.push(id);
      QVERIFY(!QString::fromStdString(next).contains(QChar(0xfffd)));
      shown += next;
    }
    QVERIFY(shown == text);
    QVERIFY(stream.push(kByte0 + 0xe4).empty());
    QVERIFY(stream.push(kFirst + 1) ==
            "\xef\xbf\xbd"
            "a");
  }

  // A text is one word here: looking at all pairs after each joining would take hours.
  void longTextsTakeNoQuadraticTime() {
    ScoredVocabulary v = letters();
    std::string run = "a";
    for (int i = 0; i < 6; ++i) {
      run += run;
      v.add(run.c_str(), -5);
    }
    v.add("ab", -1);
    const Tokenizer tokenizer = v.read();
    for (const char* unit : {"a", " ", "abc ", "\u4e2d"}) {
      std::string text;
      while (text.size() < 500000) text += unit;
      QVERIFY(tokenizer.decode(tokenizer.encode(text)) == text);
    }
  }

  void brokenScoresAreNamed() {
    ScoredVocabulary none = letters(), few = letters(), nan = letters(), endless = letters();
    none.scores.clear();
    few.scores.pop_back();
    nan.scores[7] = std::numeric_limits<float>::quiet_NaN();
    endless.add(std::string(1025, 'a').c_str(), -1);
    const std::pair<ScoredVocabulary*, const char*> faults[] = {{&endless, "entry 263"},
                                                                {&none, "tokenizer.ggml.scores"},
                                                                {&few, "262 entries for 263"},
                                                                {&nan, "entry 7"}};
    for (const auto& [vocabulary, named] : faults) {
      const auto tokenizer = vocabulary->tryRead();
      QVERIFY(!tokenizer.has_value());
      QVERIFY2(tokenizer.error().what.find(named) != std::string::npos,
               tokenizer.error().what.c_str());
      QVERIFY(tokenizer.error().what.starts_with("scored.gguf: "));
      QVERIFY(!tokenizer.error().remedy.empty());
    }
  }

  void mutatedVocabulariesDoNoHarm() {
    ScoredVocabulary v = letters();
    v.add("ab", -1);
    v.add("[x]", -1, 4);
    mutationsDoNoHarm(v.bytes(), 4000, "ab [x]<s>\xff\u4e2d");
  }
};

}  // namespace waferpair::tokenizer

QTEST_APPLESS_MAIN(waferpair::tokenizer::TestScoredVocabulary)
#include "test_scored_vocabulary.moc"
