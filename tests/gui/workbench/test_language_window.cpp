// SPDX-License-Identifier: GPL-3.0-or-later
// Language servers in the window, driven by keys and mouse: a scripted one, and those installed.
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QStandardPaths>
#include <QTextEdit>
#include <QToolButton>
#include <QTreeView>

#include "editor/widget/list_popup.h"
#include "gui/kit/picker.h"
#include "gui/workbench/diagnostic_marks.h"
#include "gui/workbench/language_tools.h"
#include "tests/gui/workbench/language_window.h"
#include "tests/support/rest.h"

using namespace waferpair;
using namespace waferpair::gui;

class TestLanguageWindow : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init() { w_ = std::make_unique<LanguageWindow>(); }
  void cleanup() { w_.reset(); }

  // Nothing is started before the user says so; what was said is remembered for the folder.
  void theCommandIsShownAndAgreedToOnce() {
    w_->useScriptedLanguageServer({});
    w_->openProjectWith("a.cpp", "BAD\n");
    const Banner* banner = nullptr;
    QTRY_VERIFY((banner = w_->parts().notices->find("languageOffer")));
    QVERIFY2(banner->text().contains("/python3 "), qPrintable(banner->text()));
    QVERIFY(banner->text().contains("/tests/workbench/language/scripted_server.py"));
    QVERIFY(!w_->service()->clientOf(w_->document()->id()));
    w_->agree();
    QTRY_COMPARE_WITH_TIMEOUT(w_->foundCount(), 1, kPatience);
    QVERIFY(!w_->parts().notices->find("languageOffer"));
    QVERIFY(w_->close());
    w_->openProject();
    w_->openFile("a.cpp");
    QTRY_COMPARE_WITH_TIMEOUT(w_->foundCount(), 1, kPatience);
    QVERIFY(!w_->parts().notices->find("languageOffer"));
  }

  void noMeansNo() {
    w_->useScriptedLanguageServer({});
    w_->openProjectWith("a.cpp", "BAD\n");
    QTRY_VERIFY(w_->parts().notices->find("languageOffer"));
    QVERIFY(WindowFixture::click("declineLanguageServer"));
    QTRY_VERIFY(!w_->parts().notices->find("languageOffer"));
    QVERIFY(w_->close());
    w_->openProject();
    w_->openFile("a.cpp");
    test::rest();
    QVERIFY(!w_->parts().notices->find("languageOffer"));
    QVERIFY(!w_->service()->clientOf(w_->document()->id()));
    // The list starts it after all.
    WindowFixture::trigger(w_->window(), "language.servers");
    WindowFixture::key(Qt::Key_Return);
    QTRY_VERIFY(w_->parts().notices->find("startConsent"));
    QVERIFY(WindowFixture::click("startAgreed"));
    QTRY_COMPARE_WITH_TIMEOUT(w_->foundCount(), 1, kPatience);
  }

  void whatIsWrongIsDrawnAndSaid() {
    w_->begin("one\ntwo BAD\nODD\nHMM\n");
    QTRY_COMPARE_WITH_TIMEOUT(w_->foundCount(), 3, kPatience);
    // Errors, warnings and hints have lines of three shapes.
    QTRY_COMPARE(w_->drawnAt(9), QList<int>({18}));
    QCOMPARE(w_->drawnAt(12), QList<int>({17}));
    QCOMPARE(w_->drawnAt(16), QList<int>({16}));
    QCOMPARE(w_->drawnAt(4), QList<int>());
    QSet<long> shapes;
    for (const unsigned long indicator : {16, 17, 18})
      shapes.insert(w_->editor()->sci(QsciScintillaBase::SCI_INDICGETSTYLE, indicator));
    QCOMPARE(shapes.size(), 3);
    QTRY_COMPARE(w_->status("problemCounts"), "1 error, 1 warning");
    QCOMPARE(w_->status("diagnosticMessage"), "");
    WindowFixture::key(Qt::Key_Down);
    WindowFixture::key(Qt::Key_End);
    QTRY_COMPARE(w_->status("diagnosticMessage"), "Error: BAD is not good (scripted 1)");
    // It is mended by typing.
    for (int i = 0; i < 3; ++i) WindowFixture::key(Qt::Key_Backspace);
    WindowFixture::type("good");
    QTRY_COMPARE_WITH_TIMEOUT(w_->foundCount(), 2, kPatience);
    QTRY_COMPARE(w_->drawnAt(9), QList<int>());
    QTRY_COMPARE(w_->status("problemCounts"), "1 warning");
    QTRY_COMPARE(w_->status("diagnosticMessage"), "");
  }

  void theyAreToldByFileTheOneInFrontFirst() {
    w_->write("b.cpp", "\nBAD\n");
    w_->begin("one\nODD\n");
    w_->openFile("b.cpp");
    QTRY_COMPARE_WITH_TIMEOUT(w_->foundCount(), 1, kPatience);
    const auto reported = w_->window().findChild<DiagnosticMarks*>()->reported();
    QStringList told;
    for (const pairing::ReportedProblem& one : reported)
      told.append(QFileInfo(one.path).fileName() + QStringLiteral(":%1 ").arg(one.line) + one.text);
    QCOMPARE(told, (QStringList{"b.cpp:2 error: BAD is not good (scripted 1)",
                                "a.cpp:2 warning: ODD is not good (scripted 2)"}));
    QVERIFY(reported[0].path.startsWith(u'/'));
  }

  void keysGoFromOneToTheNext() {
    w_->write("b.cpp", "\nBAD\n");
    w_->begin("BAD\nx\nODD\n");
    w_->openFile("b.cpp");
    QTRY_COMPARE_WITH_TIMEOUT(w_->foundCount(), 1, kPatience);
    w_->openFile("a.cpp");
    const auto place = [&] {
      return w_->document()->title() + ':' + QString::number(w_->editor()->caretLine() + 1);
    };
    QStringList places;
    for (int i = 0; i < 3; ++i) {
      WindowFixture::key(Qt::Key_F8, Qt::AltModifier);
      places.append(place());
    }
    QCOMPARE(places, QStringList({"a.cpp:3", "b.cpp:2", "a.cpp:1"}));
    WindowFixture::key(Qt::Key_F8, Qt::AltModifier | Qt::ShiftModifier);
    QCOMPARE(place(), "b.cpp:2");
  }

  void theListIsGoneThroughByKeys() {
    w_->write("sub/b.cpp", "\n\nBAD\n");
    w_->begin("ODD\nBAD\n");
    w_->openFile("sub/b.cpp");
    QTRY_COMPARE_WITH_TIMEOUT(w_->foundCount(), 1, kPatience);
    WindowFixture::key(Qt::Key_M, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(w_->parts().problemsDock->isVisible());
    QTRY_COMPARE(w_->rows(), QStringList({"a.cpp  (2)", "1: ODD is not good (scripted 2)",
                                          "2: BAD is not good (scripted 1)", "sub/b.cpp  (1)",
                                          "3: BAD is not good (scripted 1)"}));
    WindowFixture::key(Qt::Key_Down);
    WindowFixture::key(Qt::Key_Down);
    WindowFixture::key(Qt::Key_Return);
    QCOMPARE(w_->document()->title(), "a.cpp");
    QCOMPARE(w_->editor()->caretLine(), 1);
    QVERIFY(w_->editor()->hasFocus());
    // The field leaves out what has not its letters.
    w_->find<QWidget>("problemsFilter")->setFocus();
    WindowFixture::type("warn");
    QTRY_COMPARE(w_->rows(), QStringList({"a.cpp  (1)", "1: ODD is not good (scripted 2)"}));
    QCOMPARE(w_->status("problemsNote"), "1 of 3 shown");
    WindowFixture::key(Qt::Key_Return);
    WindowFixture::key(Qt::Key_Return);
    QCOMPARE(w_->editor()->caretLine(), 0);
    // What is mended leaves the list.
    WindowFixture::key(Qt::Key_Delete);
    QTRY_COMPARE_WITH_TIMEOUT(w_->rows(), QStringList(), kPatience);
    QCOMPARE(w_->status("problemsNote"), "0 of 2 shown");
  }

  void aServerThatIsDeadIsSaidToBe() {
    w_->useScriptedLanguageServer("dies");
    w_->openProjectWith("a.cpp", "BAD\n");
    QTRY_VERIFY_WITH_TIMEOUT(w_->parts().notices->find("languageOffer"), kPatience);
    QVERIFY(WindowFixture::click("startLanguageServer"));
    QTRY_COMPARE_WITH_TIMEOUT(w_->status("problemCounts"), "scripted died", kPatience);
    // Keys arrive all the same.
    WindowFixture::type("int a;");
    QCOMPARE(w_->editor()->lineText(0), "int a;BAD");
    const Banner* banner = nullptr;
    QTRY_VERIFY_WITH_TIMEOUT((banner = w_->parts().notices->find("languageDead")), 40'000);
    QVERIFY2(banner->text().contains("It wrote: no such thing"), qPrintable(banner->text()));
  }

  void switchedOffNoneRuns() {
    w_->begin("BAD\n");
    QTRY_COMPARE_WITH_TIMEOUT(w_->foundCount(), 1, kPatience);
    WindowFixture::trigger(w_->window(), "language.enabled");
    QTRY_COMPARE(w_->foundCount(), 0);
    QVERIFY(!w_->service()->clientOf(w_->document()->id()));
    QTRY_COMPARE(w_->drawnAt(1), QList<int>());
    WindowFixture::trigger(w_->window(), "language.enabled");
    QTRY_COMPARE_WITH_TIMEOUT(w_->foundCount(), 1, kPatience);
  }

  // -- Completions

  void theServersItemsJoinTheList() {
    w_->begin("int frobbed;\nfro\n");
    caretTo(1, 3);
    WindowFixture::key(Qt::Key_Space, Qt::ControlModifier);
    // The server's come first, in its order; words that it does not know come behind.
    QTRY_COMPARE_WITH_TIMEOUT(
        list(), QStringList({"frobCount", "frobnicate(int x)", "fromElsewhere", "frobbed"}),
        kPatience);
    // What there is to say about the one that is selected stands beside it.
    WindowFixture::key(Qt::Key_Down);
    const auto* about = w_->editor()->findChild<QTextEdit*>("completionAbout");
    QTRY_VERIFY_WITH_TIMEOUT(about->isVisible(), kPatience);
    QVERIFY2(about->toPlainText().contains("About frobnicate(int x)."),
             qPrintable(about->toPlainText()));
    WindowFixture::key(Qt::Key_Return);
    QCOMPARE(w_->editor()->lineText(1), "frobnicate");
    QVERIFY(!w_->editor()->list()->isOpen() && !about->isVisible());
    WindowFixture::key(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(w_->editor()->lineText(1), "fro");
  }

  void snippetsAreFilledIn() {
    w_->begin("int a;\nfrob\n", "snippets");
    caretTo(1, 4);
    WindowFixture::key(Qt::Key_Space, Qt::ControlModifier);
    QTRY_COMPARE_WITH_TIMEOUT(list().value(0), "frobPair(int a, int b)", kPatience);
    WindowFixture::key(Qt::Key_Return);
    QCOMPARE(w_->editor()->text(), "import pairs\nint a;\nfrobPair(int a, int b)\n");
    QCOMPARE(w_->editor()->selectedText(), "int a");
    WindowFixture::type("1");
    WindowFixture::key(Qt::Key_Tab);
    WindowFixture::type("2");
    WindowFixture::key(Qt::Key_Tab);
    QCOMPARE(w_->editor()->lineText(2), "frobPair(1, 2)");
    QCOMPARE(w_->editor()->caretColumn(), 14);
  }

  // An import comes with its name, as one undo step; the caret stays with the name.
  void anImportComesWithItsName() {
    w_->begin("int a;\nfrom\n");
    caretTo(1, 4);
    WindowFixture::key(Qt::Key_Space, Qt::ControlModifier);
    QTRY_COMPARE_WITH_TIMEOUT(list().value(0), "fromElsewhere", kPatience);
    // What is typed meanwhile is no harm.
    WindowFixture::type("E");
    WindowFixture::key(Qt::Key_Return);
    QCOMPARE(w_->editor()->text(), "import elsewhere\nint a;\nfromElsewhere\n");
    QCOMPARE(w_->editor()->caretLine(), 2);
    QCOMPARE(w_->editor()->caretColumn(), 13);
    WindowFixture::key(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(w_->editor()->text(), "int a;\nfromE\n");
  }

  // Where the server has to be asked for it, the import comes when it is there.
  void anImportMayComeLater() {
    w_->begin("int a;\nfrom\n", "resolves");
    caretTo(1, 4);
    WindowFixture::key(Qt::Key_Space, Qt::ControlModifier);
    QTRY_COMPARE_WITH_TIMEOUT(list().value(0), "fromElsewhere", kPatience);
    WindowFixture::key(Qt::Key_Return);
    QTRY_COMPARE_WITH_TIMEOUT(w_->editor()->text(), "import elsewhere\nint a;\nfromElsewhere\n",
                              kPatience);
  }

  void anItemMayTakeTheDot() {
    w_->begin("int a;\nvalue.fro\n", "arrows");
    caretTo(1, 9);
    WindowFixture::key(Qt::Key_Space, Qt::ControlModifier);
    QTRY_COMPARE_WITH_TIMEOUT(list().value(0), "frobArrow", kPatience);
    WindowFixture::type("b");
    WindowFixture::key(Qt::Key_Return);
    QCOMPARE(w_->editor()->text(), "int a;\nvalue->frobArrow\n");
    QCOMPARE(w_->editor()->caretColumn(), 16);
    WindowFixture::key(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(w_->editor()->text(), "int a;\nvalue.frob\n");
  }

  void clangdMakesAnArrowOfADot() {
    if (QStandardPaths::findExecutable("clangd").isEmpty()) QSKIP("clangd is not installed");
    w_->useInstalledLanguageServers();
    w_->openProjectWith("a.cpp", "struct S { int width; };\nint f(S *p) {\n  return p;\n}\n");
    w_->agree();
    // Before that it lists the words of the file.
    QTRY_COMPARE_WITH_TIMEOUT(w_->foundCount(), 1, kPatience);
    caretTo(2, 10);
    WindowFixture::type(".");
    QTRY_VERIFY_WITH_TIMEOUT(list().contains("width"), kPatience);
    WindowFixture::type("wid");
    QTRY_COMPARE_WITH_TIMEOUT(list(), QStringList{"width"}, kPatience);
    WindowFixture::key(Qt::Key_Return);
    QCOMPARE(w_->editor()->lineText(2), "  return p->width;");
  }

  void anImportHasTheTextsLineEnds_data() {
    QTest::addColumn<QString>("how");
    QTest::newRow("at once") << "";
    QTest::newRow("later") << "resolves";
  }
  void anImportHasTheTextsLineEnds() {
    QFETCH(QString, how);
    w_->begin("int a;\r\nfrom\r\n", how);
    caretTo(1, 4);
    WindowFixture::key(Qt::Key_Space, Qt::ControlModifier);
    QTRY_COMPARE_WITH_TIMEOUT(list().value(0), "fromElsewhere", kPatience);
    WindowFixture::key(Qt::Key_Return);
    QTRY_COMPARE_WITH_TIMEOUT(w_->document()->text().toByteArray(),
                              "import elsewhere\r\nint a;\r\nfromElsewhere\r\n", kPatience);
  }

  void membersAreListedBehindADot() {
    w_->begin("int other;\nvalue\n");
    caretTo(1, 5);
    WindowFixture::type(".");
    QTRY_COMPARE_WITH_TIMEOUT(
        list(), QStringList({"frobCount", "frobnicate(int x)", "fromElsewhere", "über"}),
        kPatience);
    WindowFixture::type("froC");
    QTRY_COMPARE_WITH_TIMEOUT(list(), QStringList({"frobCount"}), kPatience);
    WindowFixture::key(Qt::Key_Tab);
    QCOMPARE(w_->editor()->lineText(1), "value.frobCount");
    // Elsewhere it does not open by itself.
    WindowFixture::type(" ;");
    test::rest();
    QVERIFY(!w_->editor()->list()->isOpen());
    WindowFixture::trigger(w_->window(), "edit.membersWhileTyping");
    WindowFixture::type(" a.");
    test::rest();
    QVERIFY(!w_->editor()->list()->isOpen());
  }

  // A server that takes its time does not hold up the words, nor any key.
  void aSlowServerComesLater() {
    w_->begin("int frobbed;\nfro\n", "slow");
    caretTo(1, 3);
    WindowFixture::key(Qt::Key_Space, Qt::ControlModifier);
    QTRY_COMPARE_WITH_TIMEOUT(list(), QStringList({"frobbed"}), kPatience);
    QTRY_COMPARE_WITH_TIMEOUT(list().size(), 4, kPatience);
    WindowFixture::type("bb");
    QTRY_COMPARE_WITH_TIMEOUT(list(), QStringList({"frobbed"}), kPatience);
  }

  void aHugeListIsCut() {
    w_->begin("na\n", "huge");
    caretTo(0, 2);
    WindowFixture::key(Qt::Key_Space, Qt::ControlModifier);
    QTRY_COMPARE_WITH_TIMEOUT(list().value(0), "name000000", kPatience);
    QCOMPARE(list().size(), 1996);
  }

  void aDeadServerLeavesTheWords() {
    w_->begin("int frobbed;\nfro\n");
    w_->service()->clientOf(w_->document()->id())->stop();
    caretTo(1, 3);
    WindowFixture::key(Qt::Key_Space, Qt::ControlModifier);
    QTRY_COMPARE_WITH_TIMEOUT(list(), QStringList({"frobbed"}), kPatience);
  }

  // -- What and where

  void whatIsAtTheCaretIsSaid() {
    w_->begin("int BAD;\nother\n");
    QTRY_COMPARE_WITH_TIMEOUT(w_->foundCount(), 1, kPatience);
    caretTo(0, 5);
    WindowFixture::key(Qt::Key_I, Qt::ControlModifier);
    const auto box = [&] { return w_->editor()->findChild<QTextEdit*>("hoverBox"); };
    QTRY_VERIFY_WITH_TIMEOUT(box() && box()->isVisible(), kPatience);
    const QString said = box()->toPlainText();
    QVERIFY2(said.contains("Error: BAD is not good (scripted 1)") && said.contains("BAD: a word") &&
                 said.contains("int BAD;"),
             qPrintable(said));
    // All of it is in sight, each of its paragraphs in a line.
    QVERIFY(!box()->verticalScrollBar()->isVisible());
    QVERIFY2(box()->height() < 8 * box()->fontMetrics().height(),
             qPrintable(QString::number(box()->height())));
    // Esc closes it, and nothing else.
    w_->editor()->setSelection(4, 7);
    WindowFixture::key(Qt::Key_Escape);
    QVERIFY(!box()->isVisible());
    QCOMPARE(w_->editor()->selectedText(), "BAD");
  }

  // The error in the caret's line is what a model is asked to mend.
  void theErrorAtTheCaretIsFixed() {
    w_->begin("fine\nint BAD;  // and ODD\n");
    QTRY_COMPARE_WITH_TIMEOUT(w_->foundCount(), 2, kPatience);
    caretTo(1, 0);
    WindowFixture::trigger(w_->window(), "edit.fixError");
    const auto* instruction = w_->find<QLineEdit>("editInstruction");
    QVERIFY(instruction && instruction->isVisible());
    QCOMPARE(instruction->text(), "Fix this error: BAD is not good (scripted 1)");
  }

  void keysGoToDefinitionAndUses() {
    w_->write("b.cpp", "// 😀 name\nother\n");
    w_->begin("nothing\nname\n");
    w_->openFile("b.cpp");
    w_->openFile("a.cpp");
    caretTo(1, 2);
    WindowFixture::key(Qt::Key_F12, Qt::ShiftModifier);
    QTRY_VERIFY_WITH_TIMEOUT(w_->parts().picker->isOpen(), kPatience);
    WindowFixture::type("//");
    test::dealWithEvents();
    WindowFixture::key(Qt::Key_Return);
    QTRY_COMPARE(w_->document()->title(), "b.cpp");
    QCOMPARE(w_->editor()->caret(), 8);
    caretTo(1, 1);
    WindowFixture::key(Qt::Key_F12);
    QTRY_COMPARE_WITH_TIMEOUT(w_->editor()->caret(), 13, kPatience);
    // Where there is nothing, it is said.
    w_->editor()->setSelection(2, 2);
    WindowFixture::key(Qt::Key_F12);
    const Banner* banner = nullptr;
    QTRY_VERIFY_WITH_TIMEOUT((banner = w_->parts().notices->find("languageGuide")), kPatience);
    QCOMPARE(banner->text(), "No definition is known for what is at the caret.");
  }

  // -- Real ones

  void clangdFindsWhatIsWrong() {
    if (QStandardPaths::findExecutable("clangd").isEmpty()) QSKIP("clangd is not installed");
    w_->useInstalledLanguageServers();
    w_->openProjectWith("a.cpp", "int main() {\n  return ä;\n}\n");
    w_->agree();
    QTRY_COMPARE_WITH_TIMEOUT(w_->foundCount(), 1, kPatience);
    const workbench::Diagnostic found = w_->service()->diagnostics(w_->document()->id())[0];
    QCOMPARE(found.range, (workbench::ByteRange{22, 24}));
    QVERIFY2(found.message.contains("undeclared identifier"), qPrintable(found.message));
    WindowFixture::key(Qt::Key_F8, Qt::AltModifier);
    WindowFixture::key(Qt::Key_Delete);
    WindowFixture::type("0");
    QTRY_COMPARE_WITH_TIMEOUT(w_->foundCount(), 0, kPatience);
  }

  void clangdCompletesAndFinds() {
    if (QStandardPaths::findExecutable("clangd").isEmpty()) QSKIP("clangd is not installed");
    w_->useInstalledLanguageServers();
    w_->openProjectWith("a.cpp",
                        "struct Point { int width; int height; };\n"
                        "int area(Point ä) {\n"
                        "  return ä.width * ä\n"
                        "}\n");
    w_->agree();
    caretTo(2, 22);
    WindowFixture::type(".");
    QTRY_VERIFY_WITH_TIMEOUT(list().contains("height"), kPatience);
    WindowFixture::type("hei");
    QTRY_COMPARE_WITH_TIMEOUT(list().value(0), "height", kPatience);
    WindowFixture::key(Qt::Key_Return);
    WindowFixture::type(";");
    QCOMPARE(w_->editor()->lineText(2), "  return ä.width * ä.height;");
    QTRY_COMPARE_WITH_TIMEOUT(w_->foundCount(), 0, kPatience);
    WindowFixture::key(Qt::Key_Left);
    WindowFixture::key(Qt::Key_F12);
    QTRY_COMPARE_WITH_TIMEOUT(w_->editor()->caret(), 30, kPatience);
  }

  void pylspFindsWhatIsWrong() {
    if (QStandardPaths::findExecutable("pylsp").isEmpty()) QSKIP("pylsp is not installed");
    w_->useInstalledLanguageServers();
    w_->openProjectWith("a.py", "# ä\ny = undefined\n");
    w_->agree();
    QTRY_COMPARE_WITH_TIMEOUT(w_->foundCount(), 1, kPatience);
    const workbench::Diagnostic found = w_->service()->diagnostics(w_->document()->id())[0];
    QVERIFY2(found.message.contains("undefined name"), qPrintable(found.message));
    QCOMPARE(found.range.start, 9);
  }

 private:
  void caretTo(int line, int column) {
    const qint64 at = w_->editor()->lineStart(line) + column;
    w_->editor()->setSelection(at, at);
    w_->editor()->setFocus();
  }
  // The list at the caret.
  QStringList list() {
    const editor::ListPopup* popup = w_->editor()->list();
    QStringList rows;
    for (int row = 0; popup->isOpen() && row < popup->model()->rowCount(); ++row)
      rows.append(popup->model()->index(row, 0).data().toString());
    return rows;
  }

  std::unique_ptr<LanguageWindow> w_;
};

QTEST_MAIN(TestLanguageWindow)
#include "test_language_window.moc"
