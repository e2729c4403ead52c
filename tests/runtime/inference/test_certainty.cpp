// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "runtime/inference/certainty.h"

namespace waferpair::inference {

using std::string;

class TestCertainty : public QObject {
  Q_OBJECT
 private slots:
  void withoutALimitAllGoesThrough() {
    Certainty all(0);
    QCOMPARE(all.push("wo", 0.001), string("wo"));
    QCOMPARE(all.push("rd", 0.0), string("rd"));
    QVERIFY(!all.ended());
    QCOMPARE(all.finish(), string());
  }

  void wordsComeWhole() {
    Certainty half(0.5);
    QCOMPARE(half.push("(count", 0.9), string("("));
    QCOMPARE(half.push("Words", 0.9), string());
    QCOMPARE(half.push("(", 0.9), string("countWords("));
    QCOMPARE(half.push("a", 1), string());
    QCOMPARE(half.finish(), string("a"));
  }

  void whatIsTogetherLessLikelyEndsIt() {
    Certainty half(0.5);
    QCOMPARE(half.push("a ", 0.8), string("a "));
    QCOMPARE(half.push("b ", 0.8), string("b "));
    QCOMPARE(half.push("c ", 0.7), string());  // 0.448
    QVERIFY(half.ended());
    QCOMPARE(half.push("d ", 1), string());
    QCOMPARE(half.finish(), string());
  }

  void aWordThatMayGoOnIsNotShown() {
    Certainty half(0.5);
    QCOMPARE(half.push("x.count", 0.9), string("x."));
    QCOMPARE(half.push("Long", 0.1), string());
    QCOMPARE(half.finish(), string());
  }

  void aWordThatHasEndedIsShown() {
    Certainty half(0.5);
    QCOMPARE(half.push("x.count", 0.9), string("x."));
    QCOMPARE(half.push("(", 0.1), string("count"));
    QVERIFY(half.ended());
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
