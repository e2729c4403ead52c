// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "runtime/inference/output/certainty.h"

namespace waferpair::inference {

using std::string;

class TestCertainty : public QObject {
  Q_OBJECT
 private slots:
  void withoutALimitAllGoesThrough() {
    Certainty all(0);
    QCOMPARE(all.push("wo", 0.001), string("wo"));
    QCOMPARE(all.push("rd", 0.0), string("rd"));
    QVERIFY(!all.stop());
    QCOMPARE(all.finish("", TextEnd::kComplete, 1), string());
  }

  void wordsComeWhole() {
    Certainty half(0.5);
    QCOMPARE(half.push("(count", 0.9), string("("));
    QCOMPARE(half.push("Words", 0.9), string());
    QCOMPARE(half.push("(", 0.9), string("countWords("));
    QCOMPARE(half.push("a", 1), string());
    QCOMPARE(half.finish("", TextEnd::kComplete, 1), string("a"));
  }

  void whatIsTogetherLessLikelyEndsIt() {
    Certainty half(0.5);
    QCOMPARE(half.push("a ", 0.8), string("a "));
    QCOMPARE(half.push("b ", 0.8), string("b "));
    QCOMPARE(half.push("c ", 0.7), string());  // 0.448
    QVERIFY(half.stop() == StopReason::kUnsure);
    QCOMPARE(half.push("d ", 1), string());
    QCOMPARE(half.finish("", TextEnd::kComplete, 1), string());
  }

  void aWordThatMayGoOnIsNotShown() {
    Certainty half(0.5);
    QCOMPARE(half.push("x.count", 0.9), string("x."));
    QCOMPARE(half.push("Long", 0.1), string());
    QCOMPARE(half.finish("", TextEnd::kComplete, 1), string());
  }

  void aWordThatHasEndedIsShown() {
    Certainty half(0.5);
    QCOMPARE(half.push("x.count", 0.9), string("x."));
    QCOMPARE(half.push("(", 0.1), string("count"));
    QVERIFY(half.stop() == StopReason::kUnsure);
  }

  void aWordThatWasCutIsDropped() {
    Certainty half(0.5);
    QCOMPARE(half.push("a b", 0.8), string("a "));
    QCOMPARE(half.finish("c", TextEnd::kCut, 1), string());
  }

  void theEndCounts() {
    Certainty half(0.5);
    QCOMPARE(half.push("a b", 0.8), string("a "));
    QCOMPARE(half.finish("", TextEnd::kChosen, 0.9), string("b"));
    QVERIFY(!half.stop());
    QCOMPARE(half.probability(), 0.8 * 0.9);
  }

  void anEndThatIsNotSureEndsAWordAllTheSame() {
    Certainty half(0.5);
    QCOMPARE(half.push("a b", 0.8), string("a "));
    QCOMPARE(half.finish("", TextEnd::kChosen, 0.6), string("b"));  // 0.48
    QVERIFY(half.stop() == StopReason::kUnsure);
    QCOMPARE(half.probability(), 0.8);
    QCOMPARE(half.finish("", TextEnd::kComplete, 1), string());
  }

  void whatWasLetThroughIsAsLikelyAsItsTokensTogether() {
    Certainty all(0), half(0.5);
    for (const double probability : {0.9, 0.8, 0.1, 0.7}) {
      all.push("a ", probability);
      half.push("a ", probability);
    }
    all.finish("", TextEnd::kChosen, 0.5);
    QCOMPARE(all.probability(), 0.9 * 0.8 * 0.1 * 0.7 * 0.5);
    QCOMPARE(half.probability(), 0.9 * 0.8);
  }

  void charactersBeyondAsciiAreOfWords() {
    Certainty half(0.5);
    QCOMPARE(half.push(" \xC3\xA4", 0.9), string(" "));
    QCOMPARE(half.push(" ", 0.9), string("\xC3\xA4 "));
  }
};

}  // namespace waferpair::inference

QTEST_APPLESS_MAIN(waferpair::inference::TestCertainty)
#include "test_certainty.moc"
