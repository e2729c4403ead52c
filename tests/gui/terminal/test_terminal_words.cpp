// SPDX-License-Identifier: GPL-3.0-or-later
// A command from words at the prompt of a real bash, by real keys, with a model that a script
// plays.
#include <QJsonArray>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>

#include "gui/kit/banner.h"
#include "gui/kit/command_registry.h"
#include "gui/kit/start_gate.h"
#include "gui/terminal/terminal_panel.h"
#include "gui/terminal/terminal_view.h"
#include "gui/terminal/terminal_words.h"
#include "tests/gui/pairing/edit_desk.h"
#include "workbench/terminal/terminal_session.h"

using namespace waferpair;
using namespace waferpair::gui;

class TestTerminalWords : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  // The shell knows no files of the user whose computer this is.
  void init() {
    w_ = std::make_unique<WindowFixture>();
    server_ = std::make_unique<pairing::ScriptedEndpoint>();
    qputenv("SHELL", "/bin/bash");
    w_->write("home/.bashrc", "PS1='$ '\nPS2='> '\nHISTFILE=\n");
    w_->write("src/a.cpp", "one\n");
    home_ = qgetenv("HOME");
    qputenv("HOME", w_->path("home").toUtf8());
    w_->trust(w_->path("src"));
    open();
  }
  void cleanup() {
    w_.reset();
    server_.reset();
    qputenv("HOME", home_);
  }

  void aSmallModelsCommandIsSaidToBeOftenWrong() {
    const QString warning = "often writes a wrong command";
    answer("git reset --hard");
    ask("undo the last commit but keep the changes");
    QTRY_VERIFY(command()->isVisible());
    QVERIFY2(!words()->stateText().contains(warning), qPrintable(words()->stateText()));
    pairing::ModelRoster* roster = w_->parts().roster;
    pairing::ModelEntry small = *roster->choose(pairing::Work::kSmallEdit).model;
    small.parameters = 630'000'000;
    roster->setModels({small});
    roster->setRole(pairing::ModelRoster::Role::kFast, small.id);
    WindowFixture::key(Qt::Key_Escape);
    answer("git reset --hard");
    ask("undo the last commit but keep the changes");
    QTRY_VERIFY2(words()->stateText().contains(warning), qPrintable(words()->stateText()));
    QCOMPARE(command()->toPlainText(), "git reset --hard");
  }

  void wordsBecomeACommandThatWaitsAtThePrompt() {
    answer("```bash\necho made-$((1 + 1))\n```");
    ask("add one\n and one");
    QTRY_VERIFY(command()->isVisible());
    QCOMPARE(command()->toPlainText(), "echo made-$((1 + 1))");
    QVERIFY(command()->hasFocus());
    QVERIFY2(sent().contains("Shell: bash\n"), qPrintable(sent()));
    QVERIFY(sent().contains("Folder: src\n"));
    QVERIFY(sent().endsWith("Write the command for this: add one and one"));
    QVERIFY2(words()->stateText().contains("Along went: bash, "), qPrintable(words()->stateText()));
    QVERIFY2(text().endsWith("$"), qPrintable(text()));
    WindowFixture::key(Qt::Key_Return);
    QTRY_VERIFY2(text().endsWith("$ echo made-$((1 + 1))"), qPrintable(text()));
    QVERIFY(view()->hasFocus());
    QVERIFY(!words()->terminal());
    QCOMPARE(view()->session()->screen().lastCommand(), -1);
    // It is the user's from there.
    WindowFixture::key(Qt::Key_Return);
    QTRY_VERIFY2(text().contains("\nmade-2\n$"), qPrintable(text()));
  }

  void itRunsOnTheUsersWordAlone() {
    answer("echo made-$((1 + 1))");
    ask("add");
    QTRY_VERIFY(command()->isVisible());
    command()->selectAll();
    WindowFixture::type("echo made-$((2 + 1))");
    pressRun();
    QTRY_VERIFY2(text().contains("\nmade-3\n$"), qPrintable(text()));
    QVERIFY(view()->hasFocus());
  }

  void escLeavesThePromptAsItWas() {
    WindowFixture::type("half a line");
    QTRY_VERIFY(text().endsWith("$ half a line"));
    WindowFixture::key(Qt::Key_K, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(field()->hasFocus());
    QVERIFY(words()->stateText().contains("what stands at the prompt already"));
    answer("ls");
    WindowFixture::type("x\n");
    QTRY_VERIFY(command()->isVisible());
    // Run with what is there already it would be another command.
    pressRun();
    QVERIFY2(words()->stateText().startsWith("Something stands at the prompt already"),
             qPrintable(words()->stateText()));
    WindowFixture::key(Qt::Key_Escape);
    QVERIFY(view()->hasFocus());
    QVERIFY(!words()->terminal());
    WindowFixture::type("!");
    QTRY_VERIFY2(text().endsWith("$ half a line!"), qPrintable(text()));
  }

  // readline's kill-line works wherever it has something to remove.
  void theKeyIsTheShellsWhereItRemovesSomething() {
    WindowFixture::type("echo one two");
    QTRY_VERIFY(text().endsWith("$ echo one two"));
    WindowFixture::key(Qt::Key_A, Qt::ControlModifier);
    QTRY_COMPARE(view()->session()->screen().cursor().place.column, 2);
    WindowFixture::key(Qt::Key_K, Qt::ControlModifier);
    QVERIFY(!words()->terminal());
    QTRY_VERIFY2(text().endsWith("$"), qPrintable(text()));
    // What it removed comes back.
    WindowFixture::key(Qt::Key_Y, Qt::ControlModifier);
    QTRY_VERIFY2(text().endsWith("$ echo one two"), qPrintable(text()));
    WindowFixture::key(Qt::Key_K, Qt::ControlModifier);
    QVERIFY(words()->terminal());
    WindowFixture::key(Qt::Key_Escape);
    // Without the key it is the shell's everywhere.
    w_->parts().commands->setKeys(QStringLiteral("terminal.words"), {});
    WindowFixture::key(Qt::Key_K, Qt::ControlModifier);
    QVERIFY(!words()->terminal());
    QVERIFY(view()->hasFocus());
  }

  void aProgramThatRunsIsTold() {
    type("cat");
    QTRY_COMPARE(view()->session()->foreground(), "cat");
    WindowFixture::key(Qt::Key_K, Qt::ControlModifier);
    QVERIFY(!words()->terminal());
    WindowFixture::key(Qt::Key_K, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(!words()->terminal());
    QVERIFY2(notice().startsWith("cat runs in this terminal"), qPrintable(notice()));
    WindowFixture::key(Qt::Key_C, Qt::ControlModifier);
    QTRY_COMPARE(view()->session()->foreground(), QString());
    type("printf '\\e[?1049h'; sleep 100");
    QTRY_VERIFY(view()->session()->screen().isAlternate());
    WindowFixture::key(Qt::Key_K, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(!words()->terminal());
    QTRY_VERIFY2(notice().contains("has the whole screen of this terminal. Leave it first"),
                 qPrintable(notice()));
  }

  // Not even with a shell that takes pasted line ends for Return.
  void noLineEndReachesTheShell() {
    type("bind 'set enable-bracketed-paste off'");
    QTRY_VERIFY(!view()->session()->screen().isPasteBracketed());
    answer("ls");
    ask("list");
    QTRY_VERIFY(command()->isVisible());
    command()->setPlainText("echo a\ntouch made\x03\x1b");
    WindowFixture::key(Qt::Key_Return);
    // It is shown as it would be put there, and waits.
    QCOMPARE(command()->toPlainText(), "echo a touch made");
    QVERIFY2(words()->stateText().contains("Line ends became blanks"),
             qPrintable(words()->stateText()));
    WindowFixture::key(Qt::Key_Return);
    QTRY_VERIFY2(text().endsWith("$ echo a touch made"), qPrintable(text()));
    QVERIFY(!QFile::exists(w_->path("src/made")));
  }

  void theLastCommandGoesAlongWithoutSecrets() {
    type("ls nowhere-at-all");
    QTRY_COMPARE(lastStatus(), 2);
    answer("ls");
    ask("why");
    QTRY_VERIFY(command()->isVisible());
    QVERIFY2(sent().contains("nowhere-at-all"), qPrintable(sent()));
    QVERIFY(sent().contains("The command before ended with status 2."));
    QVERIFY(words()->stateText().contains("output of ls nowhere-at-all"));
    WindowFixture::key(Qt::Key_Escape);
    type("printf 'key=\"ghp_%s\"\\n' abcdefghijklmnopqrstuvwxyz0123456789");
    QTRY_COMPARE(lastStatus(), 0);
    answer("ls");
    ask("list");
    QTRY_VERIFY(command()->isVisible());
    QVERIFY(!sent().contains("ghp_"));
    QVERIFY2(words()->stateText().contains("not terminal: "), qPrintable(words()->stateText()));
  }

  void inAFolderThatIsNotTrustedItIsInsertedOnly() {
    w_->parts().gate->restrictFolder(w_->path("src"));
    answer("touch made");
    ask("make");
    QTRY_VERIFY(command()->isVisible());
    pressRun();
    QVERIFY2(words()->stateText().contains("is not trusted"), qPrintable(words()->stateText()));
    QVERIFY2(text().endsWith("$"), qPrintable(text()));
    command()->setFocus();
    WindowFixture::key(Qt::Key_Return);
    QTRY_VERIFY2(text().endsWith("$ touch made"), qPrintable(text()));
    QVERIFY(!QFile::exists(w_->path("src/made")));
  }

  void whatFailsIsSaidAndEscStops() {
    server_->script({{said("ls")}, Then::kStall});
    ask("list");
    QTRY_VERIFY2(words()->stateText().contains("Esc stops."), qPrintable(words()->stateText()));
    WindowFixture::key(Qt::Key_Escape);
    QCOMPARE(words()->stateText(), "Stopped.");
    QTRY_COMPARE(server_->openConnections(), 0);
    QVERIFY(field()->hasFocus());
    answer("for f in *; do\n echo $f\ndone");
    WindowFixture::key(Qt::Key_Return);
    QTRY_VERIFY2(words()->stateText().contains("not one command"),
                 qPrintable(words()->stateText()));
    QVERIFY(!command()->isVisible());
    w_->parts().roster->setModels({});
    WindowFixture::key(Qt::Key_Return);
    QVERIFY(!words()->isAsking());
    QVERIFY(!words()->stateText().isEmpty());
    QCOMPARE(w_->find<QLabel>("terminalWordsState")->property("role").toString(), "problem");
  }

  void wordsAreRemembered() {
    answer("ls");
    ask("list what is here");
    QTRY_VERIFY(command()->isVisible());
    QVERIFY(w_->close());
    open();
    QTRY_VERIFY(view()->session()->screen().typedText());
    WindowFixture::key(Qt::Key_K, Qt::ControlModifier);
    QVERIFY(field()->hasFocus());
    WindowFixture::key(Qt::Key_Up);
    QCOMPARE(field()->text(), "list what is here");
  }

 private:
  TerminalPanel* panel() { return w_->parts().terminals; }
  TerminalView* view() { return panel()->current(); }
  TerminalWords* words() { return panel()->words(); }
  QLineEdit* field() { return w_->find<QLineEdit>("terminalWordsField"); }
  QPlainTextEdit* command() { return w_->find<QPlainTextEdit>("terminalWordsCommand"); }
  QString text() { return view() ? view()->visibleText() : QString(); }
  QString notice() {
    auto* banner = w_->find<Banner>("terminalNoPrompt");
    return banner ? banner->text() : QString();
  }
  int lastStatus() {
    const auto& screen = view()->session()->screen();
    const auto* command = screen.command(screen.lastCommand());
    return command && command->status ? *command->status : -1;
  }
  QString sent() const {
    const auto messages = server_->requests().last().body.value(QStringLiteral("messages"));
    return messages.toArray().last().toObject().value(QStringLiteral("content")).toString();
  }
  void answer(const QByteArray& text) {
    server_->script({{said(text), pairing::chatFinish("stop")}});
  }
  // The window with a terminal at its prompt.
  void open() {
    w_->open({w_->path("src")});
    pairing::chooseScripted(w_->parts().roster, server_->base());
    WindowFixture::key(Qt::Key_QuoteLeft, Qt::ControlModifier);
    QTRY_VERIFY2(text().endsWith("$"), qPrintable(text()));
  }
  void type(const QString& line) {
    WindowFixture::type(line);
    WindowFixture::key(Qt::Key_Return);
  }
  // The end of the command has to have been in sight.
  void pressRun() {
    QTRY_VERIFY(w_->find<QPushButton>("terminalWordsRun")->isEnabled());
    WindowFixture::key(Qt::Key_Return, Qt::ControlModifier);
  }
  void ask(const QString& what) {
    QTRY_VERIFY(view()->session()->screen().typedText());
    WindowFixture::key(Qt::Key_K, Qt::ControlModifier);
    QTRY_VERIFY(field()->hasFocus());
    WindowFixture::type(QString(what).replace(u'\n', u' '));
    WindowFixture::key(Qt::Key_Return);
  }

  std::unique_ptr<WindowFixture> w_;
  std::unique_ptr<pairing::ScriptedEndpoint> server_;
  QByteArray home_;
};

QTEST_MAIN(TestTerminalWords)
#include "test_terminal_words.moc"
