// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <random>

#include "editor/assist/hunks.h"
#include "editor/text/buffer.h"
#include "editor/text/line_diff.h"

using namespace waferpair::editor;

namespace {

// A buffer with a suggestion for it.
struct Desk {
  explicit Desk(const QByteArray& text) : buffer(Snapshot(text)) {
    QObject::connect(&buffer, &Buffer::edited, &hunks,
                     [this](const QVector<TextEdit>& edits) { hunks.follow(edits); });
  }
  void offer(const QVector<TextEdit>& edits) {
    hunks.offer(suggestionOf(QStringLiteral("/a"), edits));
  }
  void type(qint64 start, qint64 end, const QByteArray& text) {
    QVERIFY(buffer.apply(buffer.version(), {{start, end, text}}));
  }
  QByteArray text() const { return buffer.snapshot().toByteArray(); }
  HunkState state(qsizetype i) const { return hunks.hunks()[i].state; }

  Buffer buffer;
  Hunks hunks{[this](const QVector<TextEdit>& edits) {
    return buffer.apply(buffer.version(), edits).has_value();
  }};
};

}  // namespace

class TestHunks : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void eachIsAcceptedAloneAndUndoneInOneStep() {
    Desk desk("one\ntwo\nthree\n");
    desk.offer({{0, 3, "1"}, {2, 5, "zwei"}, {7, 7, "new\n"}});
    QCOMPARE(desk.hunks.hunks()[1].range.start(), 4);
    QCOMPARE(desk.hunks.hunks()[2].range.start(), 8);
    QVERIFY(desk.hunks.accept(1));
    QCOMPARE(desk.text(), QByteArray("one\nzwei\nthree\n"));
    QCOMPARE(desk.hunks.offeredCount(), 2);
    QVERIFY(!desk.hunks.accept(1));  // it is taken
    QVERIFY(desk.hunks.accept(2));
    QCOMPARE(desk.text(), QByteArray("one\nzwei\nnew\nthree\n"));
    QVERIFY(desk.hunks.accept(0));
    QCOMPARE(desk.text(), QByteArray("1\nzwei\nnew\nthree\n"));
    for (int i = 0; i < 3; ++i) QVERIFY(desk.buffer.undo());
    QCOMPARE(desk.text(), QByteArray("one\ntwo\nthree\n"));
    QVERIFY(!desk.buffer.canUndo());
  }

  void allAreOneStep() {
    Desk desk("one\ntwo\nthree\n");
    desk.offer({{0, 3, ""}, {1, 4, "zwei"}, {6, 6, "new\n"}});
    QVERIFY(desk.hunks.dismiss(1));
    QVERIFY(desk.hunks.acceptAll());
    QCOMPARE(desk.text(), QByteArray("\ntwo\nnew\nthree\n"));
    QCOMPARE(desk.state(0), HunkState::kAccepted);
    QCOMPARE(desk.state(1), HunkState::kDismissed);
    QVERIFY(!desk.hunks.acceptAll());
    QVERIFY(desk.buffer.undo());
    QCOMPARE(desk.text(), QByteArray("one\ntwo\nthree\n"));
  }

  void whatCannotBeAppliedStaysOnOffer() {
    Hunks hunks([](const QVector<TextEdit>&) { return false; });
    hunks.offer(suggestionOf(QStringLiteral("/a"), {{0, 1, "x"}}));
    QVERIFY(!hunks.accept(0));
    QVERIFY(!hunks.acceptAll());
    QCOMPARE(hunks.offeredCount(), 1);
  }

  void editsMoveThemOrMakeThemStale_data() {
    QTest::addColumn<qint64>("start");
    QTest::addColumn<qint64>("end");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("stale");
    QTest::addColumn<qint64>("moved");
    // "two" is at 4 to 7 of "one\ntwo\nthree\n".
    const auto row = [](const char* name, qint64 start, qint64 end, const char* text, bool stale,
                        qint64 moved) {
      QTest::newRow(name) << start << end << QByteArray(text) << stale << moved;
    };
    row("above", 0, 3, "1", false, -2);
    row("below", 9, 10, "xyz", false, 0);
    row("right before", 4, 4, "x", false, 1);
    row("right behind", 7, 7, "x", false, 0);
    row("the line before it goes", 0, 4, "", false, -4);
    row("inside", 5, 5, "x", true, 0);
    row("a part of it", 6, 7, "", true, 0);
    row("all of it", 4, 7, "2", true, 0);
    row("around it", 2, 9, "", true, 0);
  }
  void editsMoveThemOrMakeThemStale() {
    QFETCH(qint64, start);
    QFETCH(qint64, end);
    QFETCH(QByteArray, text);
    QFETCH(bool, stale);
    QFETCH(qint64, moved);
    Desk desk("one\ntwo\nthree\n");
    desk.offer({{4, 7, "zwei"}});
    QSignalSpy changed(&desk.hunks, &Hunks::changed);
    desk.type(start, end, text);
    QCOMPARE(changed.size(), 1);
    QCOMPARE(desk.state(0) == HunkState::kStale, stale);
    QCOMPARE(desk.hunks.accept(0), !stale);
    if (stale) return;
    QCOMPARE(desk.hunks.hunks()[0].state, HunkState::kAccepted);
    QCOMPARE(desk.text().mid(4 + moved, 4), QByteArray("zwei"));
  }

  void whatIsAppendedCanBeTypedThrough() {
    Desk desk("int \n");
    desk.offer({{4, 4, "alpha;"}});
    desk.type(4, 4, "al");
    QCOMPARE(desk.hunks.hunks()[0].text, QByteArray("pha;"));
    QCOMPARE(desk.hunks.hunks()[0].range.start(), 6);
    desk.type(0, 3, "long");  // elsewhere
    QVERIFY(desk.hunks.accept(0));
    QCOMPARE(desk.text(), QByteArray("long alpha;\n"));

    desk.offer({{0, 0, "ab"}});
    desk.type(0, 0, "ab");
    QCOMPARE(desk.state(0), HunkState::kAccepted);
    QCOMPARE(desk.hunks.offeredCount(), 0);

    desk.offer({{0, 0, "ab"}});
    desk.type(0, 0, "x");
    QCOMPARE(desk.state(0), HunkState::kStale);
  }

  void theyAreFoundByPlace() {
    Desk desk("one\ntwo\nthree\n");
    desk.offer({{0, 3, "1"}, {6, 11, "drei"}});  // "three" is at 8
    QCOMPARE(desk.hunks.at(0), 0);
    QCOMPARE(desk.hunks.at(3), 0);
    QCOMPARE(desk.hunks.at(5), -1);
    QCOMPARE(desk.hunks.at(13), 1);
    QCOMPARE(desk.hunks.next(0), 1);
    QCOMPARE(desk.hunks.next(8), 0);
    QVERIFY(desk.hunks.dismiss(0));
    QCOMPARE(desk.hunks.at(0), -1);
    QCOMPARE(desk.hunks.next(8), 1);
    desk.hunks.dismissAll();
    QCOMPARE(desk.hunks.next(0), -1);
  }

  void theyAreSteppedThroughBothWays() {
    Desk desk("one\ntwo\nthree\n");
    desk.offer({{0, 3, "1"}, {6, 11, "drei"}});  // "three" is at 8
    QCOMPARE(desk.hunks.previous(14), 1);
    QCOMPARE(desk.hunks.previous(8), 0);
    QCOMPARE(desk.hunks.previous(0), 1);  // round the ends
    QVERIFY(desk.hunks.dismiss(1));
    QCOMPARE(desk.hunks.previous(0), 0);
    desk.hunks.dismissAll();
    QCOMPARE(desk.hunks.previous(14), -1);
  }

  void moreAreAddedWhereTheyBelong() {
    Desk desk("one\ntwo\nthree\nfour\n");
    const auto hunk = [](qint64 start, qint64 end, const QByteArray& text) {
      return Hunk{start == end ? AnchoredRange::at(start) : AnchoredRange::fixed(start, end), text};
    };
    QVERIFY(desk.hunks.add({hunk(8, 14, "THREE\n")}));
    QVERIFY(desk.hunks.add({hunk(0, 4, "ONE\n")}));
    QCOMPARE(desk.hunks.hunks().size(), 2);
    QCOMPARE(desk.hunks.hunks()[0].text, QByteArray("ONE\n"));
    // The same again is the same; what overlaps is left out, and all that comes with it.
    QVERIFY(desk.hunks.add({hunk(0, 4, "ONE\n")}));
    QVERIFY(!desk.hunks.add({hunk(14, 19, "FOUR\n"), hunk(3, 6, "!")}));
    QCOMPARE(desk.hunks.hunks().size(), 2);
    // Side by side they are one, an insertion before what is replaced behind it.
    QVERIFY(desk.hunks.add({hunk(8, 8, "2.5\n")}));
    QVERIFY(desk.hunks.add({hunk(4, 8, "TWO\n")}));
    QCOMPARE(desk.hunks.hunks().size(), 1);
    QCOMPARE(desk.hunks.hunks()[0].text, QByteArray("ONE\nTWO\n2.5\nTHREE\n"));
    QCOMPARE(desk.hunks.hunks()[0].range, AnchoredRange::fixed(0, 14));
    QVERIFY(desk.hunks.acceptAll());
    QCOMPARE(desk.text(), QByteArray("ONE\nTWO\n2.5\nTHREE\nfour\n"));
    // What was accepted is no longer in the way.
    QVERIFY(desk.hunks.add({hunk(0, 3, "1")}));
    QVERIFY(desk.hunks.acceptAll());
    QCOMPARE(desk.text(), QByteArray("1\nTWO\n2.5\nTHREE\nfour\n"));
  }

  void theJumpMovesWithItsDocumentOnly() {
    Desk desk("one\ntwo\n");
    desk.hunks.offer(
        suggestionOf(QStringLiteral("/a"), {{0, 3, "1"}}, JumpPlace{QStringLiteral("/a"), {4}}));
    desk.type(3, 3, "!!");
    QCOMPARE(desk.hunks.suggestion().jump->place.offset, 6);
    desk.hunks.offer(
        suggestionOf(QStringLiteral("/a"), {{0, 3, "1"}}, JumpPlace{QStringLiteral("/b"), {4}}));
    desk.type(3, 3, "!!");
    QCOMPARE(desk.hunks.suggestion().jump->place.offset, 4);
    desk.hunks.clear();
    QVERIFY(!desk.hunks.suggestion().jump);
  }

  void changesThatTouchAreOneHunk() {
    const Suggestion suggestion =
        suggestionOf(QStringLiteral("/a"), {{2, 4, "x"}, {3, 3, "y"}, {4, 6, "z"}, {8, 8, "!"}});
    QCOMPARE(suggestion.hunks.size(), 2);
    QCOMPARE(suggestion.hunks[0].text, QByteArray("xyz"));
    QCOMPARE(suggestion.hunks[0].range.start(), 2);
    QCOMPARE(suggestion.hunks[0].range.end(), 6);
    QVERIFY(suggestion.hunks[1].isInsertion());
  }

  // The hunks of a diff, accepted in any order and with other edits between, make the same text.
  void anyOrderMakesTheSameText() {
    std::mt19937 random(2);
    const auto below = [&](int bound) {
      return static_cast<int>(random() % static_cast<unsigned>(bound));
    };
    for (int round = 0; round < 200; ++round) {
      QByteArrayList lines;
      for (int i = 0; i < 20; ++i) lines += "line " + QByteArray::number(i);
      // The first line is the same in both: what is typed there is no hunk's matter.
      const QByteArray before = "head\n" + lines.join('\n') + '\n';
      for (int i = 0; i < 5; ++i) {
        const int at = below(static_cast<int>(lines.size()));
        if (below(2) == 0) {
          lines.removeAt(at);
        } else {
          lines.insert(at, "new " + QByteArray::number(i));
        }
      }
      const QByteArray after = "head\n" + lines.join('\n') + '\n';
      Desk desk(before);
      desk.offer(lineEdits(Snapshot(before), Snapshot(after)));
      int typed = 0;
      while (desk.hunks.offeredCount() > 0) {
        desk.hunks.accept(below(static_cast<int>(desk.hunks.hunks().size())));
        if (below(2) == 0) {
          desk.type(0, 0, "#");
          ++typed;
        }
      }
      QCOMPARE(desk.text(), QByteArray(typed, '#') + after);
    }
  }
};

QTEST_GUILESS_MAIN(TestHunks)
#include "test_hunks.moc"
