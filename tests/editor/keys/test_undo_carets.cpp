// SPDX-License-Identifier: GPL-3.0-or-later
// What one undo takes back of what is typed, and which carets and selections it brings back.
#include <QtTest>

#include "editor/layers/bookmarks.h"
#include "editor/view/selections.h"
#include "tests/editor/editor_test.h"

using namespace Qt::StringLiterals;
using namespace waferpair::editor;

class TestUndoCarets : public QObject {
  Q_OBJECT

  using Selections = QVector<Selection>;

 private Q_SLOTS:
  void allCaretsComeBack() {
    auto editor = makeEditor("1\n2\n3\n");
    const Selections carets{{0, 0}, {2, 2}, {4, 4}};
    setSelections(editor.get(), carets, 1);
    QTest::keyClicks(editor.get(), u"ab"_s);
    QCOMPARE(editor->text(), QByteArray("ab1\nab2\nab3\n"));
    QTest::keyClick(editor.get(), Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(selectionsOf(*editor), (Selections{{1, 1}, {4, 4}, {7, 7}}));
    QTest::keyClick(editor.get(), Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(editor->text(), QByteArray("1\n2\n3\n"));
    QCOMPARE(selectionsOf(*editor), carets);
    QCOMPARE(mainSelection(*editor), 1);
    editor->redo();
    editor->redo();
    QCOMPARE(editor->text(), QByteArray("ab1\nab2\nab3\n"));
    QCOMPARE(selectionsOf(*editor), (Selections{{2, 2}, {6, 6}, {10, 10}}));
  }

  void allSelectionsComeBack() {
    auto editor = makeEditor("a[test]b[test]c\n");
    const Selections both{{1, 7}, {14, 8}};
    setSelections(editor.get(), both, 0);
    QTest::keyClick(editor.get(), Qt::Key_X);
    QCOMPARE(editor->text(), QByteArray("axbxc\n"));
    editor->undo();
    QCOMPARE(editor->text(), QByteArray("a[test]b[test]c\n"));
    QCOMPARE(selectionsOf(*editor), both);
  }

  void commandsOverSelectionsBringThemBack_data() {
    QTest::addColumn<QByteArray>("action");
    for (const char* action :
         {"join-lines", "sort-lines-descending", "move-line-down", "delete-line", "upper-case",
          "toggle-comment", "indent", "copy-line-down"})
      QTest::newRow(action) << QByteArray(action);
  }
  void commandsOverSelectionsBringThemBack() {
    QFETCH(QByteArray, action);
    const QByteArray text = "a\nb\n\nc\nd\n\ne\n";
    auto editor = makeEditor(text);
    const Selections selections{{0, 3}, {8, 5}};
    setSelections(editor.get(), selections, 0);
    QVERIFY(editor->perform(action.constData()));
    QVERIFY(editor->text() != text);
    const QByteArray changed = editor->text();
    const Selections after = selectionsOf(*editor);
    editor->undo();
    QCOMPARE(editor->text(), text);
    QCOMPARE(selectionsOf(*editor), selections);
    editor->setSelection(1, 1);
    editor->redo();
    QCOMPARE(editor->text(), changed);
    QCOMPARE(selectionsOf(*editor), after);
  }

  void wordsAreUndoneOneByOne() {
    auto editor = makeEditor();
    QTest::keyClicks(editor.get(), u"one two  three four"_s);
    for (const char* left : {"one two  three ", "one two  ", "one ", ""}) {
      editor->undo();
      QCOMPARE(editor->text(), QByteArray(left));
    }
    QVERIFY(!editor->isModified());
    for (const char* back : {"one ", "one two  ", "one two  three ", "one two  three four"}) {
      editor->redo();
      QCOMPARE(editor->text(), QByteArray(back));
    }
  }

  void blanksBeforeTheFirstWordAreOfItsStep() {
    auto editor = makeEditor("one");
    editor->setSelection(3, 3);
    QTest::keyClicks(editor.get(), u" two three"_s);
    editor->undo();
    QCOMPARE(editor->text(), QByteArray("one two "));
    editor->undo();
    QCOMPARE(editor->text(), QByteArray("one"));
  }

  void aMoveOfTheCaretEndsAStep() {
    auto editor = makeEditor();
    QTest::keyClicks(editor.get(), u"ab"_s);
    QTest::keyClick(editor.get(), Qt::Key_Left);
    QTest::keyClick(editor.get(), Qt::Key_Right);
    QTest::keyClicks(editor.get(), u"cd"_s);
    editor->undo();
    QCOMPARE(withCaret(*editor), QByteArray("ab|"));
    editor->undo();
    QCOMPARE(editor->text(), QByteArray());
  }

  // What is kept beside the history has a bound: older steps are undone with one caret.
  void ofThousandsOfStepsTheOldestHaveOneCaret() {
    using Sci = QsciScintillaBase;
    auto editor = makeEditor("1\n2\n");
    setSelections(editor.get(), {{0, 0}, {2, 2}}, 0);
    constexpr int kSteps = 2'100;
    for (int i = 0; i < kSteps; ++i) {
      editor->sci(Sci::SCI_BEGINUNDOACTION);
      editor->SendScintilla(Sci::SCI_APPENDTEXT, 1UL, "x");
      editor->sci(Sci::SCI_ENDUNDOACTION);
      editor->flushEdits();
    }
    editor->undo();
    QCOMPARE(selectionsOf(*editor).size(), 2);
    for (int i = 1; i < kSteps; ++i) editor->undo();
    QCOMPARE(editor->text(), QByteArray("1\n2\n"));
    QCOMPARE(selectionsOf(*editor).size(), 1);
  }

  // A deleted line takes its bookmark along, and an undo brings it back.
  void bookmarksComeBackWithTheirLines() {
    auto editor = makeEditor("0\n1\n2\n3\n4\n");
    const auto lines = [&] { return editor->bookmarks()->lines(); };
    editor->bookmarks()->setLines({1, 2, 4});
    setSelections(editor.get(), {{2, 6}}, 0);
    QTest::keyClick(editor.get(), Qt::Key_Delete);
    QCOMPARE(editor->text(), QByteArray("0\n3\n4\n"));
    const QVector<int> then = lines();
    editor->undo();
    QCOMPARE(lines(), QVector<int>({1, 2, 4}));
    editor->redo();
    QCOMPARE(lines(), then);
    editor->undo();
    QCOMPARE(lines(), QVector<int>({1, 2, 4}));
    // Of the whole text, and of what was set meanwhile.
    QTest::keyClick(editor.get(), Qt::Key_A, Qt::ControlModifier);
    QTest::keyClick(editor.get(), Qt::Key_Backspace);
    editor->undo();
    QCOMPARE(lines(), QVector<int>({1, 2, 4}));
    setSelections(editor.get(), {{2, 4}}, 0);
    QTest::keyClick(editor.get(), Qt::Key_Delete);
    editor->bookmarks()->setLines({0});
    editor->undo();
    QCOMPARE(lines(), QVector<int>({0}));
  }

  void whatWasUndoneAndReplacedIsForgotten() {
    auto editor = makeEditor("1\n2\n");
    setSelections(editor.get(), {{0, 0}, {2, 2}}, 0);
    QTest::keyClick(editor.get(), Qt::Key_A);
    editor->undo();
    editor->setSelection(4, 4);
    QTest::keyClick(editor.get(), Qt::Key_B);
    QTest::keyClick(editor.get(), Qt::Key_C);
    editor->undo();
    QCOMPARE(selectionsOf(*editor), (Selections{{4, 4}}));
    QCOMPARE(editor->text(), QByteArray("1\n2\n"));
    editor->redo();
    QCOMPARE(withCaret(*editor), QByteArray("1\n2\nbc|"));
  }
};

QTEST_MAIN(TestUndoCarets)
#include "test_undo_carets.moc"
