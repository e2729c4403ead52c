// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <cmath>

#include "runtime/gguf/file.h"
#include "runtime/inference/sampling/other_beginning.h"
#include "runtime/inference/sampling/sampler.h"
#include "runtime/inference/sampling/token_healing.h"
#include "tests/support/tiny_model.h"

namespace waferpair::inference {

class TestOtherBeginning : public QObject {
  Q_OBJECT

  std::unique_ptr<tokenizer::Tokenizer> tokenizer_;

  std::int32_t tokenOf(std::string_view bytes) const {
    for (int token = 0; token < tokenizer_->vocabSize(); ++token)
      if (tokenizer_->bytes(token) == bytes) return token;
    qFatal("no such token");
    return -1;
  }
  // The likeliest token has the first of the spellings, and so on.
  std::vector<float> logitsFor(std::initializer_list<std::string_view> spellings) const {
    std::vector<float> logits(static_cast<std::size_t>(tokenizer_->vocabSize()), -INFINITY);
    float logit = 5;
    for (const std::string_view spelling : spellings)
      logits[static_cast<std::size_t>(tokenOf(spelling))] = logit--;
    return logits;
  }
  QByteArray spelled(std::int32_t token) const {
    const std::string_view bytes = tokenizer_->bytes(token);
    return {bytes.data(), static_cast<qsizetype>(bytes.size())};
  }

 private slots:
  void initTestCase() {
    const auto bytes = test::makeTinyModel({.layers = 1, .preTokenizer = "gpt-2"}).bytes();
    const auto file = gguf::File::parse(bytes, "tiny.gguf");
    auto tokenizer = tokenizer::Tokenizer::fromGguf(*file);
    QVERIFY(tokenizer);
    tokenizer_ = std::make_unique<tokenizer::Tokenizer>(std::move(*tokenizer));
  }

  void theFirstTokenHasTheRankAndTheNextAreTheLikeliest() {
    const std::vector<float> logits = logitsFor({"a", "b", "c", "d"});
    for (const auto& [rank, first] : {std::pair(0, "a"), {1, "b"}, {2, "c"}}) {
      Sampler sampler({});
      OtherBeginning other(*tokenizer_, rank, {});
      sampler.add(other);
      QCOMPARE(spelled(sampler.next(logits)), QByteArray(first));
      QCOMPARE(spelled(sampler.next(logits)), QByteArray("a"));
    }
  }

  void whereFewerAreLeftTheLastOneStays() {
    Sampler sampler({});
    OtherBeginning other(*tokenizer_, 5, {});
    sampler.add(other);
    QCOMPARE(spelled(sampler.next(logitsFor({"a", "b"}))), QByteArray("b"));
  }

  // The text that is typed already is the same in all of them.
  void whatIsWrittenAnewDoesNotCount() {
    const std::vector<float> logits = logitsFor({"r", "e", "x", "y"});
    Sampler sampler({});
    TokenHealing healing(*tokenizer_, "re");
    OtherBeginning other(*tokenizer_, 1, "re");
    sampler.add(healing);
    sampler.add(other);
    QByteArray text;
    for (int i = 0; i < 4; ++i) text += spelled(sampler.next(logits));
    // Behind it, the likeliest ("r") is passed over once.
    QCOMPARE(text, QByteArray("reer"));
  }
};

}  // namespace waferpair::inference

QTEST_GUILESS_MAIN(waferpair::inference::TestOtherBeginning)
#include "test_other_beginning.moc"
