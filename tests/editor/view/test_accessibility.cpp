// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAccessible>
#include <QPlainTextEdit>
#include <QtTest>

#include "editor/ghost/ghost_announcer.h"
#include "tests/editor/editor_test.h"
#include "tests/support/rest.h"

using namespace Qt::StringLiterals;
using namespace waferpair::editor;

class TestAccessibility : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void aGhostIsToldOfOnceWhenItHasSettled() {
    auto editor = editorAt("int |\n");
    QSignalSpy told(editor->ghost()->announcer(), &GhostAnnouncer::announced);
    QVERIFY(editor->ghost()->show(editor->caret(), "total"));
    editor->ghost()->append(" = 0;");
    QVERIFY(told.isEmpty());  // it may be gone with the next key
    for (const char key : QByteArray("to")) QTest::keyClick(editor.get(), key);
    QVERIFY(told.isEmpty());
    QTRY_COMPARE(told.size(), 1);
    QCOMPARE(told[0][0].toString(), u"Suggestion: tal = 0;"_s);
#if QT_VERSION < QT_VERSION_CHECK(6, 8, 0)
    QAccessibleInterface* accessible = QAccessible::queryAccessibleInterface(editor.get());
    QCOMPARE(accessible->text(QAccessible::Description), u"Suggestion: tal = 0;"_s);
#endif
    // Typed through, it is the same: nothing more is said.
    QTest::keyClick(editor.get(), 't');
    waferpair::test::rest();
    QCOMPARE(told.size(), 1);
    // Another one is told of.
    QTest::keyClick(editor.get(), 'x');
    QCOMPARE(editor->accessibleDescription(), QString());
    editor->ghost()->show(editor->caret(), ";\n\n  int second;\n  int third;");
    QTRY_COMPARE(told.size(), 2);
    QCOMPARE(told[1][0].toString(), u"Suggestion: ; and 2 more lines"_s);
  }

  void aGhostThatGoesAtOnceIsNotToldOf() {
    auto editor = editorAt("int |\n");
    QSignalSpy told(editor->ghost()->announcer(), &GhostAnnouncer::announced);
    QVERIFY(editor->ghost()->show(editor->caret(), "total"));
    QTest::keyClick(editor.get(), Qt::Key_Escape);
    waferpair::test::rest();
    QVERIFY(told.isEmpty());
    QCOMPARE(editor->accessibleDescription(), QString());
  }

  // A key makes the suggestion a text like any other, for screen reader, Braille and eye.
  void aGhostCanBeReadByKey() {
    auto editor = editorAt("int |\n");
    const QKeySequence key = editor->keys().key("read-suggestion");
    QVERIFY(!editor->perform("read-suggestion"));  // there is none
    QVERIFY(editor->ghost()->show(editor->caret(), "total;\n  int é;"));
    const auto press = [&key](QWidget* widget) {
      QTest::keyClick(widget, key[0].key(), key[0].keyboardModifiers());
    };
    const auto reader = [] {
      return qobject_cast<QPlainTextEdit*>(QApplication::activePopupWidget());
    };
    press(editor.get());
    QVERIFY(reader() != nullptr);
    QTRY_COMPARE(QApplication::focusWidget(), static_cast<QWidget*>(reader()));
    QAccessibleInterface* accessible = QAccessible::queryAccessibleInterface(reader());
    QCOMPARE(accessible->text(QAccessible::Name), u"Suggestion"_s);
    QCOMPARE(accessible->text(QAccessible::Description), u"Tab accepts it, Escape closes it."_s);
    QCOMPARE(accessible->role(), QAccessible::EditableText);
    QVERIFY(accessible->state().readOnly);
    QVERIFY(accessible->textInterface() != nullptr);
    const int end = accessible->textInterface()->characterCount();
    QCOMPARE(accessible->textInterface()->text(0, end), u"total;\n  int é;"_s);
    QTest::keyClick(reader(), 'x');
    QTest::keyClick(reader(), Qt::Key_Down);
    QCOMPARE(reader()->toPlainText(), u"total;\n  int é;"_s);
    QCOMPARE(reader()->textCursor().blockNumber(), 1);
    // Esc goes back: nothing is accepted, nothing dismissed.
    QTest::keyClick(reader(), Qt::Key_Escape);
    QVERIFY(reader() == nullptr);
    QVERIFY(editor->ghost()->isShown());
    QTRY_VERIFY(editor->hasFocus());
    // The accepting key accepts.
    press(editor.get());
    QTest::keyClick(reader(), Qt::Key_Tab);
    QVERIFY(reader() == nullptr);
    QCOMPARE(editor->text(), u"int total;\n  int é;\n"_s.toUtf8());
    QTRY_VERIFY(editor->hasFocus());
  }

  void theEditorIsOursAndHasANameAndARole() {
    auto editor = makeEditor("a\n");
    QAccessibleInterface* accessible = QAccessible::queryAccessibleInterface(editor.get());
    QVERIFY(accessible != nullptr);
    QCOMPARE(accessible->role(), QAccessible::EditableText);
    QCOMPARE(accessible->text(QAccessible::Name), u"Editor"_s);
    QVERIFY(accessible->textInterface() != nullptr);
    QVERIFY(accessible->editableTextInterface() != nullptr);
    QVERIFY(accessible->state().multiLine);
    QVERIFY(accessible->state().editable);
    // QScintilla's own would answer with word boundaries in bytes; ours must be the one in use.
    editor->setText("é漢 one\n");
    QCOMPARE(accessible->textInterface()->characterCount(), 7);
  }

  void offsetsAreUtf16Units() {
    const QString text = u"aé漢😀b\nzweite Zeile\n"_s;
    auto editor = makeEditor(text.toUtf8());
    QAccessibleTextInterface* accessible =
        QAccessible::queryAccessibleInterface(editor.get())->textInterface();
    QCOMPARE(accessible->characterCount(), static_cast<int>(text.size()));
    QCOMPARE(accessible->text(0, static_cast<int>(text.size())), text);
    for (int from = 0; from <= text.size(); ++from) {
      if (from < text.size() && text[from].isLowSurrogate()) continue;
      for (int to = from; to <= text.size(); ++to) {
        if (to < text.size() && text[to].isLowSurrogate()) continue;
        QCOMPARE(accessible->text(from, to), text.mid(from, to - from));
      }
      accessible->setCursorPosition(from);
      QCOMPARE(accessible->cursorPosition(), from);
    }
    accessible->setSelection(0, 1, 3);
    QCOMPARE(editor->selectedText(), u"é漢"_s.toUtf8());
    int start = 0;
    int end = 0;
    accessible->selection(0, &start, &end);
    QCOMPARE(start, 1);
    QCOMPARE(end, 3);
    QCOMPARE(accessible->textAtOffset(9, QAccessible::LineBoundary, &start, &end),
             u"zweite Zeile\n"_s);
    QCOMPARE(start, 7);
  }

  // The index of line offsets must follow edits.
  void offsetsStayRightAfterEdits() {
    auto editor = makeEditor(u"é\né\n"_s.toUtf8());
    QAccessibleTextInterface* accessible =
        QAccessible::queryAccessibleInterface(editor.get())->textInterface();
    QCOMPARE(accessible->characterCount(), 4);
    QTest::keyClicks(editor.get(), u"abc"_s);
    QTest::keyClick(editor.get(), Qt::Key_Return);
    editor->undo();
    QCOMPARE(accessible->text(0, accessible->characterCount()), QString::fromUtf8(editor->text()));
    editor->setText(u"neu ß\n"_s.toUtf8());
    QCOMPARE(accessible->text(0, accessible->characterCount()), u"neu ß\n"_s);
  }

  void textIsWritableAsOneStep() {
    auto editor = makeEditor("one two\n");
    QAccessibleEditableTextInterface* accessible =
        QAccessible::queryAccessibleInterface(editor.get())->editableTextInterface();
    accessible->replaceText(4, 7, u"drei"_s);
    QCOMPARE(editor->text(), QByteArray("one drei\n"));
    accessible->insertText(0, u"zero "_s);
    accessible->deleteText(0, 5);
    QCOMPARE(editor->text(), QByteArray("one drei\n"));
    editor->undo();
    editor->undo();
    editor->undo();
    QCOMPARE(editor->text(), QByteArray("one two\n"));
  }

  void placesAndPointsAreInverse() {
    auto editor = makeEditor("one two three\nnext\n");
    QAccessibleTextInterface* accessible =
        QAccessible::queryAccessibleInterface(editor.get())->textInterface();
    for (const int offset : {0, 4, 12, 15}) {
      const QRect place = accessible->characterRect(offset);
      QVERIFY(place.width() > 2 && place.height() > 5);
      QCOMPARE(accessible->offsetAtPoint(place.topLeft() + QPoint(1, 3)), offset);
    }
    QCOMPARE(accessible->offsetAtPoint(QPoint(-5000, -5000)), -1);
  }

  // Nothing listens here, and then a key press must not count characters: Scintilla builds its
  // index of UTF-16 offsets only when somebody asked.
  void withoutAListenerTypingComputesNoOffsets() {
    if (QAccessible::isActive()) QSKIP("assistive technology is on");
    auto editor = makeEditor("text\n");
    QTest::keyClicks(editor.get(), u"abc"_s);
    QCOMPARE(editor->sci(QsciScintillaBase::SCI_GETLINECHARACTERINDEX), 0);
  }
};

QTEST_MAIN(TestAccessibility)
#include "test_accessibility.moc"
