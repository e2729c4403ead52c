// SPDX-License-Identifier: GPL-3.0-or-later
#include <QRandomGenerator>
#include <QTest>

#include "workbench/git/git_hunks.h"

using namespace waferpair;
using editor::Snapshot;
using workbench::ChosenLines;
using workbench::GitHunk;
using workbench::gitHunks;
using Kind = GitHunk::Kind;

namespace {

Snapshot text(const char* utf8) { return Snapshot(QByteArrayView(utf8)); }

// "changed 1+2 staged": where it is in the text.
QString described(const GitHunk& hunk) {
  const char* kinds[] = {"added", "changed", "removed"};
  return QStringLiteral("%1 %2+%3%4")
      .arg(QLatin1String(kinds[static_cast<int>(hunk.kind)]))
      .arg(hunk.firstLine)
      .arg(hunk.lineCount)
      .arg(hunk.isStaged ? QStringLiteral(" staged") : QString());
}

QStringList described(const QVector<GitHunk>& hunks) {
  QStringList all;
  for (const GitHunk& hunk : hunks) all.append(described(hunk));
  return all;
}

}  // namespace

class TestGitHunks : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void kindsAndPlaces_data() {
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("after");
    QTest::addColumn<QStringList>("hunks");
    using List = QStringList;
    QTest::newRow("same") << QByteArray("a\n") << QByteArray("a\n") << List{};
    QTest::newRow("changed") << QByteArray("a\nb\nc\n") << QByteArray("a\nB\nc\n")
                             << List{"changed 1+1"};
    QTest::newRow("added") << QByteArray("a\nc\n") << QByteArray("a\nb\nb\nc\n")
                           << List{"added 1+2"};
    QTest::newRow("removed") << QByteArray("a\nb\nc\n") << QByteArray("a\nc\n")
                             << List{"removed 1+0"};
    QTest::newRow("removed at the top")
        << QByteArray("a\nb\n") << QByteArray("b\n") << List{"removed 0+0"};
    QTest::newRow("removed at the end")
        << QByteArray("a\nb\n") << QByteArray("a\n") << List{"removed 1+0"};
    QTest::newRow("all removed") << QByteArray("a\nb\n") << QByteArray("") << List{"removed 0+0"};
    QTest::newRow("last without an end")
        << QByteArray("a\nb") << QByteArray("a\nc") << List{"changed 1+1"};
    QTest::newRow("end taken from the last")
        << QByteArray("a\nb\n") << QByteArray("a\nb") << List{"changed 1+1"};
    // Editors count a lone CR as a line end, git does not.
    QTest::newRow("lone CR") << QByteArray("a\rb\nc\n") << QByteArray("a\rb\nC\n")
                             << List{"changed 2+1"};
  }
  void kindsAndPlaces() {
    QFETCH(QByteArray, before);
    QFETCH(QByteArray, after);
    QFETCH(QStringList, hunks);
    const Snapshot index(before);
    QCOMPARE(described(gitHunks(index, index, Snapshot(after))), hunks);
  }

  void stagedOnesAreWhereTheirLinesAreNow() {
    const Snapshot head = text("a\nb\nc\nd\n");
    const Snapshot index = text("a\nB\nc\nd\n");
    // Two lines came above the staged change, and one went below.
    QCOMPARE(described(gitHunks(head, index, text("x\ny\na\nB\nc\n"))),
             (QStringList{"added 0+2", "removed 5+0", "changed 3+1 staged"}));
    // The staged line was changed again.
    QCOMPARE(described(gitHunks(head, index, text("a\nBB\nc\nd\n"))),
             (QStringList{"changed 1+1", "changed 1+1 staged"}));
    // And taken out again.
    QCOMPARE(described(gitHunks(head, index, text("a\nc\nd\n"))),
             (QStringList{"removed 1+0", "changed 1+0 staged"}));
  }

  void stagingAllChangesOneByOneMakesTheText() {
    QRandomGenerator random(7);
    for (int round = 0; round < 300; ++round) {
      const auto make = [&] {
        QByteArray made;
        for (int i = random.bounded(12); i > 0; --i)
          made += QByteArray(1, char('a' + random.bounded(4))) + '\n';
        if (random.bounded(3) == 0) made += 'z';
        return Snapshot(made);
      };
      const Snapshot head = make(), index = make(), after = make();
      const auto all = gitHunks(head, index, after);
      Snapshot staged = index, unstaged = index, reverted = after;
      for (auto it = all.crbegin(); it != all.crend(); ++it) {
        if (it->isStaged) {
          unstaged = workbench::withoutChange(head, unstaged, it->lines);
        } else {
          staged = workbench::withChange(staged, after, it->lines);
          reverted = workbench::withoutChange(index, reverted, it->lines);
        }
        QVERIFY(it->firstLine >= 0 && it->firstLine + it->lineCount <= after.lineCount());
        QVERIFY(after.holds(it->place.start, it->place.end));
      }
      QCOMPARE(staged.toByteArray(), after.toByteArray());
      QCOMPARE(reverted.toByteArray(), index.toByteArray());
      QCOMPARE(unstaged.toByteArray(), head.toByteArray());
    }
  }

  void chosenLines() {
    const Snapshot before = text("a\nb\nc\nd\n");
    const Snapshot after = text("a\nB\nC\nd\n");
    const auto change = gitHunks(before, before, after).constFirst().lines;
    const auto with = [&](const QVector<bool>& old, const QVector<bool>& fresh) {
      return workbench::withChange(before, after, change, {old, fresh, false}).toByteArray();
    };
    QCOMPARE(with({true, false}, {true, false}), QByteArray("a\nB\nc\nd\n"));
    QCOMPARE(with({false, true}, {false, true}), QByteArray("a\nb\nC\nd\n"));
    QCOMPARE(with({true, true}, {false, false}), QByteArray("a\nd\n"));
    QCOMPARE(with({false, false}, {true, true}), QByteArray("a\nb\nB\nc\nC\nd\n"));
    // Taken back, the other lines stay as they came.
    QCOMPARE(workbench::withoutChange(before, after, change, {{true, false}, {true, false}, false})
                 .toByteArray(),
             QByteArray("a\nb\nC\nd\n"));
  }

  void newLinesTakeWithThemWhatTheyStandFor_data() {
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("after");
    QTest::addColumn<QVector<bool>>("fresh");
    QTest::addColumn<QByteArray>("staged");
    using Lines = QVector<bool>;
    QTest::newRow("the last line gets an end, too")
        << QByteArray("l1\nl3") << QByteArray("l1\nl2\nl3\n") << Lines{true, false}
        << QByteArray("l1\nl2\nl3");
    QTest::newRow("before a changed line")
        << QByteArray("int count = 1;\n") << QByteArray("// How many.\nint count = 2;\n")
        << Lines{true, false} << QByteArray("// How many.\nint count = 1;\n");
    QTest::newRow("the changed line")
        << QByteArray("int count = 1;\n") << QByteArray("// How many.\nint count = 2;\n")
        << Lines{false, true} << QByteArray("int count = 2;\n");
    QTest::newRow("behind a changed line")
        << QByteArray("int count = 1;\n") << QByteArray("int count = 2;\nreturn count;\n")
        << Lines{false, true} << QByteArray("int count = 1;\nreturn count;\n");
    QTest::newRow("as many lines, moved by one")
        << QByteArray("alpha();\nbeta();\n") << QByteArray("new_one();\nalpha(1);\n")
        << Lines{true, false} << QByteArray("new_one();\nalpha();\nbeta();\n");
    QTest::newRow("a removal beside it")
        << QByteArray("first line\ngoes away\nsecond line\n")
        << QByteArray("first lines\nsecond lines\n") << Lines{true, false}
        << QByteArray("first lines\ngoes away\nsecond line\n");
    QTest::newRow("nothing is alike") << QByteArray("three\n") << QByteArray("3\nx\ny\n")
                                      << Lines{true, true, false} << QByteArray("3\nx\n");
    QTest::newRow("CRLF") << QByteArray("a\r\nlast") << QByteArray("a\r\nmore\r\nlast\r\n")
                          << Lines{true, false} << QByteArray("a\r\nmore\r\nlast");
  }
  void newLinesTakeWithThemWhatTheyStandFor() {
    QFETCH(QByteArray, before);
    QFETCH(QByteArray, after);
    QFETCH(QVector<bool>, fresh);
    QFETCH(QByteArray, staged);
    const Snapshot old(before), now(after);
    const auto hunks = gitHunks(old, old, now);
    QCOMPARE(hunks.size(), 1);
    const auto change = hunks.constFirst().lines;
    const ChosenLines chosen = workbench::chosenByNew(old, now, change, fresh);
    QCOMPARE(workbench::withChange(old, now, change, chosen).toByteArray(), staged);
  }

  void lineEndsAreNotSeen() {
    const Snapshot lf = text("a\nb\nc\n"), crLf = text("a\r\nB\r\nc\r\n");
    const auto hunks = gitHunks(lf, lf, crLf, text("a\nB\nc\n"));
    QCOMPARE(described(hunks), (QStringList{"changed 1+1"}));
    QCOMPARE(hunks[0].place.start, 3);
    QCOMPARE(hunks[0].place.end, 6);
    // Whatever git would store of it.
    const auto raw = gitHunks(lf, lf, crLf);
    QCOMPARE(described(raw), (QStringList{"changed 1+1"}));
    QCOMPARE(workbench::withChange(lf, crLf, raw[0].lines).toByteArray(),
             QByteArray("a\nB\r\nc\n"));
    QVERIFY(gitHunks(lf, lf, text("a\r\nb\r\nc\r\n")).isEmpty());
    // A last line without an end is a change, and one CR is none of an end.
    QCOMPARE(described(gitHunks(lf, lf, text("a\r\nb\r\nc"))), (QStringList{"changed 2+1"}));
    QCOMPARE(described(gitHunks(lf, lf, text("a\rb\nc\n"))), (QStringList{"changed 0+2"}));
  }

  void aLineThatIsNotTheLastAnyMoreGetsAnEnd() {
    const Snapshot before = text("a");
    const Snapshot after = text("x\ny");
    const auto change = gitHunks(before, before, after).constFirst().lines;
    QCOMPARE(
        workbench::withChange(before, after, change, {{false}, {true, false}, false}).toByteArray(),
        QByteArray("a\nx\n"));
  }
};

QTEST_GUILESS_MAIN(TestGitHunks)
#include "test_git_hunks.moc"
