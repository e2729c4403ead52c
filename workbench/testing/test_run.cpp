// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/testing/test_run.h"

#include <QCoreApplication>
#include <QPointer>
#include <QProcessEnvironment>
#include <QThreadPool>
#include <algorithm>

#include "editor/text/guest_file.h"
#include "editor/text/translate.h"
#include "programs/child_process.h"

namespace waferpair::workbench {
namespace {

constexpr qint64 kMostOfResults = 256 << 20;  // bytes
constexpr int kNotFound = 127;                // the shell's status for a program that is not there

QVector<TestOutcome> readResults(const TestStep& step, const QString& path) {
  const QByteArray bytes = editor::guestBytes(path, kMostOfResults);
  if (bytes.isEmpty()) return {};
  switch (step.program.framework) {
    case TestFramework::kPytest:
      return readPytestResults(bytes, step.program);
    case TestFramework::kCTest:
      return readCTestResults(bytes, step.program);
    case TestFramework::kQtTest:
      return readQtTestTimes(bytes);
    case TestFramework::kVitest:
    case TestFramework::kJest:
      return readScriptResults(bytes, step.program);
    case TestFramework::kGoogleTest:
    case TestFramework::kCargo:
    case TestFramework::kGo:
      break;
  }
  return {};
}

// As a shell starts it: nothing to read, and what it says of errors among what it prints, in the
// order in which it prints that. A list is for us alone.
programs::ProgramCommand started(const TestStep& step, const QString& resultFile) {
  const bool isList = step.kind == TestStep::Kind::kList;
  programs::ProgramCommand command;
  command.program = QStringLiteral("/bin/sh");
  command.arguments = QStringList{QStringLiteral("-c"),
                                  isList ? QStringLiteral("exec \"$@\" </dev/null")
                                         : QStringLiteral("exec \"$@\" 2>&1 </dev/null"),
                                  QStringLiteral("sh"), step.command.program} +
                      step.command.arguments;
  for (QString& argument : command.arguments)
    argument.replace(QLatin1String(kResultsFile), resultFile);
  // Tests get the whole environment, as they would in a terminal.
  command.environment = programs::secretVariables(QProcessEnvironment::systemEnvironment()) +
                        step.command.environment;
  return command;
}

}  // namespace

TestRun::TestRun(QObject* parent) : QObject(parent) {}

TestRun::~TestRun() { delete process_; }

void TestRun::add(const QVector<TestStep>& steps) {
  if (wasCancelled_) return;
  for (const TestStep& step : steps) waiting_.enqueue(step);
}

void TestRun::start() {
  if (isRunning_) return;
  isRunning_ = true;
  next();
}

void TestRun::release() {
  --holds_;
  if (isRunning_ && isIdle_) next();
}

void TestRun::cancel() {
  if (!isRunning_) return;
  wasCancelled_ = true;
  waiting_.clear();
  if (process_) process_->end(programs::ChildProcess::processesOf(process_->marks()));
}

void TestRun::next() {
  isIdle_ = waiting_.isEmpty() && holds_ > 0;
  if (isIdle_) return;
  if (waiting_.isEmpty()) {
    isRunning_ = false;
    Q_EMIT ended();
    return;
  }
  step_ = waiting_.dequeue();
  end_ = {};
  reader_ = step_.kind == TestStep::Kind::kRun ? makeOutputReader(step_.program) : nullptr;
  resultFile_ = folder_.filePath(QString::number(++begun_));
  Q_EMIT stepBegan(step_);
  process_ = new programs::ChildProcess(started(step_, resultFile_), step_.folder, this);
  connect(process_, &programs::ChildProcess::received, this, &TestRun::take);
  connect(process_, &programs::ChildProcess::ended, this, &TestRun::programEnded);
  process_->start();
}

void TestRun::take(const QByteArray& bytes) {
  end_.output += bytes;
  if (end_.output.size() > 2 * kMostKept) end_.output = end_.output.right(kMostKept);
  Q_EMIT wrote(bytes);
  if (!reader_) return;
  tell(reader_->take(bytes));
}

void TestRun::tell(const QVector<TestOutcome>& outcomes) {
  if (outcomes.isEmpty()) return;
  end_.failed += std::count_if(outcomes.begin(), outcomes.end(), [](const TestOutcome& one) {
    return one.state == TestState::kFailed;
  });
  Q_EMIT took(outcomes);
}

void TestRun::programEnded(const QString& how) {
  end_.status = process_->status();
  end_.how = how;
  if (step_.kind == TestStep::Kind::kList) end_.how += u' ' + process_->lastWords();
  // What it started and left behind is ended by then, too.
  process_->disconnect(this);
  process_->deleteLater();
  process_ = nullptr;
  if (reader_) tell(reader_->finish());
  if (step_.kind != TestStep::Kind::kRun) return finishStep({});
  QThreadPool::globalInstance()->start(
      [self = QPointer<TestRun>(this), step = step_, path = resultFile_] {
        const QVector<TestOutcome> outcomes = readResults(step, path);
        QMetaObject::invokeMethod(qApp, [self, outcomes] {
          if (self) self->finishStep(outcomes);
        });
      });
}

void TestRun::finishStep(const QVector<TestOutcome>& outcomes) {
  end_.output = end_.output.right(kMostKept);
  tell(outcomes);
  if (step_.kind == TestStep::Kind::kBuild && !end_.isFine()) waiting_.clear();
  Q_EMIT stepEnded(step_, end_);
  next();
}

QString remedyFor(const TestStep& step, const StepEnd& end) {
  const bool isPython = step.program.framework == TestFramework::kPytest;
  if (isPython && end.output.contains("No module named pytest"))
    return translate(
        "Install pytest: the package \"python3-pytest\", or pip's into the project's .venv.");
  if (isPython && end.output.contains("unrecognized arguments"))
    return translate("This pytest may be too old: 6.0 or later is needed.");
  if (end.status != kNotFound) return {};
  switch (step.program.framework) {
    case TestFramework::kCTest:
      return translate("Install the package \"cmake\".");
    case TestFramework::kCargo:
      return translate("Install Rust: the package \"cargo\", or rustup.");
    case TestFramework::kGo:
      return translate("Install Go: the package \"golang-go\".");
    case TestFramework::kVitest:
    case TestFramework::kJest:
      return translate("Run \"npm install\" in the folder of its package.json.");
    case TestFramework::kPytest:
      return translate("Install the package \"python3\".");
    case TestFramework::kQtTest:
    case TestFramework::kGoogleTest:
      return translate("Build it.");
  }
  Q_UNREACHABLE();
}

}  // namespace waferpair::workbench
