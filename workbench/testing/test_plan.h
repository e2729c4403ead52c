// SPDX-License-Identifier: GPL-3.0-or-later
// What is to be run so that tests are: a program after another. Values; files are read, and nothing
// is run. Any thread.
#pragma once

#include "programs/program_command.h"
#include "workbench/testing/ctest_list.h"
#include "workbench/testing/output_reader.h"

namespace waferpair::workbench {

// In a step's arguments: the file for its results.
inline constexpr char kResultsFile[] = "@RESULTS@";

struct TestStep {
  enum class Kind {
    kBuild,        // where it fails, nothing behind it is run
    kList,         // its output lists CTest's tests
    kCollect,      // its output lists pytest's tests
    kFindProgram,  // builds; its output names the program that has the tests
    kRun,
  };
  Kind kind = Kind::kRun;
  QString title;  // "pytest"
  programs::ProgramCommand command;
  QString folder;       // absolute: where it runs
  TestProgram program;  // of which its output tells
};

struct WantedTest {
  TestId id;
  QString path;  // absolute: the file that it stands in; empty for one of CTest's alone
  bool isGroup = false;
};

// What runs all of a file.
QVector<WantedTest> wantedOf(const TestFile& file);

struct TestPlan {
  QVector<TestStep> steps;
  QStringList problems;  // sentences: what cannot be run, and why
};

struct TestSetup {
  QString folder;  // the project's, absolute
  QString build;   // absolute; empty: nothing was configured by CMake
  QVector<CTestEntry> entries;
};

// Builds what these sources are compiled into; all, where no target is known to be theirs.
TestStep buildStep(const TestSetup& setup, const QStringList& sources);
// The same of everything.
TestStep buildAllStep(const TestSetup& setup);
TestStep listStep(const TestSetup& setup);
// A step for each folder in which pytest looks for tests.
QVector<TestStep> collectSteps(const TestSetup& setup, const QVector<TestFile>& files);

// C++ takes a build and a list first.
bool isCompiled(TestFramework framework);

TestPlan planTests(const TestSetup& setup, const QVector<WantedTest>& wanted);
// All of a project that has these files.
TestPlan planAllTests(const TestSetup& setup, const QVector<TestFile>& files);

// What builds the program in which `run` would run tests, and tells where it is. Only for a step of
// kCargo's: others know the program.
TestStep findProgramStep(const TestStep& run);
// The program built of the source file `root`, absolute, as `cargo --message-format=json` tells of
// it; empty: it tells of none.
QString readCargoProgram(const QByteArray& output, const QString& root);

// Reads what `pytest --collect-only -q` writes: a test a line.
QVector<TestId> readPytestList(const QByteArray& output, const QString& folder);

}  // namespace waferpair::workbench
