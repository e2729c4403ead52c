// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <cmath>
#include <random>

#include "runtime/gguf/file.h"
#include "runtime/gguf/writer.h"
#include "runtime/inference/sampling/copying.h"
#include "runtime/inference/sampling/sampler.h"

namespace waferpair::inference {

namespace {

constexpr std::size_t kMatchedNear = 3, kMatchedFar = 4, kAgreesAlike = 20;  // of the features

// One unit: the longer the match, the better.
CopyWeights longerIsBetter() {
  CopyWeights weights{std::vector<float>(kCopyFeatures + 3)};
  weights.values[kMatchedNear] = 4;
  weights.values[kMatchedFar] = 4;
  weights.values[kCopyFeatures + 1] = 1;
  return weights;
}

const CopyWeights kWeights = longerIsBetter();
const DraftIndex kNoDocuments;
const std::vector<float> kFlat(10, 0.0f);

using Tokens = std::vector<std::int32_t>;

base::Result<std::optional<CopyWeights>> readFrom(const gguf::Writer& writer) {
  const auto bytes = writer.bytes();
  return readCopyWeights(*gguf::File::parse(bytes, "copy.gguf"));
}

int next(const Tokens& text, const CopySources& sources, const std::vector<float>& logits = kFlat) {
  Sampler sampler({});
  Copying copying(kWeights, text, sources);
  sampler.add(copying);
  return sampler.next(logits);
}

}  // namespace

class TestCopying : public QObject {
  Q_OBJECT
 private slots:
  void theScoreIsThatOfTheLayer() {
    std::mt19937 random(1);
    std::normal_distribution<float> normal;
    for (const int hidden : {1, 7, 24}) {
      CopyWeights weights;
      for (int i = 0; i < hidden * (kCopyFeatures + 2) + 1; ++i)
        weights.values.push_back(normal(random) / 4);
      QCOMPARE(weights.hidden(), hidden);
      std::array<float, kCopyFeatures> features;
      for (float& feature : features) feature = normal(random);
      double expected = weights.values.back();
      for (int unit = 0; unit < hidden; ++unit) {
        const float* row = weights.values.data() + unit * (kCopyFeatures + 2);
        double input = row[kCopyFeatures];
        for (int i = 0; i < kCopyFeatures; ++i) input += row[i] * features[static_cast<size_t>(i)];
        if (input > 0) expected += input * row[kCopyFeatures + 1];
      }
      QVERIFY(std::abs(weights.score(features) - expected) < 1e-4);
    }
  }

  void noScoreIsBeyondMeasure() {
    CopyWeights weights = kWeights;
    std::array<float, kCopyFeatures> features = {};
    features[kMatchedNear] = 1e5f;
    QCOMPARE(weights.score(features), 12.0);
    weights.values[kCopyFeatures + 1] = -1;
    QCOMPARE(weights.score(features), -12.0);
  }

  void whatWasChosenIsCopiedToo() {
    Sampler sampler({});
    Copying copying(kWeights, Tokens{1, 2, 3, 4, 5}, {.documents = kNoDocuments});
    sampler.add(copying);
    // Nothing to copy from: the first of equals. "1 2" has been seen once it is chosen again.
    QCOMPARE(sampler.next(kFlat), 0);
    for (const std::int32_t token : {9, 1, 2}) copying.chosen(token);
    QCOMPARE(sampler.next(kFlat), 3);
    QCOMPARE(sampler.next(kFlat), 4);
    QCOMPARE(sampler.next(kFlat), 5);
    QCOMPARE(sampler.next(kFlat), 0);  // as after the first 5
    QCOMPARE(sampler.next(kFlat), 9);
  }

  void theSurroundingsAreCopiedFrom() {
    const Tokens around = {4, 5, 6, -1, 8, 9, 2, -1};
    QCOMPARE(next({1, 4, 5}, {.around = around, .documents = kNoDocuments}), 6);
    QCOMPARE(next({1, 8, 9}, {.around = around, .documents = kNoDocuments}), 2);
    QCOMPARE(next({1, 5, 6}, {.around = around, .documents = kNoDocuments}), 0);  // nothing follows
  }

