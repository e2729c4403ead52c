// SPDX-License-Identifier: GPL-3.0-or-later
// Brackets and quotes that come in pairs, by real keys.
#include <QInputMethodEvent>
#include <QtTest>

#include "editor/keys/auto_pairs.h"
#include "editor/view/selections.h"
#include "tests/editor/editor_test.h"
#include "tests/editor/suggesting_editor.h"

using namespace Qt::StringLiterals;
using namespace waferpair::editor;
using Sci = QsciScintillaBase;

namespace {

std::unique_ptr<CodeEditor> pairingEditorAt(const QByteArray& textWithCaret,
                                            const QString& language = u"C++"_s) {
  auto editor = editorAt(textWithCaret);
  editor->setLanguage(language);
  editor->setIndentation({false, 2});
  editor->pairs()->setOn(true);
  return editor;
}

void typeKeys(CodeEditor* editor, const char* text) {
  QTest::keyClicks(editor, QString::fromUtf8(text));
}

void backspace(CodeEditor* editor) { QTest::keyClick(editor, Qt::Key_Backspace); }

}  // namespace

class TestAutoPairs : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void anOpenerIsClosedAndTheCloserOvertyped() {
    auto editor = pairingEditorAt("int a = |;\n");
    QSignalSpy typed(editor.get(), &CodeEditor::typed);
    typeKeys(editor.get(), "f(");
    QCOMPARE(withCaret(*editor), QByteArray("int a = f(|);\n"));
    typeKeys(editor.get(), "x[1");
    QCOMPARE(withCaret(*editor), QByteArray("int a = f(x[1|]);\n"));
    typeKeys(editor.get(), "])");
    QCOMPARE(withCaret(*editor), QByteArray("int a = f(x[1])|;\n"));
    // What is overtyped counts as typed: a suggestion may follow it.
    QCOMPARE(typed.size(), 7);
    // A closer that nobody put in is not stepped over.
    typeKeys(editor.get(), ")");
    QCOMPARE(withCaret(*editor), QByteArray("int a = f(x[1]))|;\n"));
  }

  void itIsOffUntilItIsTurnedOn() {
    auto editor = editorAt("|\n");
    typeKeys(editor.get(), "f(");
    QCOMPARE(withCaret(*editor), QByteArray("f(|\n"));
    editor->pairs()->setOn(true);
    typeKeys(editor.get(), "g(");
    QCOMPARE(withCaret(*editor), QByteArray("f(g(|)\n"));
    editor->pairs()->setOn(false);
    typeKeys(editor.get(), ")");
    QCOMPARE(withCaret(*editor), QByteArray("f(g()|)\n"));
  }

  void eachKeyIsOneUndoStep() {
    auto editor = pairingEditorAt("|\n");
    typeKeys(editor.get(), "f(");
    editor->undo();
    QCOMPARE(editor->text(), QByteArray("f\n"));
    editor->redo();
    QCOMPARE(editor->text(), QByteArray("f()\n"));
    editor->setSelection(0, 1);
    typeKeys(editor.get(), "\"");
    QCOMPARE(editor->text(), QByteArray("\"f\"()\n"));
    editor->undo();
    QCOMPARE(editor->text(), QByteArray("f()\n"));
  }

  void backspaceTakesBoth() {
    auto editor = pairingEditorAt("|\n");
    typeKeys(editor.get(), "f([");
    backspace(editor.get());
    QCOMPARE(withCaret(*editor), QByteArray("f(|)\n"));
    editor->undo();
    QCOMPARE(editor->text(), QByteArray("f([])\n"));
    // Not those that were there before: the caret has left this pair.
    editor->setSelection(0, 0);
    editor->setSelection(3, 3);
    backspace(editor.get());
    QCOMPARE(withCaret(*editor), QByteArray("f(|])\n"));
  }

  void aLineCommentTakesNoCloserIn() {
    auto editor = pairingEditorAt("|\n");
    typeKeys(editor.get(), "int main() {  // (c)");
    QCOMPARE(withCaret(*editor), QByteArray("int main() {  // (c)|\n"));
    QTest::keyClick(editor.get(), Qt::Key_Return);
    typeKeys(editor.get(), "x");
    QCOMPARE(withCaret(*editor), QByteArray("int main() {  // (c)\n  x|\n"));
    // Within a string it is none, and behind a block comment the code goes on.
    auto other = pairingEditorAt("|\n");
    typeKeys(other.get(), "f(\"//");
    QCOMPARE(withCaret(*other), QByteArray("f(\"//|\")\n"));
    auto block = pairingEditorAt("|\n");
    typeKeys(block.get(), "f(/* a */ b");
    QCOMPARE(withCaret(*block), QByteArray("f(/* a */ b|)\n"));
  }

  void aPairGoesAroundEachSelection() {
    auto editor = pairingEditorAt("|one two one\n");
    setSelections(editor.get(), {{0, 3}, {11, 8}}, 1);
    typeKeys(editor.get(), "(");
    QCOMPARE(editor->text(), QByteArray("(one) two (one)\n"));
    QCOMPARE(selectionsOf(*editor), (QVector<Selection>{{1, 4}, {14, 11}}));
    typeKeys(editor.get(), "'");
    QCOMPARE(editor->text(), QByteArray("('one') two ('one')\n"));
    editor->undo();
    editor->undo();
    QCOMPARE(editor->text(), QByteArray("one two one\n"));
  }

  void eachCaretHasItsOwnPair() {
    auto editor = pairingEditorAt("|a\nb\nc\n");
    setSelections(editor.get(), {{1, 1}, {3, 3}, {4, 4}}, 0);
    typeKeys(editor.get(), "(");
    // Before a word nothing is closed.
    QCOMPARE(editor->text(), QByteArray("a()\nb()\n(c\n"));
    typeKeys(editor.get(), "1)");
    QCOMPARE(editor->text(), QByteArray("a(1)\nb(1)\n(1)c\n"));
    editor->undo();
    editor->undo();
    editor->undo();
    QCOMPARE(editor->text(), QByteArray("a\nb\nc\n"));
  }

  void returnBetweenBracketsOpensABlock() {
    auto editor = pairingEditorAt("  if (a) |\n");
    typeKeys(editor.get(), "{");
    QTest::keyClick(editor.get(), Qt::Key_Return);
    QCOMPARE(withCaret(*editor), QByteArray("  if (a) {\n    |\n  }\n"));
    editor->undo();
    QCOMPARE(editor->text(), QByteArray("  if (a) {}\n"));
    editor->setSelection(editor->length() - 2, editor->length() - 2);
    // Wherever the pair comes from; with CRLF, too.
    editor->setText("f(\r\n  g({ }));\r\n");
    const qint64 inside = editor->text().indexOf("{ ") + 2;
    editor->setSelection(inside, inside);
    QTest::keyClick(editor.get(), Qt::Key_Return);
    QCOMPARE(withCaret(*editor), QByteArray("f(\r\n  g({ \r\n    |\r\n  }));\r\n"));
  }

  void returnOpensABlockAtEachCaret() {
    auto editor = pairingEditorAt("|a {}\nb {}\nc\n");
    setSelections(editor.get(), {{3, 3}, {8, 8}, {11, 11}}, 0);
    QTest::keyClick(editor.get(), Qt::Key_Return);
    typeKeys(editor.get(), "x");
    QCOMPARE(editor->text(), QByteArray("a {\n  x\n}\nb {\n  x\n}\nc\nx\n"));
  }

  void stringsAndCommentsAreLeftAlone() {
    auto editor = pairingEditorAt("// |\nf(\"a \");\n/* b\n   */\n");
    typeKeys(editor.get(), "it\"");
    QCOMPARE(editor->lineText(0), QByteArray("// it\""));
    const qint64 inString = editor->text().indexOf("a \"") + 2;
    editor->setSelection(inString, inString);
    typeKeys(editor.get(), "'");
    QCOMPARE(editor->lineText(1), QByteArray("f(\"a '\");"));
    // The comment began a line above.
    const qint64 inComment = editor->lineStart(3) + 2;
    editor->setSelection(inComment, inComment);
    typeKeys(editor.get(), "\"");
    QCOMPARE(editor->lineText(3), QByteArray("  \" */"));
    // The same line as code.
    editor->setSelection(editor->length(), editor->length());
    typeKeys(editor.get(), "\"");
    QCOMPARE(editor->lineText(4), QByteArray("\"\""));
  }

  void threeQuotesComeInThrees() {
    auto editor = pairingEditorAt("|\n", u"Python"_s);
    typeKeys(editor.get(), "\"\"\"");
    QCOMPARE(withCaret(*editor), QByteArray("\"\"\"|\"\"\"\n"));
    typeKeys(editor.get(), "a\"\"\"");
    QCOMPARE(withCaret(*editor), QByteArray("\"\"\"a\"\"\"|\n"));
  }

  void aDeadKeyMakesAPairToo() {
    auto editor = pairingEditorAt("|\n");
    QInputMethodEvent event;
    event.setCommitString(u"\""_s);
    QApplication::sendEvent(editor.get(), &event);
    QCOMPARE(withCaret(*editor), QByteArray("\"|\"\n"));
    QInputMethodEvent letter;
    letter.setCommitString(u"ä"_s);
    QApplication::sendEvent(editor.get(), &letter);
    QCOMPARE(withCaret(*editor), QByteArray("\"ä|\"\n"));
  }

  void aTextThatCannotBeChangedStays() {
    auto editor = pairingEditorAt("a|\n");
    editor->sci(Sci::SCI_SETREADONLY, 1);
    typeKeys(editor.get(), "(");
    editor->setSelection(0, 1);
    typeKeys(editor.get(), "(");
    QCOMPARE(editor->text(), QByteArray("a\n"));
  }

  void arabicAndWrappedTextPairAsAny() {
    auto editor = pairingEditorAt("x = |;\n");
    editor->setWordWrap(true);
    typeKeys(editor.get(), "(\"");
    QInputMethodEvent word;
    word.setCommitString(u"سلام"_s);
    QApplication::sendEvent(editor.get(), &word);
    QCOMPARE(withCaret(*editor), QByteArray("x = (\"سلام|\");\n"));
    typeKeys(editor.get(), "\")");
    QCOMPARE(withCaret(*editor), QByteArray("x = (\"سلام\")|;\n"));
  }

  // -- Ghost text

  void whatASuggestionSaysIsNotClosed() {
    auto editor = pairingEditorAt("f|\n");
    editor->ghost()->show(1, "(a, b);");
    typeKeys(editor.get(), "(");
    QCOMPARE(withCaret(*editor), QByteArray("f(|\n"));
    QCOMPARE(editor->ghost()->remaining(), QByteArray("a, b);"));
    typeKeys(editor.get(), "a, b);");
    QCOMPARE(withCaret(*editor), QByteArray("f(a, b);|\n"));
  }

  void anotherOpenerThanTheSuggestionsIsClosed() {
    auto editor = pairingEditorAt("f|\n");
    editor->ghost()->show(1, "(a, b);");
    typeKeys(editor.get(), "[");
    QCOMPARE(withCaret(*editor), QByteArray("f[|]\n"));
    QVERIFY(!editor->ghost()->isShown());
  }

  void acceptingDoublesNoCloser() {
    const auto accepted = [](const char* ghost, const char* action) {
      auto editor = pairingEditorAt("|\n");
      typeKeys(editor.get(), "f(g(");
      editor->ghost()->show(editor->caret(), ghost);
      editor->perform(action);
      const QByteArray text = withCaret(*editor);
      editor->undo();  // one step
      return editor->text() == "f(g())\n" ? text : QByteArray("undone: ") + editor->text();
    };
    QCOMPARE(accepted("a));", "accept-suggestion"), QByteArray("f(g(a));|\n"));
    QCOMPARE(accepted("a), b", "accept-suggestion"), QByteArray("f(g(a), b|)\n"));
    QCOMPARE(accepted("a", "accept-suggestion"), QByteArray("f(g(a|))\n"));
    QCOMPARE(accepted("(a)", "accept-suggestion"), QByteArray("f(g((a)|))\n"));
    QCOMPARE(accepted("a));\nh();", "accept-line"), QByteArray("f(g(a));|\n"));
    QCOMPARE(accepted("))", "accept-word"), QByteArray("f(g())|\n"));
  }

  void wordByWordEachCloserIsTakenOnce() {
    auto editor = pairingEditorAt("|\n");
    typeKeys(editor.get(), "f(");
    editor->ghost()->show(editor->caret(), "g(a), b);");
    QByteArrayList steps;
    while (editor->ghost()->isShown()) {
      editor->perform("accept-word");
      steps += withCaret(*editor).trimmed();
    }
    QCOMPARE(steps, (QByteArrayList{"f(g|)", "f(g(|)", "f(g(a|)", "f(g(a),|)", "f(g(a), b|)",
                                    "f(g(a), b);|"}));
  }

  void typingTheCloserGoesThroughTheSuggestion() {
    auto editor = pairingEditorAt("|\n");
    typeKeys(editor.get(), "f(");
    editor->ghost()->show(editor->caret(), "g(a);\nh();");
    QSignalSpy cleared(editor->ghost(), &GhostText::cleared);
    // The one that the suggestion opened, and the one of ours.
    editor->ghost()->clear();
    cleared.clear();
    editor->ghost()->show(editor->caret(), "g(a));\nh();");
    typeKeys(editor.get(), "g(a)");
    QCOMPARE(withCaret(*editor), QByteArray("f(g(a)|)\n"));
    typeKeys(editor.get(), ")");
    QCOMPARE(withCaret(*editor), QByteArray("f(g(a))|\n"));
    QCOMPARE(editor->ghost()->remaining(), QByteArray(";\nh();"));
    QCOMPARE(cleared.size(), 0);
  }

  void returnThatASuggestionSaysIsTypedThrough() {
    auto editor = pairingEditorAt("if (a) |\n");
    typeKeys(editor.get(), "{");
    editor->ghost()->show(editor->caret(), "\n  f();\n}");
    QTest::keyClick(editor.get(), Qt::Key_Return);
    QCOMPARE(withCaret(*editor), QByteArray("if (a) {\n  |}\n"));
    QCOMPARE(editor->ghost()->remaining(), QByteArray("f();\n}"));
    QTest::keyClick(editor.get(), Qt::Key_Tab);
    QCOMPARE(withCaret(*editor), QByteArray("if (a) {\n  f();\n}|\n"));
    QCOMPARE(editor->text(), QByteArray("if (a) {\n  f();\n}\n"));
  }

  // The closer that would go is not drawn behind the suggestion that closes the pair.
  void theTakenCloserIsNotDrawn() {
    const auto picture = [](const char* text, qint64 caret, const char* ghost, bool put) {
      auto editor = pairingEditorAt("|\n");
      typeKeys(editor.get(), "= ");
      if (put) {
        typeKeys(editor.get(), "\"");
      } else {
        editor->setText(text);
      }
      editor->setLanguage({});
      editor->setSelection(caret, caret);
      editor->ghost()->show(caret, ghost);
      return editor->viewport()->grab().toImage();
    };
    // A quote, and the ghost `a";`: with a closer of ours behind the caret, and with none.
    QCOMPARE(picture("= \"\n", 3, "a\";", true), picture("= \"\n", 3, "a\";", false));
    QVERIFY(picture("= \"\"\n", 3, "a\";", false) != picture("= \"\n", 3, "a\";", false));
  }

  // A provider's mirror of the text follows all of it.
  void theMirrorStaysEqualThroughAccepts() {
    auto editor = pairingEditorAt("|\n");
    ScriptedProvider provider;
    SuggestingEditor suggesting(editor.get(), &provider, &provider);
    suggesting.open(u"a.cpp"_s);
    typeKeys(editor.get(), "f(");
    QTRY_VERIFY(!provider.requests.isEmpty());
    QCOMPARE(provider.requests.back().offset, 2);
    provider.say(provider.requests.back().id, "a, b);");
    provider.end(provider.requests.back().id);
    QTRY_VERIFY(editor->ghost()->isShown());
    QTest::keyClick(editor.get(), Qt::Key_Tab);
    QCOMPARE(withCaret(*editor), QByteArray("f(a, b);|\n"));
    QCOMPARE(provider.mirrors[u"a.cpp"_s], editor->text());
  }
};

QTEST_MAIN(TestAutoPairs)
#include "test_auto_pairs.moc"
