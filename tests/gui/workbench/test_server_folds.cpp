// SPDX-License-Identifier: GPL-3.0-or-later
// Blocks that language servers tell of are folded by keys: those of a scripted server, and
// clangd's.
#include <QStandardPaths>

#include "editor/view/fold_levels.h"
#include "editor/view/folding.h"
#include "editor/view/highlighter.h"
#include "tests/gui/workbench/language_window.h"

using namespace waferpair;
using namespace waferpair::gui;
using editor::FoldLevels;

class TestServerFolds : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init() { w_ = std::make_unique<LanguageWindow>(); }
  void cleanup() { w_.reset(); }

  void theServersBlocksAreFoldedAndStaySo() {
    w_->begin("int f() {\n  1;\n}\n// <\n// a\n// b\n// >\n", "folds");
    QTRY_COMPARE_WITH_TIMEOUT(blocks(), QByteArrayList({"3-5"}), kPatience);
    caretTo(3);
    WindowFixture::key(Qt::Key_BraceLeft, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(w_->editor()->folding()->folded(), QVector<int>({3}));
    // Lines above, and a block more: the answer comes anew, what is folded stays so.
    caretTo(0);
    WindowFixture::type("// <\n\n// >\n");
    QCOMPARE(w_->editor()->folding()->folded(), QVector<int>({6}));
    QTRY_COMPARE_WITH_TIMEOUT(blocks(), QByteArrayList({"0-1", "6-8"}), kPatience);
    QCOMPARE(w_->editor()->folding()->folded(), QVector<int>({6}));
    // Without its server the text folds by its language, and what the server knew waits for it.
    WindowFixture::trigger(w_->window(), "language.enabled");
    QTRY_COMPARE(blocks(), QByteArrayList({"3-4"}));
    QVERIFY(isShown(7));
    WindowFixture::trigger(w_->window(), "language.enabled");
    QTRY_COMPARE_WITH_TIMEOUT(blocks(), QByteArrayList({"0-1", "6-8"}), kPatience);
    QTRY_VERIFY(!isShown(7));
  }

  void whatOnlyTheServerKnowsIsFoldedAgainAtAStart() {
    w_->begin("int f() {\n  1;\n}\n// <\n// a\n// b\n// >\n", "folds");
    QTRY_COMPARE_WITH_TIMEOUT(blocks(), QByteArrayList({"3-5"}), kPatience);
    caretTo(3);
    WindowFixture::key(Qt::Key_BraceLeft, Qt::ControlModifier | Qt::ShiftModifier);
    // Twice: the second time it was closed before the server could tell.
    for (int start = 0; start < 2; ++start) {
      QVERIFY(w_->close());
      w_->openProject();
      w_->openFile("a.cpp");
    }
    QTRY_COMPARE_WITH_TIMEOUT(blocks(), QByteArrayList({"3-5"}), kPatience);
    QTRY_VERIFY(!isShown(4));
    QCOMPARE(w_->editor()->folding()->folded(), QVector<int>({3}));
  }

  void whatTheLanguageFoldedStaysFolded() {
    w_->begin("int f() {  // <\n  1;\n  2;\n}  // >\n", "folds,slow");
    caretTo(0);
    WindowFixture::key(Qt::Key_BraceLeft, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(w_->editor()->folding()->folded(), QVector<int>({0}));
    QTRY_COMPARE_WITH_TIMEOUT(source(), FoldLevels::Source::kGiven, kPatience);
    QTRY_COMPARE(blocks(), QByteArrayList({"0-2"}));
    QCOMPARE(w_->editor()->folding()->folded(), QVector<int>({0}));
  }

  void aWrongServerBreaksNothing() {
    w_->begin("0\n1\n2\n3\n4\n5\n", "wrongfolds");
    QTRY_COMPARE_WITH_TIMEOUT(blocks(), QByteArrayList({"1-3", "4-6"}), kPatience);
    caretTo(4);
    WindowFixture::key(Qt::Key_BraceLeft, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(w_->editor()->folding()->folded(), QVector<int>({4}));
    caretTo(0);
    WindowFixture::type("x");
    QCOMPARE(w_->editor()->lineText(0), "x0");
  }

  // The server takes 400 ms for each answer; ten keys are pressed meanwhile, and blocks follow
  // them.
  void theBlocksOfASlowServerFollowTheKeys() {
    w_->begin("// <\n// a\n// >\n", "folds,slow");
    QTRY_COMPARE_WITH_TIMEOUT(source(), FoldLevels::Source::kGiven, kPatience);
    caretTo(0);
    for (int i = 0; i < 10; ++i) WindowFixture::key(Qt::Key_Return);
    QTRY_COMPARE(blocks(), QByteArrayList({"10-11"}));
  }

  void clangdsBlocksAreFolded() {
    if (QStandardPaths::findExecutable("clangd").isEmpty()) QSKIP("clangd is not installed");
    w_->useInstalledLanguageServers();
    w_->openProjectWith("a.cpp",
                        "int f(int a) {\n  if (a) {\n    return 1;\n  }\n  return 2;\n}\n");
    w_->agree();
    if (!w_->service()->clientOf(w_->document()->id())->offers("foldingRangeProvider"))
      QSKIP("This clangd does not offer it.");
    QTRY_COMPARE_WITH_TIMEOUT(source(), FoldLevels::Source::kGiven, kPatience);
    QTRY_COMPARE(blocks(), QByteArrayList({"0-4", "1-2"}));
  }

 private:
  void caretTo(int line) {
    const qint64 at = w_->editor()->lineStart(line);
    w_->editor()->setSelection(at, at);
    w_->editor()->setFocus();
  }
  bool isShown(int line) {
    return w_->editor()->sci(QsciScintillaBase::SCI_GETLINEVISIBLE,
                             static_cast<unsigned long>(line)) != 0;
  }
  FoldLevels::Source source() { return w_->editor()->highlighter()->folds().source(); }
  // "0-3": what line 0 hides when it is folded.
  QByteArrayList blocks() {
    const editor::CodeEditor* editor = w_->editor();
    QByteArrayList found;
    for (int line = 0; line < editor->lineCount(); ++line) {
      if (!editor->folding()->begins(line)) continue;
      const long last =
          editor->sci(QsciScintillaBase::SCI_GETLASTCHILD, static_cast<unsigned long>(line), -1);
      found += QByteArray::number(line) + '-' + QByteArray::number(qint64{last});
    }
    return found;
  }

  std::unique_ptr<LanguageWindow> w_;
};

QTEST_MAIN(TestServerFolds)
#include "test_server_folds.moc"
