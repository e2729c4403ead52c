// SPDX-License-Identifier: GPL-3.0-or-later
// The debugger by keys and clicks: breakpoints in the margin, launches, steps, values, the console,
// with a scripted adapter and with Python's own.
#include <QDockWidget>
#include <QFile>
#include <QLineEdit>
#include <QListView>
#include <QPlainTextEdit>
#include <QTextEdit>
#include <QToolButton>
#include <QTreeView>

#include "editor/layers/line_notes.h"
#include "editor/layers/stop_marks.h"
#include "gui/debug/debug_bar.h"
#include "gui/debug/debug_tools.h"
#include "gui/kit/banner.h"
#include "gui/kit/contexts.h"
#include "gui/kit/picker.h"
#include "gui/kit/start_gate.h"
#include "gui/terminal/terminal_panel.h"
#include "gui/terminal/terminal_view.h"
#include "tests/gui/shell/window_fixture.h"
#include "tests/support/paths.h"

using namespace waferpair;
using namespace waferpair::gui;
using editor::StopMark;
using editor::StopMarks;

namespace {

constexpr int kWindowPatience = 60'000;  // ms: of a busy machine

const char kCounter[] = R"(def twice(x):
    result = x * 2
    return result

total = 0
for i in range(5):
    total += twice(i)
print("total", total)
)";

}  // namespace

