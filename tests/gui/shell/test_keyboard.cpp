// SPDX-License-Identifier: GPL-3.0-or-later
// The keyboard stays where the user took it, whatever happens around it, and there is a key home
// from everywhere.
#include <QApplication>
#include <QDockWidget>
#include <QFile>
#include <QPushButton>
#include <QTemporaryDir>
#include <QToolButton>

#include "gui/kit/banner.h"
#include "gui/kit/command_registry.h"
#include "gui/terminal/terminal_panel.h"
#include "gui/terminal/terminal_view.h"
#include "tests/gui/shell/window_fixture.h"
#include "workbench/terminal/terminal_session.h"

namespace waferpair::gui {

class TestKeyboard : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init() {
    w_ = std::make_unique<WindowFixture>();
    w_->answerStartsWith("taskAgreed");
    // A shell of nobody's settings.
    QFile settings(home_.filePath(".bashrc"));
    QVERIFY(settings.open(QIODevice::WriteOnly));
    settings.write("PS1='$ '\nHISTFILE=\n");
    userHome_ = qgetenv("HOME");
    qputenv("HOME", home_.path().toUtf8());
    qputenv("SHELL", "/bin/bash");
  }
  void cleanup() {
    w_.reset();
    qputenv("HOME", userHome_);
  }

