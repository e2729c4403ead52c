// SPDX-License-Identifier: GPL-3.0-or-later
// What programs of Qt Test and of GoogleTest print.
#include "workbench/testing/cpp_output.h"

#include <QRegularExpression>

namespace waferpair::workbench {
namespace {

// Splits "slot(tag)" of Qt Test.
QString slotOf(const QString& text, QString* tag) {
  const qsizetype open = text.indexOf(u'(');
  if (open < 0) return text;
  *tag = text.mid(open + 1, text.lastIndexOf(u')') - open - 1);
  return text.left(open);
}

}  // namespace

// "FAIL!  : TestX::slot(tag) message", and below it lines of values and of the place.
void QtTestReader::takeLine(const QByteArray& bytes) {
  static const QRegularExpression verdict(QStringLiteral(
      R"(^(PASS|FAIL!|XFAIL|XPASS|SKIP|BPASS|BFAIL|BXPASS|BXFAIL|QFATAL)\s*: (\w+(?:::\w+)*)::(\w+\([^)]*\))\s?(.*)$)"));
  static const QRegularExpression place(QStringLiteral(R"(^\s+Loc: \[(.+)\((\d+)\)\]$)"));
  // A debug message may have anything in it; these begin all other lines of Qt Test's.
  static const QRegularExpression other(QStringLiteral(
      R"(^(?:\*{9} |Config: |Totals: |QDEBUG |QINFO  |QWARN  |QCRITICAL|INFO  |RESULT |BENCH))"));
  const QString line = QString::fromUtf8(bytes);
  if (const auto match = verdict.match(line); match.hasMatch()) {
    flush();
    TestOutcome one;
    QString tag;
    // Classes in namespaces are found by their own name.
    const QString whole = match.captured(2);
    const QString slot = slotOf(match.captured(3), &tag);
    one.id = {TestFramework::kQtTest, {}, {whole.section(QStringLiteral("::"), -1), slot}};
    one.part = tag;
    const QString word = match.captured(1);
    const bool isFine =
        word == QLatin1String("PASS") || word == QLatin1String("XFAIL") || word.startsWith(u'B');
    one.state = isFine                          ? TestState::kPassed
                : word == QLatin1String("SKIP") ? TestState::kSkipped
                                                : TestState::kFailed;
    one.message = match.captured(4);
    one.output = line;
    open_ = one;
    return;
  }
  if (!open_) {
    note(line);
    return;
  }
  if (other.match(line).hasMatch()) {
    flush();
    note(line);
    return;
  }
  open_->output += u'\n' + line;
  if (const auto match = place.match(line); match.hasMatch()) {
    open_->path = match.captured(1);
    open_->line = match.captured(2).toInt();
    flush();
  } else if (!line.isEmpty() && open_->state != TestState::kPassed) {
    open_->message += u'\n' + line.trimmed();
  }
}

// What is printed before the verdict belongs to the test that the verdict is of.
void QtTestReader::note(const QString& line) {
  if (said_.size() < kMostOfOutput) said_ += line + u'\n';
}

void QtTestReader::flush() {
  if (!open_) return;
  open_->output = (std::exchange(said_, {}) + open_->output).right(kMostOfOutput);
  open_->path = absolutePath(open_->path, program_.folder);
  // What prepares and tidies up is no test, but fails for the whole class.
  QString& name = open_->id.names.last();
  const bool isOfClass =
      name == QLatin1String("initTestCase") || name == QLatin1String("cleanupTestCase");
  if (isOfClass) {
    if (open_->state == TestState::kPassed) return open_.reset();
    open_->id.names.removeLast();
  }
  tell(*std::exchange(open_, std::nullopt));
}

// "[ RUN      ] Suite.Test", "[       OK ] Suite.Test (3 ms)", "file.cpp:12: Failure".
void GoogleTestReader::takeLine(const QByteArray& bytes) {
  static const QRegularExpression verdict(QStringLiteral(
      R"(\[(       OK |  FAILED  |  SKIPPED ) ?\] ([\w/]+)\.([\w/]+)(?:, where .*?)?(?: \((\d+) ms\))?$)"));
  static const QRegularExpression run(QStringLiteral(R"(^\[ RUN      \] ([\w/]+)\.([\w/]+)$)"));
  static const QRegularExpression place(
      QStringLiteral(R"(^(.+?)(?::(\d+)|\((\d+)\)): (?:error: )?(Failure|Skipped)\s*$)"));
  const QString line = QString::fromUtf8(bytes);
  if (const auto match = run.match(line); match.hasMatch()) {
    open_ = idOf(match.captured(1), match.captured(2));
    open_->state = TestState::kRunning;
    tell(*open_);
    isInFailure_ = false;
    return;
  }
  if (!open_) return;
  if (const auto match = verdict.match(line); match.hasMatch()) {
    TestOutcome end = *std::exchange(open_, std::nullopt);
    const TestOutcome named = idOf(match.captured(2), match.captured(3));
    if (named.id != end.id) return;
    const QString word = match.captured(1).trimmed();
    end.state = word == QLatin1String("OK")        ? TestState::kPassed
                : word == QLatin1String("SKIPPED") ? TestState::kSkipped
                                                   : TestState::kFailed;
    if (match.hasCaptured(4)) end.ms = match.captured(4).toLongLong();
    return tell(end);
  }
  if (open_->output.size() < kMostOfOutput) open_->output += line + u'\n';
  if (const auto match = place.match(line); match.hasMatch()) {
    isInFailure_ = true;
    if (!open_->path.isEmpty()) return;
    open_->path = absolutePath(match.captured(1), program_.folder);
    open_->line = (match.hasCaptured(2) ? match.captured(2) : match.captured(3)).toInt();
  } else if (isInFailure_ && open_->message.size() < kMostOfOutput) {
    open_->message += line + u'\n';
    if (line.isEmpty()) isInFailure_ = false;
  }
}

// A program that was ended amid a test has not told how that went.
void GoogleTestReader::takeEnd() {
  if (!open_) return;
  open_->state = TestState::kFailed;
  if (open_->message.isEmpty())
    open_->message = translate("The program ended in the middle of this test.");
  tell(*std::exchange(open_, std::nullopt));
}

// "Set/Suite.Test/0" is Suite.Test with the parameter "Set/0".
TestOutcome GoogleTestReader::idOf(const QString& suite, const QString& test) {
  const QStringList suites = suite.split(u'/');
  TestOutcome one;
  QStringList parts;
  // "Set/Suite" of TEST_P; "Suite/0" of TYPED_TEST.
  QString name = suites.constLast();
  bool isNumber = false;
  name.toInt(&isNumber);
  if (isNumber && suites.size() > 1) {
    parts.append(name);
    name = suites[suites.size() - 2];
  } else if (suites.size() > 1) {
    parts.append(suites.constFirst());
  }
  const QString own = test.section(u'/', 0, 0);
  if (own != test) parts.append(test.section(u'/', 1));
  one.id = {TestFramework::kGoogleTest, {}, {name, own}};
  one.part = parts.join(u'/');
  return one;
}

}  // namespace waferpair::workbench
