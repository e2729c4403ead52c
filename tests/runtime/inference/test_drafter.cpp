// SPDX-License-Identifier: GPL-3.0-or-later
// Tests where drafts come from, and how much of them is worth verifying.
#include <QtTest>
#include <random>

#include "runtime/inference/drafts/drafter.h"

namespace waferpair::inference {

using Tokens = std::vector<std::int32_t>;

class TestDrafter : public QObject {
  Q_OBJECT

  // 0, 1, 2 ... count - 1 from `first` on: no token twice.
  static Tokens counting(int first, int count) {
    Tokens tokens;
    for (int i = 0; i < count; ++i) tokens.push_back(first + i);
    return tokens;
  }
  static Tokens joined(Tokens a, const Tokens& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
  }
  static bool never(std::int32_t) { return false; }
  static DraftExperience cheap() {  // any step takes as long as one of a row
    DraftExperience experience;
    for (int i = 0; i < 200; ++i)
      for (const int rows : {1, 2, 8, kMostDrafted + 1}) experience.costs.measured(rows, 1e5);
    return experience;
  }

 private slots:
  void aRewriteFollowsTheOldTextThroughItsChanges() {
    const Tokens old = counting(100, 60);
    RewriteSource source(old);
    Tokens text = joined(old, {1, 2});
    const auto says = [&](const Tokens& more) {
      text = joined(text, more);
      return source.propose(text, 2).tokens;
    };
    QCOMPARE(says(counting(100, 7)), Tokens{});  // may be chance
    QCOMPARE(says({107}), (Tokens{108, 109}));
    QCOMPARE(says({108}), (Tokens{109, 110}));
    QCOMPARE(says({5}), Tokens{});                        // 109 replaced
    QCOMPARE(says({110, 111, 112}), (Tokens{113, 114}));  // met again
    QCOMPARE(says({6, 7, 8}), Tokens{});                  // put in
    QCOMPARE(says({113, 114, 115}), (Tokens{116, 117}));
    QCOMPARE(says({130}), Tokens{});  // 116 to 129 left out
    QCOMPARE(says({131, 132}), (Tokens{133, 134}));
    QCOMPARE(says(counting(133, 27)), Tokens{});  // at its end
  }

  // Three turns of phrase alike: the old text goes on at the next one, not at the latest.
  void ofPlacesAlikeARewriteTakesTheNext() {
    Tokens old;
    for (const int name : {10, 20, 30}) old = joined(old, joined(counting(name, 9), {1, 2, 3}));
    RewriteSource source(old);
    Tokens text = joined(old, counting(10, 9));
    QCOMPARE(source.propose(text, 1).tokens, Tokens{1});
    text = joined(text, {5, 1, 2, 3});
    QCOMPARE(source.propose(text, 1).tokens, Tokens{20});
  }

  void theRestOfADraftIsTakenUp() {
    ResumeSource source;
    source.parted(counting(50, 10), 3);  // 50 was not what came
    const auto says = [&](const Tokens& text) { return source.propose(text, 2).tokens; };
    QCOMPARE(says({1, 2, 3, 9}), (Tokens{51, 52}));          // as if 50 was replaced
    QCOMPARE(says({1, 2, 3, 9, 51}), (Tokens{52, 53}));      // it was
    QCOMPARE(says({1, 2, 3, 52}), (Tokens{53, 54}));         // 50 and 51 were left out
    QCOMPARE(says({1, 2, 3, 9, 50, 51}), (Tokens{52, 53}));  // 9 was put in
    QCOMPARE(says({1, 2, 3, 9, 8}), Tokens{});
    QCOMPARE(says(joined({1, 2, 3}, counting(200, 9))), Tokens{});  // long ago
    QCOMPARE(says({1, 2, 3}), Tokens{});
    QCOMPARE(source.propose(Tokens{1, 2, 3, 9, 51}, 9).matched, 1);
    QCOMPARE(ResumeSource().propose(Tokens{1, 2, 3}, 2).tokens, Tokens{});
  }

  // Steps that take a + b rows, with disturbance that only ever adds.
  void costsAreLearnedThroughNoise() {
    std::mt19937 random(3);
    for (const double slope : {0.02, 0.3, 0.7, 1.0}) {
      StepCosts costs;
      for (int i = 0; i < 3000; ++i) {
        const int rows = i % 3 == 0 ? 1 : 1 + static_cast<int>(random() % (kMostDrafted + 1));
        const double noise = random() % 10 == 0 ? 5 : 1 + 0.02 * static_cast<int>(random() % 5);
        costs.measured(rows, 1e5 * (1 + slope * (rows - 1)) * noise);
      }
      for (int rows = 1; rows <= kMostDrafted + 1; ++rows) {
        const double expected = 1 + slope * (rows - 1);
        QVERIFY2(std::abs(costs.relative(rows) / expected - 1) < 0.2,
                 qPrintable(
                     QString("%1 rows at %2: %3").arg(rows).arg(slope).arg(costs.relative(rows))));
      }
    }
  }

