// SPDX-License-Identifier: GPL-3.0-or-later
// What margins and texts show, as pixels, when several owners mark the same lines: marks beside
// tests where blocks fold, and a comparison over tests and uses of a name.
#include "editor/layers/change_marks.h"
#include "editor/layers/line_states.h"
#include "editor/layers/run_marks.h"
#include "editor/layers/stop_marks.h"
#include "editor/layers/use_marks.h"
#include "editor/view/folding.h"
#include "editor/view/view_numbers.h"
#include "tests/editor/editor_test.h"

using namespace waferpair::editor;
using namespace Qt::StringLiterals;
using Sci = QsciScintillaBase;
using Run = RunMark::Kind;

namespace {

const QByteArray kBlocks =
    "int f(int a) {\n"   // 0
    "  if (a) {\n"       // 1
    "    g();\n"         // 2
    "  } else {\n"       // 3
    "    k();\n"         // 4
    "  }\n"              // 5
    "  return { 1 };\n"  // 6
    "}\n"                // 7
    "int x;\n"           // 8
    "int y;\n";          // 9

QRect rowOf(const CodeEditor& editor, int line, unsigned long margin) {
  int left = 0;
  for (unsigned long i = 0; i < margin; ++i)
    left += static_cast<int>(editor.sci(Sci::SCI_GETMARGINWIDTHN, i));
  const auto start = static_cast<long>(editor.lineStart(line));
  return {left, static_cast<int>(editor.sci(Sci::SCI_POINTYFROMPOSITION, 0, start)),
          static_cast<int>(editor.sci(Sci::SCI_GETMARGINWIDTHN, margin)),
          static_cast<int>(editor.sci(Sci::SCI_TEXTHEIGHT, 0))};
}

QImage picture(CodeEditor& editor, const QRect& area) {
  return editor.viewport()->grab(area).toImage();
}

QImage marginAt(CodeEditor& editor, int line, unsigned long margin = kRunMargin) {
  return picture(editor, rowOf(editor, line, margin));
}

bool isBlank(const QImage& image) {
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x)
      if (image.pixel(x, y) != image.pixel(0, 0)) return false;
  return true;
}

// What differs from the ground, whatever the colors.
QImage shapeOf(const QImage& image) {
  QImage shape(image.size(), QImage::Format_Mono);
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x)
      shape.setPixel(x, y, image.pixel(x, y) != image.pixel(0, 0));
  return shape;
}

QColor groundAt(CodeEditor& editor, qint64 offset) {
  const auto at = static_cast<long>(offset);
  const QPoint place(static_cast<int>(editor.sci(Sci::SCI_POINTXFROMPOSITION, 0, at)) + 1,
                     static_cast<int>(editor.sci(Sci::SCI_POINTYFROMPOSITION, 0, at)) + 2);
  return picture(editor, QRect(place, QSize(1, 1))).pixelColor(0, 0);
}

std::unique_ptr<CodeEditor> blocksEditor() {
  auto editor = makeEditor(kBlocks, u"C++"_s);
  editor->highlightAll();
  return editor;
}

