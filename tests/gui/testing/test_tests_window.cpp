// SPDX-License-Identifier: GPL-3.0-or-later
// Tests by keys and clicks: marked at their lines, run, listed, their failures gone to and fixed.
#include <QDir>
#include <QDockWidget>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QProcess>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QToolButton>
#include <QTreeView>

#include "editor/layers/run_marks.h"
#include "editor/layers/stop_marks.h"
#include "gui/debug/debug_tools.h"
#include "gui/kit/banner.h"
#include "gui/kit/picker.h"
#include "gui/testing/test_book.h"
#include "gui/testing/test_debug.h"
#include "gui/testing/test_runner.h"
#include "gui/testing/test_tools.h"
#include "gui/workbench/language_tools.h"
#include "tests/gui/shell/window_fixture.h"

using namespace waferpair;
using namespace waferpair::gui;
using workbench::Diagnostic;
using workbench::TestState;

namespace {

constexpr int kBuildMs = 240'000;  // that a compiler or a debugger may take on a busy machine
constexpr char kTests[] =
    "def test_one():\n    assert 1 == 1\n\n\n"
    "class TestGroup:\n    def test_two(self):\n        assert 1 == 2\n\n"
    "    def test_three(self):\n        pass\n";
constexpr char kGoTests[] =
    "package sums\n\nimport \"testing\"\n\nfunc TestOther(t *testing.T) {\n"
    "\tt.Error(\"not asked for\")\n}\n\nfunc TestAdds(t *testing.T) {\n"
    "\tsum := 40 + 1\n\tif sum != 41 {\n\t\tt.Error(sum)\n\t}\n}\n";

}  // namespace