class TestDebugWindow : public QObject {
  Q_OBJECT
 private:
  static void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    WindowFixture::key(key, modifiers);
  }
  DebugRunner* runner() { return w_->parts().debug->runner(); }
  StopMarks* marks() { return StopMarks::of(w_->editor()); }
  QVector<StopMark> markers() { return marks()->marks(); }
  QString bar() { return w_->parts().debug->bar()->text(); }
  QString console() { return w_->find<QPlainTextEdit>("debugOutput")->toPlainText(); }
  QStringList rows() {
    QStringList rows;
    const auto* list = w_->parts().picker->findChild<QListView*>();
    for (int i = 0; i < list->model()->rowCount(); ++i)
      rows.append(list->model()->index(i, 0).data().toString());
    return w_->parts().picker->isOpen() ? rows : QStringList();
  }
  // The first adapter in PATH is the scripted one from now on.
  void useScripted(const QByteArray& how) {
    QFile file(tools_->filePath("lldb-dap"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("#!/bin/sh\nexec python3 '" + QByteArray::fromStdString(test::sourceDir()) +
               "/tests/workbench/debug/scripted_adapter.py' '" + how + "'\n");
    file.close();
    QVERIFY(file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    qputenv("PATH", tools_->path().toUtf8() + ":" + path_);
  }
  workbench::DebugLaunch launch() {
    workbench::DebugLaunch launch;
    launch.name = "program";
    launch.language = "C++";
    launch.program = w_->path("program");
    launch.folder = w_->project();
    return launch;
  }
  // A text of 100 lines with breakpoints, and a session that stands at the first.
  void stopIn(const QVector<int>& lines) {
    QByteArray text;
    for (int i = 1; i <= 100; ++i) text += "  x = x + " + QByteArray::number(i) + ";\n";
    w_->openProjectWith("a.cpp", "int main() {\n" + text + "}\n");
    for (const int line : lines) {
      w_->editor()->goToLine(line - 1);
      press(Qt::Key_F9);
    }
    w_->parts().debug->debug(launch());
    QTRY_VERIFY_WITH_TIMEOUT(runner()->isStopped(), kWindowPatience);
    QTRY_COMPARE(marks()->placeLine(), lines.first() - 1);
  }
  QString valueOf(const char* view, const QString& name) {
    const auto* tree = w_->find<QTreeView>(view);
    const QAbstractItemModel* model = tree->model();
    for (const QModelIndex& in : {QModelIndex(), model->index(0, 0)})
      for (int i = 0; i < model->rowCount(in); ++i)
        if (model->index(i, 0, in).data().toString() == name)
          return model->index(i, 1, in).data().toString();
    return "?";
  }

  std::unique_ptr<WindowFixture> w_;
  std::unique_ptr<QTemporaryDir> tools_;
  QByteArray path_;

 private Q_SLOTS:
  void init() {
    path_ = qgetenv("PATH");
    tools_ = std::make_unique<QTemporaryDir>();
    w_ = std::make_unique<WindowFixture>();
  }
  void cleanup() {
    w_.reset();
    qputenv("PATH", path_);
  }

  void breakpointsAreSetByKeyAndMouseAndKept() {
    w_->openProjectWith("a.cpp", "int main() {\n  int x = 1;\n  return x;\n}\n");
    QVERIFY(marks()->isShown());
    w_->editor()->goToLine(1);
    press(Qt::Key_F9);
    QCOMPARE(markers(), QVector<StopMark>({{StopMark::Kind::kPlain, 1}}));
    // In the margin, beside line 3.
    const int y =
        static_cast<int>(w_->editor()->sci(QsciScintillaBase::SCI_POINTYFROMPOSITION, 0,
                                           static_cast<long>(w_->editor()->lineStart(2)))) +
        4;
    const int x =
        static_cast<int>(w_->editor()->sci(QsciScintillaBase::SCI_POINTXFROMPOSITION, 0, 0)) - 8;
    QTest::mouseClick(w_->editor()->viewport(), Qt::LeftButton, {}, {x, y});
    QCOMPARE(markers(),
             QVector<StopMark>({{StopMark::Kind::kPlain, 1}, {StopMark::Kind::kPlain, 2}}));
    QTest::mouseClick(w_->editor()->viewport(), Qt::LeftButton, {}, {x, y});
    QCOMPARE(markers().size(), 1);
    // They move with the text, and are there when the window is opened again.
    w_->editor()->goToLine(0);
    WindowFixture::type("// first");
    press(Qt::Key_Return);
    QCOMPARE(markers().first().line, 2);
    press(Qt::Key_S, Qt::ControlModifier);
    w_->editor()->goToLine(2);
    press(Qt::Key_F9, Qt::ControlModifier);
    QCOMPARE(markers(), QVector<StopMark>({{StopMark::Kind::kOff, 2}}));
    QVERIFY(w_->close());
    w_->openProject();
    w_->openFile("a.cpp");
    QCOMPARE(markers(), QVector<StopMark>({{StopMark::Kind::kOff, 2}}));
    // A text that nothing can be debugged in has no room for them.
    w_->write("notes.txt", "hello\n");
    w_->openFile("notes.txt");
    QVERIFY(!marks()->isShown());
  }

  void aBreakpointIsEdited() {
    w_->openProjectWith("a.cpp", "int main() {\n  int x = 1;\n  return x;\n}\n");
    w_->editor()->goToLine(1);
    press(Qt::Key_F9, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY(w_->find<QLineEdit>("breakpointCondition"));
    QTRY_VERIFY(w_->find<QLineEdit>("breakpointCondition")->hasFocus());
    WindowFixture::type("x > 3");
    press(Qt::Key_Tab);
    WindowFixture::type("5");
    press(Qt::Key_Return);
    QTRY_COMPARE(markers(), QVector<StopMark>({{StopMark::Kind::kConditional, 1}}));
    const workbench::Breakpoint one = runner()->breakpoints()->all().constFirst();
    QCOMPARE(one.condition, "x > 3");
    QCOMPARE(one.hits, "5");
  }

  void itIsStoppedWhenTrustIsTakenBack() {
    useScripted({});
    stopIn({5});
    w_->parts().gate->restrictFolder(w_->project());
    const Banner* asked = w_->parts().notices->find("trustStop");
    QVERIFY(asked && asked->text().contains("debugging “program”"));
    QVERIFY(runner()->isStopped());
    QVERIFY(WindowFixture::click("trustStopAll"));
    QTRY_VERIFY_WITH_TIMEOUT(!runner()->isBusy(), kWindowPatience);
    QVERIFY(w_->parts().notices->find("trustStopped"));
  }

  void itIsSteppedThroughByKeys() {
    useScripted({});
    stopIn({5, 9});
    QTRY_VERIFY2(bar().contains("stopped at a breakpoint") && bar().contains("inner · a.cpp:5"),
                 qPrintable(bar()));
    QVERIFY(w_->editor()->hasFocus());
    QVERIFY(!w_->parts().debug->dock()->isHidden());
    QTRY_COMPARE(valueOf("debugVariables", "x"), "5");
    // The values behind the lines, up to the one where it stands.
    QTRY_COMPARE(w_->editor()->lineNotes()->values().size(), 4);
    QCOMPARE(w_->editor()->lineNotes()->values().last().text, "x = 5");
    press(Qt::Key_F10);
    QTRY_COMPARE(marks()->placeLine(), 5);
    press(Qt::Key_F11);
    QTRY_COMPARE(marks()->placeLine(), 15);
    press(Qt::Key_F11, Qt::ShiftModifier);
    QTRY_COMPARE(marks()->placeLine(), 14);
    QTRY_COMPARE(valueOf("debugVariables", "x"), "15");
    QCOMPARE(w_->editor()->caretLine(), 14);
    // To the caret.
    w_->editor()->goToLine(40);
    press(Qt::Key_F10, Qt::ControlModifier);
    QTRY_COMPARE(marks()->placeLine(), 40);
    press(Qt::Key_F5, Qt::ShiftModifier);
    QTRY_VERIFY(!runner()->isBusy());
    QCOMPARE(marks()->placeLine(), -1);
    QVERIFY(w_->editor()->lineNotes()->values().isEmpty());
    QVERIFY(w_->parts().debug->bar()->isHidden());
  }

  void itIsRestartedAndDebuggedAgain() {
    useScripted({});
    stopIn({5});
    press(Qt::Key_F10);
    QTRY_COMPARE(marks()->placeLine(), 5);
    press(Qt::Key_F5, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_COMPARE_WITH_TIMEOUT(marks()->placeLine(), 4, kWindowPatience);
    press(Qt::Key_F5);
    QTRY_VERIFY(!runner()->isBusy());
    QTRY_VERIFY2(console().contains("ended with status 7"), qPrintable(console()));
    // What was debugged last is what F5 means.
    press(Qt::Key_F5);
    QTRY_VERIFY_WITH_TIMEOUT(runner()->isStopped(), kWindowPatience);
    // The window ends it before it goes.
    (void)w_->close();
    QTRY_VERIFY_WITH_TIMEOUT(!w_->window().isVisible(), kWindowPatience);
    QVERIFY(!runner()->isBusy());
  }

  void expressionsAreWatchedAndEvaluated() {
    useScripted({});
    stopIn({5});
    w_->editor()->goToLine(4, 2);
    press(Qt::Key_F9, Qt::ShiftModifier);
    QTRY_COMPARE(valueOf("debugWatches", "x"), "5");
    QCOMPARE(runner()->watches(), QStringList({"x"}));
    WindowFixture::trigger(w_->window(), "debug.console");
    QTRY_VERIFY(w_->find<QLineEdit>("debugInput")->hasFocus());
    WindowFixture::type("x");
    press(Qt::Key_Return);
    QTRY_VERIFY2(console().contains("> x\n5\n"), qPrintable(console()));
    WindowFixture::type("nothing");
    press(Qt::Key_Return);
    QTRY_VERIFY2(console().contains("There is no nothing."), qPrintable(console()));
    press(Qt::Key_Up);
    press(Qt::Key_Up);
    QCOMPARE(w_->find<QLineEdit>("debugInput")->text(), "x");
    // A value is set in its row.
    WindowFixture::trigger(w_->window(), "debug.variables");
    auto* tree = w_->find<QTreeView>("debugVariables");
    QTRY_VERIFY(tree->hasFocus());
    QTRY_COMPARE(valueOf("debugVariables", "x"), "5");
    tree->setCurrentIndex(tree->model()->index(0, 0, tree->model()->index(0, 0)));
    press(Qt::Key_F2);
    WindowFixture::type("77");
    press(Qt::Key_Return);
    QTRY_COMPARE(valueOf("debugVariables", "x"), "77");
    QTRY_COMPARE(valueOf("debugWatches", "x"), "77");
    // Watches are kept.
    press(Qt::Key_F5, Qt::ShiftModifier);
    QTRY_VERIFY(!runner()->isBusy());
    QVERIFY(w_->close());
    w_->openProject();
    QCOMPARE(runner()->watches(), QStringList({"x"}));
  }

  // What a name is worth, under the mouse and by key.
  void valuesAreSaidWhereTheNamesStand() {
    useScripted({});
    stopIn({5});
    QTRY_COMPARE(valueOf("debugVariables", "x"), "5");
    const auto box = [&]() -> QString {
      const auto* shown = w_->editor()->findChild<QTextEdit*>("hoverBox");
      return shown && shown->isVisible() ? shown->toPlainText().trimmed() : QString();
    };
    const auto at = static_cast<long>(w_->editor()->lineStart(7) + 2);  // an x elsewhere
    const QPoint place(
        static_cast<int>(w_->editor()->sci(QsciScintillaBase::SCI_POINTXFROMPOSITION, 0, at)) + 3,
        static_cast<int>(w_->editor()->sci(QsciScintillaBase::SCI_POINTYFROMPOSITION, 0, at)) + 5);
    const QPoint inWindow = w_->editor()->viewport()->mapTo(&w_->window(), place);
    QTest::mouseMove(w_->window().windowHandle(), inWindow + QPoint(0, 40));
    QTest::mouseMove(w_->window().windowHandle(), inWindow);
    QTRY_COMPARE(box(), "x: int = 5");
    press(Qt::Key_Escape);
    QTRY_COMPARE(box(), QString());
    w_->editor()->goToLine(7, 2);
    press(Qt::Key_I, Qt::ControlModifier);
    QTRY_COMPARE(box(), "x: int = 5");
    press(Qt::Key_F10);
    QTRY_COMPARE(marks()->placeLine(), 5);
    // No name, nothing to say.
    press(Qt::Key_Escape);
    w_->editor()->goToLine(7, 4);
    press(Qt::Key_I, Qt::ControlModifier);
    QTRY_COMPARE(box(), "Nothing is known of this place.");
  }

  void framesAreWalkedByKeys() {
    useScripted({});
    stopIn({5});
    WindowFixture::trigger(w_->window(), "debug.calls");
    auto* stack = w_->find<QTreeView>("debugStack");
    QTRY_VERIFY(stack->hasFocus());
    QTRY_VERIFY(stack->currentIndex().data().toString().startsWith("inner"));
    press(Qt::Key_Down);
    QTRY_COMPARE(marks()->placeLine(), 5);
    QTRY_VERIFY(stack->currentIndex().data().toString().startsWith("outer"));
    QVERIFY(stack->hasFocus());
  }

  void theProjectsConfigurationsAreAskedAboutOnce() {
    useScripted({});
    w_->write(".waferpair/launch.json",
              R"({"configurations": [{"name": "mine", "type": "lldb", "request": "launch",
                  "program": "${workspaceFolder}/prog", "args": ["${fileBasename}"]}]})");
    w_->openProjectWith("a.cpp", "int main() {\n  int x = 1;\n  return x;\n}\n");
    w_->editor()->goToLine(1);
    press(Qt::Key_F9);
    press(Qt::Key_F5);
    QTRY_COMPARE(rows().value(0), "mine");
    press(Qt::Key_Return);
    QTRY_VERIFY(w_->parts().notices->find("debugAgree"));
    const QString text = w_->parts().notices->find("debugAgree")->text();
    QVERIFY2(text.contains(w_->path("prog") + " a.cpp"), qPrintable(text));
    QVERIFY(!runner()->isBusy());
    QVERIFY(WindowFixture::click("debugAgreed"));
    QTRY_VERIFY_WITH_TIMEOUT(runner()->isStopped(), kWindowPatience);
    press(Qt::Key_F5, Qt::ShiftModifier);
    QTRY_VERIFY(!runner()->isBusy());
    press(Qt::Key_F5);
    QTRY_VERIFY_WITH_TIMEOUT(runner()->isStopped(), kWindowPatience);
    QVERIFY(!w_->parts().notices->find("debugAgree"));
    press(Qt::Key_F5, Qt::ShiftModifier);
    QTRY_VERIFY(!runner()->isBusy());
    // One that says something else is asked about anew.
    w_->write(".waferpair/launch.json",
              R"({"configurations": [{"name": "mine", "type": "lldb", "request": "launch",
                  "program": "/bin/other"}]})");
    press(Qt::Key_F5);
    QTRY_VERIFY(w_->parts().notices->find("debugAgree"));
    QVERIFY(w_->parts().notices->find("debugAgree")->text().contains("/bin/other"));
  }

  void theProgramRunsInATerminal() {
    useScripted("terminal");
    w_->openProjectWith("a.cpp", "int main() {}\n");
    w_->parts().debug->debug(launch());
    QTRY_COMPARE_WITH_TIMEOUT(w_->parts().terminals->views().size(), 1, kWindowPatience);
    QTRY_VERIFY(w_->parts().terminals->views().first()->visibleText().contains("in the terminal"));
    QTRY_VERIFY(console().contains("terminal ok"));
    QVERIFY(w_->editor()->hasFocus());
    press(Qt::Key_F5, Qt::ShiftModifier);
    QTRY_VERIFY(!runner()->isBusy());
  }

  void whatGoesWrongIsSaid() {
    // No adapter at all.
    qputenv("PATH", tools_->path().toUtf8());
    w_->openProjectWith("a.cpp", "int main() {}\n");
    w_->parts().debug->debug(launch());
    QTRY_VERIFY_WITH_TIMEOUT(w_->parts().notices->find("debug"), kWindowPatience);
    QVERIFY(w_->parts().notices->find("debug")->text().contains("sudo apt install lldb"));
    QVERIFY(!runner()->isBusy());
    // One that dies, and works when it is tried again.
    useScripted("die");
    w_->editor()->goToLine(0);
    press(Qt::Key_F9);
    w_->parts().debug->debug(launch());
    QTRY_VERIFY_WITH_TIMEOUT(w_->find<QWidget>("debugAgain"), kWindowPatience);
    QVERIFY(w_->parts().notices->find("debug")->text().contains("the adapter is broken"));
    useScripted({});
    QVERIFY(WindowFixture::click("debugAgain"));
    QTRY_VERIFY_WITH_TIMEOUT(runner()->isStopped(), kWindowPatience);
    // A second one waits for the first.
    w_->parts().debug->debug(launch());
    QTRY_VERIFY(w_->find<QWidget>("debugInstead"));
    // Nobody knows this one.
    press(Qt::Key_F5, Qt::ShiftModifier);
    QTRY_VERIFY(!runner()->isBusy());
    workbench::DebugLaunch odd = launch();
    odd.type = "odd";
    w_->parts().debug->debug(odd);
    QVERIFY(
        w_->parts().notices->find("debug")->text().contains("no debug adapter is known for “odd”"));
  }

  // The real thing: the Python file in front, with no configuration.
  void aPythonFileIsDebugged() {
    w_->openProjectWith("count.py", kCounter);
    if (!workbench::findAdapter(runner()->adapters().forLanguage("Python"),
                                QProcessEnvironment::systemEnvironment())
             .isFine())
      QSKIP("debugpy is not installed.");
    w_->editor()->goToLine(1);
    press(Qt::Key_F9);
    press(Qt::Key_F5);
    QTRY_COMPARE(rows().value(0), "This file: count.py");
    press(Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(runner()->isStopped(), kWindowPatience);
    QTRY_COMPARE_WITH_TIMEOUT(marks()->placeLine(), 1, kWindowPatience);
    QTRY_COMPARE_WITH_TIMEOUT(valueOf("debugVariables", "x"), "0", kWindowPatience);
    press(Qt::Key_F10);
    QTRY_COMPARE_WITH_TIMEOUT(marks()->placeLine(), 2, kWindowPatience);
    QTRY_COMPARE_WITH_TIMEOUT(valueOf("debugVariables", "result"), "0", kWindowPatience);
    QTRY_VERIFY(!w_->editor()->lineNotes()->values().isEmpty());
    w_->editor()->goToLine(1);
    press(Qt::Key_F9);
    press(Qt::Key_F5);
    QTRY_VERIFY_WITH_TIMEOUT(!runner()->isBusy(), kWindowPatience);
    // Its output is in a terminal.
    QCOMPARE(w_->parts().terminals->views().size(), 1);
    QTRY_VERIFY_WITH_TIMEOUT(
        w_->parts().terminals->views().first()->visibleText().contains("total 20"),
        kWindowPatience);
  }
};

QTEST_MAIN(TestDebugWindow)
#include "test_debug_window.moc"
