// SPDX-License-Identifier: GPL-3.0-or-later
// Conflicts of a merge in the real window: going from one to the next, keeping a side by key and by
// mouse, and merging files.
#include <QLabel>
#include <QTest>
#include <QToolButton>

#include "editor/layers/stop_marks.h"
#include "editor/view/view_numbers.h"
#include "gui/documents/merge_commands.h"
#include "gui/documents/merge_conflicts.h"
#include "gui/kit/command_registry.h"
#include "tests/gui/shell/window_fixture.h"

namespace waferpair::gui {
namespace {

constexpr char kConflicts[] =
    "a\n<<<<<<< HEAD\nours 1\n=======\ntheirs 1\n>>>>>>> topic\nb\n"
    "<<<<<<< HEAD\nours 2\n=======\ntheirs 2\n>>>>>>> topic\nc\n";

void chordKey(Qt::Key second) {
  WindowFixture::key(Qt::Key_M, Qt::ControlModifier);
  WindowFixture::key(second);
}

// What is drawn behind the first conflict and the lines around it.
QList<long> groundsOf(editor::CodeEditor* editor) {
  constexpr long kMask = 1L << editor::kOursMarker | 1L << editor::kTheirsMarker |
                         1L << editor::kBaseMarker | 1L << editor::kConflictLineMarker;
  QList<long> found;
  for (int line = 0; line < 7; ++line)
    found +=
        editor->sci(QsciScintillaBase::SCI_MARKERGET, static_cast<unsigned long>(line)) & kMask;
  return found;
}
const QList<long> kGrounds = {0,
                              1L << editor::kConflictLineMarker,
                              1L << editor::kOursMarker,
                              1L << editor::kConflictLineMarker,
                              1L << editor::kTheirsMarker,
                              1L << editor::kConflictLineMarker,
                              0};

QString count(WindowFixture& f) { return f.find<QLabel>("conflictCount")->text(); }

}  // namespace

class TestMerge : public QObject {
  Q_OBJECT
 private slots:
  void keysGoFromConflictToConflict() {
    WindowFixture f;
    f.openProjectWith("a.txt", kConflicts);
    QCOMPARE(count(f), QStringLiteral("2 conflicts"));
    WindowFixture::key(Qt::Key_F7);
    QCOMPARE(f.editor()->caretLine(), 1);
    QCOMPARE(count(f), QStringLiteral("1 of 2 conflicts: HEAD and topic"));
    WindowFixture::key(Qt::Key_F7);
    QCOMPARE(f.editor()->caretLine(), 7);
    WindowFixture::key(Qt::Key_F7);
    QCOMPARE(f.editor()->caretLine(), 1);
    WindowFixture::key(Qt::Key_F7, Qt::ShiftModifier);
    QCOMPARE(f.editor()->caretLine(), 7);
  }