  void documentsAreCopiedFromButTheOwnIsNot() {
    DraftIndex documents;
    documents.append(Tokens{4, 5, 6, 7});
    documents.endText(3);
    QCOMPARE(next({1, 4, 5}, {.documents = documents}), 6);
    QCOMPARE(next({1, 5, 6}, {.documents = documents}), 7);
    QCOMPARE(next({1, 5, 6}, {.documents = documents, .own = 2}), 7);
    QCOMPARE(next({1, 5, 6}, {.documents = documents, .own = 3}), 0);
  }

  void alikeLinesAreFollowedWhileTheTextGoesOnLikeThem() {
    CopyWeights weights{std::vector<float>(kCopyFeatures + 3)};
    weights.values[kAgreesAlike] = 4;
    weights.values[kCopyFeatures + 1] = 1;
    const std::vector<AlikeTokens> alike = {{{.agreement = 5}, {4, 5, 6}},
                                            {{.agreement = 3}, {4, 7, 8, 9}}};
    const Tokens text = {1, 2, 3};
    const auto next = [&](const Tokens& chosen) {
      Sampler sampler({});
      Copying copying(weights, text, {.alike = alike, .documents = kNoDocuments});
      for (const std::int32_t token : chosen) copying.chosen(token);
      sampler.add(copying);
      return sampler.next(kFlat);
    };
    QCOMPARE(next({}), 4);
    QCOMPARE(next({4}), 5);
    QCOMPARE(next({4, 5}), 6);
    QCOMPARE(next({4, 7}), 8);
    QCOMPARE(next({4, 7, 8}), 9);
    QCOMPARE(next({4, 5, 6}), 0);  // they have ended
    QCOMPARE(next({5}), 0);
    QCOMPARE(next({4, 1}), 0);
  }

  void whatIsForbiddenIsNotCopied() {
    std::vector<float> logits = kFlat;
    logits[4] = -INFINITY;
    const Tokens text = {1, 2, 3, 9, 1, 2, 4, 9, 1, 2};
    QCOMPARE(next(text, {.documents = kNoDocuments}), 4);
    QCOMPARE(next(text, {.documents = kNoDocuments}, logits), 3);
  }

  // While a word is spelled out few tokens are allowed: one that stands in the text at all counts.
  void whereMostIsForbiddenTheTextIsAllThatCounts() {
    std::vector<float> logits(10, -INFINITY);
    logits[2] = logits[6] = 0;
    QCOMPARE(next({1, 6, 8, 9}, {.documents = kNoDocuments}, logits), 6);
    QCOMPARE(next({1, 5, 8, 9}, {.documents = kNoDocuments}, logits), 2);
    logits[0] = logits[1] = logits[3] = logits[4] = 0;
    QCOMPARE(next({1, 6, 8, 9}, {.documents = kNoDocuments}, logits), 0);
  }

  void weightsComeFromTheFile() {
    constexpr const char* kKey = "waferpair.copying.scorer";
    gguf::Writer with, without, few, many, wrong, none;
    with.addFloat32s(kKey, kWeights.values);
    few.addFloat32s(kKey, std::vector<float>(kCopyFeatures + 2));
    many.addFloat32s(kKey, std::vector<float>((kCopyFeatures + 2) * 257 + 1));
    none.addFloat32s(kKey, std::vector<float>(1));
    std::vector<float> numbers = kWeights.values;
    numbers[5] = NAN;
    wrong.addFloat32s(kKey, numbers);
    QCOMPARE(readFrom(with).value(), std::optional(kWeights));
    QCOMPARE(readFrom(without).value(), std::optional<CopyWeights>());
    for (const gguf::Writer& writer : {few, many, wrong, none}) {
      const auto read = readFrom(writer);
      QVERIFY(!read);
      QVERIFY(read.error().message().find(kKey) != std::string::npos);
    }
  }
};

}  // namespace waferpair::inference

QTEST_APPLESS_MAIN(waferpair::inference::TestCopying)
#include "test_copying.moc"
