// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <cmath>
#include <map>
#include <set>

#include "runtime/inference/sampling/sampler.h"

namespace waferpair::inference {

namespace {

std::map<int, int> draw(const SamplingOptions& options, const std::vector<float>& logits, int n) {
  Sampler sampler(options);
  std::map<int, int> counts;
  for (int i = 0; i < n; ++i) ++counts[sampler.next(logits)];
  return counts;
}

}  // namespace

class TestSampler : public QObject {
  Q_OBJECT
 private slots:
  void greedyTakesTheLargestAndTheFirstOfEquals() {
    Sampler sampler({});
    QCOMPARE(sampler.next(std::vector<float>{1, 3, 2}), 1);
    QCOMPARE(sampler.next(std::vector<float>{3, 1, 3}), 0);
    QCOMPARE(sampler.next(std::vector<float>{-INFINITY, -5}), 1);
  }

  void notANumberIsNeverChosen() {
    const std::vector<float> logits = {NAN, 1, NAN, 0.5f};
    QCOMPARE(argmax(logits), 1);
    for (const auto& [token, count] : draw({.temperature = 1}, logits, 500))
      QVERIFY(token == 1 || token == 3);
    QCOMPARE(argmax(std::vector<float>{NAN, NAN}), 0);
  }

  // A large vocabulary's unlikely tokens come to something together.
  void logOfSumCountsTheUnlikely() {
    std::vector<float> logits(150'000, -20);
    logits[70'000] = 0;
    const double expected = std::log(1 + 149'999 * std::exp(-20.0));
    QVERIFY(std::abs(logOfSum(logits) - expected) < 1e-8);
  }

  // p(i) = exp(logit / T) / sum; 20,000 draws put each frequency within 4 standard deviations.
  void frequenciesFollowTheSoftmax() {
    const std::vector<float> logits = {0, 1, 2, -1};
    for (const float temperature : {0.5f, 1.0f, 1.5f}) {
      double sum = 0;
      for (const float logit : logits) sum += std::exp(logit / temperature);
      const int n = 20'000;
      auto counts = draw({.temperature = temperature, .seed = 3}, logits, n);
      for (int i = 0; i < 4; ++i) {
        const double p = std::exp(logits[i] / temperature) / sum;
        const double deviation = std::sqrt(p * (1 - p) / n);
        QVERIFY(std::abs(static_cast<double>(counts[i]) / n - p) < 4 * deviation);
      }
    }
  }

  void topKLeavesTheKLikeliest() {
    const std::vector<float> logits = {5, 4, 3, 2, 1};
    const auto counts = draw({.temperature = 2, .topK = 2}, logits, 1000);
    QCOMPARE(counts.size(), size_t{2});
    QVERIFY(counts.count(0) && counts.count(1));
    QCOMPARE(draw({.temperature = 2, .topK = 1}, logits, 100).size(), size_t{1});
  }

  // Probabilities 0.5, 0.25, 0.125, ...: 0.7 needs two, 0.76 three.
  void topPLeavesTheSmallestSetThatReachesP() {
    std::vector<float> logits;
    for (int i = 1; i <= 8; ++i) logits.push_back(std::log(std::pow(0.5f, float(i))));
    QCOMPARE(draw({.temperature = 1, .topP = 0.7f}, logits, 2000).size(), size_t{2});
    QCOMPARE(draw({.temperature = 1, .topP = 0.76f}, logits, 2000).size(), size_t{3});
    QCOMPARE(draw({.temperature = 1, .topP = 0}, logits, 100).size(), size_t{1});
  }

  // Weights 1, 1/2, 1/4, ...
  void minPLeavesWhatIsLikelyBesideTheLikeliest() {
    std::vector<float> logits;
    for (int i = 0; i < 8; ++i) logits.push_back(std::log(std::pow(0.5f, float(i))));
    QCOMPARE(draw({.temperature = 1, .minP = 0.2f}, logits, 2000).size(), size_t{3});
    QCOMPARE(draw({.temperature = 1, .minP = 1}, logits, 100).size(), size_t{1});
    // Both limits hold.
    QCOMPARE(draw({.temperature = 1, .topP = 0.7f, .minP = 0.2f}, logits, 2000).size(), size_t{2});
  }

  void whatCameIsPenalizedOnceHoweverOften() {
    const std::vector<float> logits = {3, 2, -1, -2};
    Sampler sampler({.repetitionPenalty = 2});
    const std::vector<std::int32_t> before = {0, 0, 2};
    sampler.remember(before);  // 1.5, 2, -2, -2
    QCOMPARE(sampler.next(logits), 1);
    QCOMPARE(sampler.next(logits), 0);  // 1.5, 1, ...: its own answer counts too
    // Tokens from longer ago than the window are forgotten.
    sampler.remember(std::vector<std::int32_t>(kPenalized, 3));
    QCOMPARE(sampler.next(logits), 0);
    // Ids that are in no vocabulary do no harm.
    sampler.remember(std::vector<std::int32_t>{-1, 1 << 30});
    QCOMPARE(sampler.next(logits), 1);
  }

  void whatCameIsPenalizedOnceAndForEachTime() {
    const std::vector<float> logits = {3, 2, 1};
    const std::vector<std::int32_t> before = {0, 0, 0, 1};
    const auto chosen = [&](const SamplingOptions& options) {
      Sampler sampler(options);
      sampler.remember(before);
      return sampler.next(logits);
    };
    QCOMPARE(chosen({.presencePenalty = 0.5f}), 0);   // 2.5, 1.5, 1
    QCOMPARE(chosen({.presencePenalty = 5}), 2);      // -2, -3, 1
    QCOMPARE(chosen({.frequencyPenalty = 0.5f}), 0);  // 1.5, 1.5, 1
    QCOMPARE(chosen({.frequencyPenalty = 0.6f}), 1);  // 1.2, 1.4, 1
    QCOMPARE(chosen({.presencePenalty = -9}), 0);
  }

  void whatWouldRepeatTheTextIsPenalizedByItsLength() {
    const std::vector<float> logits = {1, 2, 5, 0};
    // Behind 0 1 came 2: once more it would be a repetition of two tokens.
    const std::vector<std::int32_t> before = {0, 1, 2, 3, 0, 1};
    const auto chosen = [&](float multiplier, int allowed) {
      Sampler sampler({.dryMultiplier = multiplier, .dryBase = 2, .dryAllowedLength = allowed});
      sampler.remember(before);
      return sampler.next(logits);
    };
    QCOMPARE(chosen(4, 2), 1);  // 5 - 4
    QCOMPARE(chosen(2.9f, 2), 2);
    QCOMPARE(chosen(2.9f, 1), 1);  // 5 - 2 * 2.9
    QCOMPARE(chosen(100, 3), 2);
  }

  void typicalTokensAreThoseOfAboutTheExpectedSurprise() {
    // One token of half the probability, and 64 that share the other half: a surprise of 0.7, and
    // of 4.9, where 2.8 is expected.
    std::vector<float> logits(65, std::log(0.5f / 64));
    logits[0] = std::log(0.5f);
    const auto counts = draw({.temperature = 1, .typicalP = 0.4f}, logits, 500);
    QVERIFY(!counts.contains(0) || counts.size() == 1);
    QCOMPARE(draw({.temperature = 1, .typicalP = 1}, logits, 2000).size(), size_t{65});
  }

  void topChoicesAreLeftOutButForTheLeastLikely() {
    const std::vector<float> logits = {std::log(0.5f), std::log(0.3f), std::log(0.15f),
                                       std::log(0.05f)};
    const auto counts =
        draw({.temperature = 1, .xtcProbability = 1, .xtcThreshold = 0.2f}, logits, 1000);
    QVERIFY(!counts.contains(0) && counts.contains(1) && counts.contains(2));
    QCOMPARE(
        draw({.temperature = 1, .xtcProbability = 1, .xtcThreshold = 0.4f}, logits, 1000).size(),
        size_t{4});
  }

  void surpriseIsLimited() {
    std::vector<float> logits;
    for (int i = 0; i < 100; ++i) logits.push_back(std::log(1 / (1.0f + static_cast<float>(i))));
    for (const int version : {1, 2}) {
      const SamplingOptions little{.temperature = 1, .mirostat = version, .mirostatTau = 1};
      const SamplingOptions much{.temperature = 1, .mirostat = version, .mirostatTau = 6};
      QVERIFY(draw(little, logits, 1000).size() < draw(much, logits, 1000).size());
    }
  }

  void onlyWhatIsWithinSomeDeviationsOfTheLargestIsLeft() {
    std::vector<float> logits(100, 0.0f);
    logits[3] = 10;
    logits[7] = 9.5f;
    QCOMPARE(draw({.temperature = 9, .topNSigma = 1}, logits, 500).size(), size_t{2});
  }

  void biasMovesTheChoice() {
    const std::vector<float> logits = {3, 2, 1};
    QCOMPARE(Sampler({.bias = {{2, 5}}}).next(logits), 2);
    QCOMPARE(Sampler({.bias = {{0, -100}}}).next(logits), 1);
    QCOMPARE(Sampler({.bias = {{-1, 50}, {3, 50}}}).next(logits), 0);
  }

  void theSameSeedGivesTheSameTokens() {
    const std::vector<float> logits(50, 0.0f);
    const auto tokens = [&](std::uint64_t seed) {
      Sampler sampler({.temperature = 1, .seed = seed});
      std::vector<int> all;
      for (int i = 0; i < 40; ++i) all.push_back(sampler.next(logits));
      return all;
    };
    QVERIFY(tokens(1) == tokens(1));
    QVERIFY(tokens(1) != tokens(2));
  }

  void hugeLogitsDoNotOverflow() {
    const auto counts = draw({.temperature = 0.01f}, {1e30f, -1e30f, INFINITY}, 10);
    QCOMPARE(counts.size(), size_t{1});
    QVERIFY(counts.count(2));
  }
};

}  // namespace waferpair::inference

QTEST_APPLESS_MAIN(waferpair::inference::TestSampler)
#include "test_sampler.moc"
