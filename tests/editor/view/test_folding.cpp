// SPDX-License-Identifier: GPL-3.0-or-later
// Blocks that are folded and shown again, by keys and the mouse, while the text changes.
#include <QAccessible>
#include <QtTest>
#include <random>

#include "editor/view/fold_levels.h"
#include "editor/view/folding.h"
#include "editor/view/selections.h"
#include "editor/view/view_numbers.h"
#include "editor/widget/find_replace.h"
#include "tests/editor/editor_test.h"

using namespace Qt::StringLiterals;
using namespace waferpair::editor;
using Sci = QsciScintillaBase;

namespace {

constexpr auto kFold = Qt::ControlModifier | Qt::ShiftModifier;

const QByteArray kCpp =
    "int f(int a) {\n"   // 0
    "  if (a) {\n"       // 1
    "    g();\n"         // 2
    "    h();\n"         // 3
    "  } else {\n"       // 4
    "    k();\n"         // 5
    "  }\n"              // 6
    "  return { 1 };\n"  // 7
    "}\n"                // 8
    "/* one\n"           // 9
    "   two\n"           // 10
    "   three */\n"      // 11
    "int x;\n";          // 12

std::unique_ptr<CodeEditor> foldingEditor(const QByteArray& text, const QString& language) {
  auto editor = makeEditor(text, language);
  editor->highlightAll();
  return editor;
}

// The lines that can be seen, from 0.
QVector<int> visible(const CodeEditor& editor) {
  QVector<int> lines;
  for (int line = 0; line < editor.lineCount(); ++line)
    if (editor.sci(Sci::SCI_GETLINEVISIBLE, static_cast<unsigned long>(line)) != 0) lines += line;
  return lines;
}

// "0-3": what line 0 hides when it is folded.
QByteArrayList blocks(const CodeEditor& editor) {
  QByteArrayList found;
  for (int line = 0; line < editor.lineCount(); ++line) {
    const auto at = static_cast<unsigned long>(line);
    const bool begins = (editor.sci(Sci::SCI_GETFOLDLEVEL, at) & Sci::SC_FOLDLEVELHEADERFLAG) != 0;
    if (begins)
      found += QByteArray::number(line) + '-' +
               QByteArray::number(qint64{editor.sci(Sci::SCI_GETLASTCHILD, at, -1)});
  }
  return found;
}

void clickFold(CodeEditor* editor, int line) {
  const long y =
      editor->sci(Sci::SCI_POINTYFROMPOSITION, 0, static_cast<long>(editor->lineStart(line)));
  long x = editor->sci(Sci::SCI_GETMARGINWIDTHN, 0) + editor->sci(Sci::SCI_GETMARGINWIDTHN, 1);
  x += editor->sci(Sci::SCI_GETMARGINWIDTHN, kFoldMargin) / 2;
  QTest::mouseClick(editor->viewport(), Qt::LeftButton, {},
                    QPoint(static_cast<int>(x), static_cast<int>(y) + 4));
}

void give(CodeEditor* editor, const std::vector<FoldRange>& ranges) {
  editor->folding()->setRanges(&ranges);
  editor->highlightAll();
}

}  // namespace

