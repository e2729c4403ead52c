// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "editor/assist/suggestion_gate.h"

using namespace waferpair::editor;

class TestSuggestionGate : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void placesAreToldByWhatStandsLeft_data() {
    QTest::addColumn<QByteArray>("left");
    QTest::addColumn<CaretPlace>("place");
    const auto row = [](const char* left, CaretPlace place) {
      QTest::newRow(left) << QByteArray(left) << place;
    };
    row("", CaretPlace::kLineStart);
    row(" \t ", CaretPlace::kLineStart);
    row("  a.", CaretPlace::kMember);
    row("p->", CaretPlace::kMember);
    row("std::", CaretPlace::kMember);
    row("std:", CaretPlace::kElsewhere);
    row("a >", CaretPlace::kElsewhere);
    row("a->b", CaretPlace::kWord);
    row("x_", CaretPlace::kWord);
    row("10", CaretPlace::kWord);
    row("\xc3\xa9", CaretPlace::kWord);
    row("f(", CaretPlace::kElsewhere);
    row("a ", CaretPlace::kElsewhere);
  }
  void placesAreToldByWhatStandsLeft() {
    QFETCH(QByteArray, left);
    QFETCH(CaretPlace, place);
    QCOMPARE(caretPlace(left), place);
  }

  void whereAnythingMayFollowMoreIsAskedFor() {
    const SuggestionGate gate(0.75);
    QCOMPARE(gate.leastProbability(CaretPlace::kWord, false), 0.75);
    QCOMPARE(gate.leastProbability(CaretPlace::kElsewhere, false), 0.8);
    for (const CaretPlace place : {CaretPlace::kLineStart, CaretPlace::kMember})
      QCOMPARE(gate.leastProbability(place, false), 0.85);
    QCOMPARE(gate.leastProbability(CaretPlace::kWord, true), 0.9);
    QCOMPARE(gate.leastProbability(CaretPlace::kMember, true), 0.94);
  }

  void aStricterLevelIsStricterEverywhere() {
    for (int percent = 1; percent < 100; ++percent) {
      const SuggestionGate less(percent / 100.0);
      const SuggestionGate more((percent + 1) / 100.0);
      for (const CaretPlace place : {CaretPlace::kLineStart, CaretPlace::kMember, CaretPlace::kWord,
                                     CaretPlace::kElsewhere}) {
        for (const bool contradicted : {false, true}) {
          const double least = less.leastProbability(place, contradicted);
          QVERIFY(least >= percent / 100.0 - 1e-9 && least <= 1);
          QVERIFY(more.leastProbability(place, contradicted) > least);
        }
        QVERIFY(less.leastProbability(place, true) > less.leastProbability(place, false));
      }
    }
  }

  void whoWantsEverythingGetsIt() {
    const SuggestionGate gate(0);
    QCOMPARE(gate.leastProbability(CaretPlace::kLineStart, true), 0.0);
    QVERIFY(gate.isWorthShowing(";", "a", true));
    QVERIFY(gate.isWorthShowing("(", "a", false));
  }

  void littleIsNotWorthLookingAt_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("left");
    QTest::addColumn<bool>("endsLine");
    QTest::addColumn<bool>("worth");
    const auto row = [](const char* text, const char* left, bool endsLine, bool worth) {
      QTest::addRow("'%s' behind '%s'%s", text, left, endsLine ? " at the end" : "")
          << QByteArray(text) << QByteArray(left) << endsLine << worth;
    };
    row("", "a", true, false);
    row("n", "retur", false, false);   // ends the word, but saves no key
    row("rn", "retu", false, true);    // ends the word
    row("rn", "retu ", false, false);  // another word, and more to come
    row(";", "a", true, false);
    row(");", "f(a", true, true);  // ends the line
    row(");", "f(a", false, false);
    row(" = ", "a", false, false);  // blanks are no letters
    row(" = 1", "a", false, false);
    row(" == ", "a", true, true);
    row("abc", "", false, true);
    row(" abc", "a", false, true);
    row("\xc3\xa9\xc3\xa9", "(", false, false);  // two letters in four bytes
    row("\n  }\n", "x;", false, false);
  }
  void littleIsNotWorthLookingAt() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, left);
    QFETCH(bool, endsLine);
    QFETCH(bool, worth);
    QCOMPARE(SuggestionGate(0.75).isWorthShowing(text, left, endsLine), worth);
  }
};

QTEST_APPLESS_MAIN(TestSuggestionGate)
#include "test_suggestion_gate.moc"
