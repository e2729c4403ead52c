// SPDX-License-Identifier: GPL-3.0-or-later
// Against what the header says, computed place by place.
#include <QtTest>
#include <cmath>
#include <map>
#include <random>
#include <set>

#include "runtime/inference/sampling/copy_evidence.h"

namespace waferpair::inference {

using Tokens = std::vector<std::int32_t>;

class TestCopyEvidence : public QObject {
  Q_OBJECT

  struct Place {
    int token, matched;
  };

  static int agree(const Tokens& text, std::size_t at, const Tokens& context) {
    int matched = 0;
    while (matched < 32 && matched < std::ssize(context) &&
           static_cast<std::size_t>(matched) < at &&
           text[at - 1 - static_cast<std::size_t>(matched)] >= 0 &&
           text[at - 1 - static_cast<std::size_t>(matched)] ==
               context[context.size() - 1 - static_cast<std::size_t>(matched)])
      ++matched;
    return matched;
  }

  // Returns the chance of `token`, mixed with the chances by shorter contexts (Witten and Bell,
  // method C).
  static double chance(const std::vector<Place>& places, int order, int token, double network) {
    double chance = network;
    for (const int fewest : {0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32}) {
      if (fewest > order) break;
      std::map<int, int> counts;
      int all = 0;
      for (const Place& place : places)
        if (place.matched >= fewest) ++counts[place.token], ++all;
      const auto kinds = static_cast<double>(counts.size());
      if (all > 0) chance = (counts[token] + kinds * chance) / (all + kinds);
    }
    return chance;
  }

 private slots:
  void whatSpeaksForATokenIsWhatTheTextsHold() {
    std::mt19937 random(1);
    for (int round = 0; round < 300; ++round) {
      const int letters = 2 + static_cast<int>(random() % 6);
      const auto draw = [&](int count) {
        Tokens tokens;
        for (int i = 0; i < count; ++i)
          tokens.push_back(random() % 30 == 0 ? -1 : static_cast<int>(random() % letters));
        return tokens;
      };
      Tokens text = draw(60);
      text.back() = 0;
      const Tokens around = draw(50);
      DraftIndex far;
      Tokens inFar;
      for (int part = 0; part < 3; ++part) {
        Tokens tokens = draw(40);
        std::erase(tokens, -1);
        far.append(tokens);
        far.endText(part);
        if (part == 1) continue;
        inFar.insert(inFar.end(), tokens.begin(), tokens.end());
        inFar.push_back(-1);
      }
      const bool loose = random() % 2 == 0;
      std::vector<float> logits(8);
      double sum = 0;
      for (float& logit : logits) {
        logit = std::normal_distribution<float>(0, 2)(random);
        sum += std::exp(logit);
      }

      std::vector<Place> near, others;
      for (const Tokens* tokens : std::initializer_list<const Tokens*>{&text, &around})
        for (std::size_t at = 1; at < tokens->size(); ++at)
          if ((*tokens)[at] >= 0 && (loose || agree(*tokens, at, text) > 0))
            near.push_back({(*tokens)[at], agree(*tokens, at, text)});
      for (std::size_t at = 2; at < inFar.size(); ++at)
        if (inFar[at] >= 0 && agree(inFar, at, text) >= 2)
          others.push_back({inFar[at], agree(inFar, at, text)});

      std::vector<AlikeLine> lines(random() % 4);
      std::vector<int> goOn;
      for (AlikeLine& line : lines) {
        line = {.agreement = static_cast<double>(random() % 9) - 2,
                .replaced = static_cast<int>(random() % 3),
                .distance = random() % 2000};
        goOn.push_back(static_cast<int>(random() % 4));
      }

      CopyEvidence evidence;
      evidence.addNear(text, 0, text, loose);
      evidence.addNear(around, text.size(), text, loose);
      evidence.addFar(far, 1, text);
      for (std::size_t i = 0; i < lines.size(); ++i) evidence.addAlike(goOn[i], lines[i]);
      const auto candidates = evidence.weigh(logits, loose);

      std::map<int, int> seen;
      for (const auto& place : near) seen[place.token] |= 1;
      for (const auto& place : others) seen[place.token] |= 2;
      for (const int token : goOn) seen[token] |= 4;
      QCOMPARE(candidates.size(), seen.size());
      for (const CopyCandidate& candidate : candidates) {
        QVERIFY(seen.contains(candidate.token));
        const double own = logits[static_cast<std::size_t>(candidate.token)] - std::log(sum);
        const auto check = [&](std::size_t feature, double expected) {
          const double got = candidate.features[feature];
          QVERIFY2(std::abs(got - expected) < 1e-4,
                   qPrintable(QString("round %1, feature %2: %3, not %4")
                                  .arg(round)
                                  .arg(feature)
                                  .arg(got)
                                  .arg(expected)));
        };
        check(0, own);
        std::size_t source = 0;
        for (const auto* places : {&near, &others}) {
          int longest = -1, matched = -1, count = 0, atLongest = 0;
          for (const Place& place : *places) {
            longest = std::max(longest, place.matched);
            if (place.token == candidate.token) matched = std::max(matched, place.matched);
          }
          for (const Place& place : *places) {
            count += place.token == candidate.token && place.matched == matched ? 1 : 0;
            atLongest += place.matched == longest ? 1 : 0;
          }
          const bool leads = matched >= 0 && matched == longest;
          check(1 + source,
                std::log(chance(*places, longest, candidate.token, std::exp(own))) - own);
          check(3 + source, std::log1p(matched + 1));
          check(5 + source, leads ? 1 : 0);
          check(7 + source, std::log1p(count));
          check(9 + source, leads ? static_cast<double>(count) / atLongest : 0);
          check(11 + source, std::log1p(longest + 1));
          check(16 + source, std::log1p(atLongest));
          ++source;
        }
        check(18, loose ? 1 : 0);
        double weight = 0, allWeight = 0;
        const AlikeLine *mine = nullptr, *first = nullptr;
        int count = 0;
        for (std::size_t i = 0; i < lines.size(); ++i) {
          const double counts = std::max(lines[i].agreement, 0.5) / 2;
          allWeight += counts;
          if (!first || lines[i].agreement > first->agreement) first = &lines[i];
          if (goOn[i] != candidate.token) continue;
          weight += counts;
          ++count;
          if (!mine || lines[i].agreement > mine->agreement) mine = &lines[i];
        }
        const auto kinds = static_cast<double>(std::set(goOn.begin(), goOn.end()).size());
        const auto agreed = [](const AlikeLine& line) {
          return std::log1p(std::max(line.agreement, 0.0));
        };
        check(19,
              first ? std::log((weight + kinds * std::exp(own)) / (allWeight + kinds)) - own : 0);
        check(20, mine ? agreed(*mine) : 0);
        check(21, mine && mine->agreement == first->agreement ? 1 : 0);
        check(22, mine ? static_cast<double>(count) / static_cast<double>(lines.size()) : 0);
        check(23, first ? agreed(*first) : 0);
        check(24, mine ? std::log1p(mine->replaced) : 0);
        check(25, mine ? std::exp(-static_cast<double>(mine->distance) / 500) : 0);
      }
    }
  }

