// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <random>

#include "editor/text/line_diff.h"

using namespace waferpair::editor;

namespace {

Snapshot applied(const Snapshot& before, const QVector<TextEdit>& edits) {
  Snapshot text = before;
  for (const TextEdit& edit : edits) {
    if (!text.holds(edit.start, edit.end)) return Snapshot("(an edit outside the text)");
    text = text.edited(edit);
  }
  return text;
}

}  // namespace

class TestLineDiff : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void changesAreNamedByLine_data() {
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("after");
    QTest::addColumn<QString>("changes");  // oldStart,oldCount>newStart,newCount ...
    const auto row = [](const char* name, const char* before, const char* after,
                        const char* changes) {
      QTest::newRow(name) << QByteArray(before) << QByteArray(after) << QString(changes);
    };
    row("equal", "a\nb\n", "a\nb\n", "");
    row("both empty", "", "", "");
    row("from empty", "", "a\nb\n", "0,0>0,2");
    row("to empty", "a\nb", "", "0,2>0,0");
    row("replaced", "a\nb\nc\n", "a\nX\nc\n", "1,1>1,1");
    row("inserted", "a\nc\n", "a\nb\nc\n", "1,0>1,1");
    row("inserted in front", "a\n", "0\na\n", "0,0>0,1");
    row("removed", "a\nb\nc\n", "a\nc\n", "1,1>1,0");
    row("two places", "a\nb\nc\nd\ne\n", "a\nB\nc\nd\nE\nF\n", "1,1>1,1 4,1>4,2");
    row("line ends", "a\r\nb\n", "a\nb\n", "0,1>0,1");
    row("last line end", "a\nb", "a\nb\n", "1,1>1,1");
  }
  void changesAreNamedByLine() {
    QFETCH(QByteArray, before);
    QFETCH(QByteArray, after);
    QFETCH(QString, changes);
    QStringList found;
    for (const ChangedLines& c : lineDiff(Snapshot(before), Snapshot(after))) {
      found += QStringLiteral("%1,%2>%3,%4")
                   .arg(c.oldStart)
                   .arg(c.oldCount)
                   .arg(c.newStart)
                   .arg(c.newCount);
      QCOMPARE(before.sliced(c.oldFrom, c.oldTo - c.oldFrom).count('\n'),
               c.oldCount - (c.oldTo == before.size() && !before.endsWith('\n') && c.oldCount > 0));
      QCOMPARE(after.sliced(c.newFrom, c.newTo - c.newFrom).count('\n'),
               c.newCount - (c.newTo == after.size() && !after.endsWith('\n') && c.newCount > 0));
    }
    QCOMPARE(found.join(u' '), changes);
  }

  void unchangedLinesAreFoundBehindAChange() {
    const QVector<ChangedLines> changes =
        lineDiff(Snapshot("a\nb\nc\nd\n"), Snapshot("x\na\nc\nD\n"));
    const QVector<qint64> now{1, -1, 2, -1, 4};
    for (int line = 0; line < now.size(); ++line) QCOMPARE(lineBehind(changes, line), now[line]);
  }

  void lineEndsAreNoDifferenceForPeople() {
    QCOMPARE(textDiff(Snapshot("a\r\nb\rc\n"), Snapshot("a\nb\nc\r\n")).size(), 0);
    QCOMPARE(lineDiff(Snapshot("a\r\nb\n"), Snapshot("a\nb\n")).size(), 1);
    const Snapshot before("a\r\nb\rc\nd");
    const Snapshot after("a\nB\nC\r\nd\r\n");
    const QVector<ChangedLines> changes = textDiff(before, after);
    QCOMPARE(changes.size(), 1);
    const ChangedLines& change = changes.first();
    QCOMPARE(change.oldStart, 1);
    QCOMPARE(change.oldCount, 3);
    QCOMPARE(change.newCount, 3);
    QCOMPARE(before.slice(change.oldFrom, change.oldTo), QByteArray("b\rc\nd"));
    QCOMPARE(after.slice(change.newFrom, change.newTo), QByteArray("B\nC\r\nd\r\n"));
  }

  void theDifferingRangeIsAsShortAsCanBe_data() {
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("after");
    QTest::addColumn<qint64>("start");
    QTest::addColumn<qint64>("end");
    QTest::addColumn<QByteArray>("text");
    const auto row = [](const char* name, const QByteArray& before, const QByteArray& after,
                        qint64 start, qint64 end, const QByteArray& text) {
      QTest::newRow(name) << before << after << start << end << text;
    };
    row("equal", "abc", "abc", 3, 3, "");
    row("both empty", "", "", 0, 0, "");
    row("from empty", "", "abc", 0, 0, "abc");
    row("to empty", "abc", "", 0, 3, "");
    row("in the middle", "one two three", "one 2 three", 4, 7, "2");
    row("appended", "ab", "abc", 2, 2, "c");
    row("in front", "bc", "abc", 0, 0, "a");
    row("one of several", "aaa", "aaaa", 3, 3, "a");
    // é and è share their first byte; あ and ぢ share the first and the last.
    row("in a character", "one é two", "one è two", 4, 6, "è");
    row("in a character of three bytes", "x\xE3\x81\x82y", "x\xE3\x82\x82y", 1, 4, "\xE3\x82\x82");
    const QByteArray head(200'000, 'h');
    const QByteArray tail(150'000, 't');
    row("far inside", head + "old" + tail, head + "new!" + tail, head.size(), head.size() + 3,
        "new!");
  }
  void theDifferingRangeIsAsShortAsCanBe() {
    QFETCH(QByteArray, before);
    QFETCH(QByteArray, after);
    const TextEdit edit = differingRange(Snapshot(before), Snapshot(after));
    QTEST(edit.start, "start");
    QTEST(edit.end, "end");
    QTEST(edit.text, "text");
    QCOMPARE(applied(Snapshot(before), {edit}).toByteArray(), after);
  }

  void theEditsTurnOneTextIntoTheOther() {
    std::mt19937 random(3);
    const auto below = [&](int bound) {
      return static_cast<int>(random() % static_cast<unsigned>(bound));
    };
    for (int round = 0; round < 400; ++round) {
      QList<QByteArray> lines;
      for (int i = below(30); i > 0; --i)
        lines += QByteArray(1, static_cast<char>('a' + below(6))) + (below(5) == 0 ? "\r\n" : "\n");
      const Snapshot before(lines.join());
      for (int i = below(6); i > 0 && !lines.isEmpty(); --i) {
        const int at = below(static_cast<int>(lines.size()));
        if (below(3) == 0) {
          lines.removeAt(at);
        } else if (below(2) == 0) {
          lines[at] = "other\n";
        } else {
          lines.insert(at, "new\n");
        }
      }
      QByteArray text = lines.join();
      if (below(4) == 0) text.chop(1);
      const Snapshot after(text);
      for (const auto& edits : {lineEdits(before, after), quickEdits(before, after)}) {
        QCOMPARE(applied(before, edits).toByteArray(), text);
        QCOMPARE(edits.isEmpty(), before == after);
      }
    }
  }

  void whatDiffersInLongLinesOrInMuchTextIsOneEdit() {
    const QByteArray line(1 << 20, 'x');
    const auto one = quickEdits(Snapshot(line + "old" + line), Snapshot(line + "new!" + line));
    QCOMPARE(one.size(), 1);
    QCOMPARE(one[0].start, line.size());
    QCOMPARE(one[0].text, QByteArray("new!"));
    const QByteArray lines = QByteArray("same\n").repeated(1'000'000);
    const Snapshot before("one\n" + lines + "two\n");
    const Snapshot after("ONE\n" + lines + "TWO\n");
    const auto edits = quickEdits(before, after);
    QCOMPARE(edits.size(), 1);
    QCOMPARE(edits[0].start, 0);
    QVERIFY(applied(before, edits) == after);
    // A change in one place is found by its lines, whatever stands around.
    const auto last = quickEdits(before, Snapshot("one\n" + lines + "tWo\n"));
    QCOMPARE(last.size(), 1);
    QCOMPARE(last[0].text, QByteArray("tWo\n"));
  }

  void bytesThatAreNoTextAreDiffedTooAndNothingElseIsTouched() {
    const QByteArray far = QByteArray("same\n").repeated(5000);
    const Snapshot before(QByteArray("\0bin\xFF\n", 6) + far + "one\n");
    const Snapshot after(QByteArray("\0BIN\xFF\n", 6) + far + "two\n");
    const QVector<TextEdit> edits = lineEdits(before, after);
    QCOMPARE(edits.size(), 2);
    QCOMPARE(applied(before, edits).toByteArray(), after.toByteArray());
    QCOMPARE(edits[1].text, QByteArray("two\n"));
  }
};

QTEST_GUILESS_MAIN(TestLineDiff)
#include "test_line_diff.moc"
