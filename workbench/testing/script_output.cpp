// SPDX-License-Identifier: GPL-3.0-or-later
// What pytest, Cargo, Go and CTest print while they run tests.
#include "workbench/testing/script_output.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>

namespace waferpair::workbench {

// -- pytest: "tests/test_a.py::TestX::test_y[1] PASSED   [ 50%]", of `-v`

void PytestReader::takeLine(const QByteArray& bytes) {
  static const QRegularExpression verdict(QStringLiteral(
      R"(^(\S[^:]*\.py)::(.+?) (PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS)(?: \((.*)\))?(?:\s+\[ *\d+%\])?$)"));
  const auto match = verdict.match(QString::fromUtf8(bytes));
  if (!match.hasMatch()) return;
  TestOutcome one;
  one.id = {TestFramework::kPytest, absolutePath(match.captured(1), program_.folder), {}};
  // The brackets of parameters may hold "::".
  const QString names = withoutPart(match.captured(2), &one.part);
  one.id.names = names.split(QStringLiteral("::"));
  const QString word = match.captured(3);
  one.state = word == QLatin1String("PASSED") || word == QLatin1String("XPASS") ? TestState::kPassed
              : word == QLatin1String("SKIPPED") || word == QLatin1String("XFAIL")
                  ? TestState::kSkipped
                  : TestState::kFailed;
  one.message = match.captured(4);
  tell(one);
}

// -- Cargo

// "     Running unittests src/lib.rs (target/debug/deps/x-1a2b)", "test a::b ... ok", and behind
// all of a crate "---- a::b stdout ----" with what each that failed printed.
void CargoReader::takeLine(const QByteArray& bytes) {
  static const QRegularExpression crate(
      QStringLiteral(R"(^\s+Running (?:unittests )?(\S+\.rs) \()"));
  static const QRegularExpression verdict(QStringLiteral(
      R"(^test (\S+)(?: - should panic)? \.\.\. (ok|FAILED|ignored)(?:, (.*?))?(?: <([\d.]+)s>)?$)"));
  static const QRegularExpression section(QStringLiteral(R"(^---- (\S+) stdout ----$)"));
  // Of Rust 1.73 and later, and of those before.
  static const QRegularExpression panic(
      QStringLiteral(R"(^thread '.*?'(?: \(\d+\))? panicked at (?:'(.*)', )?(\S+?):(\d+):\d+:?$)"));
  // Of those before, with a message of several lines.
  static const QRegularExpression panicBegins(
      QStringLiteral(R"(^thread '.*?' panicked at '(.*)$)"));
  static const QRegularExpression panicEnds(QStringLiteral(R"(^(.*)', (\S+?):(\d+):\d+$)"));
  const QString line = QString::fromUtf8(bytes);
  if (const auto match = crate.match(line); match.hasMatch()) {
    flush();
    root_ = absolutePath(match.captured(1), program_.folder);
    return;
  }
  if (const auto match = verdict.match(line); match.hasMatch()) {
    TestOutcome one;
    one.id = {TestFramework::kCargo, root_, match.captured(1).split(QStringLiteral("::"))};
    const QString word = match.captured(2);
    one.state = word == QLatin1String("ok")        ? TestState::kPassed
                : word == QLatin1String("ignored") ? TestState::kSkipped
                                                   : TestState::kFailed;
    if (one.state == TestState::kSkipped) one.message = match.captured(3);
    if (match.hasCaptured(4)) one.ms = static_cast<qint64>(match.captured(4).toDouble() * 1000);
    // What went wrong comes later.
    if (one.state == TestState::kFailed)
      failed_.insert(match.captured(1), one);
    else
      tell(one);
    return;
  }
  if (const auto match = section.match(line); match.hasMatch()) {
    name_ = match.captured(1);
    saysWhy_ = isInPanic_ = false;
    return;
  }
  if (line == QLatin1String("failures:") || line.startsWith(QLatin1String("test result: ")))
    name_.clear();
  const auto failed = failed_.find(name_);
  if (name_.isEmpty() || failed == failed_.end()) return;
  if (failed->output.size() < kMostOfOutput) failed->output += line + u'\n';
  if (const auto match = panic.match(line); match.hasMatch() && failed->path.isEmpty()) {
    failed->path = absolutePath(match.captured(2), program_.folder);
    failed->line = match.captured(3).toInt();
    failed->message = match.captured(1);
    saysWhy_ = failed->message.isEmpty();
  } else if (isInPanic_) {
    const auto end = panicEnds.match(line);
    failed->message += u'\n' + (end.hasMatch() ? end.captured(1) : line);
    if (!end.hasMatch()) return;
    failed->path = absolutePath(end.captured(2), program_.folder);
    failed->line = end.captured(3).toInt();
    isInPanic_ = false;
  } else if (const auto begin = panicBegins.match(line);
             begin.hasMatch() && failed->path.isEmpty()) {
    failed->message = begin.captured(1);
    isInPanic_ = true;
  } else if (line.isEmpty() || line.startsWith(QLatin1String("note: "))) {
    saysWhy_ = false;
  } else if (saysWhy_) {
    failed->message += line + u'\n';
  }
}

void CargoReader::flush() {
  for (TestOutcome& one : failed_) {
    if (one.message.isEmpty()) one.message = one.output;
    tell(one);
  }
  failed_.clear();
  name_.clear();
}

// -- Go: an event a line, of `go test -json`

void GoReader::takeLine(const QByteArray& bytes) {
  const QJsonObject event = QJsonDocument::fromJson(bytes).object();
  const QString action = event.value(u"Action").toString();
  const QString package = event.value(u"Package").toString();
  const QString whole = event.value(u"Test").toString();
  if (action.isEmpty() || package.isEmpty()) return;
  const QString name = whole.section(u'/', 0, 0);
  const QString key = package + u'\n' + name;
  if (action == QLatin1String("output")) {
    QString& output = said_[key];
    const QString text = event.value(u"Output").toString();
    // What go itself says of the course of things is no output of the test.
    const QString begin = text.trimmed();
    if (begin.startsWith(QLatin1String("=== ")) || begin.startsWith(QLatin1String("--- "))) return;
    if (output.size() < kMostOfOutput) output += text;
    return;
  }
  TestOutcome one;
  one.id = {TestFramework::kGo, folderOf(package), {}};
  if (!name.isEmpty()) one.id.names.append(name);
  if (action == QLatin1String("run")) {
    if (whole != name) return;
    one.state = TestState::kRunning;
    return tell(one);
  }
  if (action != QLatin1String("pass") && action != QLatin1String("fail") &&
      action != QLatin1String("skip"))
    return;
  if (whole != name) return;  // a part of a test: its output is the whole one's
  one.state = action == QLatin1String("pass")   ? TestState::kPassed
              : action == QLatin1String("skip") ? TestState::kSkipped
                                                : TestState::kFailed;
  if (event.contains(u"Elapsed"))
    one.ms = static_cast<qint64>(event.value(u"Elapsed").toDouble() * 1000);
  one.output = said_.take(key);
  if (name.isEmpty()) {
    // The package: it says something of its own only where none of its tests says why it failed.
    if (one.state != TestState::kFailed || failedIn_.contains(package)) return;
    one.message = one.output;
    return tell(one);
  }
  if (one.state != TestState::kPassed) findPlace(&one);
  if (one.state == TestState::kFailed) failedIn_.insert(package);
  tell(one);
}

// "    x_test.go:12: what is wrong", with more lines of it further in.
void GoReader::findPlace(TestOutcome* one) {
  static const QRegularExpression place(QStringLiteral(R"(^(\s+)(\S+\.go):(\d+): ?(.*)$)"));
  static const QRegularExpression frame(
      QStringLiteral(R"(^\s+(/\S+_test\.go):(\d+)(?: \+0x\w+)?$)"));
  qsizetype indent = -1;
  for (const QString& line : one->output.split(u'\n')) {
    if (const auto match = place.match(line); match.hasMatch()) {
      indent = match.captured(1).size();
      if (one->line == 0) {
        one->path = absolutePath(match.captured(2), one->id.scope);
        one->line = match.captured(3).toInt();
      }
      one->message += match.captured(4) + u'\n';
      continue;
    }
    qsizetype column = 0;
    while (column < line.size() && line[column].isSpace()) ++column;
    if (indent >= 0 && column > indent && column < line.size()) {
      one->message += line.mid(indent) + u'\n';
    } else {
      indent = -1;
    }
    // A panic has no such line, but a stack.
    if (const auto match = frame.match(line); match.hasMatch() && one->line == 0) {
      one->path = match.captured(1);
      one->line = match.captured(2).toInt();
    }
    if (line.startsWith(QLatin1String("panic: ")) && one->message.isEmpty()) one->message = line;
  }
  if (one->message.trimmed().isEmpty()) one->message = one->output;
}

// The module's own packages are in its folder.
QString GoReader::folderOf(const QString& package) const {
  // "example.org/m/inner [example.org/m/inner.test]", where it could not be built.
  const QString name = package.section(u' ', 0, 0);
  if (program_.scope.isEmpty()) return program_.folder;
  if (name == program_.scope) return program_.folder;
  return name.startsWith(program_.scope + u'/') ? program_.folder + name.mid(program_.scope.size())
                                                : program_.folder;
}

// -- CTest: " 3/12 Test  #7: name ......   Passed    0.02 sec"

void CTestReader::takeLine(const QByteArray& bytes) {
  static const QRegularExpression begin(QStringLiteral(R"(^\s+Start\s+\d+: (.+)$)"));
  // "***Failed", "***Timeout", "Subprocess aborted***Exception:", "***Not Run (Disabled)".
  static const QRegularExpression verdict(QStringLiteral(
      R"(^\s*\d+/\d+ Test\s+#\d+: (.+?) \.+\s*(Passed|[^.]*\*\*\*.*?)\s+([\d.]+) sec\s*$)"));
  const QString line = QString::fromUtf8(bytes);
  TestOutcome one;
  if (const auto match = begin.match(line); match.hasMatch()) {
    one.id = {TestFramework::kCTest, program_.scope, {match.captured(1)}};
    one.state = TestState::kRunning;
    return tell(one);
  }
  const auto match = verdict.match(line);
  if (!match.hasMatch()) return;
  one.id = {TestFramework::kCTest, program_.scope, {match.captured(1)}};
  QString word = match.captured(2).replace(QLatin1String("***"), QLatin1String(" ")).trimmed();
  if (word.endsWith(u':')) word.chop(1);
  if (word == QLatin1String("Passed")) {
    one.state = TestState::kPassed;
  } else if (word == QLatin1String("Skipped") || word.contains(QLatin1String("Disabled"))) {
    one.state = TestState::kSkipped;
  } else {
    one.state = TestState::kFailed;
    // That much its state says.
    if (word != QLatin1String("Failed")) one.message = word;
  }
  if (match.hasCaptured(3)) one.ms = static_cast<qint64>(match.captured(3).toDouble() * 1000);
  tell(one);
}

namespace {

// vitest and jest tell for people while they run; what became of the tests is in their file.
class SilentReader : public OutputReader {
 protected:
  void takeLine(const QByteArray&) override {}
};

}  // namespace

std::unique_ptr<OutputReader> makeOutputReader(const TestProgram& program) {
  switch (program.framework) {
    case TestFramework::kQtTest:
      return std::make_unique<QtTestReader>(program);
    case TestFramework::kGoogleTest:
      return std::make_unique<GoogleTestReader>(program);
    case TestFramework::kCTest:
      return std::make_unique<CTestReader>(program);
    case TestFramework::kPytest:
      return std::make_unique<PytestReader>(program);
    case TestFramework::kCargo:
      return std::make_unique<CargoReader>(program);
    case TestFramework::kGo:
      return std::make_unique<GoReader>(program);
    case TestFramework::kVitest:
    case TestFramework::kJest:
      return std::make_unique<SilentReader>();
  }
  Q_UNREACHABLE();
}

}  // namespace waferpair::workbench
