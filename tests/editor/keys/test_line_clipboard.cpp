// SPDX-License-Identifier: GPL-3.0-or-later
// Cut, copy and paste of whole lines, by keys and through the system's clipboard.
#include <QClipboard>
#include <QtTest>

#include "editor/view/selections.h"
#include "tests/editor/editor_test.h"

using namespace Qt::StringLiterals;
using namespace waferpair::editor;
using Sci = QsciScintillaBase;

class TestLineClipboard : public QObject {
  Q_OBJECT

  static void press(CodeEditor* editor, Qt::Key key) {
    QTest::keyClick(editor, key, Qt::ControlModifier);
  }
  static QString clipboard() { return QGuiApplication::clipboard()->text(); }
  static void setCarets(CodeEditor* editor, const QList<long>& carets) {
    editor->setSelection(carets[0], carets[0]);
    for (qsizetype i = 1; i < carets.size(); ++i)
      editor->sci(Sci::SCI_ADDSELECTION, static_cast<unsigned long>(carets[i]), carets[i]);
  }
  static QList<long> carets(const CodeEditor& editor) {
    QList<long> all;
    for (long i = 0; i < editor.sci(Sci::SCI_GETSELECTIONS); ++i)
      all.append(editor.sci(Sci::SCI_GETSELECTIONNCARET, static_cast<unsigned long>(i)));
    std::sort(all.begin(), all.end());
    return all;
  }

 private Q_SLOTS:
  void init() { QGuiApplication::clipboard()->setText(u"before"_s); }

  void copyTakesTheLine() {
    auto editor = editorAt("one\n  tw|o\nthree\n");
    press(editor.get(), Qt::Key_C);
    QCOMPARE(clipboard(), u"  two\n"_s);
    QCOMPARE(withCaret(*editor), QByteArray("one\n  tw|o\nthree\n"));
    QVERIFY(!editor->isModified());
  }

  void cutTakesTheLineInOneStep() {
    auto editor = editorAt("one\n  tw|o\nthree\n");
    press(editor.get(), Qt::Key_X);
    QCOMPARE(clipboard(), u"  two\n"_s);
    QCOMPARE(withCaret(*editor), QByteArray("one\n|three\n"));
    editor->undo();
    QCOMPARE(editor->text(), QByteArray("one\n  two\nthree\n"));
    QVERIFY(!editor->isModified());
  }

  void theLastLineHasNoEndOfItsOwn() {
    auto editor = editorAt("one\ntw|o");
    press(editor.get(), Qt::Key_X);
    QCOMPARE(clipboard(), u"two\n"_s);
    QCOMPARE(withCaret(*editor), QByteArray("one|"));
    press(editor.get(), Qt::Key_X);
    QCOMPARE(withCaret(*editor), QByteArray("|"));
    QCOMPARE(clipboard(), u"one\n"_s);
  }

  void pastedAboveTheCaretsLine() {
    auto editor = editorAt("o|ne\n  two\nthree\n");
    press(editor.get(), Qt::Key_C);
    editor->setSelection(8, 8);
    press(editor.get(), Qt::Key_V);
    QCOMPARE(withCaret(*editor), QByteArray("one\none\n  tw|o\nthree\n"));
    press(editor.get(), Qt::Key_V);
    QCOMPARE(withCaret(*editor), QByteArray("one\none\none\n  tw|o\nthree\n"));
    editor->undo();
    editor->undo();
    QCOMPARE(editor->text(), QByteArray("one\n  two\nthree\n"));
  }

  void atTheLinesStartTheCaretStaysWithItsText() {
    auto editor = editorAt("|one\n");
    press(editor.get(), Qt::Key_C);
    press(editor.get(), Qt::Key_V);
    QCOMPARE(withCaret(*editor), QByteArray("one\n|one\n"));
  }

  void lineEndsAreTheDocumentsOwn() {
    auto from = editorAt("o|ne\ntwo\n");
    press(from.get(), Qt::Key_C);
    auto editor = editorAt("a\r\nb|\r\n");
    press(editor.get(), Qt::Key_V);
    QCOMPARE(withCaret(*editor), QByteArray("a\r\none\r\nb|\r\n"));
    press(editor.get(), Qt::Key_C);
    QCOMPARE(clipboard(), u"b\r\n"_s);
  }

  // Over a selection, and text from elsewhere or cut as a selection, is pasted where the caret is.
  void otherTextIsPastedInPlace() {
    auto editor = editorAt("one|\ntwo\n");
    press(editor.get(), Qt::Key_C);
    editor->setSelection(5, 7);
    press(editor.get(), Qt::Key_V);
    QCOMPARE(withCaret(*editor), QByteArray("one\ntone\n|\n"));
    QGuiApplication::clipboard()->setText(u"x\n"_s);
    editor->setText("one\n");
    editor->setSelection(1, 1);
    press(editor.get(), Qt::Key_V);
    QCOMPARE(withCaret(*editor), QByteArray("ox\n|ne\n"));
    editor->setSelection(0, 3);
    press(editor.get(), Qt::Key_C);
    QCOMPARE(clipboard(), u"ox\n"_s);
    editor->setSelection(4, 4);
    press(editor.get(), Qt::Key_V);
    QCOMPARE(withCaret(*editor), QByteArray("ox\nnox\n|e\n"));
  }

