// SPDX-License-Identifier: GPL-3.0-or-later
// Carets and selections, by real keys and the mouse.
#include <QtTest>

#include "editor/view/selections.h"
#include "tests/editor/editor_test.h"

using namespace Qt::StringLiterals;
using namespace waferpair::editor;
using Sci = QsciScintillaBase;

namespace {

constexpr auto kCtrlAlt = Qt::ControlModifier | Qt::AltModifier;

QPoint pointOf(const CodeEditor& editor, qint64 at) {
  const auto position = static_cast<long>(at);
  return {static_cast<int>(editor.sci(Sci::SCI_POINTXFROMPOSITION, 0, position)),
          static_cast<int>(editor.sci(Sci::SCI_POINTYFROMPOSITION, 0, position)) + 4};
}

// From the top, as bytes [start, end).
QVector<std::pair<qint64, qint64>> columnOf(const CodeEditor& editor) {
  QVector<std::pair<qint64, qint64>> rows;
  for (const Selection& selection : selectionsOf(editor))
    rows += std::pair(selection.start(), selection.end());
  std::sort(rows.begin(), rows.end());
  return rows;
}

QVector<qint64> carets(const CodeEditor& editor) {
  QVector<qint64> places;
  for (const Selection& selection : selectionsOf(editor)) places += selection.caret;
  std::sort(places.begin(), places.end());
  return places;
}

}  // namespace

