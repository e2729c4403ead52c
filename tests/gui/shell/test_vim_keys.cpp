// SPDX-License-Identifier: GPL-3.0-or-later
// Vim keys in the window, by real keys.
#include <QClipboard>
#include <QGuiApplication>
#include <QToolButton>
#include <QtTest>

#include "editor/ghost/ghost_text.h"
#include "editor/widget/modal_editor.h"
#include "gui/kit/command_registry.h"
#include "gui/store/settings.h"
#include "tests/gui/shell/window_fixture.h"

using namespace Qt::StringLiterals;
using namespace waferpair;
using namespace waferpair::gui;
using editor::ModalMode;

class TestVimKeys : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void init() { w_ = std::make_unique<WindowFixture>(); }
  void cleanup() { w_.reset(); }

  void theModeIsInTheStatusBar() {
    begin("one two\nthree\n");
    const auto* status = w_->find<QToolButton>("statusVimKeys");
    QVERIFY(status->isVisible());
    QCOMPARE(status->text(), u"NORMAL"_s);
    WindowFixture::type("2d");
    QCOMPARE(status->text(), u"NORMAL 2d"_s);
    WindowFixture::key(Qt::Key_Escape);
    WindowFixture::type("i");
    QCOMPARE(status->text(), u"INSERT"_s);
    WindowFixture::key(Qt::Key_Escape);
    WindowFixture::type("V");
    QCOMPARE(status->text(), u"VISUAL LINE"_s);
    WindowFixture::key(Qt::Key_Escape);
    WindowFixture::type(":nonsense");
    QCOMPARE(status->text(), u":nonsense"_s);
    WindowFixture::key(Qt::Key_Return);
    QVERIFY2(status->text().contains(u"nonsense"_s), qPrintable(status->text()));
    WindowFixture::trigger(w_->window(), "edit.vimKeys");
    QVERIFY(!status->isVisible());
    QVERIFY(!w_->editor()->modal());
    WindowFixture::type("x");
    QCOMPARE(w_->editor()->text(), QByteArray("xone two\nthree\n"));
  }

  void commandsEditTheText() {
    begin("one two\nthree\nfour");
    WindowFixture::type("dwjdd");
    QCOMPARE(w_->editor()->text(), QByteArray("two\nfour"));
    WindowFixture::type("ddp");
    QCOMPARE(w_->editor()->text(), QByteArray("two\nfour"));
    WindowFixture::type("kddGp");
    QCOMPARE(w_->editor()->text(), QByteArray("four\ntwo"));
    WindowFixture::type("uuu");
    QCOMPARE(w_->editor()->text(), QByteArray("two"));
  }

  void theTextsOwnLineEndsAreKept() {
    begin("a\r\nb\r\n");
    WindowFixture::type("yypox");
    WindowFixture::key(Qt::Key_Escape);
    QCOMPARE(w_->editor()->text(), QByteArray("a\r\na\r\nx\r\nb\r\n"));
    WindowFixture::type("GddGdd");
    QCOMPARE(w_->editor()->text(), QByteArray("a\r\na\r\n"));
    WindowFixture::type("ggdddd");
    QCOMPARE(w_->editor()->text(), QByteArray());
  }

  void anInsertionIsOneUndoStep() {
    begin("\n");
    WindowFixture::type("ione");
    WindowFixture::key(Qt::Key_Return);
    WindowFixture::type("(two");
    WindowFixture::key(Qt::Key_Escape);
    QCOMPARE(w_->editor()->text(), QByteArray("one\n(two)\n"));
    WindowFixture::type("u");
    QCOMPARE(w_->editor()->text(), QByteArray("\n"));
    WindowFixture::key(Qt::Key_R, Qt::ControlModifier);
    QCOMPARE(w_->editor()->text(), QByteArray("one\n(two)\n"));
    // Undo in the middle of an insertion takes what was inserted so far.
    WindowFixture::type("Aend");
    WindowFixture::key(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(w_->editor()->text(), QByteArray("one\n(two)\n"));
    WindowFixture::type("x");
    WindowFixture::key(Qt::Key_Escape);
    QCOMPARE(w_->editor()->modal()->mode(), ModalMode::kNormal);
  }

  void dotAndMacrosTypeInTheEditor() {
    begin("a\nb\nc\n");
    WindowFixture::type("Ax;");
    WindowFixture::key(Qt::Key_Escape);
    WindowFixture::type("j.");
    QCOMPARE(w_->editor()->text(), QByteArray("ax;\nbx;\nc\n"));
    WindowFixture::type("ggqqIy");
    WindowFixture::key(Qt::Key_Escape);
    WindowFixture::type("jq2@q");
    QCOMPARE(w_->editor()->text(), QByteArray("yax;\nybx;\nyc\n"));
  }

  void suggestionsAreForInsertMode() {
    begin("al\n");
    QVERIFY(!w_->editor()->ghost()->isShown());
    WindowFixture::type("A");
    w_->editor()->ghost()->show(2, "pha");
    QVERIFY(w_->editor()->ghost()->isShown());
    WindowFixture::key(Qt::Key_Tab);
    QCOMPARE(w_->editor()->text(), QByteArray("alpha\n"));
    w_->editor()->ghost()->show(5, "bet");
    // One Esc dismisses it and leaves insert mode.
    WindowFixture::key(Qt::Key_Escape);
    QVERIFY(!w_->editor()->ghost()->isShown());
    QCOMPARE(w_->editor()->modal()->mode(), ModalMode::kNormal);
    QCOMPARE(w_->editor()->text(), QByteArray("alpha\n"));
    // What was accepted is part of what "." does again.
    WindowFixture::type("0D.");
    QCOMPARE(w_->editor()->text(), QByteArray("\n"));
  }

  void keysOfTheWindowStayItsOwn() {
    begin("one two one\n");
    WindowFixture::type("x");
    WindowFixture::key(Qt::Key_S, Qt::ControlModifier);
    QCOMPARE(w_->read("a.cpp"), QByteArray("ne two one\n"));
    // Ctrl+D would add a caret without Vim keys.
    WindowFixture::key(Qt::Key_D, Qt::ControlModifier);
    QVERIFY(w_->editor()->hasOneCaret());
    QVERIFY(!w_->editor()->hasSelection());
  }

  void visualModeSelects() {
    begin("one two\nthree\n");
    WindowFixture::type("ve");
    QCOMPARE(w_->editor()->selectedText(), QByteArray("one"));
    WindowFixture::type("\"+y");
    QCOMPARE(QGuiApplication::clipboard()->text(), u"one"_s);
    WindowFixture::type("Vj");
    QCOMPARE(w_->editor()->selectedText(), QByteArray("one two\nthree\n"));
    WindowFixture::key(Qt::Key_Escape);
    WindowFixture::key(Qt::Key_V, Qt::ControlModifier);
    WindowFixture::type("kcx");
    WindowFixture::key(Qt::Key_Escape);
    QCOMPARE(w_->editor()->text(), QByteArray("xne two\nxhree\n"));
    // A selection by other means is visual mode, too.
    w_->editor()->setSelection(0, 3);
    QCOMPARE(w_->editor()->modal()->mode(), ModalMode::kVisual);
    WindowFixture::type("d");
    QCOMPARE(w_->editor()->text(), QByteArray(" two\nxhree\n"));
  }

  void exCommandsReachTheWindow() {
    w_->write("b.cpp", "other\n");
    begin("abc\n");
    WindowFixture::type("x:w");
    WindowFixture::key(Qt::Key_Return);
    QTRY_COMPARE(w_->read("a.cpp"), QByteArray("bc\n"));
    WindowFixture::type(":e b.cpp");
    WindowFixture::key(Qt::Key_Return);
    QTRY_COMPARE(w_->document()->path(), w_->path("b.cpp"));
    QVERIFY(w_->editor()->modal());
    WindowFixture::type(":%s/o/0/g");
    WindowFixture::key(Qt::Key_Return);
    QCOMPARE(w_->editor()->text(), QByteArray("0ther\n"));
    WindowFixture::type("ZZ");
    QTRY_COMPARE(w_->document()->path(), w_->path("a.cpp"));
    QCOMPARE(w_->read("b.cpp"), QByteArray("0ther\n"));
    WindowFixture::type("x:q!");
    WindowFixture::key(Qt::Key_Return);
    QTRY_VERIFY(!w_->document());
    QCOMPARE(w_->read("a.cpp"), QByteArray("bc\n"));
  }

 private:
  void begin(const QByteArray& text) {
    w_->openProjectWith("a.cpp", text);
    WindowFixture::trigger(w_->window(), "edit.vimKeys");
    QVERIFY(w_->editor()->modal());
    w_->document()->setFocus();
  }

  std::unique_ptr<WindowFixture> w_;
};

QTEST_MAIN(TestVimKeys)
#include "test_vim_keys.moc"
