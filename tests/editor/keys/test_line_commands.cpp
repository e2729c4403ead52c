// SPDX-License-Identifier: GPL-3.0-or-later
// Commands over lines and letters: what becomes of text and selections, and that one undo takes it
// all back.
#include <QtTest>

#include "editor/layers/bookmarks.h"
#include "editor/view/folding.h"
#include "editor/view/selections.h"
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
    row("move down", "move-line-down", "1\n2\n3\n", {{0, 0}}, "2\n1\n3\n", {{2, 2}});
    row("move up", "move-line-up", "1\n2\n3\n", {{3, 2}}, "2\n1\n3\n", {{1, 0}});
    row("move lines of adjacent carets", "move-line-down", "1\n2\n3\n4\n5\n",
        {{0, 0}, {2, 2}, {4, 4}}, "4\n1\n2\n3\n5\n", {{2, 2}, {4, 4}, {6, 6}});
    row("move lines apart", "move-line-up", "1\n2\n3\n4\n", {{2, 3}, {6, 6}}, "2\n1\n4\n3\n",
        {{0, 1}, {4, 4}});
    row("move what can", "move-line-up", "1\n2\n3\n", {{0, 0}, {4, 4}}, "1\n3\n2\n",
        {{0, 0}, {2, 2}});
    row("move below a last line without an end", "move-line-down", "1\n2", {{0, 1}}, "2\n1",
        {{2, 3}});
    row("move a last line without an end up", "move-line-up", "1\n2\n33", {{4, 6}}, "1\n33\n2",
        {{2, 4}});
    row("move lines whose ends are selected", "move-line-down", "1\n2\n3\n", {{0, 4}}, "3\n1\n2\n",
        {{2, 6}});
    row("move CRLF", "move-line-up", "1\r\n2\r\n", {{3, 3}}, "2\r\n1\r\n", {{0, 0}});
    row("delete", "delete-line", "ab\ncd\nef\n", {{4, 4}}, "ab\nef\n", {{4, 4}});
    row("delete selected lines", "delete-line", "1\n2\n3\n4\n", {{0, 5}}, "4\n", {{1, 1}});
    row("delete at several carets", "delete-line", "1\n2\n3\n", {{0, 0}, {2, 2}}, "3\n", {{0, 0}});
    row("delete lines apart", "delete-line", "1\n2\n3\n4\n", {{0, 0}, {4, 4}}, "2\n4\n",
        {{0, 0}, {2, 2}});
    row("delete the last line", "delete-line", "1\n2", {{3, 3}}, "1", {{1, 1}});
    row("delete all", "delete-line", "1\n2\n", {{0, 4}}, "", {{0, 0}});
    row("duplicate", "duplicate-line", "1\n2", {{3, 3}}, "1\n2\n2", {{3, 3}});
    row("duplicate at several carets", "duplicate-line", "1\n2\n", {{0, 0}, {2, 2}}, "1\n1\n2\n2\n",
        {{0, 0}, {4, 4}});
    row("duplicate for two carets of a line", "duplicate-line", "abc\n", {{1, 1}, {2, 2}},
        "abc\nabc\n", {{1, 1}, {2, 2}});
    row("duplicate what is selected", "duplicate-line", "ab cd\n", {{0, 2}, {3, 5}}, "abab cdcd\n",
        {{0, 2}, {5, 7}});
    row("duplicate a line and what is selected", "duplicate-line", "ab\ncd\n", {{0, 0}, {3, 5}},
        "ab\nab\ncdcd\n", {{0, 0}, {6, 8}});
    row("indent at several carets", "indent", "a;\nb;\nc;\n", {{0, 0}, {4, 4}},
        "    a;\n    b;\nc;\n", {{4, 4}, {12, 12}});
    row("indent what is selected", "indent", "a\nb\n", {{0, 3}}, "    a\n    b\n", {{0, 11}});
    row("unindent at several carets", "unindent", "    a\nb\n    c\n", {{4, 4}, {13, 13}},
        "a\nb\nc\n", {{0, 0}, {5, 5}});
    row("comment at several carets", "toggle-comment", "a;\nb;\n  c;\n", {{0, 0}, {9, 9}},
        "// a;\nb;\n  // c;\n", {{3, 3}, {15, 15}});
    row("comment where one is none", "toggle-comment", "// a;\nb;\n", {{0, 0}, {6, 6}},
        "// // a;\n// b;\n", {{3, 3}, {12, 12}});
    row("uncomment at several carets", "toggle-comment", "// a;\nb;\n//c;\n", {{3, 3}, {9, 9}},
        "a;\nb;\nc;\n", {{0, 0}, {6, 6}});
    row("comment a blank line behind its blanks", "toggle-comment", "    \n", {{4, 4}}, "    // \n",
        {{7, 7}});
    row("comment an empty line", "toggle-comment", "\n", {{0, 0}}, "// \n", {{3, 3}});
    // Nothing to do.
    row("move the first up", "move-line-up", "1\n2\n", {{0, 0}}, "1\n2\n", {{0, 0}});
    row("move the last down", "move-line-down", "1\n2\n", {{2, 2}}, "1\n2\n", {{2, 2}});
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

  void markupIsCommentedAtEachCaret() {
    auto editor = makeEditor("<p>\n<b>\n\n", u"HTML"_s);
    setSelections(editor.get(), {{1, 1}, {8, 8}}, 0);
    QVERIFY(editor->perform("toggle-comment"));
    QCOMPARE(editor->text(), QByteArray("<!-- <p> -->\n<b>\n<!--  -->\n"));
    QCOMPARE(selectionsOf(*editor), (QVector<Selection>{{6, 6}, {22, 22}}));
    QVERIFY(editor->perform("toggle-comment"));
    QCOMPARE(editor->text(), QByteArray("<p>\n<b>\n\n"));
  }

  void bookmarksGoWithMovedLines() {
    auto editor = makeEditor("1\n2\n3\n4\n");
    editor->bookmarks()->setLines({1, 2});
    editor->goToLine(1);
    QVERIFY(editor->perform("move-line-down"));
    QCOMPARE(editor->text(), QByteArray("1\n3\n2\n4\n"));
    QCOMPARE(editor->bookmarks()->lines(), (QVector<int>{1, 2}));
    QVERIFY(editor->perform("move-line-down"));
    QCOMPARE(editor->bookmarks()->lines(), (QVector<int>{1, 3}));
    QVERIFY(editor->perform("move-line-up"));
    QVERIFY(editor->perform("move-line-up"));
    QVERIFY(editor->perform("move-line-up"));
    QCOMPARE(editor->text(), QByteArray("2\n1\n3\n4\n"));
    QCOMPARE(editor->bookmarks()->lines(), (QVector<int>{0, 2}));
  }

  // With the line that closes it, past other blocks as a whole; and stays folded.
  void aFoldedBlockIsOne() {
    const QByteArray a = "void a() {\n  1;\n}\n";
    const QByteArray b = "void b() {\n  2;\n}\n";
    auto editor = makeEditor(a + b + "int z;\n");
    editor->highlightAll();
    editor->goToLine(3);
    QVERIFY(editor->perform("fold"));
    editor->goToLine(0);
    QVERIFY(editor->perform("fold"));
    QVERIFY(editor->perform("move-line-down"));
    editor->highlightAll();
    QCOMPARE(editor->text(), b + a + "int z;\n");
    QCOMPARE(editor->caretLine(), 3);
    QCOMPARE(editor->folding()->folded(), (QVector<int>{0, 3}));
    QVERIFY(editor->perform("move-line-up"));
    editor->highlightAll();
    QCOMPARE(editor->text(), a + b + "int z;\n");
    QVERIFY(editor->perform("duplicate-line"));
    QCOMPARE(editor->text(), a + a + b + "int z;\n");
    editor->undo();
    editor->highlightAll();
    editor->goToLine(0);
    editor->perform("fold");
    QVERIFY(editor->perform("delete-line"));
    QCOMPARE(editor->text(), b + "int z;\n");
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
