// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "tests/editor/editor_test.h"
#include "tests/support/rest.h"

using namespace waferpair::editor;
using Sci = QsciScintillaBase;

namespace {

int annotationRows(const CodeEditor& editor) {
  int rows = 0;
  for (int line = 0; line < editor.lineCount(); ++line)
    rows +=
        static_cast<int>(editor.sci(Sci::SCI_ANNOTATIONGETLINES, static_cast<unsigned long>(line)));
  return rows;
}

}  // namespace

class TestGhostText : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void aGhostIsNeitherInTheTextNorInUndo() {
    auto editor = editorAt("int a = |;\n");
    QTest::keyClick(editor.get(), '1');
    const QByteArray text = editor->text();
    const qint64 version = editor->version();
    QVERIFY(editor->ghost()->show(editor->caret(), " + 2\n+ 3"));
    QVERIFY(editor->ghost()->isShown());
    QCOMPARE(editor->text(), text);
    QCOMPARE(editor->version(), version);
    QCOMPARE(annotationRows(*editor), 1);
    editor->ghost()->clear();
    QCOMPARE(annotationRows(*editor), 0);
    editor->undo();
    QCOMPARE(editor->text(), QByteArray("int a = ;\n"));
    QVERIFY(!editor->isModified());
  }

  void aGhostAtRestIsNotPaintedAgainAndAgain() {
    struct PaintCounter : QObject {
      bool eventFilter(QObject*, QEvent* event) override {
        paints += event->type() == QEvent::Paint;
        return false;
      }
      int paints = 0;
    } counter;
    auto editor = editorAt("int a = |;\n");
    editor->sci(Sci::SCI_SETCARETPERIOD, 0);  // a blinking caret is painted too
    QVERIFY(editor->ghost()->show(editor->caret(), " + 2\n+ 3"));
    waferpair::test::dealWithEvents();
    editor->viewport()->installEventFilter(&counter);
    waferpair::test::rest();
    editor->viewport()->removeEventFilter(&counter);
    QVERIFY2(counter.paints <= 1, qPrintable(QString::number(counter.paints)));
  }

  void typingThroughShortensAndDeletingBringsBack() {
    auto editor = editorAt("|\n");
    GhostText* ghost = editor->ghost();
    ghost->show(0, "foo(bar);\nbaz();");
    QSignalSpy cleared(ghost, &GhostText::cleared);
    QTest::keyClicks(editor.get(), QStringLiteral("foo("));
    QCOMPARE(ghost->remaining(), QByteArray("bar);\nbaz();"));
    QVERIFY(ghost->isShown());
    QTest::keyClick(editor.get(), Qt::Key_Backspace);
    QTest::keyClick(editor.get(), Qt::Key_Backspace);
    QCOMPARE(ghost->remaining(), QByteArray("o(bar);\nbaz();"));
    QTest::keyClicks(editor.get(), QStringLiteral("o(bar);"));
    QTest::keyClick(editor.get(), Qt::Key_Return);
    QCOMPARE(ghost->remaining(), QByteArray("baz();"));
    QCOMPARE(annotationRows(*editor), 0);
    QCOMPARE(cleared.size(), 0);
    QTest::keyClick(editor.get(), 'x');
    QVERIFY(!ghost->isShown());
    QCOMPARE(cleared.size(), 1);
  }

  void backspaceInTheIndentationBringsBackToo() {
    auto editor = editorAt("    |\n");
    editor->setIndentation({false, 4});
    GhostText* ghost = editor->ghost();
    ghost->show(4, "    foo();");
    QTest::keyClicks(editor.get(), QStringLiteral("    "));
    QCOMPARE(ghost->remaining(), QByteArray("foo();"));
    QTest::keyClick(editor.get(), Qt::Key_Backspace);
    QCOMPARE(withCaret(*editor), QByteArray("    |\n"));
    QVERIFY(ghost->isShown());
    QCOMPARE(ghost->remaining(), QByteArray("    foo();"));
  }

  // Scintilla's own menu selects without a word to us.
  void aSelectionFromElsewhereTakesItAway() {
    auto editor = editorAt("one\ntwo |\n");
    editor->setIndentation({false, 4});
    QVERIFY(editor->ghost()->show(editor->caret(), "xyz"));
    editor->sci(Sci::SCI_SELECTALL);
    QTest::keyClick(editor.get(), Qt::Key_Tab);
    QCOMPARE(editor->text(), QByteArray("    one\n    two \n"));
    // Nor by a command.
    editor->setText("two \n");
    editor->setSelection(4, 4);
    for (bool (GhostText::*accept)() :
         {&GhostText::acceptAll, &GhostText::acceptWord, &GhostText::acceptLine}) {
      QVERIFY(editor->ghost()->show(4, "xyz"));
      editor->sci(Sci::SCI_SELECTALL);
      QVERIFY(!(editor->ghost()->*accept)());
      QCOMPARE(editor->text(), QByteArray("two \n"));
      editor->setSelection(4, 4);
    }
    // The picture follows with no key at all.
    QVERIFY(editor->ghost()->show(4, "xyz"));
    editor->sci(Sci::SCI_SELECTALL);
    QTRY_VERIFY(!editor->ghost()->isShown());
  }

  void twoHundredKeysOfTypeThroughChangeNothingShown() {
    QByteArray suggestion;
    for (int i = 0; suggestion.size() < 200; ++i)
      suggestion += (i % 4 == 3 ? "\n" : "value" + QByteArray::number(i) + " + ");
    auto editor = editorAt("|\n");
    GhostText* ghost = editor->ghost();
    ghost->show(0, suggestion);
    QSignalSpy cleared(ghost, &GhostText::cleared);
    for (qsizetype i = 0; i < 200; ++i) {
      suggestion[i] == '\n' ? QTest::keyClick(editor.get(), Qt::Key_Return)
                            : QTest::keyClick(editor.get(), suggestion[i]);
      QCOMPARE(editor->text() + ghost->remaining(),
               suggestion.left(i + 1) + "\n" + suggestion.mid(i + 1));
    }
    QCOMPARE(cleared.size(), 0);
  }

  void otherEditsAndMovesTakeItAway_data() {
    QTest::addColumn<int>("key");
    QTest::addColumn<int>("modifiers");
    QTest::newRow("other letter") << int(Qt::Key_X) << 0;
    QTest::newRow("left") << int(Qt::Key_Left) << 0;
    QTest::newRow("select") << int(Qt::Key_Left) << int(Qt::ShiftModifier);
    QTest::newRow("backspace before it") << int(Qt::Key_Backspace) << 0;
    QTest::newRow("undo") << int(Qt::Key_Z) << int(Qt::ControlModifier);
    QTest::newRow("escape") << int(Qt::Key_Escape) << 0;
    QTest::newRow("select all") << int(Qt::Key_A) << int(Qt::ControlModifier);
  }
  void otherEditsAndMovesTakeItAway() {
    QFETCH(int, key);
    QFETCH(int, modifiers);
    auto editor = editorAt("one\ntwo |\nthree\n");
    QTest::keyClick(editor.get(), 'q');
    editor->ghost()->show(editor->caret(), "a\nb\nc");
    QCOMPARE(annotationRows(*editor), 2);
    QTest::keyClick(editor.get(), Qt::Key(key), Qt::KeyboardModifiers(modifiers));
    QVERIFY(!editor->ghost()->isShown());
    QTRY_COMPARE(annotationRows(*editor), 0);
  }

  // Typing something else must not make the text below jump up, and down again with the next ghost.
  void rowsLingerForTheNextGhost() {
    auto editor = editorAt("|\nbelow\n");
    GhostText* ghost = editor->ghost();
    ghost->show(0, "a\nb\nc");
    QTest::keyClick(editor.get(), 'x');
    QVERIFY(!ghost->isShown());
    QCOMPARE(annotationRows(*editor), 2);
    ghost->show(1, "y");
    QCOMPARE(annotationRows(*editor), 2);
    QTRY_COMPARE(annotationRows(*editor), 0);
    QVERIFY(ghost->isShown());
    // Never under another line, nor after Esc.
    ghost->show(1, "a\nb\nc");
    QTest::keyClick(editor.get(), Qt::Key_Return);
    QCOMPARE(annotationRows(*editor), 0);
    ghost->show(editor->caret(), "a\nb\nc");
    QTest::keyClick(editor.get(), 'x');
    QTest::keyClick(editor.get(), Qt::Key_Down);
    QCOMPARE(annotationRows(*editor), 0);
    ghost->show(editor->caret(), "a\nb\nc");
    QTest::keyClick(editor.get(), Qt::Key_Escape);
    QCOMPARE(annotationRows(*editor), 0);
  }

  void spacerIsFoundAgainWhateverHappensAbove() {
    auto editor = editorAt("one\ntwo\n|\nfour\n");
    for (const auto& [start, end, text] :
         {std::tuple<int, int, const char*>{0, 0, "a\nb\n"}, {0, 4, ""}, {3, 4, ""}, {0, 0, "x"}}) {
      editor->ghost()->show(editor->caret(), "a\nb\nc");
      QCOMPARE(annotationRows(*editor), 2);
      editor->replaceRange(start, end, text);
      QVERIFY(editor->ghost()->isShown());  // above: it moves along
      QCOMPARE(annotationRows(*editor), 2);
      QCOMPARE(editor->ghost()->position(), editor->caret());
      editor->ghost()->clear();
      QCOMPARE(annotationRows(*editor), 0);
    }
    // Joined with its own line: gone, and no blank rows stay behind.
    editor->ghost()->show(editor->caret(), "a\nb\nc");
    QTest::keyClick(editor.get(), Qt::Key_Backspace);
    QVERIFY(!editor->ghost()->isShown());
    QCOMPARE(annotationRows(*editor), 0);
  }

  // The ghost stands in the very first line, and several lines come before it at once.
  void spacerOfTheFirstLineMovesAlong() {
    auto editor = editorAt("|\nbelow\n");
    GhostText* ghost = editor->ghost();
    ghost->show(0, "a\nb\nc");
    QCOMPARE(annotationRows(*editor), 2);
    editor->replaceRange(0, 0, "1\n2\n3\n4\n");
    ghost->clear();
    QCOMPARE(annotationRows(*editor), 0);
    // An edit that changes no line count leaves the rows where they are.
    editor->setSelection(0, 0);
    ghost->show(0, "1x\ny\nz");
    ghost->clear();
    editor->setSelection(1, 1);
    ghost->show(1, "x\ny\nz");
    QCOMPARE(annotationRows(*editor), 2);
    editor->replaceRange(2, 3, "two");
    ghost->clear();
    QCOMPARE(annotationRows(*editor), 0);
  }

  void oneAcceptIsOneUndoStep() {
    auto editor = editorAt("int |;\n");
    QTest::keyClick(editor.get(), 'f');
    editor->ghost()->show(editor->caret() - 1, "foo = 1,\n    bar = 2");
    QSignalSpy accepted(editor->ghost(), &GhostText::accepted);
    QTest::keyClick(editor.get(), Qt::Key_Tab);
    QCOMPARE(withCaret(*editor), QByteArray("int foo = 1,\n    bar = 2|;\n"));
    QCOMPARE(accepted.size(), 1);
    QCOMPARE(accepted[0][0].toByteArray(), QByteArray("oo = 1,\n    bar = 2"));
    QVERIFY(!editor->ghost()->isShown());
    QCOMPARE(annotationRows(*editor), 0);
    editor->undo();
    QCOMPARE(editor->text(), QByteArray("int f;\n"));
    editor->undo();
    QCOMPARE(editor->text(), QByteArray("int ;\n"));
    editor->redo();
    editor->redo();
    QCOMPARE(editor->text(), QByteArray("int foo = 1,\n    bar = 2;\n"));
  }

  void wordsAndLinesAreAcceptedOneByOne() {
    auto editor = editorAt("|\n");
    GhostText* ghost = editor->ghost();
    ghost->show(0, "foo = bar(1);\n  baz();\nend");
    const QByteArray words[] = {"foo", "foo =", "foo = bar", "foo = bar("};
    for (const QByteArray& word : words) {
      QTest::keyClick(editor.get(), Qt::Key_Right, Qt::ControlModifier);
      QCOMPARE(withCaret(*editor), word + "|\n");
    }
    const QByteArray lines[] = {"foo = bar(1);", "foo = bar(1);\n  baz();",
                                "foo = bar(1);\n  baz();\nend"};
    for (const QByteArray& line : lines) {
      QTest::keyClick(editor.get(), Qt::Key_Down, Qt::ControlModifier);
      QCOMPARE(withCaret(*editor), line + "|\n");
    }
    QVERIFY(!ghost->isShown());
    // Each was a step of its own.
    editor->undo();
    QCOMPARE(editor->text(), lines[1] + "\n");
    for (int i = 0; i < 6; ++i) editor->undo();
    QCOMPARE(editor->text(), QByteArray("\n"));
  }

  void acceptedTextGetsTheDocumentsLineEnds() {
    auto editor = editorAt("a\r\n|\r\n");
    editor->ghost()->show(editor->caret(), "x\r\n  y");
    QCOMPARE(annotationRows(*editor), 1);
    QTest::keyClick(editor.get(), Qt::Key_Down, Qt::ControlModifier);
    QCOMPARE(withCaret(*editor), QByteArray("a\r\nx|\r\n"));
    QTest::keyClick(editor.get(), Qt::Key_Down, Qt::ControlModifier);
    QCOMPARE(withCaret(*editor), QByteArray("a\r\nx\r\n  y|\r\n"));
  }

  void streamedTextOnlyGrowsAndRowsFollow() {
    auto editor = editorAt("|\nbelow\n");
    GhostText* ghost = editor->ghost();
    ghost->show(0, "a");
    QCOMPARE(annotationRows(*editor), 0);
    ghost->append("b\nc");
    QCOMPARE(ghost->remaining(), QByteArray("ab\nc"));
    QCOMPARE(annotationRows(*editor), 1);
    QTest::keyClicks(editor.get(), QStringLiteral("ab"));
    ghost->append("d\n");
    QCOMPARE(ghost->remaining(), QByteArray("\ncd\n"));
    QCOMPARE(annotationRows(*editor), 2);
  }

  void typedToItsEndTheGhostWaitsForMore() {
    auto editor = editorAt("|\n");
    GhostText* ghost = editor->ghost();
    ghost->show(0, "ab");
    QTest::keyClicks(editor.get(), QStringLiteral("ab"));
    QVERIFY(!ghost->isShown());
    QVERIFY(ghost->isActive());
    ghost->append("cd");
    QVERIFY(ghost->isShown());
    QCOMPARE(ghost->remaining(), QByteArray("cd"));
    QTest::keyClick(editor.get(), 'x');
    ghost->append("ef");
    QVERIFY(!ghost->isShown());
  }

  void notShownWhereItWouldLie() {
    auto editor = editorAt("abc|\n");
    GhostText* ghost = editor->ghost();
    QVERIFY(!ghost->show(1, "xyz"));  // contradicts "bc"
    QVERIFY(!ghost->show(10, "x"));   // behind the caret
    QVERIFY(!ghost->show(3, ""));
    QVERIFY(ghost->show(1, "bcd"));
    QCOMPARE(ghost->remaining(), QByteArray("d"));
    editor->setSelection(0, 2);
    QVERIFY(!ghost->isShown());
    QVERIFY(!ghost->show(2, "c"));
  }

  void aGhostAtTheBottomScrollsIntoView() {
    auto editor = makeEditor(QByteArray("line\n").repeated(200));
    editor->goToLine(199);
    const long onScreen = editor->sci(Sci::SCI_LINESONSCREEN);
    editor->sci(Sci::SCI_SETFIRSTVISIBLELINE, static_cast<unsigned long>(200 - onScreen));
    editor->ghost()->show(editor->caret(), "a\nb\nc\nd\ne");
    const long y = editor->sci(Sci::SCI_POINTYFROMPOSITION, 0, editor->caret());
    const long height = editor->sci(Sci::SCI_TEXTHEIGHT);
    QVERIFY(y >= 0);
    QVERIFY(y + 5 * height <= editor->viewport()->height());
    // Larger than the view: the caret still stays in it.
    editor->ghost()->show(editor->caret(), "x" + QByteArray("\ny").repeated(90));
    QVERIFY(editor->sci(Sci::SCI_POINTYFROMPOSITION, 0, editor->caret()) >= 0);
  }

  void paintedIsSaidOnceForEachGhost() {
    auto editor = editorAt("|\n");
    QSignalSpy painted(editor->ghost(), &GhostText::painted);
    editor->ghost()->show(0, "abc");
    QTRY_COMPARE(painted.size(), 1);
    editor->ghost()->append("def");
    editor->viewport()->repaint();
    waferpair::test::rest();
    QCOMPARE(painted.size(), 1);
    editor->ghost()->show(0, "xyz");
    QTRY_COMPARE(painted.size(), 2);
  }
};

QTEST_MAIN(TestGhostText)
#include "test_ghost_text.moc"
