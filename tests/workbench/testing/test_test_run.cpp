// SPDX-License-Identifier: GPL-3.0-or-later
// Tests run by the real programs, where they are installed, and by programs that are absent, slow,
// or end amid their work.
#include <signal.h>

#include <QDir>
#include <QProcess>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QtTest>

#include "tests/support/paths.h"
#include "workbench/testing/find_tests.h"
#include "workbench/testing/test_results.h"
#include "workbench/testing/test_run.h"
#include "workbench/testing/test_scanner.h"

using namespace waferpair::workbench;

namespace {

constexpr int kPatience = 120'000;  // ms

// Runs a program to its end; what it wrote.
bool runs(const QString& program, const QStringList& arguments, const QString& folder) {
  QProcess process;
  process.setWorkingDirectory(folder);
  process.setProcessChannelMode(QProcess::MergedChannels);
  process.start(program, arguments);
  const bool isFine = process.waitForFinished(kPatience) && process.exitCode() == 0 &&
                      process.exitStatus() == QProcess::NormalExit;
  if (!isFine) qWarning() << program << arguments << process.readAll();
  return isFine;
}

}  // namespace

class TestTestRun : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init() { folder_ = std::make_unique<QTemporaryDir>(); }

  // Qt Test through CTest, from the build on; one slot alone, all of a class, all of the project.
  void ctestRunsQtTest() {
    writeQtProject();
    TestSetup setup = configured();
    if (QTest::currentTestFailed()) return;
    const QString source = path("test_sums.cpp");
    run({buildStep(setup, {source}), listStep(setup)});
    QVERIFY2(ends_.value(0).isFine() && ends_.value(1).isFine(), ends_.value(0).output);
    QCOMPARE(begun_[0].command.arguments.mid(2), QStringList({"--target", "test_sums"}));
    setup.entries = *readCTestList(ends_[1].output);
    QCOMPARE(setup.entries.size(), 1);
    const TestId adds{TestFramework::kQtTest, {}, {"TestSums", "adds"}};
    const TestId takes{TestFramework::kQtTest, {}, {"TestSums", "takes"}};
    auto plan = planTests(setup, {{takes, source, false}});
    QCOMPARE(plan.problems, QStringList());
    run(plan.steps);
    QCOMPARE(results_.state(takes), TestState::kFailed);
    QCOMPARE(results_.state(adds), TestState::kNotRun);
    QCOMPARE(results_.of(takes)->place()->path, source);
    QCOMPARE(results_.of(takes)->place()->line, 7);
    QVERIFY2(results_.of(takes)->message().contains("3"),
             qPrintable(results_.of(takes)->message()));
    QVERIFY(results_.of(takes)->ms() >= 0);
    // The whole class: its data are parts of one test, and the environment is CTest's.
    run(planTests(setup, {{{TestFramework::kQtTest, {}, {"TestSums"}}, source, true}}).steps);
    QCOMPARE(results_.state(adds), TestState::kPassed);
    QCOMPARE(results_.of(adds)->parts.size(), 2);
    QCOMPARE(results_.of(adds)->parts[1].part, "two");
    const TestId off{TestFramework::kQtTest, {}, {"TestSums", "off"}};
    QCOMPARE(results_.state(off), TestState::kSkipped);
    QCOMPARE(results_.of(off)->message(), "from CTest");
    // All by CTest: the same of each.
    run(planAllTests(setup, {}).steps);
    QCOMPARE(begun_[0].title, "ctest");
    QCOMPARE(results_.state(adds), TestState::kPassed);
    QCOMPARE(results_.state(takes), TestState::kFailed);
    QCOMPARE(results_.of(takes)->place()->line, 7);
    QCOMPARE(results_.state({TestFramework::kCTest, setup.build, {"sums"}}), TestState::kFailed);
  }

  void aBuildThatFailsEndsTheRun() {
    writeQtProject();
    write("test_sums.cpp", "int main() { return missing; }\n");
    const TestSetup setup = configured();
    if (QTest::currentTestFailed()) return;
    run({buildAllStep(setup), listStep(setup)});
    QCOMPARE(begun_.size(), 1);
    QVERIFY(!ends_[0].isFine());
    QVERIFY(ends_[0].output.contains("missing"));
  }

  void googleTestIsRunByItsFilter() {
    if (!QFileInfo::exists(QStringLiteral("/usr/include/gtest/gtest.h")))
      QSKIP("libgtest-dev is not installed.");
    write("CMakeLists.txt",
          "cmake_minimum_required(VERSION 3.16)\nproject(x CXX)\nenable_testing()\n"
          "find_package(GTest REQUIRED)\ninclude(GoogleTest)\nadd_executable(unit sums.cpp)\n"
          "target_link_libraries(unit GTest::gtest_main)\ngtest_discover_tests(unit)\n");
    const QByteArray text =
        "#include <gtest/gtest.h>\nTEST(Sums, Adds) { EXPECT_EQ(1 + 1, 2); }\n"
        "TEST(Sums, Takes) {\n  EXPECT_EQ(3 - 1, 3);\n}\nTEST(Other, Works) {}\n";
    write("sums.cpp", text);
    TestSetup setup = configured();
    if (QTest::currentTestFailed()) return;
    run({buildStep(setup, {path("sums.cpp")}), listStep(setup)});
    setup.entries = *readCTestList(ends_.value(1).output);
    QCOMPARE(setup.entries.size(), 3);
    const TestId suite{TestFramework::kGoogleTest, {}, {"Sums"}};
    const TestId takes{TestFramework::kGoogleTest, {}, {"Sums", "Takes"}};
    const TestId works{TestFramework::kGoogleTest, {}, {"Other", "Works"}};
    run(planTests(setup, {{suite, path("sums.cpp"), true}}).steps);
    QCOMPARE(results_.state({TestFramework::kGoogleTest, {}, {"Sums", "Adds"}}),
             TestState::kPassed);
    QCOMPARE(results_.state(takes), TestState::kFailed);
    QCOMPARE(results_.of(takes)->place()->path, path("sums.cpp"));
    QCOMPARE(results_.of(takes)->place()->line, 4);
    QCOMPARE(results_.state(works), TestState::kNotRun);
    run(planTests(setup, {{works, path("sums.cpp"), false}}).steps);
    QCOMPARE(results_.state(works), TestState::kPassed);
    QCOMPARE(results_.all().size(), 1);
  }

  void pytestIsRun() {
    if (!hasPytest()) QSKIP("python3-pytest is not installed.");
    write("pyproject.toml", "[project]\nname = 'x'\n");
    write("tests/test_a.py",
          "import pytest\n\n\ndef test_one():\n    assert 1 == 1\n\n\n"
          "class TestGroup:\n    @pytest.mark.parametrize('a', ['x::y', 'z'])\n"
          "    def test_two(self, a):\n        assert a == 'z'\n\n"
          "    @pytest.mark.skip(reason='not now')\n    def test_off(self):\n        pass\n");
    write("tests/test_broken.py", "import nothing_like_it\n\n\ndef test_lost():\n    pass\n");
    const TestSetup setup{folder_->path(), {}, {}};
    const auto files = scanned();
    QCOMPARE(files.size(), 2);
    const QString file = path("tests/test_a.py");
    const TestId one{TestFramework::kPytest, file, {"test_one"}};
    const TestId two{TestFramework::kPytest, file, {"TestGroup", "test_two"}};
    run(planTests(setup, {{one, file, false}}).steps);
    QCOMPARE(results_.state(one), TestState::kPassed);
    QCOMPARE(results_.all().size(), 1);
    run(planTests(setup, {{{TestFramework::kPytest, file, {"TestGroup"}}, file, true}}).steps);
    QCOMPARE(results_.state(two), TestState::kFailed);
    QCOMPARE(results_.of(two)->parts.size(), 2);
    QCOMPARE(results_.of(two)->place()->path, file);
    QCOMPARE(results_.of(two)->place()->line, 11);
    QVERIFY2(results_.of(two)->message().startsWith("[x::y] "),
             qPrintable(results_.of(two)->message()));
    QCOMPARE(results_.of({TestFramework::kPytest, file, {"TestGroup", "test_off"}})->message(),
             "not now");
    QCOMPARE(results_.state(one), TestState::kNotRun);
    // A file that cannot be read fails as a whole, and the others say so, too.
    run(planAllTests(setup, files).steps);
    const TestId broken{TestFramework::kPytest, path("tests/test_broken.py"), {}};
    QCOMPARE(results_.state(broken), TestState::kFailed);
    QCOMPARE(results_.of(broken)->place()->line, 1);
    // What pytest lists has the tests that are made of data.
    QFile::remove(path("tests/test_broken.py"));
    run(collectSteps(setup, files));
    QCOMPARE(readPytestList(ends_.value(0).output, folder_->path()).size(), 3);
  }

  void cargoIsRun() {
    if (QStandardPaths::findExecutable(QStringLiteral("cargo")).isEmpty())
      QSKIP("cargo is not installed.");
    write("Cargo.toml", "[package]\nname = \"sums\"\nversion = \"0.1.0\"\nedition = \"2021\"\n");
    write("src/lib.rs",
          "pub mod more;\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds() {}\n"
          "    #[test]\n    fn fails() {\n        assert_eq!(1, 2);\n    }\n}\n");
    write("src/more.rs", "#[test]\nfn works() {}\n");
    write("tests/whole.rs", "#[test]\n#[ignore]\nfn off() {}\n");
    const TestSetup setup{folder_->path(), {}, {}};
    const auto files = scanned();
    QCOMPARE(files.size(), 3);
    const TestId fails{TestFramework::kCargo, path("src/lib.rs"), {"tests", "fails"}};
    run(planTests(setup, {{fails, path("src/lib.rs"), false}}).steps);
    QCOMPARE(results_.state(fails), TestState::kFailed);
    QCOMPARE(results_.all().size(), 1);
    QCOMPARE(results_.of(fails)->place()->path, path("src/lib.rs"));
    QCOMPARE(results_.of(fails)->place()->line, 8);
    run(planAllTests(setup, files).steps);
    const TestId works{TestFramework::kCargo, path("src/lib.rs"), {"more", "works"}};
    const TestId off{TestFramework::kCargo, path("tests/whole.rs"), {"off"}};
    QCOMPARE(results_.state(works), TestState::kPassed);
    QCOMPARE(results_.state(off), TestState::kSkipped);
    QCOMPARE(results_.state(fails), TestState::kFailed);
    // For a debugger: the program alone.
    const TestStep one = planTests(setup, {{fails, path("src/lib.rs"), false}}).steps.constFirst();
    run({findProgramStep(one)});
    const QString program = readCargoProgram(ends_.constLast().output, one.program.scope);
    QVERIFY2(program.startsWith(path("target/debug/deps/sums-")), qPrintable(program));
    QVERIFY(QFileInfo(program).isExecutable());
    QCOMPARE(readCargoProgram(ends_.constLast().output, path("tests/whole.rs")), QString());
    QCOMPARE(readCargoProgram("{\"reason\":\n{}\nerror", path("src/lib.rs")), QString());
  }

  void goIsRun() {
    if (QStandardPaths::findExecutable(QStringLiteral("go")).isEmpty())
      QSKIP("golang-go is not installed.");
    write("go.mod", "module example.org/sums\n\ngo 1.19\n");
    write("inner/sums_test.go",
          "package inner\n\nimport \"testing\"\n\nfunc TestAdds(t *testing.T) {}\n\n"
          "func TestTakes(t *testing.T) {\n\tt.Run(\"part\", func(t *testing.T) {\n"
          "\t\tt.Errorf(\"got %d\", 3)\n\t})\n}\n");
    const TestSetup setup{folder_->path(), {}, {}};
    const TestId takes{TestFramework::kGo, path("inner"), {"TestTakes"}};
    const TestId adds{TestFramework::kGo, path("inner"), {"TestAdds"}};
    run(planTests(setup, {{takes, path("inner/sums_test.go"), false}}).steps);
    QCOMPARE(results_.state(takes), TestState::kFailed);
    QCOMPARE(results_.of(takes)->place()->path, path("inner/sums_test.go"));
    QCOMPARE(results_.of(takes)->place()->line, 9);
    QCOMPARE(results_.of(takes)->message(), "got 3");
    QCOMPARE(results_.state(adds), TestState::kNotRun);
    run(planAllTests(setup, scanned()).steps);
    QCOMPARE(results_.state(adds), TestState::kPassed);
  }

  void vitestIsRun() {
    const QString modules =
        QString::fromStdString(waferpair::test::sourceDir()) + "/build/runners/node_modules";
    if (!QFileInfo::exists(modules + QStringLiteral("/.bin/vitest")))
      QSKIP("vitest is not there: scripts/install_test_runners.sh installs it.");
    QVERIFY(QFile::link(modules, path("node_modules")));
    write("package.json", R"({"type": "module", "devDependencies": {"vitest": "*"}})");
    write("src/sums.test.ts",
          "import { describe, expect, it } from 'vitest';\ndescribe('sums', () => {\n"
          "  it('adds', () => {\n    expect(1 + 1).toBe(2);\n  });\n"
          "  it('adds (more)', () => {\n    expect(1 + 1).toBe(3);\n  });\n"
          "  it.skip('off', () => {});\n});\n");
    const TestSetup setup{folder_->path(), {}, {}};
    const QString file = path("src/sums.test.ts");
    const TestId adds{TestFramework::kVitest, file, {"sums", "adds"}};
    const TestId more{TestFramework::kVitest, file, {"sums", "adds (more)"}};
    run(planTests(setup, {{more, file, false}}).steps);
    QVERIFY2(results_.state(more) == TestState::kFailed, ends_.value(0).output);
    QCOMPARE(results_.of(more)->place()->path, file);
    QCOMPARE(results_.of(more)->place()->line, 7);
    QVERIFY(results_.state(adds) != TestState::kPassed);
    run(planAllTests(setup, {{file, {{adds, 0, 0, false}}}}).steps);
    QCOMPARE(results_.state(adds), TestState::kPassed);
    QCOMPARE(results_.state({TestFramework::kVitest, file, {"sums", "off"}}), TestState::kSkipped);
  }

  void anAbsentProgramIsNamed() {
    TestStep step;
    step.title = "go test";
    step.folder = folder_->path();
    step.command.program = "no-such-program-here";
    step.program = {TestFramework::kGo, folder_->path(), {}};
    run({step});
    QCOMPARE(ends_[0].status, std::optional(127));
    QVERIFY2(ends_[0].output.contains("no-such-program-here"), ends_[0].output);
    QVERIFY(remedyFor(step, ends_[0]).contains("golang-go"));
    // Python is there, and pytest is not.
    step.program.framework = TestFramework::kPytest;
    StepEnd end;
    end.status = 1;
    end.output = "/usr/bin/python3: No module named pytest\n";
    QVERIFY(remedyFor(step, end).contains("python3-pytest"));
    end.output = "error: unrecognized arguments: --color=no";
    QVERIFY(remedyFor(step, end).contains("6.0"));
    // The folder is gone.
    step.folder = path("gone");
    run({step});
    QVERIFY(!ends_[0].status);
  }

  // What takes long is ended with all that it started, and nothing behind it is begun.
  void cancelEndsEverything() {
    TestStep slow = shellStep("sleep 300 & echo $!; wait");
    const TestStep behind = shellStep("echo behind");
    TestRun testRun;
    collect(&testRun);
    testRun.add({slow, behind});
    QSignalSpy wrote(&testRun, &TestRun::wrote);
    QSignalSpy ended(&testRun, &TestRun::ended);
    testRun.start();
    QVERIFY(wrote.wait());
    const auto child = static_cast<pid_t>(wrote[0][0].toByteArray().trimmed().toInt());
    QVERIFY(child > 0 && ::kill(child, 0) == 0);
    testRun.cancel();
    QVERIFY(ended.wait());
    QVERIFY(testRun.wasCancelled());
    QCOMPARE(begun_.size(), 1);
    QTRY_VERIFY(::kill(child, 0) != 0);
  }

  void programsEndWithTheRun() {
    auto testRun = std::make_unique<TestRun>();
    testRun->add({shellStep("echo $$; sleep 300")});
    QSignalSpy wrote(testRun.get(), &TestRun::wrote);
    testRun->start();
    QVERIFY(wrote.wait());
    const auto program = static_cast<pid_t>(wrote[0][0].toByteArray().trimmed().toInt());
    testRun.reset();
    QTRY_VERIFY(::kill(program, 0) != 0);
  }

  // More may come while it is held; released, it goes on or ends.
  void aHeldRunWaits() {
    TestRun testRun;
    collect(&testRun);
    QSignalSpy ended(&testRun, &TestRun::ended);
    QSignalSpy stepEnded(&testRun, &TestRun::stepEnded);
    testRun.hold();
    testRun.start();
    testRun.add({shellStep("true")});
    QVERIFY(testRun.isRunning() && stepEnded.isEmpty());
    testRun.release();
    QVERIFY(ended.wait());
    QCOMPARE(stepEnded.size(), 1);
  }

  // Variables that are named as secrets reach tests, as in a terminal; output of any length is
  // read.
  void programsHaveTheirSurroundings() {
    const QByteArray name =
        "TESTER_ACCESS_"
        "TOKEN";
    qputenv(name, "here");
    run(
        {shellStep("echo \"[$TESTER_ACCESS_"
                   "TOKEN]\"; cat; head -c 20000000 /dev/zero | tr '\\0' x; echo; "
                   "echo 'PASS   : T::a()'")});
    qunsetenv(name);
    QCOMPARE(results_.state({TestFramework::kQtTest, {}, {"T", "a"}}), TestState::kPassed);
    QVERIFY(ends_[0].isFine());
    QVERIFY(ends_[0].output.size() <= TestRun::kMostKept);
    QVERIFY(first_.startsWith("[here]\n"));
  }

  // A file of results that is missing or damaged leaves what was told while it ran.
  void damagedResultsDoNoHarm() {
    TestStep step =
        shellStep("echo 'test_a.py::test_one PASSED'; printf '<testsuite><testcase na' > \"$0\"");
    step.program.framework = TestFramework::kPytest;
    step.command.arguments += kResultsFile;
    run({step});
    QCOMPARE(results_.state({TestFramework::kPytest, path("test_a.py"), {"test_one"}}),
             TestState::kPassed);
    QCOMPARE(results_.all().size(), 1);
  }

  void whatCannotBeRunIsSaid() {
    const TestSetup setup{folder_->path(), path("build"), {}};
    const auto plan =
        planTests(setup, {{{TestFramework::kQtTest, {}, {"T"}}, path("deep/t.cpp"), true}});
    QVERIFY(plan.steps.isEmpty());
    QCOMPARE(plan.problems.size(), 1);
    QVERIFY(plan.problems[0].contains("deep/t.cpp"));
  }

  // The target that a source is compiled into.
  void targetsAreNamedInLists() {
    write("CMakeLists.txt", "add_executable(unit\n  tests/sums.cpp\n  \"tests/more.cpp\")\n");
    write("tests/CMakeLists.txt",
          "my_test(test_other SOURCES inner/other.cpp LIBS x)\n# sums.cpp\n");
    const auto target = [&](const char* file) { return targetOf(path(file), folder_->path()); };
    QCOMPARE(target("tests/sums.cpp"), "unit");
    QCOMPARE(target("tests/more.cpp"), "unit");
    QCOMPARE(target("tests/inner/other.cpp"), "test_other");
    QCOMPARE(target("tests/lone.cpp"), "lone");
    write("build/build.ninja", "build unit: phony bin/unit\nbuild x.o: CXX unit2\n");
    QVERIFY(hasTarget(path("build"), "unit"));
    QVERIFY(!hasTarget(path("build"), "unit2"));
    write("made/Makefile", "unit: cmake_check_build_system\n");
    QVERIFY(hasTarget(path("made"), "unit"));
  }

 private:
  QString path(const QString& relative) const { return folder_->path() + u'/' + relative; }
  void write(const QString& relative, const QByteArray& bytes) const {
    QDir().mkpath(QFileInfo(path(relative)).path());
    QFile file(path(relative));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
  }

  void writeQtProject() const {
    write("CMakeLists.txt",
          "cmake_minimum_required(VERSION 3.16)\nproject(x CXX)\nset(CMAKE_CXX_STANDARD 17)\n"
          "set(CMAKE_AUTOMOC ON)\nenable_testing()\nfind_package(Qt6 REQUIRED COMPONENTS Test)\n"
          "add_executable(test_sums test_sums.cpp)\ntarget_link_libraries(test_sums Qt6::Test)\n"
          "add_test(NAME sums COMMAND test_sums)\n"
          "set_tests_properties(sums PROPERTIES ENVIRONMENT \"WHENCE=from CTest\")\n");
    write("test_sums.cpp",
          "#include <QTest>\nclass TestSums : public QObject {\n  Q_OBJECT\n private slots:\n"
          "  void takes() {\n    int left = 3 - 1;\n    QCOMPARE(left, 3);\n  }\n"
          "  void adds_data() {\n    QTest::addColumn<int>(\"a\");\n"
          "    QTest::newRow(\"one\") << 1;\n    QTest::newRow(\"two\") << 2;\n  }\n"
          "  void adds() {\n    QFETCH(int, a);\n    QVERIFY(a > 0);\n  }\n"
          "  void off() { QSKIP(qgetenv(\"WHENCE\").constData()); }\n"
          "};\nQTEST_APPLESS_MAIN(TestSums)\n#include \"test_sums.moc\"\n");
  }

  TestSetup configured() {
    const bool isFine =
        runs(QStringLiteral("cmake"), {"-S", folder_->path(), "-B", path("build"), "-G", "Ninja"},
             folder_->path());
    [&] { QVERIFY(isFine); }();
    return {folder_->path(), path("build"), {}};
  }

  QVector<TestFile> scanned() const {
    QStringList files;
    QDirIterator each(folder_->path(), QDir::Files, QDirIterator::Subdirectories);
    while (each.hasNext()) files.append(each.next().mid(folder_->path().size() + 1));
    files.sort();
    TestScanner scanner;
    const std::atomic<bool> cancelled = false;
    return scanner.scan(folder_->path(), files, cancelled);
  }

  bool hasPytest() const {
    QProcess python;
    python.start(QStringLiteral("python3"), {"-m", "pytest", "--version"});
    return python.waitForFinished(kPatience) && python.exitCode() == 0;
  }

  // Its output is read as Qt Test's.
  TestStep shellStep(const QString& line) const {
    TestStep step;
    step.title = line;
    step.folder = folder_->path();
    step.command.program = QStringLiteral("/bin/sh");
    step.command.arguments = QStringList{QStringLiteral("-c"), line};
    step.program = {TestFramework::kQtTest, folder_->path(), {}};
    return step;
  }

  void collect(TestRun* testRun) {
    begun_.clear();
    ends_.clear();
    first_.clear();
    results_.clear();
    connect(testRun, &TestRun::stepBegan, this,
            [this](const TestStep& step) { begun_.append(step); });
    connect(testRun, &TestRun::took, this, [this](const QVector<TestOutcome>& outcomes) {
      for (const TestOutcome& one : outcomes) results_.take(one);
    });
    connect(testRun, &TestRun::wrote, this, [this](const QByteArray& bytes) {
      if (first_.size() < 1000) first_ += bytes;
    });
    connect(testRun, &TestRun::stepEnded, this,
            [this](const TestStep&, const StepEnd& end) { ends_.append(end); });
  }
  void run(const QVector<TestStep>& steps) {
    TestRun testRun;
    collect(&testRun);
    QSignalSpy ended(&testRun, &TestRun::ended);
    testRun.add(steps);
    testRun.start();
    if (testRun.isRunning()) QVERIFY(ended.wait(kPatience));
  }

  std::unique_ptr<QTemporaryDir> folder_;
  TestResults results_;
  QVector<TestStep> begun_;
  QVector<StepEnd> ends_;
  QByteArray first_;
};

QTEST_MAIN(TestTestRun)
#include "test_test_run.moc"