class TestFolding : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void regionsAreThoseOfTheLanguage() {
    auto editor = foldingEditor(kCpp, u"C++"_s);
    QCOMPARE(blocks(*editor), (QByteArrayList{"0-7", "1-3", "4-5", "9-10"}));
  }

  void elseIndentationTells() {
    auto python = foldingEditor(
        "def f():\n  a()\n\n  if b:\n# no end\n    c()\n\n\ndef g():\n  d()\n", u"Python"_s);
    QCOMPARE(blocks(*python), (QByteArrayList{"0-5", "3-5", "8-9"}));
    auto plain = foldingEditor("one\n  two\n    three\n  four\nfive\n", {});
    QCOMPARE(blocks(*plain), (QByteArrayList{"0-3", "1-2"}));
  }

  // One half of an #if may lack what the other has.
  void regionsThatLackTheirEndHarmOnlyTheBlockAround() {
    auto editor = foldingEditor(
        "void f() {\n#if A\n  if (a) {\n#else\n  if (b) {\n#endif\n    g();\n  }\n}\n"
        "void h() {\n  k();\n}\n",
        u"C++"_s);
    QVERIFY(blocks(*editor).contains("9-10"));
  }

  void keysFoldAndUnfold() {
    auto editor = foldingEditor(kCpp, u"C++"_s);
    QSignalSpy changed(editor.get(), &CodeEditor::foldsChanged);
    const qint64 inside = editor->lineStart(2) + 6;
    editor->setSelection(inside, inside);
    QTest::keyClick(editor.get(), Qt::Key_BraceLeft, kFold);
    QCOMPARE(visible(*editor), (QVector<int>{0, 1, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13}));
    // The caret goes to what can be seen.
    QCOMPARE(editor->caret(), editor->lineEnd(1));
    QTest::keyClick(editor.get(), Qt::Key_BraceLeft, kFold);
    QCOMPARE(visible(*editor), (QVector<int>{0, 8, 9, 10, 11, 12, 13}));
    QCOMPARE(editor->folding()->folded(), (QVector<int>{0, 1}));
    QTest::keyClick(editor.get(), Qt::Key_BraceRight, kFold);
    QCOMPARE(visible(*editor), (QVector<int>{0, 1, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13}));
    QCOMPARE(changed.size(), 3);
    QTest::keyClick(editor.get(), Qt::Key_BracketRight, Qt::ControlModifier | Qt::AltModifier);
    QCOMPARE(visible(*editor).size(), editor->lineCount());
    QTest::keyClick(editor.get(), Qt::Key_BracketLeft, Qt::ControlModifier | Qt::AltModifier);
    QCOMPARE(editor->folding()->folded(), (QVector<int>{0, 1, 4, 9}));
    QCOMPARE(visible(*editor), (QVector<int>{0, 8, 9, 11, 12, 13}));
    QTest::keyClick(editor.get(), Qt::Key_2, Qt::AltModifier);
    QCOMPARE(editor->folding()->folded(), (QVector<int>{1, 4}));
    QTest::keyClick(editor.get(), Qt::Key_1, Qt::AltModifier);
    QCOMPARE(editor->folding()->folded(), (QVector<int>{0, 9}));
    QCOMPARE(editor->text(), kCpp);
    QVERIFY(!editor->isModified());
  }

  void aClickBesideTheLineFolds() {
    auto editor = foldingEditor(kCpp, u"C++"_s);
    clickFold(editor.get(), 1);
    QCOMPARE(editor->folding()->folded(), QVector<int>{1});
    clickFold(editor.get(), 1);
    QCOMPARE(editor->folding()->folded(), QVector<int>());
    clickFold(editor.get(), 2);
    QCOMPARE(editor->folding()->folded(), QVector<int>());
  }

  void eachCaretFoldsItsBlock() {
    auto editor = foldingEditor(kCpp, u"C++"_s);
    const qint64 a = editor->lineStart(2);
    const qint64 b = editor->lineStart(10);
    setSelections(editor.get(), {{a, a}, {b, b}}, 0);
    QTest::keyClick(editor.get(), Qt::Key_BraceLeft, kFold);
    QCOMPARE(editor->folding()->folded(), (QVector<int>{1, 9}));
  }

  void foldsFollowEdits() {
    auto editor = foldingEditor(kCpp, u"C++"_s);
    editor->folding()->toggle(1);
    editor->folding()->toggle(9);
    // Lines above, and a bracket that makes all below deeper.
    editor->setSelection(0, 0);
    QTest::keyClicks(editor.get(), u"namespace n {"_s);
    QTest::keyClick(editor.get(), Qt::Key_Return);
    editor->highlightAll();
    QCOMPARE(editor->folding()->folded(), (QVector<int>{2, 10}));
    QCOMPARE(visible(*editor), (QVector<int>{0, 1, 2, 5, 6, 7, 8, 9, 10, 12, 13, 14}));
    while (editor->isModified()) editor->undo();
    editor->highlightAll();
    QCOMPARE(editor->text(), kCpp);
    // A line break before a block that goes shows all of the block; others stay as they are.
    QCOMPARE(editor->folding()->folded(), QVector<int>{9});
    editor->folding()->toggle(1);
    // A block that is no more hides nothing.
    const qint64 brace = editor->text().indexOf("{\n    g");
    editor->replaceRange(brace, brace + 1, "");
    editor->highlightAll();
    QVERIFY(visible(*editor).contains(2));
    QVERIFY(visible(*editor).contains(3));
  }

  // However the text was edited, levels are as if it had been opened so.
  void levelsAfterEditsAreThoseOfTheText_data() {
    QTest::addColumn<QString>("language");
    QTest::newRow("regions") << u"C++"_s;
    QTest::newRow("indentation") << u"Python"_s;
    QTest::newRow("plain") << QString();
  }
  void levelsAfterEditsAreThoseOfTheText() {
    QFETCH(QString, language);
    auto editor = foldingEditor(kCpp, language);
    std::mt19937 random(5);
    const char* const pieces[] = {"{",  "}",  "\n",      "\n\n",     "  ",    "x",
                                  "/*", "*/", "#if A\n", "#endif\n", "# c\n", "a {\n  b\n}\n"};
    for (int i = 0; i < 300; ++i) {
      const auto length = static_cast<unsigned>(editor->length()) + 1;
      const qint64 at = random() % length;
      const qint64 to =
          std::min<qint64>(editor->length(), at + (random() % 3 == 0 ? random() % 30 : 0));
      editor->replaceRange(at, to, pieces[random() % std::size(pieces)]);
      if (random() % 2 == 0) editor->highlightTo(random() % (editor->length() + 1));
      if (random() % 4 != 0) continue;
      editor->highlightAll();
      auto fresh = foldingEditor(editor->text(), language);
      QCOMPARE(blocks(*editor), blocks(*fresh));
      if (editor->length() > 1500) replaceAll(editor.get(), kCpp);
    }
  }

  void whateverGoesIntoAFoldOpensIt() {
    auto editor = foldingEditor(kCpp, u"C++"_s);
    editor->folding()->foldAll();
    editor->goToLine(3);
    QVERIFY(visible(*editor).contains(3));
    QVERIFY(!visible(*editor).contains(5));
    editor->folding()->foldAll();
    FindReplace find(editor.get());
    QVERIFY(find.setQuery({.text = u"k()"_s}).has_value());
    QVERIFY(find.findNext());
    QVERIFY(visible(*editor).contains(5));
    QCOMPARE(editor->selectedText(), QByteArray("k()"));
    // An edit in what is hidden, too: an undo.
    editor->setSelection(editor->lineStart(2), editor->lineStart(2));
    QTest::keyClicks(editor.get(), u"z"_s);
    editor->folding()->foldAll();
    QVERIFY(!visible(*editor).contains(2));
    editor->undo();
    QVERIFY(visible(*editor).contains(2));
  }

  void arrowsStepOverWhatIsFolded() {
    auto editor = foldingEditor(kCpp, u"C++"_s);
    editor->folding()->toggle(0);
    editor->setSelection(0, 0);
    QTest::keyClick(editor.get(), Qt::Key_Down);
    QCOMPARE(editor->caretLine(), 8);
    QTest::keyClick(editor.get(), Qt::Key_Up);
    QCOMPARE(editor->caretLine(), 0);
    QCOMPARE(editor->folding()->folded(), QVector<int>{0});
  }

  void foldsAreKeptAndComeBack() {
    auto editor = foldingEditor(kCpp, u"C++"_s);
    editor->folding()->toggle(1);
    editor->folding()->toggle(0);
    const ViewState state = editor->viewState();
    QCOMPARE(state.folded, (QVector<int>{0, 1}));
    // They are folded once their ends are known.
    auto again = makeEditor(kCpp, u"C++"_s);
    again->setViewState(state);
    QCOMPARE(again->viewState().folded, (QVector<int>{0, 1}));
    QTRY_COMPARE(visible(*again), (QVector<int>{0, 8, 9, 10, 11, 12, 13}));
    again->folding()->toggle(0);
    QCOMPARE(visible(*again), (QVector<int>{0, 1, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13}));
    // Lines that begin nothing, or are not there, are no folds.
    again->setViewState({0, 0, 0, 0, {2, 12, 99, -1}});
    again->highlightAll();
    QCOMPARE(visible(*again).size(), again->lineCount());
  }

  void anotherThemeOrZoomLeavesFolds() {
    auto editor = foldingEditor(kCpp, u"C++"_s);
    editor->folding()->toggle(0);
    editor->setTheme(QLatin1String(kLightTheme));
    QTest::keyClick(editor.get(), Qt::Key_Plus, Qt::ControlModifier);
    editor->highlightAll();
    QCOMPARE(editor->folding()->folded(), QVector<int>{0});
    editor->setWordWrap(true);
    QCOMPARE(editor->folding()->folded(), QVector<int>{0});
  }

  void aScreenReaderIsTold() {
    auto editor = foldingEditor(kCpp, u"C++"_s);
    editor->folding()->toggle(1);
#if QT_VERSION < QT_VERSION_CHECK(6, 8, 0)
    QCOMPARE(editor->accessibleDescription(), u"Lines 3 to 4 are folded."_s);
    editor->folding()->toggle(1);
    QCOMPARE(editor->accessibleDescription(), u"Lines 3 to 4 are shown."_s);
#endif
  }

  void hugeTextsHaveNoFolds() {
    auto editor = makeEditor();
    editor->setText(kCpp, SafeMode::kHuge);
    editor->highlightAll();
    QCOMPARE(blocks(*editor), QByteArrayList());
    QCOMPARE(editor->sci(Sci::SCI_GETMARGINWIDTHN, kFoldMargin), 0);
    QVERIFY(!editor->perform("fold"));
    QVERIFY(!editor->perform("fold-all"));
  }

  // -- Ranges that are given

  void rangesTakeThePlaceOfRegions() {
    auto editor = foldingEditor(kCpp, u"C++"_s);
    editor->folding()->toggle(1);
    editor->folding()->toggle(9);
    give(editor.get(), {{1, 4}, {2, 3}, {11, 13}, {12, 99}});
    QCOMPARE(blocks(*editor), (QByteArrayList{"1-4", "2-3", "11-13"}));
    // What is a block still is folded still.
    QCOMPARE(editor->folding()->folded(), QVector<int>{1});
    QCOMPARE(visible(*editor), (QVector<int>{0, 1, 5, 6, 7, 8, 9, 10, 11, 12, 13}));
    give(editor.get(), {{1, 3}, {11, 13}});
    QCOMPARE(editor->folding()->folded(), QVector<int>{1});
    QCOMPARE(visible(*editor), (QVector<int>{0, 1, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13}));
    editor->folding()->setRanges(nullptr);
    editor->highlightAll();
    QCOMPARE(blocks(*editor), (QByteArrayList{"0-7", "1-3", "4-5", "9-10"}));
    QCOMPARE(editor->folding()->folded(), QVector<int>{1});
  }

  void rangesFollowEdits() {
    auto editor = foldingEditor("a {\n1\n2\n}\nb {\n3\n}\n", {});
    give(editor.get(), {{0, 2}, {4, 5}});
    const auto at = [&](qint64 offset) { editor->setSelection(offset, offset); };
    // A line end behind the first line's text leaves the block there, one before it does not.
    at(editor->lineEnd(4));
    QTest::keyClick(editor.get(), Qt::Key_Return);
    editor->highlightAll();
    QCOMPARE(blocks(*editor), (QByteArrayList{"0-2", "4-6"}));
    at(editor->lineStart(4));
    QTest::keyClick(editor.get(), Qt::Key_Return);
    editor->highlightAll();
    QCOMPARE(blocks(*editor), (QByteArrayList{"0-2", "5-7"}));
    at(0);
    editor->folding()->toggle(0);
    QTest::keyClick(editor.get(), Qt::Key_Return);
    editor->highlightAll();
    QCOMPARE(editor->folding()->folded(), QVector<int>{1});
    // A block that is joined into one line is none.
    editor->setSelection(editor->lineStart(6), editor->lineStart(9));
    QTest::keyClick(editor.get(), Qt::Key_Delete);
    editor->highlightAll();
    QCOMPARE(blocks(*editor), (QByteArrayList{"1-3"}));
    QCOMPARE(editor->folding()->folded(), QVector<int>{1});
  }

  void aGhostStandsBehindAFoldedBlock() {
    auto editor = foldingEditor(kCpp, u"C++"_s);
    editor->folding()->toggle(0);
    const qint64 end = editor->lineEnd(8);
    editor->setSelection(end, end);
    QVERIFY(editor->ghost()->show(end, "\nint y;\n"));
    QTest::keyClick(editor.get(), Qt::Key_Tab);
    QCOMPARE(editor->lineText(9), QByteArray("int y;"));
    QCOMPARE(editor->folding()->folded(), QVector<int>{0});
  }
};

QTEST_MAIN(TestFolding)
#include "test_folding.moc"
