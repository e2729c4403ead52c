// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "workbench/git/diff_rows.h"

using namespace waferpair;
using editor::Snapshot;
using workbench::ChosenLines;
using workbench::DiffRow;
using workbench::DiffRows;

namespace {

QByteArray numbered(int lines) {
  QByteArray text;
  for (int i = 1; i <= lines; ++i) text += "line " + QByteArray::number(i) + '\n';
  return text;
}

// A sign before each row: @ gap, - removed, + added.
QByteArray drawn(const DiffRows& rows) {
  QByteArray all;
  const QList<QByteArray> lines = rows.text.split('\n');
  for (qsizetype i = 0; i < rows.rows.size(); ++i) {
    const char* signs = "@ -+";
    all += signs[static_cast<int>(rows.rows[i].kind)];
    all += lines[i] + '\n';
  }
  return all;
}

DiffRows rowsOf(const QByteArray& before, const QByteArray& after) {
  return workbench::diffRows(Snapshot(before), Snapshot(after),
                             editor::lineDiff(Snapshot(before), Snapshot(after)));
}

class TestDiffRows : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void changesStandWithALineOrThreeAround() {
    QByteArray after = numbered(20);
    after.replace("line 5\n", "five\n");
    after.replace("line 7\n", "");
    after.replace("line 19\n", "line 19\nnew\n");
    QCOMPARE(drawn(rowsOf(numbered(20), after)),
             QByteArray("@@@ line 2 @@\n line 2\n line 3\n line 4\n-line 5\n+five\n line 6\n"
                        "-line 7\n line 8\n line 9\n line 10\n"
                        "@@@ line 16 @@\n line 17\n line 18\n line 19\n+new\n line 20\n"));
  }

  void atTheEdges() {
    QCOMPARE(drawn(rowsOf("", "a\nb")), QByteArray("@@@ line 1 @@\n+a\n+b\n"));
    QCOMPARE(drawn(rowsOf("a\r\n", "")), QByteArray("@@@ line 1 @@\n-a\n"));
    QCOMPARE(drawn(rowsOf("a\n", "a")), QByteArray("@@@ line 1 @@\n-a\n+a\n"));
    QCOMPARE(drawn(rowsOf("a\n", "a\n")), QByteArray());
  }

  void longOnesAreCut() {
    const DiffRows rows = rowsOf("", numbered(DiffRows::kMostRows + 10));
    QVERIFY(rows.isCut);
    QCOMPARE(rows.rows.size(), DiffRows::kMostRows);
    QCOMPARE(rows.text.count('\n'), DiffRows::kMostRows);
  }

  void rowsChooseLines() {
    const Snapshot before(QByteArrayView("a\nb\nc\n")), after(QByteArrayView("a\nB\nC\nc\n"));
    const auto changes = editor::lineDiff(before, after);
    const DiffRows rows = workbench::diffRows(before, after, changes);
    QCOMPARE(drawn(rows), QByteArray("@@@ line 1 @@\n a\n-b\n+B\n+C\n c\n"));
    const auto chosen = [&](int first, int last) {
      return workbench::chosenLines(rows, 0, changes[0], first, last);
    };
    QVERIFY(chosen(0, 0).isAll);  // the heading
    QVERIFY(chosen(2, 4).isAll);
    QVERIFY(!chosen(4, 4).isAll);
    QCOMPARE(chosen(4, 5).fresh, (QVector<bool>{false, true}));
    QCOMPARE(chosen(2, 3).old, (QVector<bool>{true}));
    QCOMPARE(chosen(2, 3).fresh, (QVector<bool>{true, false}));
    QCOMPARE(workbench::withChange(before, after, changes[0], chosen(4, 4)).toByteArray(),
             QByteArray("a\nb\nC\nc\n"));
    // What is not of the change means nothing.
    QVERIFY(!chosen(5, 5).old.contains(true) && !chosen(5, 5).fresh.contains(true));
    QVERIFY(!chosen(5, 5).isAll);
  }
};

}  // namespace

QTEST_GUILESS_MAIN(TestDiffRows)
#include "test_diff_rows.moc"