  // A network that is sure of everything leaves no chance to the others.
  void nothingIsSoUnlikelyThatItIsNoNumber() {
    const Tokens text = {1, 2, 1, 3, 1};
    DraftIndex documents;
    documents.append(Tokens{3, 1, 4, 4});
    documents.endText();
    std::vector<float> logits(5, -2000.0f);
    logits[0] = 2000;
    CopyEvidence evidence;
    evidence.addNear(text, 0, text, false);
    evidence.addFar(documents, DraftIndex::kNobody, text);
    const auto candidates = evidence.weigh(logits, false);
    QCOMPARE(candidates.size(), std::size_t{3});
    for (const CopyCandidate& candidate : candidates)
      for (const float feature : candidate.features) QVERIFY(std::isfinite(feature));
  }

  void whatIsNearCountsAsRecent() {
    const Tokens text = {1, 2, 1, 3, 1};
    CopyEvidence evidence;
    evidence.addNear(text, 0, text, false);
    const std::vector<float> logits(5, 0.0f);
    const auto candidates = evidence.weigh(logits, false);
    QCOMPARE(candidates.size(), std::size_t{2});
    QCOMPARE(candidates[0].token, 3);
    QCOMPARE(candidates[1].token, 2);
    QCOMPARE(candidates[0].features[14], static_cast<float>(std::exp(-2.0 / 500)));
    QCOMPARE(candidates[1].features[14], static_cast<float>(std::exp(-4.0 / 500)));
  }

  void tokensOutsideTheVocabularyAndForbiddenOnesAreNone() {
    const Tokens text = {1, 2, 1, 77, 1, 3, 1};
    std::vector<float> logits(5, 0.0f);
    logits[3] = -INFINITY;
    CopyEvidence evidence;
    evidence.addNear(text, 0, text, false);
    const auto candidates = evidence.weigh(logits, false);
    QCOMPARE(candidates.size(), std::size_t{1});
    QCOMPARE(candidates[0].token, 2);
    evidence.clear();
    QVERIFY(evidence.weigh(logits, false).empty());
  }
};

}  // namespace waferpair::inference

QTEST_APPLESS_MAIN(waferpair::inference::TestCopyEvidence)
#include "test_copy_evidence.moc"