class TestTestsWindow : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init() { w_ = std::make_unique<WindowFixture>(); }
  void cleanup() { w_.reset(); }

  // The test at the caret by key; its failure is at its line, in the list of problems and in the
  // status bar, and goes once it is mended.
  void theTestAtTheCaretIsRun() {
    if (!hasPytest()) QSKIP("python3-pytest is not installed.");
    w_->openProjectWith("test_a.py", kTests);
    QTRY_COMPARE(marks(), QStringList({"0 ready", "4 ready", "5 ready", "8 ready"}));
    w_->editor()->goToLine(6);
    chord(Qt::Key_Y, Qt::ControlModifier);
    QTRY_COMPARE(marks(), QStringList({"0 ready", "4 failed", "5 failed", "8 ready"}));
    QTRY_COMPARE(problems("test_a.py"), QStringList({"7 test_two: assert 1 == 2 (pytest)"}));
    QTRY_COMPARE(status(), "Tests: 1 failed");
    // The text keeps the keyboard, and nothing covers it.
    QVERIFY(w_->editor()->hasFocus());
    QVERIFY(tools()->dock()->isHidden());
    // The next problem is this one, where the text is by now.
    w_->editor()->goToLine(0);
    WindowFixture::key(Qt::Key_Home);
    WindowFixture::type("import sys\n");
    QTRY_COMPARE(marks().value(2), "6 failed");
    WindowFixture::key(Qt::Key_F8, Qt::AltModifier);
    QTRY_COMPARE(w_->editor()->caretLine(), 7);
    WindowFixture::key(Qt::Key_End);
    WindowFixture::key(Qt::Key_Backspace);
    WindowFixture::type("1");
    QCOMPARE(w_->document()->isModified(), true);
    chord(Qt::Key_X, Qt::ControlModifier);
    QTRY_COMPARE(status(), "Tests: 1 passed");
    QTRY_COMPARE(marks().value(2), "6 passed");
    QVERIFY(problems("test_a.py").isEmpty());
    // It was saved first.
    QVERIFY(w_->read("test_a.py").contains("assert 1 == 1\n\n    def test_three"));
  }

  // A real pytest under the real debugpy, by key: it stops at the breakpoint in the test.
  void theTestAtTheCaretIsDebugged() {
    // The project's Python is the system's, whose debugger is tested: one that comes first in PATH
    // may be too new for it.
    if (!works("/usr/bin/python3", {"-c", "import pytest, debugpy"}))
      QSKIP("python3-pytest or python3-debugpy is not installed.");
    w_->write(".venv/bin/python", "#!/bin/sh\nexec /usr/bin/python3 \"$@\"\n");
    makeExecutable(".venv/bin/python");
    w_->openProjectWith("test_a.py", kTests);
    QTRY_COMPARE(marks().size(), 4);
    w_->editor()->goToLine(9);
    WindowFixture::key(Qt::Key_F9);
    chord(Qt::Key_Y, Qt::ControlModifier | Qt::ShiftModifier);
    DebugRunner* debugger = w_->parts().debug->runner();
    QCOMPARE(whyNotStopped(), QString());
    QTRY_COMPARE(editor::StopMarks::of(w_->editor())->placeLine(), 9);
    // A run tells what became of a test, not the debugger.
    QCOMPARE(marks(), QStringList({"0 ready", "4 ready", "5 ready", "8 ready"}));
    WindowFixture::key(Qt::Key_F5);
    QTRY_VERIFY_WITH_TIMEOUT(!debugger->isBusy(), 60'000);
    // Once more, without the debugger.
    chord(Qt::Key_X, Qt::ControlModifier);
    QTRY_COMPARE(marks(), QStringList({"0 ready", "4 passed", "5 ready", "8 passed"}));
  }

  void testsAreDebuggedByTheirOwnPrograms() {
    workbench::TestStep step;
    step.title = "test_a";
    step.folder = "/p/build";
    step.program.framework = workbench::TestFramework::kQtTest;
    step.command.program = "/p/build/test_a";
    step.command.arguments = {"-o", "@RESULTS@,junitxml", "-o", "-,txt", "one", "two"};
    step.command.environment = {"A=b"};
    auto launch = debugLaunchOf(step);
    QVERIFY(launch);
    QCOMPARE(launch->program, "/p/build/test_a");
    QCOMPARE(launch->arguments, QStringList({"one", "two"}));
    QCOMPARE(launch->folder, "/p/build");
    QCOMPARE(launch->environment, QStringList{"A=b"});
    QCOMPARE(launch->language, "C++");
    step.program.framework = workbench::TestFramework::kGoogleTest;
    step.command.arguments = {"--gtest_filter=A.b", "--gtest_color=no"};
    launch = debugLaunchOf(step);
    QVERIFY(launch);
    QCOMPARE(launch->arguments, step.command.arguments);
    step.program.framework = workbench::TestFramework::kCargo;
    step.command.program = "/p/target/debug/deps/sums-1a";
    step.command.arguments = {"test", "--no-fail-fast", "--lib", "--", "--exact", "tests::fails"};
    launch = debugLaunchOf(step);
    QVERIFY(launch);
    QCOMPARE(launch->program, "/p/target/debug/deps/sums-1a");
    QCOMPARE(launch->arguments,
             QStringList({"--exact", "tests::fails", "--nocapture", "--test-threads=1"}));
    QCOMPARE(launch->language, "Rust");
    step.program.framework = workbench::TestFramework::kVitest;
    step.title = "vitest";
    launch = debugLaunchOf(step);
    QVERIFY(!launch);
    QCOMPARE(launch.error().what, "Tests that vitest runs cannot be debugged from here.");
  }

  // Real CMake, GoogleTest and LLDB: what was changed is built first, and that one test runs.
  void aTestOfCppIsDebugged() {
    if (!hasLldb()) QSKIP("lldb is not installed.");
    if (!QFileInfo::exists("/usr/include/gtest/gtest.h")) QSKIP("libgtest-dev is not installed.");
    w_->write("CMakeLists.txt",
              "cmake_minimum_required(VERSION 3.16)\nproject(x CXX)\nenable_testing()\n"
              "find_package(GTest REQUIRED)\ninclude(GoogleTest)\nadd_executable(unit sums.cpp)\n"
              "target_link_libraries(unit GTest::gtest_main)\ngtest_discover_tests(unit)\n");
    const QByteArray text =
        "#include <gtest/gtest.h>\nTEST(Sums, Fails) {\n  EXPECT_EQ(1, 2);\n}\n"
        "TEST(Sums, Adds) {\n  int sum = 40;\n  EXPECT_EQ(sum, 41);\n}\n";
    w_->write("sums.cpp", text);
    QProcess cmake;
    cmake.start("cmake",
                {"-S", w_->project(), "-B", w_->path("build"), "-DCMAKE_BUILD_TYPE=Debug"});
    QVERIFY(cmake.waitForFinished(kBuildMs) && cmake.exitCode() == 0);
    w_->openProjectWith("sums.cpp", text);
    w_->editor()->goToLine(5, 14);
    WindowFixture::key(Qt::Key_Backspace);
    WindowFixture::type("1");
    stopsAt(6);
    QCOMPARE(evaluated("sum"), "41");
    WindowFixture::key(Qt::Key_F5);
    QTRY_VERIFY_WITH_TIMEOUT(!w_->parts().debug->runner()->isBusy(), kBuildMs);
    // That one alone ran; of what it prints at its very end the adapter may hand on nothing.
    const auto console = [this] { return w_->find<QPlainTextEdit>("debugOutput")->toPlainText(); };
    QTRY_VERIFY2(console().contains("Running 1 test from 1 test suite"), qPrintable(console()));
    QVERIFY2(!console().contains("Sums.Fails"), qPrintable(console()));
  }

  // Real Cargo and LLDB: the program that Cargo built is found, and stops in the test.
  void aTestOfRustIsDebugged() {
    if (!works("cargo", {"--version"})) QSKIP("cargo is not installed.");
    if (!hasLldb()) QSKIP("lldb is not installed.");
    w_->write("Cargo.toml",
              "[package]\nname = \"sums\"\nversion = \"0.1.0\"\nedition = \"2021\"\n");
    w_->openProjectWith("src/lib.rs",
                        "#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds() {\n"
                        "        let sum = 1 + 1;\n        assert_eq!(sum, 2);\n    }\n"
                        "    #[test]\n    fn fails() {\n        let sum = 40 + 1;\n"
                        "        assert_eq!(sum, 2);\n    }\n}\n");
    stopsAt(10);
    QCOMPARE(evaluated("sum"), "41");
    // What cannot be compiled is not debugged, and the compiler's word is a problem at its line.
    w_->editor()->goToLine(9);
    WindowFixture::type("?");
    endDebugging();
    chord(Qt::Key_Y, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY_WITH_TIMEOUT(!problems("src/lib.rs").isEmpty(), 60'000);
    QVERIFY2(notice().startsWith("The tests were not run: building them has failed."),
             qPrintable(notice()));
    QVERIFY(!w_->parts().debug->runner()->isBusy());
  }

  // With the Go that came with this Delve: another may be first in PATH.
  void aTestOfGoIsDebugged() {
    if (!works("dlv", {"version"})) QSKIP("delve is not installed.");
    const QByteArray path = qgetenv("PATH");
    const auto restored = qScopeGuard([&] { qputenv("PATH", path); });
    qputenv("PATH", "/usr/bin:" + path);
    w_->write("go.mod", "module example.org/sums\n\ngo 1.19\n");
    w_->openProjectWith("sums_test.go", kGoTests);
    stopsAt(10);
    QCOMPARE(evaluated("sum"), "41");
    endDebugging();
  }

  // A Go that its Delve does not know: that is said at once, in Delve's words, with the remedy.
  void aDebuggerThatDoesNotFitSaysSo() {
    w_->write("bin/dlv", R"py(#!/usr/bin/env python3
import json, socket, sys
host, port = sys.argv[-1].split("=")[1].rsplit(":", 1)
link = socket.create_connection((host, int(port)))
stream = link.makefile("rb")
def answer(asked, more):
    body = json.dumps({"seq": 0, "type": "response", "request_seq": asked["seq"],
                       "command": asked["command"], **more}).encode()
    link.sendall(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
while line := stream.readline():
    if not line.startswith(b"Content-Length"): continue
    size = int(line.split(b":")[1])
    stream.readline()
    asked = json.loads(stream.read(size))
    if asked["command"] == "launch":
        answer(asked, {"success": False, "message": "Failed to launch", "body": {"error": {
            "id": 3000, "showUser": True, "format": "Failed to launch: Version of Delve is too old "
            "for Go version 1.26.8 (maximum supported version 1.20, suppress this error with "
            "--check-go-version=false)"}}})
    else:
        answer(asked, {"success": True, "body": {}})
)py");
    makeExecutable("bin/dlv");
    const QByteArray path = qgetenv("PATH");
    const auto restored = qScopeGuard([&] { qputenv("PATH", path); });
    qputenv("PATH", w_->path("bin").toUtf8() + ':' + path);
    w_->write("go.mod", "module example.org/sums\n\ngo 1.19\n");
    w_->openProjectWith("sums_test.go", kGoTests);
    QTRY_VERIFY(!marks().isEmpty());
    w_->editor()->goToLine(9);
    chord(Qt::Key_Y, Qt::ControlModifier | Qt::ShiftModifier);
    const QString why = whyNotStopped();
    QVERIFY2(why.contains("cannot be debugged. Failed to launch: Version of Delve is too old"),
             qPrintable(why));
    QVERIFY2(why.contains("Install a newer Delve"), qPrintable(why));
  }

  void aClickInTheMarginRunsIt() {
    if (!hasPytest()) QSKIP("python3-pytest is not installed.");
    w_->openProjectWith("test_a.py", kTests);
    QTRY_COMPARE(marks().size(), 4);
    clickMark(w_->editor(), 4);
    QTRY_COMPARE(marks(), QStringList({"0 ready", "4 failed", "5 failed", "8 passed"}));
    QTRY_COMPARE(status(), "Tests: 1 failed");
    // In a second view it does the same.
    WindowFixture::key(Qt::Key_Backslash, Qt::ControlModifier);
    clickMark(w_->editor(), 0);
    QTRY_COMPARE(marks().value(0), "0 passed");
    QTRY_COMPARE(status(), "Tests: 1 passed");
  }

  // The panel by keys alone: shown, filtered, run, gone to.
  void thePanelListsAndRuns() {
    if (!hasPytest()) QSKIP("python3-pytest is not installed.");
    w_->write("more/test_b.py",
              "import pytest\n\n\n@pytest.mark.parametrize('a', [1, 2])\n"
              "def test_four(a):\n    print('said', a)\n    assert a == 1\n");
    w_->openProjectWith("test_a.py", kTests);
    chord(Qt::Key_U, Qt::ControlModifier);
    QTRY_COMPARE(
        rows(), QStringList({"more/test_b.py: not run", " test_four: not run", "test_a.py: not run",
                             " test_one: not run", " TestGroup: not run", "  test_two: not run",
                             "  test_three: not run"}));
    QVERIFY(tree()->hasFocus());
    chord(Qt::Key_Y, Qt::ShiftModifier);
    QTRY_COMPARE(status(), "Tests: 2 failed");
    QTRY_COMPARE(rows(),
                 QStringList({"more/test_b.py: failed", " test_four: failed", "test_a.py: failed",
                              " test_one: passed", " TestGroup: failed", "  test_two: failed",
                              "  test_three: passed"}));
    QCOMPARE(w_->find<QLabel>("testsState")->text(), "2 failed, 2 passed");
    // Only those that failed; what the chosen one said is beside it.
    w_->find<QLineEdit>("testsFilter")->setFocus();
    WindowFixture::type("four");
    QTRY_COMPARE(rows().size(), 2);
    WindowFixture::key(Qt::Key_Return);
    QVERIFY(tree()->hasFocus());
    WindowFixture::key(Qt::Key_Right);
    WindowFixture::key(Qt::Key_Down);
    QTRY_VERIFY2(output().startsWith("[2] assert 2 == 1"), qPrintable(output()));
    QVERIFY(output().contains("said 2"));
    WindowFixture::key(Qt::Key_Return);
    QTRY_COMPARE(w_->document()->title(), "test_b.py");
    QCOMPARE(w_->editor()->caretLine(), 6);
    QVERIFY(w_->editor()->hasFocus());
    // Those that failed once more, and no other.
    chord(Qt::Key_U, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY(!runner()->isRunning());
    QTRY_COMPARE(status(), "Tests: 2 failed");
    QCOMPARE(book()->results().all().size(), 2 + 2);
  }

  // What fails goes to the edit in place, with what it said.
  void aFailureIsGivenToTheEditInPlace() {
    if (!hasPytest()) QSKIP("python3-pytest is not installed.");
    w_->openProjectWith("test_a.py", kTests);
    QTRY_COMPARE(marks().size(), 4);
    chord(Qt::Key_U, Qt::ShiftModifier);
    QTRY_COMPARE(status(), "Tests: 1 failed");
    w_->editor()->goToLine(5);
    chord(Qt::Key_E, Qt::ControlModifier | Qt::ShiftModifier);
    // Without a model that could do it, the edit says so; it is about the line that failed.
    QTRY_VERIFY(w_->editor()->caretLine() == 6);
    // In the panel the button is there for what failed only.
    chord(Qt::Key_U, Qt::ControlModifier);
    QTRY_VERIFY(tree()->hasFocus());
    QTRY_VERIFY(w_->find<QPushButton>("testsFix")->isVisible());
  }

  // Slow, cancelled by command; a second run says that the first one still runs.
  void whatRunsIsCancelled() {
    playPython("echo $$ > pid; sleep 300");
    w_->openProjectWith("test_a.py", kTests);
    QTRY_COMPARE(marks().size(), 4);
    chord(Qt::Key_U, Qt::ShiftModifier);
    QTRY_COMPARE(marks(), QStringList({"0 running", "4 running", "5 running", "8 running"}));
    QTRY_COMPARE(status(), "Tests: 0/3");
    QTRY_VERIFY(!w_->read("pid").isEmpty());
    chord(Qt::Key_X, Qt::ControlModifier);
    QTRY_VERIFY(notice().contains("still run"));
    WindowFixture::trigger(w_->window(), "test.cancel");
    QTRY_VERIFY(!runner()->isRunning());
    QTRY_COMPARE(marks(), QStringList({"0 ready", "4 ready", "5 ready", "8 ready"}));
    QVERIFY(problems("test_a.py").isEmpty());
    const QString process = "/proc/" + QString::fromLatin1(w_->read("pid").trimmed());
    QTRY_VERIFY(!QFileInfo::exists(process));
  }

  // Outcomes are shown as they come, before the program has ended.
  void outcomesComeWhileItRuns() {
    playPython(
        "echo 'test_a.py::test_one PASSED [ 33%]'; while [ ! -e go ]; do sleep 0.05; done; "
        "echo 'test_a.py::TestGroup::test_two FAILED [ 66%]'; exit 1");
    w_->openProjectWith("test_a.py", kTests);
    QTRY_COMPARE(marks().size(), 4);
    chord(Qt::Key_U, Qt::ShiftModifier);
    QTRY_COMPARE(marks(), QStringList({"0 passed", "4 running", "5 running", "8 running"}));
    QTRY_COMPARE(status(), "Tests: 1/3");
    w_->write("go", "x");
    // One that told nothing more is not run.
    QTRY_COMPARE(marks(), QStringList({"0 passed", "4 failed", "5 failed", "8 ready"}));
    // It named no place: its own line is where it failed.
    QTRY_COMPARE(problems("test_a.py"),
                 QStringList({"6 test_two: This test has failed. (pytest)"}));
  }

  void anAbsentProgramSaysWhatToDo() {
    playPython("echo 'python: No module named pytest'; exit 1");
    w_->openProjectWith("test_a.py", kTests);
    QTRY_COMPARE(marks().size(), 4);
    chord(Qt::Key_U, Qt::ShiftModifier);
    QTRY_VERIFY2(notice().contains("python3-pytest"), qPrintable(notice()));
    QTRY_COMPARE(marks(), QStringList({"0 ready", "4 ready", "5 ready", "8 ready"}));
    QCOMPARE(status(), "Tests: none run");
    // Where there is nothing to run, it is said, too.
    w_->write("plain.py", "x = 1\n");
    w_->openFile("plain.py");
    chord(Qt::Key_Y, Qt::ControlModifier);
    QTRY_VERIFY(notice().contains("No tests are known"));
  }

  // What is compiled is built first; a build that fails is listed, and nothing is run.
  void compiledTestsAreBuiltFirst() {
    w_->write(
        "CMakeLists.txt",
        "cmake_minimum_required(VERSION 3.16)\nproject(x CXX)\nset(CMAKE_CXX_STANDARD 17)\n"
        "set(CMAKE_AUTOMOC ON)\nenable_testing()\nfind_package(Qt6 REQUIRED COMPONENTS Test)\n"
        "add_executable(test_x test_x.cpp)\ntarget_link_libraries(test_x Qt6::Test)\n"
        "add_test(NAME x COMMAND test_x)\nadd_test(NAME lone COMMAND false)\n");
    w_->openProjectWith("test_x.cpp",
                        "#include <QTest>\nclass TestX : public QObject {\n  Q_OBJECT\n"
                        " private slots:\n  void a() { QVERIFY(missing); }\n};\n"
                        "QTEST_APPLESS_MAIN(TestX)\n#include \"test_x.moc\"\n");
    QTRY_COMPARE(marks(), QStringList({"1 ready", "4 ready"}));
    w_->editor()->goToLine(4);
    chord(Qt::Key_Y, Qt::ControlModifier);
    QTRY_VERIFY2(notice().contains("cmake -B build"), qPrintable(notice()));
    QProcess cmake;
    cmake.start("cmake", {"-S", w_->project(), "-B", w_->path("build"), "-G", "Ninja"});
    QVERIFY(cmake.waitForFinished(60'000) && cmake.exitCode() == 0);
    book()->readAgain();
    QTRY_COMPARE(book()->builds(), QStringList({w_->path("build")}));
    chord(Qt::Key_Y, Qt::ControlModifier);
    QTRY_VERIFY_WITH_TIMEOUT(notice().contains("building them has failed"), 60'000);
    QTRY_COMPARE(problems("test_x.cpp").size(), 1);
    QVERIFY(problems("test_x.cpp")[0].startsWith("5 "));
    QTRY_COMPARE(marks(), QStringList({"1 ready", "4 ready"}));
    // Mended, it is run, and what failed to build is forgotten.
    const QByteArray text = w_->read("test_x.cpp").replace("missing", "1 == 2");
    w_->editor()->replaceRange(0, w_->editor()->length(), text);
    chord(Qt::Key_X, Qt::ControlModifier);
    QTRY_COMPARE_WITH_TIMEOUT(marks(), QStringList({"1 failed", "4 failed"}), 60'000);
    QTRY_COMPARE(problems("test_x.cpp"),
                 QStringList({"5 a: '1 == 2' returned FALSE. () (Qt Test)"}));
    // All of the project has the one that no file is known for. The marks came before the end.
    QTRY_VERIFY(!tools()->runner()->isRunning());
    chord(Qt::Key_U, Qt::ControlModifier);
    chord(Qt::Key_Y, Qt::ShiftModifier);
    QTRY_COMPARE_WITH_TIMEOUT(status(), "Tests: 2 failed", 60'000);
    QTRY_COMPARE(rows(), QStringList({"test_x.cpp: failed", " TestX: failed", "  a: failed",
                                      "CTest: build: failed", " lone: failed"}));
  }

  // Nothing is run to show what there is, not by a project that is opened with the panel in sight.
  void nothingIsRunBeforeItIsAsked() {
    playPython("echo ran > ran");
    w_->openProjectWith("test_a.py", kTests);
    chord(Qt::Key_U, Qt::ControlModifier);
    QTRY_COMPARE(rows().size(), 5);
    QVERIFY(w_->close());
    w_->open({});
    QTRY_COMPARE(rows().size(), 5);
    QVERIFY(!tools()->dock()->isHidden());
    QVERIFY(!QFileInfo::exists(w_->path("ran")));
    WindowFixture::trigger(w_->window(), "test.list");
    QTRY_VERIFY(QFileInfo::exists(w_->path("ran")));
  }

  // Another project has nothing of this one's.
  void anotherFolderBeginsAfresh() {
    playPython("echo 'test_a.py::test_one FAILED'; exit 1");
    w_->openProjectWith("test_a.py", kTests);
    QTRY_COMPARE(marks().size(), 4);
    chord(Qt::Key_U, Qt::ShiftModifier);
    QTRY_COMPARE(problems("test_a.py").size(), 1);
    QTRY_VERIFY(!runner()->isRunning());
    const QString file = w_->path("test_a.py");
    WindowFixture::trigger(w_->window(), "file.closeFolder");
    QTRY_VERIFY(!runner()->hasRun());
    QVERIFY(w_->parts().languages->service()->diagnostics(file).isEmpty());
    QVERIFY(book()->results().all().isEmpty());
  }

 private:
  TestTools* tools() const { return w_->parts().tests; }
  TestBook* book() const { return tools()->book(); }
  TestRunner* runner() const { return tools()->runner(); }
  QTreeView* tree() const { return w_->find<QTreeView>("testsTree"); }
  QString output() const { return w_->find<QPlainTextEdit>("testsOutput")->toPlainText(); }
  QString status() const { return w_->find<QToolButton>("testState")->text(); }
  QString notice() const {
    const Banner* banner = w_->parts().notices->find("tests");
    return banner ? banner->text() : QString();
  }

  static void chord(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    WindowFixture::key(Qt::Key_M, Qt::ControlModifier);
    WindowFixture::key(key, modifiers);
  }

  // Debugs the test at a line, from 1, by key, to a breakpoint there.
  void stopsAt(int line) {
    QTRY_VERIFY(!marks().isEmpty());
    w_->editor()->goToLine(line - 1);
    WindowFixture::key(Qt::Key_F9);
    chord(Qt::Key_Y, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(whyNotStopped(), QString());
    QTRY_COMPARE(editor::StopMarks::of(w_->editor())->placeLine(), line - 1);
    // The line itself.
    WindowFixture::key(Qt::Key_F10);
    QTRY_COMPARE_WITH_TIMEOUT(editor::StopMarks::of(w_->editor())->placeLine(), line, kBuildMs);
  }
  // Waits until the debugged program stands; empty: it does. Else why that can no longer come.
  QString whyNotStopped() const {
    const DebugRunner* debugger = w_->parts().debug->runner();
    const auto told = [this] {
      const Banner* said = w_->parts().notices->find("debug");
      return notice() + (said ? said->text() : QString());
    };
    const bool isDecided = QTest::qWaitFor(
        [&] { return debugger->isStopped() || (!debugger->isBusy() && !told().isEmpty()); },
        kBuildMs);
    if (debugger->isStopped()) return {};
    return isDecided ? told() : QStringLiteral("It neither stopped nor ended.");
  }
  QString evaluated(const QString& expression) {
    QString got;
    w_->parts().debug->runner()->session()->evaluate(
        expression, "watch", [&](const workbench::Variable& value, const QString& problem) {
          got = problem.isEmpty() ? value.value : problem;
        });
    (void)QTest::qWaitFor([&] { return !got.isEmpty(); }, kBuildMs);
    return got;
  }
  void endDebugging() {
    WindowFixture::key(Qt::Key_F5, Qt::ShiftModifier);
    QTRY_VERIFY_WITH_TIMEOUT(!w_->parts().debug->runner()->isBusy(), kBuildMs);
  }
  static bool works(const char* program, const QStringList& arguments) {
    QProcess process;
    process.start(program, arguments);
    return process.waitForFinished(60'000) && process.exitCode() == 0;
  }
  static bool hasLldb() {
    for (const QString& folder : QString::fromLocal8Bit(qgetenv("PATH")).split(u':'))
      if (!QDir(folder).entryList({"lldb-dap*", "lldb-vscode*"}, QDir::Files).isEmpty())
        return true;
    return false;
  }
  static bool hasPytest() { return hasPython("pytest"); }
  static bool hasPython(const char* module) {
    return works("python3", {"-m", module, "--version"});
  }
  // A shell's line plays the project's own Python.
  void playPython(const QByteArray& line) const {
    w_->write(".venv/bin/python", "#!/bin/sh\n" + line + "\n");
    makeExecutable(".venv/bin/python");
  }
  void makeExecutable(const char* name) const {
    QFile::setPermissions(w_->path(name), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
  }

  // "line kind" of each mark beside the text in front.
  QStringList marks() const {
    const char* kinds[] = {"ready", "running", "passed", "skipped", "failed"};
    QStringList shown;
    for (const editor::RunMark& mark : editor::RunMarks::of(w_->editor())->marks())
      shown.append(QStringLiteral("%1 %2").arg(mark.line).arg(
          QLatin1String(kinds[static_cast<int>(mark.kind)])));
    return shown;
  }
  static void clickMark(editor::CodeEditor* editor, int line) {
    using Sci = QsciScintillaBase;
    int x = 0;
    for (unsigned long margin = 0; margin < 6; ++margin)
      x += static_cast<int>(editor->sci(Sci::SCI_GETMARGINWIDTHN, margin));
    const auto start = static_cast<long>(editor->lineStart(line));
    const int y = static_cast<int>(editor->sci(Sci::SCI_POINTYFROMPOSITION, 0, start));
    QTest::mouseClick(editor->viewport(), Qt::LeftButton, {}, {x + 6, y + 6});
  }

  // "line message" of each.
  QStringList problems(const QString& file) const {
    QStringList shown;
    for (const Diagnostic& one : w_->parts().languages->service()->diagnostics(w_->path(file)))
      shown.append(QStringLiteral("%1 %2").arg(one.place.line + 1).arg(one.text()));
    return shown;
  }

  // "name: state" of each row that can be seen, without how long it took, further in by blanks;
  // all are opened.
  QStringList rows() const {
    QStringList shown;
    tree()->expandAll();
    const QAbstractItemModel* model = tree()->model();
    const std::function<void(const QModelIndex&, int)> add = [&](const QModelIndex& parent,
                                                                 int depth) {
      for (int i = 0; i < model->rowCount(parent); ++i) {
        const QModelIndex index = model->index(i, 0, parent);
        const QString text = index.data(Qt::AccessibleTextRole).toString();
        const QString name =
            text.section(QStringLiteral(": "), 0, -2).section(QStringLiteral("  "), 0, 0);
        shown.append(QString(depth, u' ') + name + QStringLiteral(": ") +
                     text.section(QStringLiteral(": "), -1));
        add(index, depth + 1);
      }
    };
    add({}, 0);
    return shown;
  }

  std::unique_ptr<WindowFixture> w_;
};

QTEST_MAIN(TestTestsWindow)
#include "test_tests_window.moc"
