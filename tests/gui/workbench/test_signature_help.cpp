// SPDX-License-Identifier: GPL-3.0-or-later
// What a call takes, shown while it is typed: by a scripted server, clangd and pylsp.
#include <QStandardPaths>

#include "editor/ghost/ghost_text.h"
#include "editor/widget/list_popup.h"
#include "gui/workbench/signature_box.h"
#include "tests/gui/workbench/language_window.h"
#include "tests/support/rest.h"

using namespace waferpair;
using namespace waferpair::gui;

class TestSignatureHelp : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init() { w_ = std::make_unique<LanguageWindow>(); }
  void cleanup() { w_.reset(); }

  void itIsShownWhileTheCallIsTyped() {
    w_->begin("\n\n\n\n\n");
    w_->editor()->setSelection(4, 4);
    WindowFixture::type("f(");
    QTRY_VERIFY_WITH_TIMEOUT(isShown(), kPatience);
    QVERIFY2(box()->text().contains("frobnicate(<b"), qPrintable(box()->text()));
    QVERIFY2(box()->text().contains(">int x</b>, int y)"), qPrintable(box()->text()));
    QVERIFY(box()->text().contains("Frobnicates."));
    QVERIFY(box()->geometry().bottom() <= caretY());
    WindowFixture::type("1,");
    QTRY_VERIFY_WITH_TIMEOUT(box()->text().contains(">int y</b>"), kPatience);
    QVERIFY(box()->text().contains("How often."));
    // Behind the call it closes by itself.
    WindowFixture::type("2);");
    QTRY_VERIFY_WITH_TIMEOUT(!isShown(), kPatience);
    QCOMPARE(w_->editor()->lineText(4), "f(1,2);");
    // What is typed elsewhere opens nothing.
    WindowFixture::type(" g");
    test::rest();
    QVERIFY(!isShown());
  }

  void theKeyAsksForItAndEscCloses() {
    w_->begin("\n\nf(1, 2)\n");
    w_->editor()->setSelection(7, 7);
    askByKey();
    QTRY_VERIFY_WITH_TIMEOUT(isShown(), kPatience);
    QVERIFY(box()->text().contains(">int y</b>"));
    // It follows the caret, which other keys move as ever.
    WindowFixture::key(Qt::Key_Left);
    WindowFixture::key(Qt::Key_Left);
    QTRY_VERIFY_WITH_TIMEOUT(box()->text().contains(">int x</b>"), kPatience);
    WindowFixture::key(Qt::Key_Escape);
    QVERIFY(!isShown());
    WindowFixture::key(Qt::Key_Home);
    askByKey();
    QTRY_VERIFY_WITH_TIMEOUT(w_->parts().notices->find("languageGuide"), kPatience);
    QCOMPARE(w_->parts().notices->find("languageGuide")->text(), "Nothing is called at the caret.");
  }

  void upAndDownChooseOneOfSeveral() {
    w_->begin("\n\n\n", "overloads");
    w_->editor()->setSelection(2, 2);
    WindowFixture::type("f(");
    QTRY_VERIFY_WITH_TIMEOUT(isShown(), kPatience);
    QVERIFY(box()->text().contains("1 of 2"));
    WindowFixture::key(Qt::Key_Down);
    QVERIFY2(box()->text().contains(">long z</b>"), qPrintable(box()->text()));
    QCOMPARE(w_->editor()->caretLine(), 2);
    // What the user chose stays while the call is typed on.
    WindowFixture::type("7");
    test::rest();
    QCOMPARE(box()->current(), 1);
    WindowFixture::key(Qt::Key_Down);
    QCOMPARE(box()->current(), 0);
    WindowFixture::key(Qt::Key_Up);
    QCOMPARE(box()->current(), 1);
    WindowFixture::key(Qt::Key_Escape);
    WindowFixture::key(Qt::Key_Up);
    QCOMPARE(w_->editor()->caretLine(), 1);
  }

  void theListAndGhostTextComeBeforeIt() {
    w_->begin("frobbed\n\n\n\n");
    w_->editor()->setSelection(10, 10);
    WindowFixture::type("f(fro");
    QTRY_VERIFY_WITH_TIMEOUT(isShown(), kPatience);
    WindowFixture::key(Qt::Key_Space, Qt::ControlModifier);
    QTRY_VERIFY_WITH_TIMEOUT(w_->editor()->list()->isOpen(), kPatience);
    QTRY_VERIFY(!isShown());
    WindowFixture::key(Qt::Key_Escape);
    QTRY_VERIFY_WITH_TIMEOUT(isShown(), kPatience);
    // The ghost's place is the line and what is below.
    const qint64 caret = w_->editor()->caret();
    QVERIFY(w_->editor()->ghost()->show(caret, "bed,\n  more);\n"));
    QTRY_VERIFY(isShown());
    QVERIFY(box()->geometry().bottom() <= caretY());
    WindowFixture::key(Qt::Key_Escape);
    QVERIFY(!isShown());
    QVERIFY(w_->editor()->ghost()->isShown());
  }

  // In the first line there is no room above: it stands below the rows of the ghost.
  void inTheFirstLineItStandsBelow() {
    w_->begin("\n\n\n\n\n\n");
    WindowFixture::type("f(");
    QTRY_VERIFY_WITH_TIMEOUT(isShown(), kPatience);
    QVERIFY(box()->geometry().top() >= caretY());
    const int before = box()->geometry().top();
    QVERIFY(w_->editor()->ghost()->show(w_->editor()->caret(), "a,\nb,\nc)"));
    QTRY_VERIFY(box()->geometry().top() > before);
  }

  // What is late is not shown, and no key waits.
  void aSlowServerIsNotWaitedFor() {
    w_->begin("\n\n\n", "slow");
    w_->editor()->setSelection(2, 2);
    WindowFixture::type("f(1);");
    QCOMPARE(w_->editor()->lineText(2), "f(1);");
    test::rest();
    QVERIFY(!isShown());
  }

  void wrongAnswersDoNoHarm() {
    w_->begin("\n\n\n", "wrong");
    w_->editor()->setSelection(2, 2);
    WindowFixture::type("f(");
    QTRY_VERIFY_WITH_TIMEOUT(isShown(), kPatience);
    QVERIFY2(box()->text().contains("f(x)"), qPrintable(box()->text()));
  }

  void realServersTellIt_data() {
    QTest::addColumn<QString>("program");
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("parameter");
    QTest::newRow("clangd") << "clangd"
                            << "a.cpp"
                            << QByteArray("int area(int width, int height);\n\n\nint a = ")
                            << "int height";
    QTest::newRow("pylsp") << "pylsp"
                           << "a.py" << QByteArray("def area(width, height):\n    return 1\n\na = ")
                           << "height";
  }
  void realServersTellIt() {
    QFETCH(QString, program);
    QFETCH(QString, name);
    QFETCH(QByteArray, text);
    QFETCH(QString, parameter);
    if (QStandardPaths::findExecutable(program).isEmpty()) QSKIP("It is not installed.");
    w_->useInstalledLanguageServers();
    w_->openProjectWith(name, text);
    w_->agree();
    w_->editor()->setSelection(text.size(), text.size());
    WindowFixture::type("area(1, ");
    QTRY_VERIFY_WITH_TIMEOUT(isShown() && box()->text().contains('>' + parameter + "</b>"),
                             kPatience);
    const QString picture = qEnvironmentVariable("WAFERPAIR_PICTURES");
    if (!picture.isEmpty()) w_->window().grab().save(picture + "/signature-" + program + ".png");
  }

 private:
  SignatureBox* box() { return w_->editor()->findChild<SignatureBox*>(); }
  bool isShown() { return box() && box()->isVisible(); }
  int caretY() {
    return static_cast<int>(w_->editor()->sci(QsciScintillaBase::SCI_POINTYFROMPOSITION, 0,
                                              static_cast<long>(w_->editor()->caret())));
  }
  static void askByKey() {
    WindowFixture::key(Qt::Key_Space, Qt::ControlModifier | Qt::ShiftModifier);
  }

  std::unique_ptr<LanguageWindow> w_;
};

QTEST_MAIN(TestSignatureHelp)
#include "test_signature_help.moc"
