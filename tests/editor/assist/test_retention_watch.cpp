// SPDX-License-Identifier: GPL-3.0-or-later
// Tests what became of accepted text, and the figures that are made of it.
#include <QtTest>

#include "editor/assist/retention_watch.h"
#include "editor/assist/suggestion_figures.h"
#include "tests/support/text_sync.h"

using namespace waferpair;
using namespace waferpair::editor;
using namespace std::chrono_literals;

class TestRetentionWatch : public QObject {
  Q_OBJECT

  using Judged = QVector<std::pair<quint64, bool>>;

  // Returns what is judged at once in a text that was edited so.
  static Judged judged(const QVector<TextEdit>& edits) {
    test::TextSync sync;
    sync.openText("/a", "C++", 1, "x = one();\n");
    RetentionWatch watch(&sync);
    Judged all;
    connect(&watch, &RetentionWatch::judged, &watch, [&all](quint64 number, bool kept) {
      all.append({number, kept});
    });
    watch.accepted("/a", 7, 4, "one();");
    qint64 version = 1;
    for (const TextEdit& edit : edits) [&] { QVERIFY(sync.change("/a", ++version, {edit})); }();
    watch.settle();
    return all;
  }

 private Q_SLOTS:
  void whatStaysIsRetainedWhereverItMoves() {
    QCOMPARE(judged({}), (Judged{{7, true}}));
    QCOMPARE(judged({{0, 0, "int "}, {14, 14, "\n// below"}}), (Judged{{7, true}}));
    QCOMPARE(judged({{0, 0, "// above\n"}, {0, 9, ""}}), (Judged{{7, true}}));
  }

  void whatIsChangedIsNot() {
    QCOMPARE(judged({{4, 7, "two"}}), (Judged{{7, false}}));
    QCOMPARE(judged({{8, 8, "1"}}), (Judged{{7, false}}));
    QCOMPARE(judged({{0, 11, ""}}), (Judged{{7, false}}));
  }

  void undoneAndRedoneItIsThere() {
    QCOMPARE(judged({{4, 10, ""}, {4, 4, "one();"}}), (Judged{{7, true}}));
    QCOMPARE(judged({{4, 10, ""}}), (Judged{{7, false}}));
    QCOMPARE(judged({{8, 8, "1"}, {8, 9, ""}}), (Judged{{7, true}}));
  }

  void piecesOfOneSuggestionAreJudgedTogether() {
    test::TextSync sync;
    sync.openText("/a", "C++", 1, "one two");
    RetentionWatch watch(&sync);
    QSignalSpy spy(&watch, &RetentionWatch::judged);
    watch.accepted("/a", 1, 0, "one");
    watch.accepted("/a", 1, 3, " two");
    watch.accepted("/a", 2, 7, "");
    QVERIFY(sync.change("/a", 2, {{0, 1, "O"}}));
    watch.settle();
    QCOMPARE(spy.size(), 2);
    QCOMPARE(spy[0], (QVariantList{quint64(1), false}));
    QCOMPARE(spy[1], (QVariantList{quint64(2), true}));
  }

  void aClosedTextIsJudgedAsItWas() {
    test::TextSync sync;
    sync.openText("/a", "C++", 1, "one");
    sync.openText("/b", "C++", 1, "two");
    RetentionWatch watch(&sync);
    QSignalSpy spy(&watch, &RetentionWatch::judged);
    watch.accepted("/a", 1, 0, "one");
    watch.accepted("/b", 2, 0, "two");
    watch.accepted("/none", 3, 0, "three");
    sync.close("/a");
    QCOMPARE(spy.size(), 1);
    QCOMPARE(spy[0], (QVariantList{quint64(1), true}));
    watch.settle();
    QCOMPARE(spy.size(), 2);
  }

  void eachIsJudgedAWhileLater() {
    test::TextSync sync;
    sync.openText("/a", "C++", 1, "one two");
    RetentionWatch watch(&sync, 10ms);
    QSignalSpy spy(&watch, &RetentionWatch::judged);
    watch.accepted("/a", 1, 0, "one");
    watch.accepted("/a", 2, 4, "two");
    QCOMPARE(spy.size(), 0);
    QTRY_COMPARE(spy.size(), 2);
    QCOMPARE(spy[0], (QVariantList{quint64(1), true}));
    QCOMPARE(spy[1], (QVariantList{quint64(2), true}));
  }

  void percentilesAreKnownToAStep() {
    LatencyCounts counts;
    QVERIFY(!counts.percentile(0.5));
    for (int ms = 1; ms <= 100; ++ms) counts.add(ms);
    // Half a step of 15 % to either side.
    for (const double share : {0.1, 0.5, 0.95}) {
      const double found = *counts.percentile(share);
      QVERIFY2(found > 100 * share / 1.16 && found < 100 * share * 1.16,
               qPrintable(QString::number(found)));
    }
    LatencyCounts slow;
    slow.add(1e9);
    QVERIFY(*slow.percentile(0.5) > 60'000);
    counts += slow;
    QVERIFY(*counts.percentile(1) > 60'000);
    QCOMPARE(LatencyCounts::fromSteps(counts.steps()), counts);
    QCOMPARE(LatencyCounts::fromSteps({{-1, 5}, {3, -2}, {1000, 1}}), LatencyCounts());
  }
};

QTEST_GUILESS_MAIN(TestRetentionWatch)
#include "test_retention_watch.moc"