  void aSideIsKeptByKeyAndUndone() {
    WindowFixture f;
    f.openProjectWith("a.txt", kConflicts);
    WindowFixture::key(Qt::Key_F7);
    chordKey(Qt::Key_2);
    QVERIFY(f.editor()->text().startsWith("a\ntheirs 1\nb\n<<<<<<<"));
    QCOMPARE(count(f), QStringLiteral("1 conflict"));
    WindowFixture::key(Qt::Key_F7);
    chordKey(Qt::Key_3);
    QCOMPARE(f.editor()->text(), QByteArray("a\ntheirs 1\nb\nours 2\ntheirs 2\nc\n"));
    QVERIFY(f.find<QWidget>("mergeBar")->isHidden());
    QVERIFY(!f.parts().commands->contexts()->is(Context::kConflicts));
    WindowFixture::key(Qt::Key_Z, Qt::ControlModifier);
    WindowFixture::key(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(f.editor()->text(), QByteArray(kConflicts));
    QTRY_COMPARE(MergeConflicts::of(f.document())->conflicts().size(), 2);
    QVERIFY(f.find<QWidget>("mergeBar")->isVisible());
  }

  void withoutAConflictAtTheCaretNothingIsKept() {
    WindowFixture f;
    f.openProjectWith("a.txt", kConflicts);
    chordKey(Qt::Key_1);
    QCOMPARE(f.editor()->text(), QByteArray(kConflicts));
  }

  void theButtonsOverAConflictKeepASide() {
    WindowFixture f;
    f.openProjectWith("a.txt", kConflicts);
    QCoreApplication::processEvents();
    const auto frames = f.editor()->viewport()->findChildren<QFrame*>("conflictButtons");
    QCOMPARE(frames.size(), 2);
    auto* second = frames[1]->findChild<QToolButton*>("conflictOurs");
    QVERIFY(second->isVisible());
    QTest::mouseClick(second, Qt::LeftButton);
    QVERIFY(f.editor()->text().endsWith(">>>>>>> topic\nb\nours 2\nc\n"));
    QCoreApplication::processEvents();
    QVERIFY(!frames[1]->isVisible());
  }

  void allAreKeptAsOneStep() {
    WindowFixture f;
    f.openProjectWith("a.txt", kConflicts);
    QVERIFY(WindowFixture::click("keepAllTheirs"));
    QCOMPARE(f.editor()->text(), QByteArray("a\ntheirs 1\nb\ntheirs 2\nc\n"));
    WindowFixture::key(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(f.editor()->text(), QByteArray(kConflicts));
  }

  void theSidesHaveGrounds() {
    WindowFixture f;
    f.openProjectWith("a.txt", kConflicts);
    QCOMPARE(groundsOf(f.editor()), kGrounds);
  }

  void aDebuggedProgramLeavesTheSidesTheirGrounds() {
    WindowFixture f;
    f.openProjectWith("a.txt", kConflicts);
    editor::StopMarks* stops = editor::StopMarks::of(f.editor());
    using Place = editor::StopMarks::Place;
    for (const Place place : {Place::kHere, Place::kCaller}) {
      stops->setPlace(4, place);
      QCOMPARE(stops->placeLine(), 4);
      QCOMPARE(groundsOf(f.editor()), kGrounds);
      stops->setPlace(-1);
      QCOMPARE(groundsOf(f.editor()), kGrounds);
    }
  }

  void filesAreMergedIntoOne() {
    WindowFixture f;
    f.write("base.txt", "1\n2\n3\n4\n5\n6\n7\n");
    f.write("ours.txt", "one\n2\n3\nours\n5\n6\n7\n");
    f.write("theirs.txt", "1\n2\n3\ntheirs\n5\n6\nseven\n");
    f.openProject();
    mergeFiles(f.parts().tabs,
               {f.path("base.txt"), f.path("ours.txt"), f.path("theirs.txt"), f.path("out.txt")});
    QCOMPARE(f.document()->title(), QStringLiteral("out.txt"));
    QTRY_COMPARE(MergeConflicts::of(f.document())->conflicts().size(), 1);
    QVERIFY(f.document()->isModified());
    WindowFixture::key(Qt::Key_F7);
    chordKey(Qt::Key_1);
    QCOMPARE(f.editor()->text(), QByteArray("one\n2\n3\nours\n5\n6\nseven\n"));
    WindowFixture::key(Qt::Key_S, Qt::ControlModifier);
    QCOMPARE(f.read("out.txt"), QByteArray("one\n2\n3\nours\n5\n6\nseven\n"));
  }

  void aFileThatIsMissingIsTold() {
    WindowFixture f;
    f.openProjectWith("a.txt", "a\n");
    QString told;
    connect(f.parts().tabs, &EditorTabs::problem, this, [&](const QString& text) { told = text; });
    mergeFiles(f.parts().tabs,
               {f.path("a.txt"), f.path("gone.txt"), f.path("a.txt"), f.path("out.txt")});
    QVERIFY(told.contains(QLatin1String("gone.txt")));
    QCOMPARE(f.parts().tabs->documents().size(), 1);
  }
};

}  // namespace waferpair::gui

QTEST_MAIN(waferpair::gui::TestMerge)
#include "test_merge.moc"
