// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <random>

#include "editor/text/gap_text.h"

using waferpair::editor::GapText;

class TestGapText : public QObject {
  Q_OBJECT
 private slots:
  void anEmptyTextTakesText() {
    GapText text;
    QVERIFY(text.replace(0, 0, "abc"));
    QCOMPARE(text.toByteArray(), QByteArray("abc"));
    QCOMPARE(text.size(), 3);
  }

  void anEditOutsideTheTextChangesNothing_data() {
    QTest::addColumn<qint64>("start");
    QTest::addColumn<qint64>("end");
    QTest::newRow("before the start") << qint64(-1) << qint64(2);
    QTest::newRow("past the end") << qint64(2) << qint64(7);
    QTest::newRow("backwards") << qint64(3) << qint64(2);
    QTest::newRow("far past the end")
        << std::numeric_limits<qint64>::max() << std::numeric_limits<qint64>::max();
  }
  void anEditOutsideTheTextChangesNothing() {
    QFETCH(qint64, start);
    QFETCH(qint64, end);
    GapText text("abcdef");
    QVERIFY(!text.replace(start, end, "x"));
    QCOMPARE(text.toByteArray(), QByteArray("abcdef"));
  }

  void randomEditsGiveWhatAPlainStringGives() {
    std::mt19937 random(7);
    const auto below = [&](qint64 bound) {
      return std::uniform_int_distribution<qint64>(0, bound)(random);
    };
    QByteArray plain("int main() {\n  return 0;\n}\n");
    GapText text(plain);
    for (int i = 0; i < 20'000; ++i) {
      const qint64 start = below(plain.size());
      const qint64 end = std::min<qint64>(plain.size(), start + below(12));
      const QByteArray added(below(i % 500 == 0 ? 4000 : 10), static_cast<char>('a' + i % 26));
      plain.replace(start, end - start, added);
      QVERIFY(text.replace(start, end, added));
      QCOMPARE(text.size(), plain.size());
      if (i % 50 == 0) QCOMPARE(text.toByteArray(), plain);
    }
    QCOMPARE(text.toByteArray(), plain);
  }

  void aCopyIsIndependent() {
    GapText text("abc");
    QVERIFY(text.replace(1, 2, "X"));
    const GapText copy = text;
    QVERIFY(text.replace(0, 3, "changed"));
    QCOMPARE(copy.toByteArray(), QByteArray("aXc"));
  }
};

QTEST_APPLESS_MAIN(TestGapText)
#include "test_gap_text.moc"