  void costsInBetweenAreInProportion() {
    StepCosts costs;
    for (int i = 0; i < 500; ++i) {
      costs.measured(1, 100);
      costs.measured(5, 300);
      costs.measured(9, 300);
    }
    QVERIFY(std::abs(costs.relative(1) - 1) < 1e-9);
    QVERIFY(std::abs(costs.relative(3) - 2) < 0.05);
    QVERIFY(std::abs(costs.relative(7) - 3) < 0.05);
    QVERIFY(costs.relative(17) > costs.relative(9));
    for (int i = 0; i < 500; ++i) costs.measured(1, 200);  // twice as slow, on the whole
    for (int i = 0; i < 500; ++i) costs.measured(9, 600);
    QVERIFY(std::abs(costs.relative(9) - 3) < 0.2);
  }

  void oddsFollowWhatIsSeen() {
    DraftOdds odds;
    for (int i = 0; i < 300; ++i) {
      odds.seen(DraftSource::kText, 3, i % 4 == 0);
      odds.seen(DraftSource::kText, 40, true);
    }
    QVERIFY(std::abs(odds.of(DraftSource::kText, 3) - 0.25) < 0.1);
    QVERIFY(odds.of(DraftSource::kText, 40) > 0.99);
    QCOMPARE(odds.of(DraftSource::kRewrite, 3), DraftOdds().of(DraftSource::kRewrite, 3));
  }

  void theBestLengthWeighsOddsAgainstCosts() {
    const Draft draft{counting(0, 20), 30};
    DraftOdds sure, unsure;
    for (int i = 0; i < 400; ++i) {
      sure.seen(DraftSource::kText, 30, true);
      unsure.seen(DraftSource::kText, 30, i % 10 == 0);
    }
    StepCosts dear;
    for (int i = 0; i < 400; ++i)
      for (const int rows : {1, 2, 10, 21}) dear.measured(rows, 100.0 * rows);
    const StepCosts free = cheap().costs;
    const auto best = [&](const DraftOdds& odds, const StepCosts& costs) {
      return bestLength(DraftSource::kText, draft, odds, costs);
    };
    QCOMPARE(best(sure, free).tokens, 20);
    QVERIFY(best(sure, free).gain > 15);
    QVERIFY(best(unsure, free).gain > 1);
    QVERIFY(best(unsure, dear).gain < 0.7);
    QVERIFY(best(sure, dear).gain < 1.05);
    QCOMPARE(bestLength(DraftSource::kText, {}, sure, free).tokens, 0);
  }

  // A draft that is wrong again and again is no longer made, and is made again once it is right.
  void aDrafterLearns() {
    DraftExperience experience;
    for (int i = 0; i < 400; ++i)
      for (const int rows : {1, 2, 4, 8, 16, 32})
        experience.costs.measured(rows, 1e5 * (1 + 0.5 * (rows - 1)));
    const DraftIndex none;
    Tokens text = joined(counting(100, 40), {1, 2, 3, 7});
    Drafter drafter(Speculation::kAdaptive, experience, none, text, never);
    const auto round = [&](bool right) {
      text = joined(text, {1, 2, 3});
      const auto draft = drafter.propose(text, 1);
      const std::size_t drafted = draft.size();
      const Tokens chosen = {right ? 7 : static_cast<int>(1000 + text.size())};
      drafter.chose(chosen, 1e5 * (1 + 0.5 * static_cast<double>(drafted)));
      if (right) text.push_back(7);
      return static_cast<int>(drafted);
    };
    for (int i = 0; i < 100; ++i) round(false);
    int drafted = 0;
    for (int i = 0; i < 100; ++i) drafted += round(false);
    QVERIFY2(drafted <= 3, qPrintable(QString::number(drafted)));
    for (int i = 0; i < 200; ++i) round(true);
    drafted = 0;
    for (int i = 0; i < 100; ++i) drafted += round(true);
    QVERIFY2(drafted > 90, qPrintable(QString::number(drafted)));
  }

  void noDraftHoldsAnEndNorMoreThanAsked() {
    DraftExperience experience = cheap();
    DraftIndex documents;
    documents.append(Tokens{1, 2, 3, 4, 5, 99, 6, 7});
    Drafter drafter(Speculation::kAlways, experience, documents, Tokens{50, 51},
                    [](std::int32_t token) { return token == 99; });
    const Tokens text = {50, 51, 1, 2, 3};
    const auto draft = drafter.propose(text, 20);
    QCOMPARE(Tokens(draft.begin(), draft.end()), (Tokens{4, 5}));
    QCOMPARE(drafter.propose(text, 1).size(), std::size_t{1});
    QCOMPARE(drafter.propose(text, 0).size(), std::size_t{0});
  }
};

}  // namespace waferpair::inference

QTEST_APPLESS_MAIN(waferpair::inference::TestDrafter)
#include "test_drafter.moc"
