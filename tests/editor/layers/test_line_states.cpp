// SPDX-License-Identifier: GPL-3.0-or-later
// Bars beside lines: as pixels, in second views too, and as they follow edits.
#include "editor/layers/line_states.h"
#include "tests/editor/editor_test.h"

using namespace waferpair::editor;
using Sci = QsciScintillaBase;
using Kind = LineState::Kind;

namespace {

constexpr unsigned long kMargin = 4;

int leftOf(const CodeEditor& editor) {
  int left = 0;
  for (unsigned long i = 0; i < kMargin; ++i)
    left += static_cast<int>(editor.sci(Sci::SCI_GETMARGINWIDTHN, i));
  return left;
}

// The picture beside a line.
QImage barAt(CodeEditor& editor, int line) {
  const auto height = static_cast<int>(editor.sci(Sci::SCI_TEXTHEIGHT, 0));
  const auto y = static_cast<int>(
      editor.sci(Sci::SCI_POINTYFROMPOSITION, 0, static_cast<long>(editor.lineStart(line))));
  const auto width = static_cast<int>(editor.sci(Sci::SCI_GETMARGINWIDTHN, kMargin));
  return editor.viewport()->grab(QRect(leftOf(editor), y, width, height)).toImage();
}

class TestLineStates : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void eachKindHasAShapeOfItsOwn() {
    auto editor = makeEditor("a\nb\nc\nd\ne\nf\ng\n");
    LineStates::of(editor.get())
        ->set({{Kind::kAdded, false, 0, 1},
               {Kind::kChanged, false, 1, 1},
               {Kind::kRemoved, false, 2, 0},
               {Kind::kAdded, true, 3, 1},
               {Kind::kChanged, true, 4, 1},
               {Kind::kRemoved, true, 5, 0}});
    QVector<QImage> shapes;
    for (int line = 0; line < 7; ++line) {
      // Without colors: what differs from the ground.
      const QImage bar = barAt(*editor, line);
      const QRgb ground = barAt(*editor, 6).pixel(0, 0);
      QImage shape(bar.size(), QImage::Format_Mono);
      for (int y = 0; y < bar.height(); ++y)
        for (int x = 0; x < bar.width(); ++x) shape.setPixel(x, y, bar.pixel(x, y) != ground);
      QVERIFY2(!shapes.contains(shape), qPrintable(QString::number(line)));
      shapes.append(shape);
    }
  }

  void textDoesNotMoveWhenTheFirstMarkComes() {
    auto editor = makeEditor("a\nb\n");
    LineStates::of(editor.get())->set({});
    const long x = editor->sci(Sci::SCI_POINTXFROMPOSITION, 0, 0);
    LineStates::of(editor.get())->set({{Kind::kAdded, false, 0, 1}});
    QCOMPARE(editor->sci(Sci::SCI_POINTXFROMPOSITION, 0, 0), x);
    LineStates::of(editor.get())->clear();
    QVERIFY(editor->sci(Sci::SCI_POINTXFROMPOSITION, 0, 0) < x);
    QCOMPARE(editor->sci(Sci::SCI_MARKERNEXT, 0, 0x3f << 4), -1);
  }

  void marksMoveWithTheirLinesAndAreSetAnew() {
    auto editor = makeEditor("a\nb\nc\n");
    LineStates::of(editor.get())->set({{Kind::kChanged, false, 1, 1}});
    editor->setSelection(0, 0);
    QTest::keyClick(editor.get(), Qt::Key_Return);
    QCOMPARE(marked(*editor), (QVector<int>{2}));
    // Lines that are joined bring two marks together, which both go.
    LineStates::of(editor.get())->set({{Kind::kChanged, false, 1, 2}});
    editor->replaceRange(editor->lineEnd(1), editor->lineStart(2), "");
    LineStates::of(editor.get())->set({{Kind::kAdded, false, 0, 1}});
    QCOMPARE(marked(*editor), (QVector<int>{0}));
  }

  void whatIsBeyondTheTextIsLeftOut() {
    auto editor = makeEditor("a\nb");
    LineStates::of(editor.get())->set({{Kind::kAdded, false, 1, 7}, {Kind::kRemoved, false, 9, 0}});
    QCOMPARE(marked(*editor), (QVector<int>{1}));
  }

  void secondViewsShowThem() {
    auto editor = makeEditor("a\nb\nc\n");
    CodeEditor view;
    view.resize(800, 400);
    view.mirror(editor.get());
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    QCOMPARE(view.sci(Sci::SCI_GETMARGINWIDTHN, kMargin), 0);
    LineStates::of(editor.get())->set({{Kind::kChanged, false, 1, 1}});
    QVERIFY(view.sci(Sci::SCI_GETMARGINWIDTHN, kMargin) > 0);
    QCOMPARE(barAt(view, 1), barAt(*editor, 1));
    QVERIFY(barAt(view, 1) != barAt(view, 2));
    editor->setTheme(QLatin1String(kLightTheme));
    QCOMPARE(barAt(view, 1), barAt(*editor, 1));
    LineStates::of(editor.get())->clear();
    QCOMPARE(view.sci(Sci::SCI_GETMARGINWIDTHN, kMargin), 0);
  }

  void aClickTellsTheLine() {
    auto editor = makeEditor("a\nb\nc\n");
    LineStates::of(editor.get())->set({{Kind::kChanged, false, 1, 1}});
    QSignalSpy clicked(LineStates::of(editor.get()), &LineStates::clicked);
    const auto y = static_cast<int>(editor->sci(Sci::SCI_POINTYFROMPOSITION, 0, 2));
    QTest::mouseClick(editor->viewport(), Qt::LeftButton, {}, QPoint(leftOf(*editor) + 2, y + 3));
    QCOMPARE(clicked.size(), 1);
    QCOMPARE(clicked[0][0].toInt(), 1);
  }

 private:
  static QVector<int> marked(const CodeEditor& editor) {
    QVector<int> lines;
    for (int line = 0; line < editor.lineCount(); ++line)
      if ((editor.sci(Sci::SCI_MARKERGET, static_cast<unsigned long>(line)) & (0x3f << 4)) != 0)
        lines.append(line);
    return lines;
  }
};

}  // namespace

QTEST_MAIN(TestLineStates)
#include "test_line_states.moc"