  // The tab of the run before goes, and another comes to the front: the text keeps the keyboard.
  void buildingAgainAndAgainLeavesItInTheText() {
    useTask(R"({"name": "make it", "kind": "build", "command": "true"})");
    w_->openProjectWith("a.txt", "text\n");
    for (int run = 0; run < 3; ++run) {
      const TerminalView* before = terminals()->current();
      WindowFixture::key(Qt::Key_B, Qt::ControlModifier | Qt::ShiftModifier);
      QTRY_VERIFY(terminals()->current() && terminals()->current() != before);
      QTRY_COMPARE(w_->find<QToolButton>("task")->text(), "make it: done");
      QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(w_->editor()));
    }
    WindowFixture::type("x");
    QCOMPARE(w_->editor()->text(), QByteArray("xtext\n"));
  }

  // A notice that goes while it has the keyboard gives it back, and not to the next notice.
  void aNoticeGivesItBack() {
    w_->openProjectWith("a.txt", "text\n");
    BannerStack* notices = w_->parts().notices;
    notices->show("first", Banner::Kind::kInfo, "One.").addButton("doIt", "&Do It", [] {});
    notices->show("second", Banner::Kind::kInfo, "Two.").addButton("doThat", "Do &That", [] {});
    auto* button = w_->find<QPushButton>("doIt");
    QTRY_VERIFY(button->isVisible());
    button->setFocus(Qt::TabFocusReason);
    QVERIFY(button->hasFocus());
    WindowFixture::key(Qt::Key_Space);
    QVERIFY(!notices->find("first") && notices->find("second"));
    QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(w_->editor()));
    // One that goes by itself, too; from a panel it goes back to the panel.
    WindowFixture::trigger(w_->window(), "terminal.toggle");
    QTRY_VERIFY(terminals()->current() && terminals()->current()->hasFocus());
    w_->find<QPushButton>("doThat")->setFocus(Qt::TabFocusReason);
    notices->remove("second");
    QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(terminals()->current()));
  }

  // Each panel, by the command that shows it: there is a way back by key, and hiding the panel is
  // one.
  void thereIsAKeyHomeFromEveryPanel_data() {
    QTest::addColumn<QString>("command");
    for (const char* command : {"terminal.toggle", "files.focus", "problems.show", "git.changes",
                                "ask.ask", "plan.plan", "test.panel", "outline.show"})
      QTest::newRow(command) << command;
  }
  void thereIsAKeyHomeFromEveryPanel() {
    QFETCH(QString, command);
    w_->openProjectWith("a.txt", "text\n");
    QVERIFY(w_->parts().commands->run(command));
    const auto isHome = [this] {
      return QApplication::focusWidget() == static_cast<QWidget*>(w_->editor());
    };
    QTRY_VERIFY(!isHome());
    QWidget* inPanel = QApplication::focusWidget();
    QVERIFY(inPanel);
    WindowFixture::key(Qt::Key_1, Qt::ControlModifier);
    QVERIFY2(isHome(), "Ctrl+1 did not lead back.");
    // By F6, through all parts of the window.
    inPanel->setFocus();
    for (int step = 0; step < 20 && !isHome(); ++step) WindowFixture::key(Qt::Key_F6);
    QVERIFY2(isHome(), "F6 did not lead back.");
    // The panel goes away under it.
    inPanel->setFocus();
    QWidget* dock = inPanel;
    while (dock && !qobject_cast<QDockWidget*>(dock)) dock = dock->parentWidget();
    QVERIFY(dock);
    dock->hide();
    QVERIFY2(isHome(), "Hiding the panel did not lead back.");
  }

  void keysThatLeadOutAreNotTheTerminals() {
    w_->openProjectWith("a.txt", "text\n");
    WindowFixture::trigger(w_->window(), "terminal.toggle");
    QTRY_VERIFY(terminals()->current() && terminals()->current()->hasFocus());
    WindowFixture::key(Qt::Key_1, Qt::ControlModifier);
    QVERIFY(w_->editor()->hasFocus());
    WindowFixture::trigger(w_->window(), "terminal.toggle");
    QTRY_VERIFY(terminals()->current()->hasFocus());
    WindowFixture::key(Qt::Key_F6);
    QVERIFY(!terminals()->current()->hasFocus());
    // A chord, whose second key is a letter.
    terminals()->current()->setFocus();
    QSignalSpy ran(w_->parts().commands, &CommandRegistry::triggered);
    WindowFixture::key(Qt::Key_M, Qt::ControlModifier);
    WindowFixture::key(Qt::Key_O);
    QTRY_COMPARE(ran.size(), 1);
    QCOMPARE(ran.at(0).at(0).toString(), QString("go.openFiles"));
    WindowFixture::key(Qt::Key_Escape);
    // What is left is the shell's, the letter behind a finished chord, too.
    terminals()->current()->setFocus();
    WindowFixture::type("echo s${x}een\n");
    QTRY_VERIFY2(terminals()->current()->visibleText().contains("\nseen"),
                 qPrintable(terminals()->current()->visibleText()));
    WindowFixture::key(Qt::Key_C, Qt::ControlModifier);
    QVERIFY(terminals()->current()->hasFocus());
  }

  // Ctrl+` is to type: not into a task's terminal whose program has ended.
  void aTerminalIsEnteredToTypeInto() {
    useTask(R"({"name": "make it", "kind": "build", "command": "true"})");
    w_->openProjectWith("a.txt", "text\n");
    WindowFixture::key(Qt::Key_B, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_COMPARE(w_->find<QToolButton>("task")->text(), "make it: done");
    const TerminalView* ended = terminals()->current();
    QVERIFY(ended && !ended->session()->isRunning());
    WindowFixture::key(Qt::Key_QuoteLeft, Qt::ControlModifier);
    QTRY_VERIFY(terminals()->current() && terminals()->current() != ended);
    QVERIFY(terminals()->current()->hasFocus());
    WindowFixture::type("echo s${x}een\n");
    QTRY_VERIFY2(terminals()->current()->visibleText().contains("\nseen"),
                 qPrintable(terminals()->current()->visibleText()));
  }

 private:
  TerminalPanel* terminals() const { return w_->parts().terminals; }
  void useTask(const QByteArray& task) const {
    w_->write(".waferpair/tasks.json", "{\"tasks\": [" + task + "]}");
  }

  std::unique_ptr<WindowFixture> w_;
  QTemporaryDir home_;
  QByteArray userHome_;
};

}  // namespace waferpair::gui

QTEST_MAIN(waferpair::gui::TestKeyboard)
#include "test_keyboard.moc"
