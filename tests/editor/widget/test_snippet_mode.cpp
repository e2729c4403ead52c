// SPDX-License-Identifier: GPL-3.0-or-later
// Snippets are filled in with real keys.
#include <QtTest>

#include "editor/assist/completion_list.h"
#include "editor/ghost/line_hint.h"
#include "editor/widget/list_popup.h"
#include "editor/widget/snippet_mode.h"
#include "tests/editor/editor_test.h"

using namespace Qt::StringLiterals;
using namespace waferpair::editor;

namespace {

void press(CodeEditor* editor, Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
  QTest::keyClick(editor, key, modifiers);
}

}  // namespace

class TestSnippetMode : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void tabGoesFromFieldToField() {
    auto editor = editorAt("int x = |;\n");
    editor->snippets()->insert(u"max(${1:a}, ${2:b})$0"_s);
    QCOMPARE(editor->text(), QByteArray("int x = max(a, b);\n"));
    QCOMPARE(editor->selectedText(), QByteArray("a"));
    QTest::keyClicks(editor.get(), "first");
    press(editor.get(), Qt::Key_Tab);
    QCOMPARE(editor->selectedText(), QByteArray("b"));
    press(editor.get(), Qt::Key_Backtab, Qt::ShiftModifier);
    QCOMPARE(editor->selectedText(), QByteArray("first"));
    press(editor.get(), Qt::Key_Tab);
    QTest::keyClicks(editor.get(), "2");
    QVERIFY(editor->snippets()->isActive());
    press(editor.get(), Qt::Key_Tab);
    QCOMPARE(withCaret(*editor), QByteArray("int x = max(first, 2)|;\n"));
    QVERIFY(!editor->snippets()->isActive());
  }

  void insertionIsOneUndoStepAndIndented() {
    auto editor = editorAt("\tx|\n");
    editor->setIndentation({true, 4});
    editor->snippets()->insert(u"if ($1) {\n\t$0\n}"_s);
    QCOMPARE(editor->text(), QByteArray("\txif () {\n\t\t\n\t}\n"));
    editor->undo();
    QCOMPARE(editor->text(), QByteArray("\tx\n"));
    QVERIFY(!editor->snippets()->isActive());
  }

  void mirrorsFollowWhatIsTyped() {
    auto editor = editorAt("|\n");
    editor->snippets()->insert(u"for (int ${1:i} = 0; $1 < ${2:n}; ++$1) $0"_s);
    QTest::keyClicks(editor.get(), "at");
    QCOMPARE(editor->text(), QByteArray("for (int at = 0; at < n; ++at) \n"));
    press(editor.get(), Qt::Key_Backspace);
    QCOMPARE(editor->text(), QByteArray("for (int a = 0; a < n; ++a) \n"));
    press(editor.get(), Qt::Key_Tab);
    QCOMPARE(editor->selectedText(), QByteArray("n"));
    press(editor.get(), Qt::Key_Backtab, Qt::ShiftModifier);
    QCOMPARE(selectionCount(*editor), 3);
  }

  void transformsAreMadeWhenTheFieldIsLeft() {
    auto editor = editorAt("|\n");
    editor->snippets()->insert(u"${1:name} get${1/(.*)/${1:/pascalcase}/}() $0"_s);
    QCOMPARE(editor->text(), QByteArray("name getName() \n"));
    QTest::keyClicks(editor.get(), "line_count");
    press(editor.get(), Qt::Key_Tab);
    QCOMPARE(withCaret(*editor), QByteArray("line_count getLineCount() |\n"));
  }

  void neighborsKeepTheirText() {
    auto editor = editorAt("|\n");
    editor->snippets()->insert(u"${1:a}${2:b}${3:c}$0"_s);
    QTest::keyClicks(editor.get(), "one");
    press(editor.get(), Qt::Key_Tab);
    QCOMPARE(editor->selectedText(), QByteArray("b"));
    QTest::keyClicks(editor.get(), "two");
    press(editor.get(), Qt::Key_Tab);
    QCOMPARE(editor->selectedText(), QByteArray("c"));
    press(editor.get(), Qt::Key_Backtab, Qt::ShiftModifier);
    QCOMPARE(editor->selectedText(), QByteArray("two"));
  }

  void emptyNeighborsKeepTheirOrder() {
    auto editor = editorAt("|\n");
    editor->snippets()->insert(u"$1$2$0"_s);
    QTest::keyClicks(editor.get(), "one");
    press(editor.get(), Qt::Key_Tab);
    QTest::keyClicks(editor.get(), "two");
    press(editor.get(), Qt::Key_Backtab, Qt::ShiftModifier);
    QCOMPARE(editor->selectedText(), QByteArray("one"));
    QCOMPARE(editor->text(), QByteArray("onetwo\n"));
  }

  void whatIsWrittenOverIsNotVisited() {
    auto editor = editorAt("|\n");
    editor->snippets()->insert(u"f(${1:x, ${2:y}}, ${3:z})$0"_s);
    QCOMPARE(editor->selectedText(), QByteArray("x, y"));
    QTest::keyClicks(editor.get(), "n");
    press(editor.get(), Qt::Key_Tab);
    QCOMPARE(editor->selectedText(), QByteArray("z"));
  }

  void innerPlacesAreVisitedWhereTheyStay() {
    auto editor = editorAt("|\n");
    editor->snippets()->insert(u"f(${1:x, ${2:y}})$0"_s);
    press(editor.get(), Qt::Key_Tab);
    QCOMPARE(editor->selectedText(), QByteArray("y"));
    QTest::keyClicks(editor.get(), "long");
    press(editor.get(), Qt::Key_Backtab, Qt::ShiftModifier);
    QCOMPARE(editor->selectedText(), QByteArray("x, long"));
  }

  void escLeaves() {
    auto editor = editorAt("|\n");
    editor->snippets()->insert(u"${1:i} $1 $2"_s);
    QCOMPARE(selectionCount(*editor), 2);
    press(editor.get(), Qt::Key_Escape);
    QVERIFY(!editor->snippets()->isActive());
    QCOMPARE(selectionCount(*editor), 1);
    QCOMPARE(editor->selectedText(), QByteArray("i"));
    press(editor.get(), Qt::Key_Escape);
    QVERIFY(!editor->hasSelection());
  }

  void theCaretEndsItElsewhereOnly() {
    auto editor = editorAt("|\nlast\n");
    editor->snippets()->insert(u"f(${1:a}, ${2:b})$0"_s);
    press(editor.get(), Qt::Key_Right);
    QVERIFY(editor->snippets()->isActive());
    // In the other field it goes on from there.
    editor->setSelection(5, 5);
    QVERIFY(editor->snippets()->isActive());
    press(editor.get(), Qt::Key_Backtab, Qt::ShiftModifier);
    QCOMPARE(editor->selectedText(), QByteArray("a"));
    press(editor.get(), Qt::Key_Down);
    QVERIFY(!editor->snippets()->isActive());
  }

  void theGhostHasTabFirst() {
    auto editor = editorAt("|\n");
    editor->snippets()->insert(u"f($1, ${2:b})$0"_s);
    editor->ghost()->show(editor->caret(), "value");
    press(editor.get(), Qt::Key_Tab);
    QCOMPARE(editor->text(), QByteArray("f(value, b)\n"));
    QVERIFY(editor->snippets()->isActive());
    press(editor.get(), Qt::Key_Tab);
    QCOMPARE(editor->selectedText(), QByteArray("b"));
    // Esc dismisses the ghost, then leaves.
    press(editor.get(), Qt::Key_Right);
    editor->ghost()->show(editor->caret(), "ar");
    press(editor.get(), Qt::Key_Escape);
    QVERIFY(!editor->ghost()->isShown());
    QVERIFY(editor->snippets()->isActive());
    press(editor.get(), Qt::Key_Escape);
    QVERIFY(!editor->snippets()->isActive());
  }

  void aNextEditWaits() {
    auto editor = editorAt("|\n");
    QSignalSpy wanted(editor.get(), &CodeEditor::nextEditWanted);
    editor->snippets()->insert(u"f($1, $2)$0"_s);
    editor->nextEditHint()->offer(0, "Tab: line 84", "Tab: line 84");
    press(editor.get(), Qt::Key_Tab);
    QCOMPARE(wanted.size(), 0);
    QCOMPARE(withCaret(*editor), QByteArray("f(, |)\n"));
  }

  void aSnippetInASnippetComesFirst() {
    auto editor = editorAt("|\n");
    editor->snippets()->insert(u"f($1, ${2:b})$0"_s);
    editor->snippets()->insert(u"g(${1:x})$0"_s);
    QCOMPARE(editor->text(), QByteArray("f(g(x), b)\n"));
    QTest::keyClicks(editor.get(), "7");
    press(editor.get(), Qt::Key_Tab);
    QCOMPARE(withCaret(*editor), QByteArray("f(g(7)|, b)\n"));
    press(editor.get(), Qt::Key_Tab);
    QCOMPARE(editor->selectedText(), QByteArray("b"));
    press(editor.get(), Qt::Key_Tab);
    QCOMPARE(withCaret(*editor), QByteArray("f(g(7), b)|\n"));
  }

  void whatIsSelectedIsAVariable() {
    auto editor = editorAt("|word\n");
    editor->setSelection(0, 4);
    editor->snippets()->insert(u"<$TM_SELECTED_TEXT>$0</$TM_SELECTED_TEXT>$LINE_COMMENT"_s);
    QCOMPARE(withCaret(*editor), QByteArray("<word>|</word>//\n"));
  }

  void anotherTextEndsIt() {
    auto editor = editorAt("|\n");
    editor->snippets()->insert(u"f($1)$0"_s);
    editor->setText("new\n");
    QVERIFY(!editor->snippets()->isActive());
  }

 private:
  static long selectionCount(const CodeEditor& editor) {
    return editor.sci(QsciScintillaBase::SCI_GETSELECTIONS);
  }
};

QTEST_MAIN(TestSnippetMode)
#include "test_snippet_mode.moc"
