// SPDX-License-Identifier: GPL-3.0-or-later
// Commands over lines and letters: what becomes of text and selections, and that one undo takes it
// all back.
#include <QtTest>

#include "editor/widget/selections.h"
#include "tests/editor/editor_test.h"

using namespace Qt::StringLiterals;
using namespace waferpair::editor;
using Sci = QsciScintillaBase;

class TestLineCommands : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void commandsOverSelections_data() {
    QTest::addColumn<QByteArray>("action");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QVector<Selection>>("selections");
    QTest::addColumn<QByteArray>("result");
    QTest::addColumn<QVector<Selection>>("after");
    using Selections = QVector<Selection>;
    const auto row = [](const char* name, const char* action, const char* text,
                        const Selections& selections, const char* result, const Selections& after) {
      QTest::newRow(name) << QByteArray(action) << QByteArray(text) << selections
                          << QByteArray(result) << after;
    };
    row("sort", "sort-lines", "c\nb\na\nx\n", {{0, 5}}, "a\nb\nc\nx\n", {{0, 5}});
    row("sort, part of lines", "sort-lines", "cc\nbb\naa\n", {{1, 4}}, "bb\ncc\naa\n", {{0, 5}});
    row("sort, ends at a line's start", "sort-lines", "c\nb\na\n", {{0, 4}}, "b\nc\na\n", {{0, 3}});
    row("sort, last line", "sort-lines", "é\nb\na", {{0, 6}}, "a\nb\né", {{0, 6}});
    row("sort, two selections", "sort-lines", "b\na\n-\nd\nc\n", {{0, 3}, {6, 9}},
        "a\nb\n-\nc\nd\n", {{0, 3}, {6, 9}});
    row("sort down", "sort-lines-descending", "a\nb\nc\n", {{0, 5}}, "c\nb\na\n", {{0, 5}});
    row("sort CRLF", "sort-lines", "b\r\na\r\n", {{0, 4}}, "a\r\nb\r\n", {{0, 4}});
    row("join", "join-lines", "a  \n    b\nc\n", {{1, 1}}, "a b\nc\n", {{1, 1}});
    row("join three", "join-lines", "a\n b\n c\nd\n", {{0, 6}}, "a b c\nd\n", {{3, 3}});
    row("join an empty line", "join-lines", "a\n\nb\n", {{0, 0}}, "a\nb\n", {{1, 1}});
    row("join twice", "join-lines", "a\nb\n-\nc\nd\n", {{0, 0}, {6, 6}}, "a b\n-\nc d\n",
        {{1, 1}, {7, 7}});
    row("copy down", "copy-line-down", "ab\nc\n", {{1, 1}}, "ab\nab\nc\n", {{4, 4}});
    row("copy up", "copy-line-up", "ab\nc\n", {{1, 1}}, "ab\nab\nc\n", {{1, 1}});
    row("copy the last line", "copy-line-down", "a\nbc", {{3, 3}}, "a\nbc\nbc", {{6, 6}});
    row("copy lines", "copy-line-down", "a\nb\nc\n", {{0, 3}}, "a\nb\na\nb\nc\n", {{4, 7}});
    row("copy for two carets of a line", "copy-line-down", "abc\n", {{1, 1}, {2, 2}}, "abc\nabc\n",
        {{5, 5}, {6, 6}});
    row("copy for two lines apart", "copy-line-up", "a\n-\nb\n", {{0, 0}, {4, 5}},
        "a\na\n-\nb\nb\n", {{0, 0}, {6, 7}});
    row("upper", "upper-case", "ab cd\n", {{0, 2}}, "AB cd\n", {{0, 2}});
    row("upper, the word at the caret", "upper-case", "ab cd\n", {{4, 4}}, "ab CD\n", {{5, 5}});
    row("upper that grows", "upper-case", "straße ab\n", {{0, 7}, {8, 10}}, "STRASSE AB\n",
        {{0, 7}, {8, 10}});
    row("lower", "lower-case", "ÄB\n", {{3, 0}}, "äb\n", {{3, 0}});
    row("title", "title-case", "one TWO three\n", {{0, 13}}, "One Two Three\n", {{0, 13}});
    row("transpose", "transpose", "abc\n", {{1, 1}}, "bac\n", {{2, 2}});
    row("transpose at the end", "transpose", "abc\n", {{3, 3}}, "acb\n", {{3, 3}});
    row("transpose wide ones", "transpose", "éü\n", {{2, 2}}, "üé\n", {{4, 4}});
    row("trim", "trim-line-ends", "a \n\t\nb\t \n", {{0, 0}}, "a\n\nb\n", {{0, 0}});
    // Nothing to do.
    row("join the last", "join-lines", "a", {{0, 0}}, "a", {{0, 0}});
    row("sort one", "sort-lines", "b\na\n", {{0, 0}}, "b\na\n", {{0, 0}});
    row("transpose at the start", "transpose", "ab\ncd\n", {{3, 3}}, "ab\ncd\n", {{3, 3}});
  }
  void commandsOverSelections() {
    QFETCH(QByteArray, action);
    QFETCH(QByteArray, text);
    QFETCH(QVector<Selection>, selections);
    QFETCH(QByteArray, result);
    QFETCH(QVector<Selection>, after);
    auto editor = makeEditor(text);
    setSelections(editor.get(), selections, 0);
    const bool changes = result != text;
    QCOMPARE(editor->perform(action.constData()), changes);
    QCOMPARE(editor->text(), result);
    QCOMPARE(selectionsOf(*editor), after);
    if (changes) editor->undo();
    QCOMPARE(editor->text(), text);
    QVERIFY(!editor->isModified());
    // A text that is only read stays.
    editor->sci(Sci::SCI_SETREADONLY, 1);
    QVERIFY(!editor->perform(action.constData()));
    QCOMPARE(editor->text(), text);
  }

  void theirKeys() {
    auto editor = editorAt("o|ne\ntwo\n");
    QTest::keyClick(editor.get(), Qt::Key_Down, Qt::AltModifier | Qt::ShiftModifier);
    QCOMPARE(withCaret(*editor), QByteArray("one\no|ne\ntwo\n"));
    QTest::keyClick(editor.get(), Qt::Key_Up, Qt::AltModifier | Qt::ShiftModifier);
    QCOMPARE(withCaret(*editor), QByteArray("one\no|ne\none\ntwo\n"));
    QTest::keyClick(editor.get(), Qt::Key_J, Qt::ControlModifier);
    QCOMPARE(withCaret(*editor), QByteArray("one\none| one\ntwo\n"));
    QTest::keyClick(editor.get(), Qt::Key_U, Qt::ControlModifier);
    QCOMPARE(withCaret(*editor), QByteArray("one\nONE| one\ntwo\n"));
    QTest::keyClick(editor.get(), Qt::Key_U, Qt::ControlModifier | Qt::AltModifier);
    QCOMPARE(withCaret(*editor), QByteArray("one\nOne| one\ntwo\n"));
    QTest::keyClick(editor.get(), Qt::Key_U, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(withCaret(*editor), QByteArray("one\none| one\ntwo\n"));
  }
};

QTEST_MAIN(TestLineCommands)
#include "test_line_commands.moc"
