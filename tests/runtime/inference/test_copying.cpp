// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <cmath>
#include <random>

#include "runtime/gguf/file.h"
#include "runtime/gguf/writer.h"
#include "runtime/inference/copying.h"
#include "runtime/inference/sampler.h"

namespace waferpair::inference {

namespace {

constexpr CopyWeights kWeights{{0.0639f, 0.8737f, 0.6627f, -1.3823f, 1.4704f, 0.2983f}};
const DraftIndex kNoDocuments;

using Tokens = std::vector<std::int32_t>;

std::vector<double> softmax(std::span<const float> logits) {
  const float largest = *std::max_element(logits.begin(), logits.end());
  std::vector<double> chances;
  double sum = 0;
  for (const float logit : logits) sum += chances.emplace_back(std::exp(logit - largest));
  for (double& chance : chances) chance /= sum;
  return chances;
}

base::Result<std::optional<CopyWeights>> readFrom(gguf::Writer writer) {
  const auto bytes = writer.bytes();
  return readCopyWeights(*gguf::File::parse(bytes, "copy.gguf"));
}

// All that weigh() is defined by, place by place.
DraftIndex::Evidence weighPlainly(const Tokens& log, const Tokens& context) {
  std::vector<std::size_t> candidates;
  const auto agree = [&](std::size_t end) {
    int length = 0;
    while (length < DraftIndex::kMostMatch && length < std::ssize(context) &&
           static_cast<std::size_t>(length) < end &&
           log[end - 1 - length] == context[context.size() - 1 - length])
      ++length;
    return length;
  };
  for (std::size_t end = log.size(); end-- > 0 && candidates.size() < DraftIndex::kCandidates;)
    if (agree(end) >= DraftIndex::kLeastMatch) candidates.push_back(end);
  DraftIndex::Evidence evidence;
  for (const std::size_t end : candidates)
    evidence.matched = std::max(evidence.matched, agree(end));
  std::map<std::int32_t, int> votes;
  for (const std::size_t end : candidates)
    if (agree(end) == evidence.matched) ++evidence.places, ++votes[log[end]];
  for (const auto& [token, count] : votes) evidence.agreeing = std::max(evidence.agreeing, count);
  for (const std::size_t end : candidates) {
    if (agree(end) != evidence.matched || votes[log[end]] != evidence.agreeing) continue;
    evidence.token = log[end];
    break;
  }
  return evidence;
}

}  // namespace

class TestCopying : public QObject {
  Q_OBJECT
 private slots:
  // What training/copying.py computes.
  void probabilitiesAreThoseOfTheTrainer() {
    const auto check = [](int matched, int places, int agreeing, double network, double expected) {
      const double got = copyProbability(kWeights, {5, matched, places, agreeing}, network);
      QVERIFY2(std::abs(got - expected) < 1e-5, qPrintable(QString::number(got)));
    };
    check(2, 1, 1, 0.1, 0.5035176);
    check(7, 3, 3, 0.01, 0.7542423);
    check(32, 16, 16, 0.9, 0.9962593);
    check(3, 4, 2, 0.5, 0.3872115);
    check(4, 1, 1, 0.0, 0.0548853);
  }

  void theOthersStayAsLikelyAmongThemselves() {
    std::mt19937 random(1);
    std::normal_distribution<float> normal(0, 4);
    for (int round = 0; round < 100; ++round) {
      std::vector<float> logits(50);
      for (float& logit : logits) logit = normal(random);
      const auto before = softmax(logits);
      const DraftIndex::Evidence evidence{static_cast<int>(random() % 50), 5, 2, 2};
      mixCopy(kWeights, evidence, logits);
      const auto after = softmax(logits);
      const auto token = static_cast<std::size_t>(evidence.token);
      const double wanted = copyProbability(kWeights, evidence, before[token]);
      QVERIFY(std::abs(after[token] - wanted) < 1e-4);
      for (std::size_t i = 0; i < logits.size(); ++i) {
        if (i == token) continue;
        QVERIFY(std::abs(after[i] - before[i] * (1 - wanted) / (1 - before[token])) < 1e-4);
      }
    }
  }