class TestMarginMarks : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  // Scintilla draws the end of each block that folds in a margin that shows those markers.
  void onlyMarkedLinesShowSomething() {
    auto editor = blocksEditor();
    RunMarks::of(editor.get())->set({{0, Run::kReady}, {8, Run::kPassed}});
    for (int line = 0; line < 10; ++line)
      QVERIFY2(isBlank(marginAt(*editor, line)) == (line != 0 && line != 8),
               qPrintable(QString::number(line)));
    editor->folding()->toggle(0);
    QVERIFY(!isBlank(marginAt(*editor, 0)));
    QVERIFY(isBlank(marginAt(*editor, 9)));
  }

  void eachOutcomeHasAShape() {
    auto editor = blocksEditor();
    const Run kinds[] = {Run::kReady, Run::kRunning, Run::kPassed, Run::kSkipped, Run::kFailed};
    QVector<RunMark> marks;
    for (int i = 0; i < 5; ++i) marks.append({i, kinds[i]});
    RunMarks::of(editor.get())->set(marks);
    QVector<QImage> shapes;
    for (int line = 0; line < 6; ++line) {
      const QImage shape = shapeOf(marginAt(*editor, line));
      QVERIFY2(!shapes.contains(shape), qPrintable(QString::number(line)));
      shapes.append(shape);
    }
    QVERIFY(isBlank(shapes.last()));
  }

  void foldsAreDrawnAsBefore() {
    auto editor = blocksEditor();
    for (int line = 0; line < 10; ++line) {
      const bool begins = line == 0 || line == 1 || line == 3;
      QVERIFY2(isBlank(marginAt(*editor, line, kFoldMargin)) != begins,
               qPrintable(QString::number(line)));
    }
  }

  void marksFollowEditsAndAreOneOfALine() {
    auto editor = blocksEditor();
    auto* marks = RunMarks::of(editor.get());
    marks->set({{8, Run::kFailed}, {9, Run::kPassed}, {8, Run::kReady}, {77, Run::kReady}});
    QCOMPARE(marks->marks(), (QVector<RunMark>{{8, Run::kReady}, {9, Run::kPassed}}));
    editor->setSelection(editor->lineStart(8), editor->lineStart(8));
    QTest::keyClick(editor.get(), Qt::Key_Return);
    QTRY_COMPARE(marks->marks(), (QVector<RunMark>{{9, Run::kReady}, {10, Run::kPassed}}));
    QVERIFY(isBlank(marginAt(*editor, 8)));
    QVERIFY(!isBlank(marginAt(*editor, 9)));
    // Joined lines have one mark: no third outcome is made up of two.
    editor->replaceRange(editor->lineEnd(9), editor->lineStart(10), "");
    QCOMPARE(marks->marks(), (QVector<RunMark>{{9, Run::kReady}}));
    marks->set({});
    QVERIFY(!marks->isShown());
    QCOMPARE(editor->sci(Sci::SCI_GETMARGINWIDTHN, kRunMargin), 0);
  }

  void secondViewsShowThem() {
    auto editor = blocksEditor();
    CodeEditor view;
    view.resize(800, 400);
    view.mirror(editor.get());
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    RunMarks::of(editor.get())->set({{8, Run::kFailed}});
    for (int line = 0; line < 10; ++line) QCOMPARE(marginAt(view, line), marginAt(*editor, line));
    QVERIFY(!isBlank(marginAt(view, 8)));
    QSignalSpy clicked(RunMarks::of(editor.get()), &RunMarks::clicked);
    for (const int line : {7, 8})
      QTest::mouseClick(view.viewport(), Qt::LeftButton, {},
                        rowOf(view, line, kRunMargin).center());
    QCOMPARE(clicked.size(), 1);
    QCOMPARE(clicked[0][0].toInt(), 8);
  }

  // A comparison's grounds, a run's marks and uses of a name are apart.
  void aComparisonLeavesOtherMarksAlone() {
    auto editor = blocksEditor();
    UseMarks uses(editor.get());
    RunMarks::of(editor.get())->set({{8, Run::kFailed}, {9, Run::kRunning}});
    StopMarks::of(editor.get())->setShown(true);
    StopMarks::of(editor.get())->set({{StopMark::Kind::kPlain, 8}});
    LineStates::of(editor.get())->set({{LineState::Kind::kChanged, false, 8, 1}});
    editor->sci(Sci::SCI_SETCARETLINEVISIBLE, 0);
    const qint64 x = editor->lineStart(8) + 4;
    const qint64 y = editor->lineStart(9) + 4;
    uses.set({{y, y + 1, false}});
    const QColor plain = groundAt(*editor, editor->lineStart(2) + 5);
    const QColor used = groundAt(*editor, y);
    QVERIFY(used != plain);
    QVector<QImage> before;
    for (const unsigned long margin : {kStateMargin, kStopMargin, kRunMargin})
      for (const int line : {8, 9}) before.append(marginAt(*editor, line, margin));

    ChangeMarks changes(editor.get());
    changes.set({{ChangeMark::Kind::kAdded, 8, 1, {{x, x + 1}}}});
    QVector<QImage> during;
    for (const unsigned long margin : {kStateMargin, kStopMargin, kRunMargin})
      for (const int line : {8, 9}) during.append(marginAt(*editor, line, margin));
    QCOMPARE(during, before);
    // The word that is another has a ground of its own, in the changed line's; no other word has.
    const QColor line = groundAt(*editor, editor->lineStart(8));
    QVERIFY(line != plain);
    QVERIFY(groundAt(*editor, x) != line);
    QCOMPARE(groundAt(*editor, editor->lineStart(8) + 1), line);
    QCOMPARE(groundAt(*editor, y), used);
    QCOMPARE(groundAt(*editor, editor->lineStart(9)), plain);
    // What a use marks is not taken for what a comparison marks, nor away with it.
    uses.set({{x, x + 1, true}, {y, y + 1, false}});
    changes.set({});
    QVERIFY(groundAt(*editor, x) != plain);
    QCOMPARE(groundAt(*editor, editor->lineStart(8)), plain);
    QCOMPARE(groundAt(*editor, y), used);
  }
};

}  // namespace

QTEST_MAIN(TestMarginMarks)
#include "test_margin_marks.moc"
