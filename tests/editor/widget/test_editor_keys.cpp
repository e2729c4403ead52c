// SPDX-License-Identifier: GPL-3.0-or-later
// The tables of docs/keys.md, row by row.
#include <QtTest>

#include "editor/ghost/line_hint.h"
#include "editor/widget/list_popup.h"
#include "tests/editor/editor_test.h"

using namespace Qt::StringLiterals;
using namespace waferpair::editor;
using Sci = QsciScintillaBase;

class TestEditorKeys : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void tabTakesTheFirstThatIsThere() {
    auto editor = editorAt("al|\n");
    editor->setIndentation({false, 4});
    editor->ghost()->show(editor->caret(), "pha");
    // 1. A list that the user turned to.
    QSignalSpy taken(editor->list(), &ListPopup::taken);
    editor->list()->showItems(0, "al", {{"alone", {}}, {"also", {}}}, true);
    QTest::keyClick(editor.get(), Qt::Key_Tab);
    QCOMPARE(taken.size(), 1);
    QCOMPARE(taken[0][0].toInt(), 0);
    QCOMPARE(editor->text(), QByteArray("al\n"));
    editor->list()->withdraw();
    // 2. The ghost.
    editor->setText("al\n");
    editor->setSelection(2, 2);
    editor->ghost()->show(2, "pha");
    QTest::keyClick(editor.get(), Qt::Key_Tab);
    QCOMPARE(editor->text(), QByteArray("alpha\n"));
    // 3. A list that came by itself.
    editor->list()->showItems(0, "al", {{"alone", {}}}, false);
    QTest::keyClick(editor.get(), Qt::Key_Tab);
    QCOMPARE(taken.size(), 2);
    editor->list()->withdraw();
    // 5. The next edit (a snippet comes before it: test_snippet_mode.cpp), which whoever offers it
    // goes to.
    QSignalSpy wanted(editor.get(), &CodeEditor::nextEditWanted);
    editor->nextEditHint()->offer(0, "Tab: line 84", "Tab: line 84");
    editor->ghost()->show(editor->caret(), "bet");
    QTest::keyClick(editor.get(), Qt::Key_Tab);
    QCOMPARE(editor->text(), QByteArray("alphabet\n"));
    QCOMPARE(wanted.size(), 0);
    QTest::keyClick(editor.get(), Qt::Key_Tab);
    QCOMPARE(wanted.size(), 1);
    QCOMPARE(editor->text(), QByteArray("alphabet\n"));
    // 6. Selected lines are indented, also while it is on offer.
    editor->setText("a\nb\n");
    QVERIFY(!editor->nextEditHint()->isOffered());
    editor->nextEditHint()->offer(0, "Tab: line 84", "Tab: line 84");
    editor->setSelection(0, 3);
    QTest::keyClick(editor.get(), Qt::Key_Tab);
    QCOMPARE(editor->text(), QByteArray("    a\n    b\n"));
    editor->nextEditHint()->withdraw();
    QCOMPARE(wanted.size(), 1);
    // 7. Indentation at the caret.
    editor->setText("x\n");
    editor->setSelection(1, 1);
    QTest::keyClick(editor.get(), Qt::Key_Tab);
    QCOMPARE(editor->text(), QByteArray("x   \n"));
  }

  void shiftTabLeavesTheGhostAlone() {
    auto editor = editorAt("    x|\n");
    editor->ghost()->show(editor->caret(), "yz");
    QTest::keyClick(editor.get(), Qt::Key_Backtab, Qt::ShiftModifier);
    QVERIFY(!editor->text().contains("yz"));
  }

  void escapeClosesOneLayerAtATime() {
    auto editor = editorAt("foo foo|\n");
    QSignalSpy escaped(editor.get(), &CodeEditor::escapePressed);
    QSignalSpy dismissed(editor->ghost(), &GhostText::dismissed);
    editor->ghost()->show(editor->caret(), "bar");
    editor->list()->showItems(4, "foo", {{"foo", {}}, {"fool", {}}}, true);
    QTest::keyClick(editor.get(), Qt::Key_Escape);
    QVERIFY(!editor->list()->isOpen());
    QVERIFY(editor->ghost()->isShown());
    QTest::keyClick(editor.get(), Qt::Key_Escape);
    QVERIFY(!editor->ghost()->isShown());
    QCOMPARE(dismissed.size(), 1);
    QSignalSpy refused(editor.get(), &CodeEditor::nextEditDismissed);
    editor->nextEditHint()->offer(0, "Tab: line 84", "Tab: line 84");
    QTest::keyClick(editor.get(), Qt::Key_Escape);
    QCOMPARE(refused.size(), 1);
    editor->nextEditHint()->withdraw();
    editor->setSelection(0, 3);
    QTest::keyClick(editor.get(), Qt::Key_D, Qt::ControlModifier);
    QVERIFY(!editor->hasOneCaret());
    QTest::keyClick(editor.get(), Qt::Key_Escape);
    QVERIFY(editor->hasOneCaret());
    QVERIFY(editor->hasSelection());
    QTest::keyClick(editor.get(), Qt::Key_Escape);
    QVERIFY(!editor->hasSelection());
    QCOMPARE(escaped.size(), 0);
    QTest::keyClick(editor.get(), Qt::Key_Escape);
    QCOMPARE(escaped.size(), 1);
    QCOMPARE(editor->text(), QByteArray("foo foo\n"));
  }

  void withoutAGhostItsKeysMoveAsEver() {
    auto editor = editorAt("|one two\nthree\n");
    QTest::keyClick(editor.get(), Qt::Key_Right, Qt::ControlModifier);
    QCOMPARE(withCaret(*editor), QByteArray("one |two\nthree\n"));
    QTest::keyClick(editor.get(), Qt::Key_Down, Qt::ControlModifier);
    QCOMPARE(editor->text(), QByteArray("one two\nthree\n"));
  }

  void keysAreRebindable() {
    auto editor = editorAt("|\n");
    KeyTable keys;
    keys.setKey("accept-suggestion", QKeySequence(u"Ctrl+Return"_s));
    keys.setKey("dismiss", QKeySequence(u"Ctrl+G"_s));
    keys.setKey("accept-word", {});
    editor->setKeys(keys);
    editor->ghost()->show(0, "abc def");
    QTest::keyClick(editor.get(), Qt::Key_Right, Qt::ControlModifier);
    QCOMPARE(editor->text(), QByteArray("\n"));
    editor->setSelection(0, 0);
    editor->ghost()->show(0, "abc def");
    QTest::keyClick(editor.get(), Qt::Key_G, Qt::ControlModifier);
    QVERIFY(!editor->ghost()->isShown());
    editor->ghost()->show(0, "abc def");
    QTest::keyClick(editor.get(), Qt::Key_Return, Qt::ControlModifier);
    QCOMPARE(editor->text(), QByteArray("abc def\n"));
    editor->undo();
    editor->ghost()->show(0, "abc def");
    QTest::keyClick(editor.get(), Qt::Key_Tab);
    QVERIFY(!editor->text().contains("abc"));
  }

  void manualRequestHasAKey() {
    auto editor = editorAt("|\n");
    QSignalSpy wanted(editor.get(), &CodeEditor::suggestionWanted);
    QTest::keyClick(editor.get(), Qt::Key_Backslash, Qt::AltModifier);
    QCOMPARE(wanted.size(), 1);
    QCOMPARE(editor->text(), QByteArray("\n"));
  }

  // A window's shortcut on the same key must not fire while the editor has a use for it.
  void keysOfTheEditorWinOverTheWindowsShortcuts() {
    auto editor = editorAt("|\n");
    QAction action;
    action.setShortcut(QKeySequence(Qt::Key_Escape));
    editor->addAction(&action);
    QSignalSpy fired(&action, &QAction::triggered);
    editor->ghost()->show(0, "abc");
    QTest::keyClick(editor.get(), Qt::Key_Escape);
    QVERIFY(!editor->ghost()->isShown());
    QCOMPARE(fired.size(), 0);
    // Accept-line applies only with a ghost: without one the shortcut is the window's.
    QAction down;
    down.setShortcut(QKeySequence(u"Ctrl+Down"_s));
    editor->addAction(&down);
    QSignalSpy downFired(&down, &QAction::triggered);
    QTest::keyClick(editor.get(), Qt::Key_Down, Qt::ControlModifier);
    QCOMPARE(downFired.size(), 1);
  }

  void zoomWrapAndWhitespaceToggle() {
    auto editor = makeEditor("a\n");
    QTest::keyClick(editor.get(), Qt::Key_Plus, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(editor->zoom(), 1);
    QTest::keyClick(editor.get(), Qt::Key_Minus, Qt::ControlModifier);
    QTest::keyClick(editor.get(), Qt::Key_Minus, Qt::ControlModifier | Qt::KeypadModifier);
    QCOMPARE(editor->zoom(), -1);
    QTest::keyClick(editor.get(), Qt::Key_0, Qt::ControlModifier);
    QCOMPARE(editor->zoom(), 0);
    QTest::keyClick(editor.get(), Qt::Key_Z, Qt::AltModifier);
    QVERIFY(editor->wordWrap());
    QVERIFY(editor->perform("toggle-whitespace"));
    QVERIFY(editor->whitespaceVisible());
  }

  void actionsHaveIdsTextsAndKeysOfTheirOwn() {
    const KeyTable keys;
    QSet<QString> ids;
    QSet<QString> taken;
    for (const EditorAction& action : editorActions()) {
      ids.insert(QLatin1String(action.id));
      QCOMPARE(findEditorAction(QLatin1String(action.id)), &action);
      QVERIFY(*action.text != '\0');
      const QKeySequence key = keys.key(action.id);
      QVERIFY2((*action.key == '\0') == key.isEmpty(), action.id);
      if (key.isEmpty()) continue;
      // The key of the next edit, a snippet and the list is the ghost's while there is one.
      const bool shared = action.needs == ActionNeeds::kNextEdit ||
                          action.needs == ActionNeeds::kSnippet ||
                          action.needs == ActionNeeds::kListOnTop;
      QVERIFY2(shared || !taken.contains(key.toString()), action.id);
      taken.insert(key.toString());
    }
    QCOMPARE(ids.size(), editorActions().size());
    QCOMPARE(findEditorAction(QLatin1String("no-such")), nullptr);
    QVERIFY(!makeEditor("a\n")->perform("no-such"));
  }

  void anActionMayHaveSeveralKeys() {
    auto editor = editorAt("|a\n");
    KeyTable keys;
    const EditorAction* duplicate = findEditorAction(QLatin1String("duplicate-line"));
    keys.setKeys(*duplicate, {QKeySequence(u"F7"_s), QKeySequence(u"Ctrl+J, K"_s)});
    QCOMPARE(keys.keys(*duplicate),
             (QList<QKeySequence>{QKeySequence(u"F7"_s), QKeySequence(u"Ctrl+J"_s)}));
    QVERIFY(!(keys == KeyTable()));
    editor->setKeys(keys);
    QTest::keyClick(editor.get(), Qt::Key_F7);
    QCOMPARE(editor->text(), QByteArray("a\na\n"));
    QTest::keyClick(editor.get(), Qt::Key_J, Qt::ControlModifier);
    QCOMPARE(editor->text(), QByteArray("a\na\na\n"));
  }
};

QTEST_MAIN(TestEditorKeys)
#include "test_editor_keys.moc"