  // A model that is sure of everything leaves no mass to the others.
  void certaintyIsNoDivisionByZero() {
    std::vector<float> logits = {200, -200, -INFINITY};
    mixCopy(kWeights, {0, 5, 1, 1}, logits);
    QVERIFY(std::isfinite(logits[0]));
    logits = {200, -200, -INFINITY};
    mixCopy(kWeights, {1, 5, 1, 1}, logits);
    QVERIFY(std::isfinite(logits[1]));
  }

  void theEvidenceIsThatOfAllCandidates() {
    std::mt19937 random(2);
    for (int round = 0; round < 300; ++round) {
      DraftIndex index;
      Tokens log;
      const int letters = 2 + static_cast<int>(random() % 6);
      for (int i = 0; i < 120; ++i) log.push_back(static_cast<std::int32_t>(random() % letters));
      index.append(log);
      for (const std::size_t length : {2, 5, 40}) {
        Tokens context(log.end() - 60, log.end() - 60 + static_cast<std::ptrdiff_t>(length));
        const auto got = index.weigh(context, [](std::int32_t) { return true; });
        const auto expected = weighPlainly(log, context);
        QCOMPARE(got.matched, expected.matched);
        QCOMPARE(got.places, expected.places);
        QCOMPARE(got.agreeing, expected.agreeing);
        QCOMPARE(got.token, expected.token);
      }
    }
  }

  void whatIsForbiddenIsNoEvidence() {
    DraftIndex index;
    index.append(Tokens{1, 2, 3, 7, 1, 2, 4, 7, 1, 2, 4});
    const Tokens context = {7, 1, 2};
    QCOMPARE(index.weigh(context, [](std::int32_t) { return true; }).token, 4);
    const auto other = index.weigh(context, [](std::int32_t token) { return token != 4; });
    QCOMPARE(other.token, 3);
    QCOMPARE(other.matched, 2);
    QCOMPARE(index.weigh(context, [](std::int32_t) { return false; }).matched, 0);
  }

  void whatWasChosenIsCopiedToo() {
    const std::vector<float> flat(10, 0.0f);
    Sampler sampler({});
    DraftIndex text;
    text.append(Tokens{1, 2, 3, 4, 5});
    Copying copying(kWeights, text, kNoDocuments);
    sampler.add(copying);
    // Nothing to copy from: the first of equals. "1 2" has been seen once it is chosen again.
    QCOMPARE(sampler.next(flat), 0);
    for (const std::int32_t token : {9, 1, 2}) copying.chosen(token);
    QCOMPARE(sampler.next(flat), 3);
    QCOMPARE(sampler.next(flat), 4);
    QCOMPARE(sampler.next(flat), 5);
    QCOMPARE(sampler.next(flat), 0);  // as after the first 5
    QCOMPARE(sampler.next(flat), 9);
  }

  void documentsAreCopiedFrom() {
    const std::vector<float> flat(10, 0.0f);
    DraftIndex documents;
    documents.append(Tokens{4, 5, 6, 7});
    Sampler sampler({});
    DraftIndex text;
    text.append(Tokens{1, 4, 5});
    Copying copying(kWeights, text, documents);
    sampler.add(copying);
    QCOMPARE(sampler.next(flat), 6);
    QCOMPARE(sampler.next(flat), 7);
  }

  void weightsComeFromTheFile() {
    gguf::Writer with, without, few, wrong;
    with.addFloat32s("waferpair.copying.weights", kWeights.values);
    few.addFloat32s("waferpair.copying.weights", std::vector<float>{1, 2});
    wrong.addFloat32s("waferpair.copying.weights", std::vector<float>{1, 2, 3, 4, 5, NAN});
    QCOMPARE(readFrom(with).value(), std::optional(kWeights));
    QCOMPARE(readFrom(without).value(), std::optional<CopyWeights>());
    for (const gguf::Writer& writer : {few, wrong}) {
      const auto read = readFrom(writer);
      QVERIFY(!read);
      QVERIFY(read.error().message().find("waferpair.copying.weights") != std::string::npos);
    }
  }
};

}  // namespace waferpair::inference

QTEST_APPLESS_MAIN(waferpair::inference::TestCopying)
#include "test_copying.moc"
