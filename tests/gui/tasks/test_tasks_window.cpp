// SPDX-License-Identifier: GPL-3.0-or-later
// Tasks by keys: chosen, run in terminals, their problems listed, stopped, run again.
#include <QDockWidget>
#include <QListView>
#include <QProcess>
#include <QToolButton>

#include "gui/kit/banner.h"
#include "gui/kit/contexts.h"
#include "gui/kit/picker.h"
#include "gui/tasks/task_runner.h"
#include "gui/terminal/terminal_outputs.h"
#include "gui/terminal/terminal_panel.h"
#include "gui/terminal/terminal_view.h"
#include "gui/workbench/language_tools.h"
#include "tests/gui/shell/window_fixture.h"

using namespace waferpair;
using namespace waferpair::gui;
using workbench::Diagnostic;

class TestTasksWindow : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init() {
    w_ = std::make_unique<WindowFixture>();
    // Which tasks are asked about is told in gui/shell/test_trust.cpp.
    w_->answerStartsWith("taskAgreed");
  }
  void cleanup() { w_.reset(); }

  // The only task that builds is run at once; what it prints is listed and gone through by key.
  void aBuildThatFailsListsItsProblems() {
    writeTasks(R"({"name": "make it", "kind": "build", "command":
      "echo 'In file included from b.c:1:'; echo 'a.c:3:5: error: no such thing'; echo 'b.c:2: warning: hm'; exit 2"})");
    w_->write("a.c", "one\ntwo\nthree more\n");
    w_->write("b.c", "one\ntwo\n");
    w_->openProject();
    w_->openFile("b.c");
    press(Qt::Key_B, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_COMPARE(status(), 2);
    QTRY_COMPARE(problems("a.c"), QStringList({"3 1 no such thing (make it)"}));
    QTRY_COMPARE(problems("b.c"), QStringList({"2 2 hm (make it)"}));
    QTRY_COMPARE(w_->find<QToolButton>("task")->text(), "make it: 1 error");
    // The text keeps the keyboard, and the output is in sight.
    QVERIFY(w_->editor()->hasFocus());
    QVERIFY(!w_->parts().terminalDock->isHidden());
    press(Qt::Key_F8, Qt::AltModifier);
    QTRY_COMPARE(w_->editor()->lineAt(w_->editor()->caret()), 1);
    press(Qt::Key_F8, Qt::AltModifier);
    QTRY_COMPARE(w_->document()->title(), "a.c");
    QCOMPARE(w_->editor()->lineAt(w_->editor()->caret()), 2);
    // Once it is mended, nothing of it is left.
    writeTasks(R"({"name": "make it", "kind": "build", "command": "true"})");
    press(Qt::Key_B, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_COMPARE(status(), 0);
    QVERIFY(problems("a.c").isEmpty() && problems("b.c").isEmpty());
    QTRY_COMPARE(w_->find<QToolButton>("task")->text(), "make it: done");
    // In the tab of the run before.
    QCOMPARE(w_->parts().terminals->views().size(), 1);
  }

  void aRealCompilerIsUnderstood() {
    w_->write("CMakeLists.txt",
              "cmake_minimum_required(VERSION 3.16)\nproject(x CXX)\nadd_executable(x x.cpp)\n");
    w_->write("x.cpp", "int main() {\n  return missing;\n}\n");
    QProcess cmake;
    cmake.start("cmake", {"-S", w_->project(), "-B", w_->path("build"), "-G", "Ninja"});
    QVERIFY(cmake.waitForFinished(60'000) && cmake.exitCode() == 0);
    w_->openProject();
    press(Qt::Key_B, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY_WITH_TIMEOUT(status() > 0, 60'000);
    QTRY_COMPARE(problems("x.cpp").size(), 1);
    QVERIFY2(problems("x.cpp").first().startsWith("2 1 ") &&
                 problems("x.cpp").first().contains("missing"),
             qPrintable(problems("x.cpp").first()));
  }

  // Chosen in a list; those run last come first, and the last one is run again by key.
  void theListRemembersWhatWasRun() {
    writeTasks(R"({"name": "alpha", "command": "echo A"}, {"name": "beta", "command": "echo B"})");
    w_->openProject();
    chord(Qt::Key_X);
    QTRY_COMPARE(rows(), QStringList({"alpha", "beta"}));
    WindowFixture::type("beta");
    QTRY_COMPARE(rows(), QStringList({"beta"}));
    press(Qt::Key_Return);
    QTRY_COMPARE(status(), 0);
    QTRY_VERIFY(output().startsWith("B\n"));
    chord(Qt::Key_X);
    QTRY_COMPARE(rows(), QStringList({"beta", "alpha"}));
    press(Qt::Key_Escape);
    QVERIFY(w_->close());
    w_->openProject();
    press(Qt::Key_M, Qt::ControlModifier);
    press(Qt::Key_X, Qt::ShiftModifier);
    QTRY_COMPARE(status(), 0);
    QTRY_VERIFY(output().startsWith("B\n"));
  }

  void whatIsTypedIsSavedFirst() {
    writeTasks(R"({"name": "show", "kind": "run", "command": "cat ${file}"})");
    w_->openProjectWith("it's a.c", "old\n");
    WindowFixture::type("new ");
    chord(Qt::Key_X);
    QTRY_COMPARE(rows(), QStringList({"show"}));
    press(Qt::Key_Return);
    QTRY_COMPARE(status(), 0);
    QTRY_VERIFY2(output().startsWith("new old\n"), qPrintable(output()));
    QCOMPARE(w_->read("it's a.c"), "new old\n");
  }

  void whatRunsIsStopped() {
    writeTasks(R"({"name": "wait", "command": "sleep 300", "background": true})");
    w_->openProject();
    chord(Qt::Key_X);
    QTRY_COMPARE(rows(), QStringList({"wait"}));
    press(Qt::Key_Return);
    QTRY_COMPARE(w_->parts().tasks->running(), 1);
    QVERIFY(w_->find<QToolButton>("task")->text().startsWith("wait: 0 s"));
    // It is not run twice, and the window asks before it ends it.
    w_->parts().tasks->again();
    QTRY_VERIFY(w_->parts().notices->find("task") != nullptr);
    QCOMPARE(w_->parts().terminals->running(), QStringList({"wait"}));
    WindowFixture::trigger(w_->window(), "task.stop");
    QTRY_COMPARE(status(), -1);
    QCOMPARE(w_->parts().tasks->running(), 0);
    QTRY_COMPARE(w_->find<QToolButton>("task")->text(), "wait: ended");
  }

  void whatCannotRunSaysWhy() {
    writeTasks(R"({"name": "absent", "command": ["no-such-program-here"]},
                  {"name": "nowhere", "command": "true", "folder": "gone"},
                  {"name": "about", "command": "cat ${file}"})");
    w_->openProject();
    run("absent");
    QTRY_COMPARE(status(), -1);
    QTRY_VERIFY2(output().contains("no-such-program-here"), qPrintable(output()));
    run("nowhere");
    QTRY_VERIFY(w_->parts().notices->find("task") != nullptr);
    QVERIFY(w_->parts().notices->find("task")->text().contains("gone"));
    run("about");
    QTRY_VERIFY(w_->parts().notices->find("task")->text().contains("none is open"));
    QCOMPARE(w_->parts().terminals->views().size(), 1);
  }

  // A mistake in the file of tasks is told in the list; the file is opened from there.
  void mistakesAreTold() {
    w_->write(".waferpair/tasks.json", "{\"tasks\": 3}");
    w_->openProject();
    chord(Qt::Key_X);
    QTRY_VERIFY(w_->parts().picker->isOpen());
    QTRY_VERIFY(rows().isEmpty());
    press(Qt::Key_Return);  // the note's button
    QTRY_VERIFY(w_->document() != nullptr);
    QCOMPARE(w_->document()->title(), "tasks.json");
  }

  void theFileIsMade() {
    w_->openProject();
    WindowFixture::trigger(w_->window(), "task.edit");
    QVERIFY(w_->document() != nullptr);
    QVERIFY(w_->read(".waferpair/tasks.json").contains("\"tasks\""));
    // What it begins with is in order.
    chord(Qt::Key_X);
    QTRY_VERIFY(w_->parts().picker->isOpen());
    QVERIFY(rows().isEmpty());
  }

 private:
  void writeTasks(const char* tasks) {
    w_->write(".waferpair/tasks.json", QByteArray(R"({"tasks": [)") + tasks + "]}");
  }
  static void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    WindowFixture::key(key, modifiers);
  }
  static void chord(Qt::Key key) {
    press(Qt::Key_M, Qt::ControlModifier);
    press(key);
  }
  void run(const QString& name) {
    chord(Qt::Key_X);
    QTRY_VERIFY(w_->parts().picker->isOpen());
    WindowFixture::type(name);
    QTRY_COMPARE(rows(), QStringList({name}));
    press(Qt::Key_Return);
    QTRY_VERIFY(!w_->parts().picker->isOpen());
  }
  // -2: none was run, or it runs.
  int status() const {
    const TaskRunner::Run* run = w_->parts().tasks->last();
    return run ? run->status.value_or(-2) : -2;
  }
  QString output() const {
    const TaskRunner::Run* run = w_->parts().tasks->last();
    return run && run->view ? wholeOutput(*run->view) : QString();
  }
  // "line severity text" of each.
  QStringList problems(const QString& file) const {
    QStringList shown;
    for (const Diagnostic& one : w_->parts().languages->service()->diagnostics(w_->path(file)))
      shown.append(QStringLiteral("%1 %2 %3")
                       .arg(one.place.line + 1)
                       .arg(static_cast<int>(one.severity))
                       .arg(one.text()));
    return shown;
  }
  QStringList rows() const {
    if (!w_->parts().picker->isOpen()) return {"no list"};
    const auto* list = w_->parts().picker->findChild<QListView*>();
    QStringList rows;
    for (int i = 0; i < list->model()->rowCount(); ++i)
      rows.append(list->model()->index(i, 0).data().toString());
    return rows;
  }

  std::unique_ptr<WindowFixture> w_;
};

QTEST_MAIN(TestTasksWindow)
#include "test_tasks_window.moc"