class TestCaretCommands : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void caretsAboveAndBelowKeepTheColumn() {
    auto editor = editorAt("abcd\nab\n\nabc|d\n");
    QTest::keyClick(editor.get(), Qt::Key_Up, kCtrlAlt);
    QTest::keyClick(editor.get(), Qt::Key_Up, kCtrlAlt);
    QTest::keyClick(editor.get(), Qt::Key_Up, kCtrlAlt);
    QCOMPARE(carets(*editor), (QVector<qint64>{3, 7, 8, 12}));
    QCOMPARE(editor->caret(), 12);
    // There is no line above the first, and one below the last.
    QTest::keyClick(editor.get(), Qt::Key_Up, kCtrlAlt);
    QCOMPARE(carets(*editor).size(), 4);
    QTest::keyClick(editor.get(), Qt::Key_Down, kCtrlAlt);
    QCOMPARE(carets(*editor), (QVector<qint64>{3, 7, 8, 12, 14}));
    QTest::keyClicks(editor.get(), u"x"_s);
    QCOMPARE(editor->text(), QByteArray("abcxd\nabx\nx\nabcxd\nx"));
    QTest::keyClick(editor.get(), Qt::Key_Escape);
    QCOMPARE(carets(*editor).size(), 1);
    editor->undo();
    QCOMPARE(editor->text(), QByteArray("abcd\nab\n\nabcd\n"));
  }

  void caretsAtTheEndsOfSelectedLines() {
    auto editor = makeEditor("a\nbcd\n\ne\n");
    editor->setSelection(0, 4);
    QTest::keyClick(editor.get(), Qt::Key_I, Qt::AltModifier | Qt::ShiftModifier);
    QCOMPARE(carets(*editor), (QVector<qint64>{1, 5}));
    QTest::keyClicks(editor.get(), u";"_s);
    QCOMPARE(editor->text(), QByteArray("a;\nbcd;\n\ne\n"));
  }

  void allOccurrencesAreSelected() {
    auto editor = editorAt("foo fo|o food Foo\nfoo\n");
    QTest::keyClick(editor.get(), Qt::Key_F2, Qt::ControlModifier);
    // A word at the caret is meant as a word.
    QCOMPARE(selectionsOf(*editor), (QVector<Selection>{{0, 3}, {4, 7}, {17, 20}}));
    QCOMPARE(editor->caret(), 7);
    QTest::keyClicks(editor.get(), u"x"_s);
    QCOMPARE(editor->text(), QByteArray("x x food Foo\nx\n"));
    // Selected text is meant as it stands.
    editor->setText("foo food\n");
    editor->setSelection(0, 3);
    QTest::keyClick(editor.get(), Qt::Key_F2, Qt::ControlModifier);
    QCOMPARE(selectionsOf(*editor), (QVector<Selection>{{0, 3}, {4, 7}}));
    editor->setText("  \n");
    editor->setSelection(1, 1);
    QVERIFY(!editor->perform("select-all-occurrences"));
  }

  void aColumnIsSelectedByKeysAndMouse() {
    auto editor = editorAt("a|bcd\nefgh\nijkl\n");
    const auto all = kCtrlAlt | Qt::ShiftModifier;
    QTest::keyClick(editor.get(), Qt::Key_Down, all);
    QTest::keyClick(editor.get(), Qt::Key_Down, all);
    QTest::keyClick(editor.get(), Qt::Key_Right, all);
    using Column = QVector<std::pair<qint64, qint64>>;
    QCOMPARE(columnOf(*editor), (Column{{1, 2}, {6, 7}, {11, 12}}));
    QTest::keyClicks(editor.get(), u"-"_s);
    QCOMPARE(editor->text(), QByteArray("a-cd\ne-gh\ni-kl\n"));

    editor->setText("abcd\nefgh\nijkl\n");
    QWidget* view = editor->viewport();
    QTest::mousePress(view, Qt::LeftButton, Qt::AltModifier, pointOf(*editor, 1));
    QMouseEvent move(QEvent::MouseMove, pointOf(*editor, 13),
                     view->mapToGlobal(pointOf(*editor, 13)), Qt::NoButton, Qt::LeftButton,
                     Qt::AltModifier);
    QApplication::sendEvent(view, &move);
    QTest::mouseRelease(view, Qt::LeftButton, Qt::AltModifier, pointOf(*editor, 13));
    QCOMPARE(columnOf(*editor), (Column{{1, 3}, {6, 8}, {11, 13}}));
  }

  void altAndAClickAddACaretOrTakeItAway() {
    auto editor = editorAt("|abcd\nefgh\nijkl\n");
    QWidget* view = editor->viewport();
    const auto click = [&](qint64 at) {
      QTest::mouseClick(view, Qt::LeftButton, Qt::AltModifier, pointOf(*editor, at));
    };
    click(6);
    click(12);
    QCOMPARE(carets(*editor), (QVector<qint64>{0, 6, 12}));
    click(6);
    QCOMPARE(carets(*editor), (QVector<qint64>{0, 12}));
    QTest::keyClicks(editor.get(), u"x"_s);
    QCOMPARE(editor->text(), QByteArray("xabcd\nefgh\nijxkl\n"));
    // The last one stays.
    QTest::keyClick(editor.get(), Qt::Key_Escape);
    click(editor->caret());
    QCOMPARE(carets(*editor).size(), 1);
  }

  // Wherever the caret came from.
  void upAndDownKeepTheColumn() {
    auto editor = makeEditor("abcd\nefgh\nijkl\n");
    editor->setSelection(2, 2);
    QTest::keyClick(editor.get(), Qt::Key_Down);
    QCOMPARE(editor->caret(), 7);
    editor->goToLine(0, 3);
    QTest::keyClick(editor.get(), Qt::Key_Down);
    QCOMPARE(editor->caret(), 8);
  }

  void bracketsLeadToEachOther() {
    auto editor = editorAt("f|(a[1], {b});\n");
    const auto go = [&editor](Qt::KeyboardModifiers modifiers = Qt::ControlModifier) {
      QTest::keyClick(editor.get(), Qt::Key_6, modifiers);
      return withCaret(*editor).trimmed();
    };
    // Outside of the pair, and back.
    QCOMPARE(go(), QByteArray("f(a[1], {b})|;"));
    QCOMPARE(go(), QByteArray("f|(a[1], {b});"));
    // Inside of it.
    editor->setSelection(2, 2);
    QCOMPARE(go(), QByteArray("f(a[1], {b}|);"));
    // In none: to the one around.
    editor->setSelection(7, 7);
    QCOMPARE(go(), QByteArray("f|(a[1], {b});"));
    editor->setSelection(1, 1);
    go(kCtrlAlt);
    QCOMPARE(selectionsOf(*editor), (QVector<Selection>{{1, 12}}));
    // Brackets of strings are none of the code's.
    editor->setText("f(\")\", 1);\n");
    editor->setSelection(2, 2);
    QCOMPARE(go(), QByteArray("f(\")\", 1|);"));
    editor->setText("none\n");
    editor->setSelection(2, 2);
    QVERIFY(!editor->perform("go-to-bracket"));
  }

  void selectionsGrowAndShrinkStepByStep() {
    auto editor = editorAt("int a;\n  call(x, \"on|e two\");\nint b;\n");
    QByteArrayList grown;
    while (editor->perform("expand-selection")) grown += editor->selectedText();
    QCOMPARE(grown, (QByteArrayList{"one", "one two", "\"one two\"", "x, \"one two\"",
                                    "(x, \"one two\")", "call(x, \"one two\");",
                                    "  call(x, \"one two\");\n", editor->text()}));
    QByteArrayList shrunk;
    while (editor->perform("shrink-selection")) shrunk += editor->selectedText();
    std::reverse(shrunk.begin(), shrunk.end());
    QCOMPARE(shrunk, QByteArrayList{QByteArray()} + grown.mid(0, grown.size() - 1));
    QCOMPARE(editor->caret(), 20);
    // Another selection, and there is no way back.
    QTest::keyClick(editor.get(), Qt::Key_Right, Qt::AltModifier | Qt::ShiftModifier);
    QCOMPARE(editor->selectedText(), QByteArray("one"));
    QTest::keyClick(editor.get(), Qt::Key_Left);
    QVERIFY(!editor->perform("shrink-selection"));
  }

  void eachSelectionGrows() {
    auto editor = makeEditor("f(a.b);\ng(c.d);\n");
    setSelections(editor.get(), {{2, 2}, {10, 10}}, 0);
    QTest::keyClick(editor.get(), Qt::Key_Right, Qt::AltModifier | Qt::ShiftModifier);
    QTest::keyClick(editor.get(), Qt::Key_Right, Qt::AltModifier | Qt::ShiftModifier);
    QCOMPARE(selectionsOf(*editor), (QVector<Selection>{{2, 5}, {10, 13}}));
    QTest::keyClick(editor.get(), Qt::Key_Left, Qt::AltModifier | Qt::ShiftModifier);
    QCOMPARE(selectionsOf(*editor), (QVector<Selection>{{2, 3}, {10, 11}}));
  }
};

QTEST_MAIN(TestCaretCommands)
#include "test_caret_commands.moc"