  void severalCaretsEachTheirLine() {
    auto editor = makeEditor("a1\nb2\nc3\nd4\n");
    setCarets(editor.get(), {1, 7, 8});
    press(editor.get(), Qt::Key_C);
    QCOMPARE(clipboard(), u"a1\nc3\n"_s);  // two carets in one line: once
    setCarets(editor.get(), {4, 10});
    press(editor.get(), Qt::Key_V);  // two lines for two carets
    QCOMPARE(editor->text(), QByteArray("a1\na1\nb2\nc3\nc3\nd4\n"));
    QCOMPARE(carets(*editor), (QList<long>{7, 16}));
    editor->undo();
    QCOMPARE(editor->text(), QByteArray("a1\nb2\nc3\nd4\n"));
    editor->setSelection(10, 10);
    press(editor.get(), Qt::Key_V);  // both for one
    QCOMPARE(withCaret(*editor), QByteArray("a1\nb2\nc3\na1\nc3\nd|4\n"));
  }

  void severalCaretsCut() {
    auto editor = makeEditor("a1\nb2\nc3\nd4");
    setCarets(editor.get(), {1, 4, 11});
    press(editor.get(), Qt::Key_X);
    QCOMPARE(clipboard(), u"a1\nb2\nd4\n"_s);
    QCOMPARE(editor->text(), QByteArray("c3"));
    QCOMPARE(carets(*editor), (QList<long>{0, 2}));
    editor->undo();
    QCOMPARE(editor->text(), QByteArray("a1\nb2\nc3\nd4"));
  }

  void severalSelectionsHaveLineEndsBetween() {
    auto editor = makeEditor("ab x\nab y\n");
    setSelections(editor.get(), {{5, 7}, {0, 2}}, 0);
    press(editor.get(), Qt::Key_C);
    QCOMPARE(clipboard(), u"ab\nab"_s);
    press(editor.get(), Qt::Key_X);
    QCOMPARE(editor->text(), QByteArray(" x\n y\n"));
    QCOMPARE(clipboard(), u"ab\nab"_s);
    editor->undo();
    QCOMPARE(editor->text(), QByteArray("ab x\nab y\n"));
  }

  void eachCaretGetsOne_data() {
    QTest::addColumn<QString>("clip");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QVector<Selection>>("selections");
    QTest::addColumn<QByteArray>("result");
    using Selections = QVector<Selection>;
    QTest::newRow("lines of another program")
        << u"1\n2\n3"_s << QByteArray("a\nb\nc\n") << Selections{{0, 0}, {2, 2}, {4, 4}}
        << QByteArray("1a\n2b\n3c\n");
    QTest::newRow("with an end behind the last")
        << u"1\r\n2\r\n"_s << QByteArray("a\nb\n") << Selections{{3, 3}, {1, 1}}
        << QByteArray("a1\nb2\n");
    QTest::newRow("over what is selected")
        << u"1\n2"_s << QByteArray("a b\n") << Selections{{0, 1}, {2, 3}} << QByteArray("1 2\n");
    QTest::newRow("other numbers")
        << u"1\n2"_s << QByteArray("abc\n") << Selections{{0, 0}, {1, 1}, {2, 2}}
        << QByteArray("1\n2a1\n2b1\n2c\n");
  }
  void eachCaretGetsOne() {
    QFETCH(QString, clip);
    QFETCH(QByteArray, text);
    QFETCH(QVector<Selection>, selections);
    QFETCH(QByteArray, result);
    QGuiApplication::clipboard()->setText(clip);
    auto editor = makeEditor(text);
    setSelections(editor.get(), selections, 0);
    press(editor.get(), Qt::Key_V);
    QCOMPARE(editor->text(), result);
    editor->undo();
    QCOMPARE(editor->text(), text);
  }

  void selectionsOfSeveralLinesGoBackOneEach() {
    auto editor = makeEditor("a\nb,c\nd,\n");
    setSelections(editor.get(), {{0, 3}, {4, 7}}, 0);
    press(editor.get(), Qt::Key_X);
    QCOMPARE(editor->text(), QByteArray(",,\n"));
    setSelections(editor.get(), {{1, 1}, {2, 2}}, 0);
    press(editor.get(), Qt::Key_V);
    QCOMPARE(editor->text(), QByteArray(",a\nb,c\nd\n"));
  }

  void aReadOnlyTextIsOnlyCopied() {
    auto editor = editorAt("one|\ntwo\n");
    editor->sci(Sci::SCI_SETREADONLY, 1);
    press(editor.get(), Qt::Key_X);
    QCOMPARE(clipboard(), u"one\n"_s);
    press(editor.get(), Qt::Key_V);
    QCOMPARE(editor->text(), QByteArray("one\ntwo\n"));
  }
};

QTEST_MAIN(TestLineClipboard)
#include "test_line_clipboard.moc"
