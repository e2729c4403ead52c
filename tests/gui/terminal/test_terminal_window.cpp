// SPDX-License-Identifier: GPL-3.0-or-later
// A real bash in the window, by keys and mouse.
#include <QAccessible>
#include <QClipboard>
#include <QDockWidget>
#include <QGuiApplication>
#include <QLabel>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QStandardPaths>

#include "gui/kit/approved_text.h"
#include "gui/kit/banner.h"
#include "gui/kit/tab_bar.h"
#include "gui/terminal/terminal_outputs.h"
#include "gui/terminal/terminal_panel.h"
#include "gui/terminal/terminal_view.h"
#include "tests/gui/shell/window_fixture.h"
#include "workbench/terminal/terminal_session.h"

using namespace waferpair;
using namespace waferpair::gui;
using workbench::TerminalSession;

class TestTerminalWindow : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  // The shell knows no files of the user whose computer this is.
  void init() {
    w_ = std::make_unique<WindowFixture>();
    qputenv("SHELL", "/bin/bash");
    w_->write("home/.bashrc", "PS1='$ '\nPS2='> '\nHISTFILE=\n");
    w_->write("src/a.cpp", "one\ntwo\nthree\n");
    // The project lies around the home folder here, and so is not trusted with all below it.
    w_->trust(w_->path("src"));
    home_ = qgetenv("HOME");
    qputenv("HOME", w_->path("home").toUtf8());
    w_->openProject();
  }
  void cleanup() {
    w_.reset();
    qputenv("HOME", home_);
  }

  void commandsRunWhereTheProjectIs() {
    openTerminal();
    run("pwd; echo $TERM $COLORTERM");
    QTRY_VERIFY2(text().contains(w_->project() + "\nxterm-256color truecolor\n$"),
                 qPrintable(text()));
    // What has become of commands is known.
    run("false");
    QTRY_COMPARE(lastStatus(), 1);
    run("true");
    QTRY_COMPARE(lastStatus(), 0);
    QCOMPARE(view()->session()->screen().lineOf(view()->session()->screen().lastCommand()), "true");
    run("cd src");
    QTRY_COMPARE(view()->session()->folder(), w_->path("src"));
  }

  void keysAreThePrograms() {
    openTerminal();
    // Ctrl+N would make a file, Ctrl+W close it, Ctrl+P open one: here they edit the line.
    WindowFixture::type("echo one");
    WindowFixture::key(Qt::Key_W, Qt::ControlModifier);
    WindowFixture::type("two");
    WindowFixture::key(Qt::Key_Return);
    QTRY_VERIFY2(text().contains("\ntwo\n$"), qPrintable(text()));
    WindowFixture::key(Qt::Key_P, Qt::ControlModifier);
    WindowFixture::key(Qt::Key_Return);
    QTRY_VERIFY2(text().contains("\ntwo\n$ echo two\ntwo\n$"), qPrintable(text()));
    WindowFixture::type("sleep 100");
    WindowFixture::key(Qt::Key_Return);
    QTRY_COMPARE(view()->session()->foreground(), "sleep");
    WindowFixture::key(Qt::Key_C, Qt::ControlModifier);
    QTRY_COMPARE(lastStatus(), 130);
  }

  void theKeyTogglesAndGoesBack() {
    w_->openFile("src/a.cpp");
    openTerminal();
    QVERIFY(view()->hasFocus());
    WindowFixture::key(Qt::Key_QuoteLeft, Qt::ControlModifier);
    QVERIFY(dock()->isHidden());
    QVERIFY(w_->editor()->hasFocus());
    WindowFixture::key(Qt::Key_QuoteLeft, Qt::ControlModifier);
    QVERIFY(view()->hasFocus());
    QCOMPARE(panel()->views().size(), 1);
  }

  void severalLinesArePastedOnceAsked() {
    openTerminal();
    run("bind 'set enable-bracketed-paste off'");
    QTRY_VERIFY(!view()->session()->screen().isPasteBracketed());
    QGuiApplication::clipboard()->setText("echo a\necho b\n");
    WindowFixture::key(Qt::Key_V, Qt::ControlModifier | Qt::ShiftModifier);
    auto* question = w_->find<Banner>("terminalPaste");
    QVERIFY(question);
    QVERIFY2(question->text().contains("2 lines"), qPrintable(question->text()));
    QCOMPARE(question->approved()->toPlainText(), "echo a\necho b");
    QVERIFY(!text().contains("echo a"));
    QVERIFY(WindowFixture::click("terminalPasteOne"));
    QTRY_VERIFY2(text().endsWith("$ echo a echo b"), qPrintable(text()));
    QVERIFY(view()->hasFocus());
  }

  void textIsSelectedAndCopied() {
    openTerminal();
    run("printf 'first line\\nsecond line\\n'");
    QTRY_VERIFY(text().contains("\nsecond line\n$"));
    WindowFixture::key(Qt::Key_Y, Qt::ControlModifier | Qt::ShiftModifier);
    WindowFixture::key(Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(QGuiApplication::clipboard()->text(), "first line\nsecond line\n");
    // By double click.
    const qint64 row =
        view()->session()->screen().outputOf(view()->session()->screen().lastCommand())->first.row;
    const QPoint at = view()->cellRect({row, 7}).center();
    QTest::mouseDClick(view()->viewport(), Qt::LeftButton, {}, at);
    QCOMPARE(view()->selectedText(), "line");
    // By keys: from the cursor up, and to the left.
    WindowFixture::key(Qt::Key_X, Qt::ControlModifier | Qt::ShiftModifier);
    WindowFixture::key(Qt::Key_Up);
    WindowFixture::key(Qt::Key_Home);
    for (int i = 0; i < 6; ++i) WindowFixture::key(Qt::Key_Right, Qt::ShiftModifier);
    WindowFixture::key(Qt::Key_Return);
    QCOMPARE(QGuiApplication::clipboard()->text(), "second");
    QVERIFY(!view()->isMarking());
  }

  void whatScrolledOffIsFound() {
    openTerminal();
    run("for i in {1..500}; do echo number $i; done");
    QTRY_VERIFY(text().contains("number 500\n$"));
    QVERIFY(!text().contains("number 123\n"));
    WindowFixture::key(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    WindowFixture::type("number 123");
    QCOMPARE(view()->selectedText(), "number 123");
    QVERIFY(text().contains("number 123\n"));
    WindowFixture::type("x");
    QTRY_COMPARE(w_->find<QLabel>("terminalFindState")->text(), "Not there");
    WindowFixture::key(Qt::Key_Escape);
    QVERIFY(view()->hasFocus());
    // Typing goes back to the end; Shift+Page Up away from it.
    WindowFixture::key(Qt::Key_PageUp, Qt::ShiftModifier);
    QVERIFY(!text().contains("number 500\n"));
    WindowFixture::type(" ");
    QTRY_VERIFY(text().contains("number 500\n"));
    WindowFixture::key(Qt::Key_Up, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY2(text().startsWith("$ for i in"), qPrintable(text().left(200)));
  }

  void filesAreOpenedAtTheirLines() {
    openTerminal();
    run("cd src; echo 'a.cpp:2:3: error: no'");
    QTRY_VERIFY(text().contains("error: no\n$"));
    WindowFixture::key(Qt::Key_G, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(view()->selectedText(), "a.cpp:2:3");
    WindowFixture::key(Qt::Key_J, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(w_->document());
    QCOMPARE(w_->document()->path(), w_->path("src/a.cpp"));
    QCOMPARE(w_->editor()->caret(), 6);
    // By the mouse.
    w_->editor()->goToLine(0, 0);
    const auto& screen = view()->session()->screen();
    const qint64 row = screen.outputOf(screen.lastCommand())->first.row;
    QTest::mouseClick(view()->viewport(), Qt::LeftButton, Qt::ControlModifier,
                      view()->cellRect({row, 3}).center());
    QCOMPARE(w_->editor()->caret(), 6);
  }

  void severalInTabsAndSideBySide() {
    openTerminal();
    TerminalView* first = view();
    run("cd src");
    QTRY_COMPARE(first->session()->folder(), w_->path("src"));
    WindowFixture::trigger(w_->window(), "terminal.split");
    QCOMPARE(panel()->views().size(), 2);
    QTRY_VERIFY2(text().endsWith("$"), qPrintable(text()));
    run("pwd");
    QTRY_VERIFY2(text().contains(w_->path("src")), qPrintable(text()));
    WindowFixture::trigger(w_->window(), "terminal.new");
    QCOMPARE(w_->find<TabBar>("terminalTabs")->count(), 2);
    QVERIFY(w_->find<TabBar>("terminalTabs")->isVisible());
    QTRY_VERIFY(text().endsWith("$"));
    WindowFixture::key(Qt::Key_PageUp, Qt::ControlModifier | Qt::ShiftModifier);
    WindowFixture::key(Qt::Key_PageUp, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(view(), first);
    WindowFixture::key(Qt::Key_W, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(panel()->views().size(), 2);
    // The next start has them, with their folders.
    const QString project = w_->project();
    QVERIFY(w_->close());
    w_->openProject();
    if (dock()->isHidden()) WindowFixture::key(Qt::Key_QuoteLeft, Qt::ControlModifier);
    QTRY_COMPARE(panel()->views().size(), 2);
    QCOMPARE(panel()->views()[0]->session()->folder(), w_->path("src"));
    QCOMPARE(panel()->views()[1]->session()->folder(), project);
  }

  void whatRunsIsAskedAbout() {
    openTerminal();
    run("sleep 100");
    QTRY_COMPARE(view()->session()->foreground(), "sleep");
    WindowFixture::key(Qt::Key_W, Qt::ControlModifier | Qt::ShiftModifier);
    auto* question = w_->find<Banner>("terminalBusy");
    QVERIFY(question && question->text().startsWith("sleep runs"));
    QVERIFY(WindowFixture::click("terminalKeep"));
    QCOMPARE(panel()->views().size(), 1);
    // So is the end of the window.
    QVERIFY(!w_->close());
    QTRY_VERIFY(w_->find<QMessageBox>("terminalsRun"));
    QVERIFY(WindowFixture::click("terminalsStay"));
    QTRY_VERIFY(!w_->find<QMessageBox>("terminalsRun"));
    QVERIFY(w_->window().isVisible());
    WindowFixture::trigger(w_->window(), "terminal.close");
    QVERIFY(WindowFixture::click("terminalEnd"));
    QCOMPARE(panel()->views().size(), 0);
    QVERIFY(dock()->isHidden());
  }

  void outputsAreAskedAbout() {
    openTerminal();
    run("echo 'src/a.cpp:2:1: error: no such thing'; false");
    QTRY_COMPARE(lastStatus(), 1);
    auto text = terminalText(*panel());
    QVERIFY(text);
    QCOMPARE(text->command, "echo 'src/a.cpp:2:1: error: no such thing'; false");
    QCOMPARE(text->text, "src/a.cpp:2:1: error: no such thing\n");
    QCOMPARE(text->folder, w_->project());
    QCOMPARE(failedOutputs(*panel()).constFirst().text, "src/a.cpp:2:1: error: no such thing\n");
    WindowFixture::key(Qt::Key_G, Qt::ControlModifier | Qt::ShiftModifier);
    text = terminalText(*panel());
    QVERIFY(text->isSelection);
    QCOMPARE(text->text, "src/a.cpp:2:1");
    QVERIFY(text->around.contains("error: no such thing"));
    WindowFixture::key(Qt::Key_Q, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY(w_->find<QPlainTextEdit>("askInput"));
    QTRY_COMPARE(w_->find<QPlainTextEdit>("askInput")->toPlainText().trimmed(), "@terminal");
  }

  // The place that output names is opened, with the bar that fixes it.
  void errorsInOutputAreFixedInPlace() {
    openTerminal();
    run("echo 'src/a.cpp:2:1: error: no such thing'; false");
    QTRY_COMPARE(lastStatus(), 1);
    WindowFixture::trigger(w_->window(), "terminal.fix");
    QTRY_VERIFY(w_->document());
    QCOMPARE(w_->document()->path(), w_->path("src/a.cpp"));
    QTRY_COMPARE(w_->editor()->lineAt(w_->editor()->caret()), 1);
  }

  // GCC erases to the row's end where its colored lines begin.
  void whatGccPrintsInColorIsFixedInPlace() {
    if (QStandardPaths::findExecutable("gcc").isEmpty()) QSKIP("gcc is not installed.");
    w_->write("src/a.cpp", "\nint x = nowhere;\n");
    openTerminal();
    run("gcc -x c -fdiagnostics-color=always -fsyntax-only src/a.cpp");
    QTRY_COMPARE_WITH_TIMEOUT(lastStatus(), 1, 60'000);
    const auto text = terminalText(*panel());
    QVERIFY(text);
    QVERIFY2(text->text.contains("src/a.cpp:2:9: error: "), qPrintable(text->text));
    WindowFixture::trigger(w_->window(), "terminal.fix");
    QTRY_VERIFY(w_->document());
    QCOMPARE(w_->document()->path(), w_->path("src/a.cpp"));
    QTRY_COMPARE(w_->editor()->lineAt(w_->editor()->caret()), 1);
  }

  void screenReadersAreToldTheTextAndTheCursor() {
    openTerminal();
    run("echo spoken");
    QTRY_VERIFY(text().endsWith("spoken\n$"));
    WindowFixture::type("half");
    QTRY_VERIFY(text().endsWith("$ half"));
    QAccessibleInterface* interface = QAccessible::queryAccessibleInterface(view());
    QVERIFY(interface);
    QCOMPARE(interface->role(), QAccessible::Terminal);
    QVERIFY2(interface->text(QAccessible::Name).startsWith("Terminal: "),
             qPrintable(interface->text(QAccessible::Name)));
    QAccessibleTextInterface* spoken = interface->textInterface();
    QVERIFY(spoken);
    const int end = spoken->characterCount();
    QCOMPARE(spoken->text(0, end), text());
    QCOMPARE(spoken->cursorPosition(), end);
    QCOMPARE(spoken->text(end - 4, end), "half");
    int start = 0, lineEnd = 0;
    QCOMPARE(spoken->textAtOffset(end - 1, QAccessible::LineBoundary, &start, &lineEnd), "$ half");
    const QRect last = spoken->characterRect(end - 1);
    QCOMPARE(spoken->offsetAtPoint(last.center()), end - 1);
  }

  // The screen is painted, with colors where they were asked for.
  void colorsArePainted() {
    openTerminal();
    run("printf '\\e[48;2;10;200;30m          \\e[0m\\n'");
    QTRY_COMPARE(lastStatus(), 0);
    const auto& screen = view()->session()->screen();
    const qint64 row = screen.outputOf(screen.lastCommand())->first.row;
    const auto painted = [&] {
      const QPoint at = view()->cellRect({row, 3}).center();
      return view()->viewport()->grab().toImage().pixelColor(at * view()->devicePixelRatio());
    };
    QTRY_COMPARE(painted(), QColor(10, 200, 30));
  }

  void aShellThatEndsIsToldAndStartsAgain() {
    openTerminal();
    run("exit 3");
    QTRY_VERIFY2(text().contains("[The shell has ended with status 3.]"), qPrintable(text()));
    WindowFixture::trigger(w_->window(), "terminal.restart");
    QTRY_VERIFY2(text().endsWith("$"), qPrintable(text()));
  }

 private:
  TerminalPanel* panel() { return w_->parts().terminals; }
  QDockWidget* dock() { return w_->parts().terminalDock; }
  TerminalView* view() { return panel()->current(); }
  QString text() { return view() ? view()->visibleText() : QString(); }
  int lastStatus() {
    const auto& screen = view()->session()->screen();
    const auto* command = screen.command(screen.lastCommand());
    return command && command->status ? *command->status : -1;
  }
  void openTerminal() {
    WindowFixture::key(Qt::Key_QuoteLeft, Qt::ControlModifier);
    QTRY_VERIFY2(text().endsWith("$"), qPrintable(text()));
  }
  void run(const QString& line) {
    WindowFixture::type(line);
    WindowFixture::key(Qt::Key_Return);
  }

  std::unique_ptr<WindowFixture> w_;
  QByteArray home_;
};

QTEST_MAIN(TestTerminalWindow)
#include "test_terminal_window.moc"
