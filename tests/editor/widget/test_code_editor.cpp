// SPDX-License-Identifier: GPL-3.0-or-later
#include <QClipboard>
#include <QtTest>
#include <random>

#include "editor/view/brace_match.h"
#include "tests/editor/editor_test.h"

using namespace Qt::StringLiterals;
using namespace waferpair::editor;
using Sci = QsciScintillaBase;

class TestCodeEditor : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void typingTellsEditsInOrderWithGrowingVersions() {
    auto editor = makeEditor("int a;\n");
    QSignalSpy edited(editor.get(), &CodeEditor::edited);
    QSignalSpy typed(editor.get(), &CodeEditor::typed);
    const qint64 before = editor->version();
    QTest::keyClicks(editor.get(), QStringLiteral("xy"));
    QCOMPARE(edited.size(), 2);
    QCOMPARE(typed.size(), 2);
    const auto edits = edited[1][0].value<QVector<TextEdit>>();
    QCOMPARE(edits.size(), 1);
    QCOMPARE(edits[0].start, 1);
    QCOMPARE(edits[0].end, 1);
    QCOMPARE(edits[0].text, QByteArray("y"));
    QCOMPARE(edited[1][1].toLongLong(), before + 2);
    QCOMPARE(editor->text(), QByteArray("xyint a;\n"));
  }

  // The one property everything else rests on: a mirror fed with the edits equals the text.
  void aMirrorFedWithTheEditsStaysEqual() {
    auto editor = makeEditor("int main() {\r\n  return 0;\n}\n");
    QByteArray mirror = editor->text();
    qint64 version = editor->version();
    connect(editor.get(), &CodeEditor::edited, this,
            [&](const QVector<TextEdit>& edits, qint64 newVersion) {
              QCOMPARE(newVersion, version + edits.size());
              version = newVersion;
              for (const TextEdit& edit : edits)
                mirror.replace(edit.start, edit.end - edit.start, edit.text);
            });
    std::mt19937 random(11);
    const Qt::Key keys[] = {Qt::Key_Return, Qt::Key_Backspace, Qt::Key_Delete, Qt::Key_Tab,
                            Qt::Key_Up,     Qt::Key_Down,      Qt::Key_Left,   Qt::Key_End,
                            Qt::Key_Home,   Qt::Key_Backtab};
    const char* const lineActions[] = {"toggle-comment", "duplicate-line", "delete-line",
                                       "move-line-up",   "move-line-down", "indent",
                                       "unindent"};
    QGuiApplication::clipboard()->setText(QStringLiteral("é pasted\ntext"));
    for (int i = 0; i < 1500; ++i) {
      switch (random() % 10) {
        case 0:
        case 1:
        case 2:
          QTest::keyClick(editor.get(), "a{}();/*\" "[random() % 10]);
          break;
        case 3:
        case 4:
          QTest::keyClick(editor.get(), keys[random() % std::size(keys)],
                          random() % 6 == 0 ? Qt::ShiftModifier : Qt::NoModifier);
          break;
        case 5:
          QTest::keyClick(editor.get(), Qt::Key_Z, Qt::ControlModifier);
          break;
        case 6:
          QTest::keyClick(editor.get(), Qt::Key_Y, Qt::ControlModifier);
          break;
        case 7:
          QTest::keyClick(editor.get(), Qt::Key_V, Qt::ControlModifier);
          break;
        case 8:
          editor->perform(lineActions[random() % std::size(lineActions)]);
          break;
        default: {
          const auto length = static_cast<quint64>(editor->length()) + 1;
          const auto a = static_cast<qint64>(random() % length);
          const auto at = [&](qint64 p) {
            return editor->sci(Sci::SCI_POSITIONBEFORE,
                               static_cast<unsigned long>(editor->sci(
                                   Sci::SCI_POSITIONAFTER, static_cast<unsigned long>(p))));
          };
          const qint64 from = at(a);
          const qint64 to = at(std::min<qint64>(editor->length(), a + random() % 20));
          if (random() % 2 == 0) {
            editor->setSelection(from, to);
          } else {
            editor->replaceRange(from, std::max(from, to), "z\n");
          }
        }
      }
      editor->flushEdits();
      QCOMPARE(mirror, editor->text());
      QCOMPARE(version, editor->version());
      if (editor->length() > 4000) replaceAll(editor.get(), "short\n");
    }
  }

  void editsAreToldWithoutAFlushWhenTheEventEnds() {
    auto editor = makeEditor("a\n");
    QSignalSpy edited(editor.get(), &CodeEditor::edited);
    editor->SendScintilla(Sci::SCI_INSERTTEXT, static_cast<uintptr_t>(0), "direct ");
    QCOMPARE(edited.size(), 0);
    QTRY_COMPARE(edited.size(), 1);
  }

  void loadingIsNoEditAndLeavesNothingToUndo() {
    auto editor = makeEditor("old\n");
    QTest::keyClicks(editor.get(), QStringLiteral("x"));
    QSignalSpy edited(editor.get(), &CodeEditor::edited);
    QSignalSpy reset(editor.get(), &CodeEditor::documentReset);
    const qint64 version = editor->version();
    editor->setText("new\n");
    QCOMPARE(edited.size(), 0);
    QCOMPARE(reset.size(), 1);
    QVERIFY(editor->version() > version);
    QVERIFY(!editor->isModified());
    editor->undo();
    QCOMPARE(editor->text(), QByteArray("new\n"));
  }

  void modifiedFollowsUndoAndSave() {
    auto editor = makeEditor("a\n");
    QSignalSpy modified(editor.get(), &CodeEditor::modifiedChanged);
    QTest::keyClick(editor.get(), 'x');
    QCOMPARE(modified.size(), 1);
    QVERIFY(editor->isModified());
    editor->undo();
    QCOMPARE(modified.size(), 2);
    QVERIFY(!editor->isModified());
    editor->redo();
    editor->setUnmodified();
    QVERIFY(!editor->isModified());
    QCOMPARE(modified.size(), 4);
  }

  void fileIsLoadedAsFound() {
    QTemporaryDir dir;
    const QString path = dir.filePath(QStringLiteral("a.py"));
    QFile out(path);
    QVERIFY(out.open(QIODevice::WriteOnly));
    out.write("def a():\r\n  return 1\r\n");
    out.close();
    auto editor = makeEditor("old", {});
    const auto file = TextFile::open(path);
    QVERIFY(file.has_value());
    QVERIFY(editor->load(*file).has_value());
    QCOMPARE(editor->text(), QByteArray("def a():\r\n  return 1\r\n"));
    QCOMPARE(editor->language(), QStringLiteral("Python"));
    QCOMPARE(editor->lineEnds(), LineEnds::kCrLf);
    QCOMPARE(editor->indentation(), (Indentation{false, 2}));
    editor->goToLine(0, 100);
    QTest::keyClick(editor.get(), Qt::Key_Return);
    QCOMPARE(editor->text(), QByteArray("def a():\r\n  \r\n  return 1\r\n"));
  }

  void failedLoadKeepsTheOldText() {
    QTemporaryDir dir;
    const QString path = dir.filePath(QStringLiteral("a.txt"));
    QFile out(path);
    QVERIFY(out.open(QIODevice::WriteOnly));
    out.write("one\n");
    out.close();
    const auto file = TextFile::open(path);
    QVERIFY(QFile::remove(path));
    auto editor = makeEditor("precious\n");
    QTest::keyClick(editor.get(), 'x');
    QVERIFY(!editor->load(*file).has_value());
    QCOMPARE(editor->text(), QByteArray("xprecious\n"));
    QVERIFY(editor->isModified());
    QTest::keyClick(editor.get(), 'y');
    editor->undo();
    QVERIFY(editor->text().endsWith("precious\n"));
  }

  void binaryFileIsReadOnlyAndPlain() {
    QTemporaryDir dir;
    const QString path = dir.filePath(QStringLiteral("a.cpp"));
    QFile out(path);
    QVERIFY(out.open(QIODevice::WriteOnly));
    out.write(QByteArray("int\0\xFF\xFEx\n", 8));
    out.close();
    auto editor = makeEditor();
    QVERIFY(editor->load(*TextFile::open(path)).has_value());
    QCOMPARE(editor->safeMode(), SafeMode::kBinary);
    QCOMPARE(editor->language(), QString());
    QTest::keyClicks(editor.get(), QStringLiteral("abc"));
    QTest::keyClick(editor.get(), Qt::Key_Return);
    QTest::keyClick(editor.get(), Qt::Key_Backspace);
    QCOMPARE(editor->text(), QByteArray("int\0\xFF\xFEx\n", 8));
    // And the same widget takes a text again.
    editor->setText("text");
    QTest::keyClick(editor.get(), 'x');
    QCOMPARE(editor->text(), QByteArray("xtext"));
  }

  void newLinesAreIndented_data() {
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("after");
    QTest::newRow("same") << QByteArray("  a;|\n") << QByteArray("  a;\n  |\n");
    QTest::newRow("deeper") << QByteArray("  if (x) {|\n") << QByteArray("  if (x) {\n    |\n");
    QTest::newRow("inside") << QByteArray("  a;|  b;\n") << QByteArray("  a;\n  |b;\n");
    QTest::newRow("start") << QByteArray("|  a;\n") << QByteArray("\n|  a;\n");
    QTest::newRow("amid the leading blanks")
        << QByteArray("   |     a;\n") << QByteArray("\n   |     a;\n");
    QTest::newRow("an opener and a comment")
        << QByteArray("int main() {  // c|\n") << QByteArray("int main() {  // c\n  |\n");
    QTest::newRow("an opener and a block comment")
        << QByteArray("int main() { /* c */|\n") << QByteArray("int main() { /* c */\n  |\n");
    QTest::newRow("an opener in a comment")
        << QByteArray("// see {|\n") << QByteArray("// see {\n|\n");
    QTest::newRow("an opener in a string")
        << QByteArray("  a = \"{|\n") << QByteArray("  a = \"{\n  |\n");
    QTest::newRow("a documentation comment")
        << QByteArray("/**|\n */\nint a;\n") << QByteArray("/**\n * |\n */\nint a;\n");
    QTest::newRow("a line of one")
        << QByteArray("/**\n * a|\n */\n") << QByteArray("/**\n * a\n * |\n */\n");
    QTest::newRow("its end") << QByteArray("  /**\n   */|\n") << QByteArray("  /**\n   */\n  |\n");
    QTest::newRow("an if without a brace")
        << QByteArray("if (a)|\n") << QByteArray("if (a)\n  |\n");
    QTest::newRow("behind what it does")
        << QByteArray("if (a)\n  b;|\n") << QByteArray("if (a)\n  b;\n|\n");
    QTest::newRow("behind what two do") << QByteArray("  for (;;)\n    if (a)\n      b;|\n")
                                        << QByteArray("  for (;;)\n    if (a)\n      b;\n  |\n");
    QTest::newRow("behind a block whose head is wrapped")
        << QByteArray("int f(int a,\n      int b) {\n  c;\n}|\n")
        << QByteArray("int f(int a,\n      int b) {\n  c;\n}\n|\n");
    QTest::newRow("a statement's end") << QByteArray("  a(b,\n    c(d,\n      e));|\n")
                                       << QByteArray("  a(b,\n    c(d,\n      e));\n  |\n");
    QTest::newRow("an argument's end") << QByteArray("  a(b,\n    c(d,\n      e),|\n")
                                       << QByteArray("  a(b,\n    c(d,\n      e),\n    |\n");
    QTest::newRow("a condition's end")
        << QByteArray("  if (a &&\n      b) {|\n") << QByteArray("  if (a &&\n      b) {\n    |\n");
    QTest::newRow("no bracket") << QByteArray("  a(b,\n    \")\"|\n")
                                << QByteArray("  a(b,\n    \")\"\n    |\n");
  }
  void newLinesAreIndented() {
    QFETCH(QByteArray, before);
    QFETCH(QByteArray, after);
    auto editor = editorAt(before);
    editor->setIndentation({false, 2});
    QTest::keyClick(editor.get(), Qt::Key_Return);
    QCOMPARE(withCaret(*editor), after);
    editor->undo();
    QCOMPARE(editor->text(), cutCaret(before).first);
  }

  void languagesIndentTheirWay_data() {
    QTest::addColumn<QString>("language");
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("after");
    QTest::newRow("a comment that ends in a colon")
        << u"Python"_s << QByteArray("# note:") << QByteArray("# note:\nx");
    QTest::newRow("a head with a comment")
        << u"Python"_s << QByteArray("def f():  # c") << QByteArray("def f():  # c\n    x");
    QTest::newRow("behind a return") << u"Python"_s << QByteArray("def f():\n    return 1")
                                     << QByteArray("def f():\n    return 1\nx");
    QTest::newRow("Go's tabs") << u"Go"_s << QByteArray("func f() {")
                               << QByteArray("func f() {\n\tx");
  }
  void languagesIndentTheirWay() {
    QFETCH(QString, language);
    QFETCH(QByteArray, before);
    QFETCH(QByteArray, after);
    auto editor = makeEditor(before, language);
    editor->setSelection(editor->length(), editor->length());
    QTest::keyClick(editor.get(), Qt::Key_Return);
    QTest::keyClick(editor.get(), Qt::Key_X);
    QCOMPARE(editor->text(), after);
  }

  void aMakefileHasTabs() {
    QTemporaryDir dir;
    const QString path = dir.filePath(u"Makefile"_s);
    QFile out(path);
    QVERIFY(out.open(QIODevice::WriteOnly));
    out.write("all:");
    out.close();
    auto editor = makeEditor();
    QVERIFY(editor->load(*TextFile::open(path)).has_value());
    editor->setSelection(4, 4);
    QTest::keyClick(editor.get(), Qt::Key_Return);
    QTest::keyClick(editor.get(), Qt::Key_Tab);
    QTest::keyClick(editor.get(), Qt::Key_X);
    QCOMPARE(editor->text(), QByteArray("all:\n\tx"));
  }

  void aBraceStandsBelowItsHead() {
    auto editor = editorAt("  if (a)|\n");
    editor->setIndentation({false, 2});
    QTest::keyClick(editor.get(), Qt::Key_Return);
    QTest::keyClick(editor.get(), '{');
    QCOMPARE(withCaret(*editor), QByteArray("  if (a)\n  {|\n"));
  }

  void closingBracketGoesBackToItsPartnersDepth() {
    auto editor = editorAt("  if (x) {\n    a;\n    |");
    QTest::keyClick(editor.get(), '}');
    QCOMPARE(withCaret(*editor), QByteArray("  if (x) {\n    a;\n  }|"));
    auto wrapped = editorAt("int f(int a,\n      int b) {\n  |");
    QTest::keyClick(wrapped.get(), '}');
    QCOMPARE(withCaret(*wrapped), QByteArray("int f(int a,\n      int b) {\n}|"));
    auto other = editorAt("  f(a, |");
    QTest::keyClick(other.get(), ')');
    QCOMPARE(withCaret(*other), QByteArray("  f(a, )|"));
  }

  void commentsToggle_data() {
    QTest::addColumn<QString>("language");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("commented");
    QTest::newRow("C++") << u"C++"_s << QByteArray("  a;\n\n    b;\n")
                         << QByteArray("  // a;\n\n  //   b;\n");
    QTest::newRow("Python") << u"Python"_s << QByteArray("a\nb\n") << QByteArray("# a\n# b\n");
    QTest::newRow("HTML") << u"HTML"_s << QByteArray("<p>\n</p>\n")
                          << QByteArray("<!-- <p>\n</p> -->\n");
  }
  void commentsToggle() {
    QFETCH(QString, language);
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, commented);
    auto editor = makeEditor(text, language);
    editor->setSelection(0, editor->length());
    QTest::keyClick(editor.get(), Qt::Key_Slash, Qt::ControlModifier);
    QCOMPARE(editor->text(), commented);
    editor->setSelection(0, editor->length());
    QTest::keyClick(editor.get(), Qt::Key_Slash, Qt::ControlModifier);
    QCOMPARE(editor->text(), text);
    editor->undo();
    QCOMPARE(editor->text(), commented);
    editor->undo();
    QCOMPARE(editor->text(), text);
  }

  void linesMoveDuplicateIndent() {
    auto editor = editorAt("one\ntw|o\nthree\n");
    QTest::keyClick(editor.get(), Qt::Key_Up, Qt::AltModifier);
    QCOMPARE(editor->text(), QByteArray("two\none\nthree\n"));
    QTest::keyClick(editor.get(), Qt::Key_Down, Qt::AltModifier);
    QCOMPARE(editor->text(), QByteArray("one\ntwo\nthree\n"));
    QTest::keyClick(editor.get(), Qt::Key_D, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(editor->text(), QByteArray("one\ntwo\ntwo\nthree\n"));
    QTest::keyClick(editor.get(), Qt::Key_K, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(editor->text(), QByteArray("one\ntwo\nthree\n"));
    editor->setSelection(0, editor->length());
    QTest::keyClick(editor.get(), Qt::Key_BracketRight, Qt::ControlModifier);
    QCOMPARE(editor->text(), QByteArray("    one\n    two\n    three\n"));
    editor->setSelection(0, editor->length());
    QTest::keyClick(editor.get(), Qt::Key_BracketLeft, Qt::ControlModifier);
    QCOMPARE(editor->text(), QByteArray("one\ntwo\nthree\n"));
    editor->undo();
    QCOMPARE(editor->text(), QByteArray("    one\n    two\n    three\n"));
  }

  void nextOccurrenceAddsACaret() {
    auto editor = editorAt("fo|o = foo + food;\n");
    QTest::keyClick(editor.get(), Qt::Key_D, Qt::ControlModifier);
    QCOMPARE(editor->selectedText(), QByteArray("foo"));
    QTest::keyClick(editor.get(), Qt::Key_D, Qt::ControlModifier);
    QCOMPARE(editor->sci(Sci::SCI_GETSELECTIONS), 2);
    QTest::keyClicks(editor.get(), QStringLiteral("x"));
    QCOMPARE(editor->text(), QByteArray("x = x + food;\n"));
  }

  void bracesMatchWithinTheirStyleAndReach() {
    auto editor = makeEditor("f(a, \")\", b) { }\n");
    editor->highlightAll();
    QCOMPARE(matchingBrace(*editor, 1), 11);
    QCOMPARE(matchingBrace(*editor, 11), 1);
    QCOMPARE(matchingBrace(*editor, 13), 15);
    QCOMPARE(matchingBrace(*editor, 0), -1);
    editor->setText("(" + QByteArray(200 * 1024, 'x') + ")");
    QCOMPARE(matchingBrace(*editor, 0), -1);
  }

  void goToLineAndViewStateComeBack() {
    auto editor = makeEditor(QByteArray("line é of text\n").repeated(500));
    editor->goToLine(250, 6);
    QCOMPARE(editor->caretLine(), 250);
    QCOMPARE(editor->caretColumn(), 6);
    QCOMPARE(editor->caret(), editor->lineStart(250) + 7);
    const ViewState state = editor->viewState();
    QVERIFY(state.firstLine > 200 && state.firstLine < 250);
    editor->goToLine(0);
    editor->goToLine(100000, 100000);
    QCOMPARE(editor->caretLine(), 500);
    editor->setViewState(state);
    QCOMPARE(editor->caretLine(), 250);
    QCOMPARE(editor->viewState().firstLine, state.firstLine);
    editor->setText("short");
    editor->setViewState(state);  // of another text: clamped
    QCOMPARE(editor->caret(), 5);
  }

  void aLineThatUndoMadeShortIsNotLeftScrolled() {
    auto editor = editorAt("int a;|\n");
    editor->replaceRange(editor->caret(), editor->caret(), QByteArray(400, 'x'));
    QTest::keyClick(editor.get(), Qt::Key_End);
    QTRY_VERIFY(editor->sci(QsciScintillaBase::SCI_GETXOFFSET) > 0);
    editor->undo();
    QCOMPARE(editor->text(), QByteArray("int a;\n"));
    QCOMPARE(editor->sci(QsciScintillaBase::SCI_GETXOFFSET), 0);
  }

  void lineEndsConvertAsOneStep() {
    auto editor = makeEditor("a\nb\r\nc\r");
    editor->convertLineEnds(LineEnds::kLf);
    QCOMPARE(editor->text(), QByteArray("a\nb\nc\n"));
    editor->undo();
    QCOMPARE(editor->text(), QByteArray("a\nb\r\nc\r"));
  }

  void newLinesEndLikeTheTextDoesNow() {
    auto editor = makeEditor("a\nb\n");
    const auto breakLastLine = [&] {
      editor->setSelection(editor->length(), editor->length());
      QTest::keyClick(editor.get(), Qt::Key_Return);
    };
    // Another program has rewritten the file.
    replaceAll(editor.get(), "a\r\nb\r\n");
    QCOMPARE(editor->lineEnds(), LineEnds::kCrLf);
    breakLastLine();
    QCOMPARE(editor->text(), QByteArray("a\r\nb\r\n\r\n"));
    editor->undo();
    editor->undo();
    QCOMPARE(editor->text(), QByteArray("a\nb\n"));
    breakLastLine();
    QCOMPARE(editor->text(), QByteArray("a\nb\n\n"));

    editor->convertLineEnds(LineEnds::kCr);
    QTest::keyClick(editor.get(), Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(editor->text(), QByteArray("a\nb\n\n"));
    QCOMPARE(editor->lineEnds(), LineEnds::kLf);
    editor->redo();
    QCOMPARE(editor->lineEnds(), LineEnds::kCr);
    breakLastLine();
    QCOMPARE(editor->text(), QByteArray("a\rb\r\r\r"));
  }

  void lineEndsStayWhereTheTextStillHasThem() {
    auto editor = makeEditor("a\nb\n");
    replaceAll(editor.get(), "a\r\nb\r\nc\n");
    QCOMPARE(editor->lineEnds(), LineEnds::kLf);
    replaceAll(editor.get(), "a\rb\n\rc\r");  // three CR and one LF, no CRLF
    QCOMPARE(editor->lineEnds(), LineEnds::kLf);
    replaceAll(editor.get(), "no line end");
    QCOMPARE(editor->lineEnds(), LineEnds::kLf);
    replaceAll(editor.get(), "a\rb\n\rc\r");
    editor->convertLineEnds(LineEnds::kCrLf);
    editor->undo();
    QCOMPARE(editor->lineEnds(), LineEnds::kCr);  // most of them
  }

  void backspaceTakesALevelOfIndentation() {
    auto editor = editorAt("        |x\n");
    editor->setIndentation({false, 4});
    QTest::keyClick(editor.get(), Qt::Key_Backspace);
    QCOMPARE(withCaret(*editor), QByteArray("    |x\n"));
    editor->setText("      x\n");
    editor->setIndentation({false, 4});
    editor->setSelection(6, 6);
    QTest::keyClick(editor.get(), Qt::Key_Backspace);
    QCOMPARE(withCaret(*editor), QByteArray("    |x\n"));
    // Text that is not indentation is removed byte by byte.
    editor->setSelection(5, 5);
    QTest::keyClick(editor.get(), Qt::Key_Backspace);
    QCOMPARE(withCaret(*editor), QByteArray("    |\n"));
    editor->setText("\t\tx  y\n");
    editor->setIndentation({true, 4});
    editor->setSelection(5, 5);
    QTest::keyClick(editor.get(), Qt::Key_Backspace);
    QCOMPARE(withCaret(*editor), QByteArray("\t\tx |y\n"));
    editor->setSelection(2, 2);
    QTest::keyClick(editor.get(), Qt::Key_Backspace);
    QCOMPARE(withCaret(*editor), QByteArray("\t|x y\n"));
  }

  void backspaceUnindentsAtEveryCaret() {
    auto editor = makeEditor("        x\n        y\n");
    editor->setIndentation({false, 4});
    editor->sci(Sci::SCI_SETSELECTION, 8, 8);
    editor->sci(Sci::SCI_ADDSELECTION, 18, 18);
    QTest::keyClick(editor.get(), Qt::Key_Backspace);
    QCOMPARE(editor->text(), QByteArray("    x\n    y\n"));
  }

  void clicksMoveTheCaret() {
    auto editor = makeEditor("first\nsecond\n");
    QSignalSpy moved(editor.get(), &CodeEditor::cursorMoved);
    const auto x = static_cast<int>(editor->sci(Sci::SCI_POINTXFROMPOSITION, 0, 9));
    const auto y = static_cast<int>(editor->sci(Sci::SCI_POINTYFROMPOSITION, 0, 9));
    QTest::mouseClick(editor->viewport(), Qt::LeftButton, {}, QPoint(x + 1, y + 4));
    QCOMPARE(editor->caret(), 9);
    QVERIFY(!moved.isEmpty());
    QCOMPARE(moved.last()[0].toInt(), 1);
    QCOMPARE(moved.last()[1].toInt(), 3);
  }

  void altLetterTypesNothing() {
    auto editor = makeEditor("a\n");
    QTest::keyClick(editor.get(), 'x', Qt::AltModifier);
    QCOMPARE(editor->text(), QByteArray("a\n"));
  }

  void safeModeOver20MbLoadsInPieces() {
    QTemporaryDir dir;
    const QString path = dir.filePath(QStringLiteral("big.cpp"));
    QFile out(path);
    QVERIFY(out.open(QIODevice::WriteOnly));
    const QByteArray line = "int a; // a line of text\n";
    out.write(line.repeated(kHugeBytes / line.size() + 10));
    out.close();
    auto editor = makeEditor();
    const auto file = TextFile::open(path);
    QVERIFY(editor->load(*file).has_value());
    QCOMPARE(editor->safeMode(), SafeMode::kHuge);
    QCOMPARE(editor->length(), file->size());
    QCOMPARE(editor->language(), QString());
    editor->goToLine(editor->lineCount() - 1);
    QTest::keyClicks(editor.get(), QStringLiteral("end"));
    QVERIFY(editor->textRange(editor->length() - 3, editor->length()) == "end");
    editor->undo();
    QCOMPARE(editor->length(), file->size());
  }
};

QTEST_MAIN(TestCodeEditor)
#include "test_code_editor.moc"
