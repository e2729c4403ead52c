// SPDX-License-Identifier: GPL-3.0-or-later
// Return indents its new line; a line left with nothing else loses that again.
#include <QtTest>

#include "tests/editor/editor_test.h"

using namespace Qt::StringLiterals;
using namespace waferpair::editor;

class TestAutoIndent : public QObject {
  Q_OBJECT

  static std::unique_ptr<CodeEditor> indented(const QByteArray& textWithCaret) {
    auto editor = editorAt(textWithCaret);
    editor->setIndentation({false, 4});
    return editor;
  }
  static void press(CodeEditor* editor, int key) { QTest::keyClick(editor, Qt::Key(key)); }

 private Q_SLOTS:
  void returnPressedTwiceLeavesNoBlanks() {
    auto editor = indented("{\n    a;|\n}\n");
    press(editor.get(), Qt::Key_Return);
    QCOMPARE(withCaret(*editor), QByteArray("{\n    a;\n    |\n}\n"));
    press(editor.get(), Qt::Key_Return);
    QCOMPARE(withCaret(*editor), QByteArray("{\n    a;\n\n    |\n}\n"));
    press(editor.get(), Qt::Key_Return);
    QTest::keyClicks(editor.get(), u"b;"_s);
    QCOMPARE(withCaret(*editor), QByteArray("{\n    a;\n\n\n    b;|\n}\n"));
  }

  void eachReturnIsOneUndoStep() {
    auto editor = indented("    a;|\n");
    for (int i = 0; i < 3; ++i) press(editor.get(), Qt::Key_Return);
    QCOMPARE(withCaret(*editor), QByteArray("    a;\n\n\n    |\n"));
    editor->undo();
    QCOMPARE(withCaret(*editor), QByteArray("    a;\n\n    |\n"));
    editor->undo();
    QCOMPARE(withCaret(*editor), QByteArray("    a;\n    |\n"));
    editor->undo();
    QCOMPARE(editor->text(), QByteArray("    a;\n"));
    for (int i = 0; i < 3; ++i) editor->redo();
    QCOMPARE(editor->text(), QByteArray("    a;\n\n\n    \n"));
  }

  void withTabsAndOtherLineEnds() {
    auto editor = indented("\ta;|\r\n");
    editor->setIndentation({true, 4});
    press(editor.get(), Qt::Key_Return);
    press(editor.get(), Qt::Key_Return);
    QCOMPARE(withCaret(*editor), QByteArray("\ta;\r\n\r\n\t|\r\n"));
  }

  void blanksTheUserTypedStay_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QList<int>>("keys");
    QTest::addColumn<QByteArray>("after");
    using Keys = QList<int>;
    QTest::newRow("the line's own")
        << QByteArray("a\n    |\n") << Keys{Qt::Key_Return} << QByteArray("a\n    \n    |\n");
    QTest::newRow("one more") << QByteArray("    a|\n")
                              << Keys{Qt::Key_Return, Qt::Key_Space, Qt::Key_Return}
                              << QByteArray("    a\n     \n     |\n");
    QTest::newRow("typed anew") << QByteArray("    a|\n")
                                << Keys{Qt::Key_Return, Qt::Key_Backspace, Qt::Key_Tab,
                                        Qt::Key_Return}
                                << QByteArray("    a\n    \n    |\n");
    QTest::newRow("typed, and left by the caret")
        << QByteArray("    a|\n") << Keys{Qt::Key_Return, Qt::Key_Space, Qt::Key_Up}
        << QByteArray("    a|\n     \n");
  }
  void blanksTheUserTypedStay() {
    QFETCH(const QByteArray, text);
    QFETCH(const QList<int>, keys);
    auto editor = indented(text);
    for (const int key : keys) press(editor.get(), key);
    QTEST(withCaret(*editor), "after");
  }

  void theCaretLeavesNoBlanksBehind() {
    auto editor = indented("    a;|\nb\n");
    press(editor.get(), Qt::Key_Return);
    press(editor.get(), Qt::Key_Up);
    QCOMPARE(editor->text(), QByteArray("    a;\n\nb\n"));
    // Back and forth on a line that the user has left so changes nothing more.
    const qint64 version = editor->version();
    press(editor.get(), Qt::Key_Down);
    press(editor.get(), Qt::Key_Down);
    QCOMPARE(editor->version(), version);
    QCOMPARE(editor->text(), QByteArray("    a;\n\nb\n"));
  }

  void moreTextAboveDoesNotMatter() {
    auto editor = indented("x\n    a;|\n");
    press(editor.get(), Qt::Key_Return);
    editor->replaceRange(0, 1, "longer\nthan before");
    press(editor.get(), Qt::Key_Return);
    QCOMPARE(withCaret(*editor), QByteArray("longer\nthan before\n    a;\n\n    |\n"));
  }

  void aLineThatWasSavedStays() {
    auto editor = indented("    a;|\n");
    press(editor.get(), Qt::Key_Return);
    editor->setUnmodified();
    press(editor.get(), Qt::Key_Up);
    QCOMPARE(editor->text(), QByteArray("    a;\n    \n"));
    QVERIFY(!editor->isModified());
  }
};

QTEST_MAIN(TestAutoIndent)
#include "test_auto_indent.moc"
