// SPDX-License-Identifier: GPL-3.0-or-later
// Files of results: JUnit's XML, of which each program has its own idea, and JSON as jest writes
// it.
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QXmlStreamReader>
#include <functional>

#include "workbench/testing/cpp_output.h"
#include "workbench/testing/output_reader.h"

namespace waferpair::workbench {
namespace {

// What a <testcase> has in it.
struct JUnitCase {
  QString name, className, file, status;
  int line = -1;
  qint64 ms = -1;
  bool isFailed = false;
  bool isSkipped = false;
  QString message;  // of <failure>, <error> or <skipped>
  QString details;  // the text in it
  QString output;
};

qint64 msOf(QStringView seconds) {
  bool isNumber = false;
  const double value = seconds.toDouble(&isNumber);
  constexpr double kMostSeconds = 1e9;
  return isNumber && value >= 0 && value < kMostSeconds ? static_cast<qint64>(value * 1000) : -1;
}

void readCaseElement(QXmlStreamReader* xml, JUnitCase* one) {
  const QString element = xml->name().toString();
  const bool isFailure = element == QLatin1String("failure") || element == QLatin1String("error");
  const bool isSkip = element == QLatin1String("skipped");
  const bool isOutput =
      element == QLatin1String("system-out") || element == QLatin1String("system-err");
  if (!isFailure && !isSkip && !isOutput) return xml->skipCurrentElement();
  const QString message = xml->attributes().value(QStringLiteral("message")).toString();
  const QString text = xml->readElementText(QXmlStreamReader::SkipChildElements);
  if (isOutput) {
    one->output += text;
    return;
  }
  // Of several failures the first says most.
  if (one->isFailed && isFailure) return;
  one->isFailed |= isFailure;
  one->isSkipped |= isSkip;
  one->message = message;
  one->details = text;
}

// Takes what comes before the first damage.
void readJUnit(const QByteArray& bytes, const std::function<void(const JUnitCase&)>& take) {
  QXmlStreamReader xml(bytes);
  while (!xml.atEnd()) {
    if (xml.readNext() != QXmlStreamReader::StartElement || xml.name() != QLatin1String("testcase"))
      continue;
    const QXmlStreamAttributes at = xml.attributes();
    JUnitCase one;
    one.name = at.value(QStringLiteral("name")).toString();
    one.className = at.value(QStringLiteral("classname")).toString();
    one.file = at.value(QStringLiteral("file")).toString();
    one.status = at.value(QStringLiteral("status")).toString();
    if (at.hasAttribute(QStringLiteral("line")))
      one.line = at.value(QStringLiteral("line")).toInt();
    one.ms = msOf(at.value(QStringLiteral("time")));
    while (xml.readNextStartElement()) readCaseElement(&xml, &one);
    if (!xml.hasError()) take(one);
  }
}

// The last place in the test's own file that a traceback of pytest names: "a/test_x.py:12: Error".
void findPytestPlace(const QString& details, const TestProgram& program, TestOutcome* one) {
  static const QRegularExpression place(
      QStringLiteral(R"((?:^|\n)(?:[ E]*)([^\s:][^:\n]*\.py):(\d+):)"));
  auto each = place.globalMatch(details);
  while (each.hasNext()) {
    const auto match = each.next();
    const QString path = absolutePath(match.captured(1), program.folder);
    // Deeper frames may be of libraries; the test's own line is where the user looks.
    if (!one->path.isEmpty() && path != one->id.scope) continue;
    one->path = path;
    one->line = match.captured(2).toInt();
  }
}

}  // namespace

QVector<TestOutcome> readPytestResults(const QByteArray& bytes, const TestProgram& program) {
  QVector<TestOutcome> outcomes;
  readJUnit(bytes, [&](const JUnitCase& at) {
    TestOutcome one;
    // "tests.test_a.TestX" of tests/test_a.py: what is behind the file are classes.
    QString file = at.file;
    QStringList classes;
    if (!file.isEmpty()) {
      QString module = file.endsWith(QLatin1String(".py")) ? file.chopped(3) : file;
      module.replace(u'/', u'.');
      if (at.className.startsWith(module + u'.'))
        classes = at.className.mid(module.size() + 1).split(u'.');
    } else if (at.className.isEmpty() && !at.name.isEmpty()) {
      file = QString(at.name).replace(u'.', u'/') + QStringLiteral(".py");
    } else {
      return;
    }
    // A file that could not be read at all: "tests.test_a" in no class.
    const bool isOfFile = at.className.isEmpty();
    one.id = {TestFramework::kPytest, absolutePath(file, program.folder), classes};
    if (!isOfFile) one.id.names.append(withoutPart(at.name, &one.part));
    one.state = at.isFailed    ? TestState::kFailed
                : at.isSkipped ? TestState::kSkipped
                               : TestState::kPassed;
    one.ms = at.ms;
    one.message = at.message.left(kMostOfOutput);
    one.output = (at.details + u'\n' + at.output).trimmed().left(kMostOfOutput);
    // "collection failure" says less than the error itself.
    if (isOfFile)
      for (const QString& line : at.details.split(u'\n'))
        if (line.startsWith(QLatin1String("E   "))) one.message = line.mid(4).trimmed();
    if (at.isFailed) {
      findPytestPlace(at.details, program, &one);
      // Where it says no place: the test itself, whose lines it counts from 0.
      if (one.line == 0 && at.line >= 0) {
        one.path = one.id.scope;
        one.line = at.line + 1;
      }
      if (isOfFile && one.line == 0) {
        one.path = one.id.scope;
        one.line = 1;
      }
    }
    outcomes.append(one);
  });
  return outcomes;
}

QVector<TestOutcome> readCTestResults(const QByteArray& bytes, const TestProgram& program) {
  QVector<TestOutcome> outcomes;
  readJUnit(bytes, [&](const JUnitCase& at) {
    TestOutcome whole;
    whole.id = {TestFramework::kCTest, program.scope, {at.name}};
    const bool isMissing = at.message.startsWith(QLatin1String("Unable to find"));
    whole.state = at.isFailed || isMissing || at.status == QLatin1String("fail")
                      ? TestState::kFailed
                  : at.isSkipped || at.status == QLatin1String("notrun") ||
                          at.status == QLatin1String("disabled")
                      ? TestState::kSkipped
                      : TestState::kPassed;
    whole.ms = at.ms;
    whole.message = at.message.left(kMostOfOutput);
    whole.output = at.output.right(kMostOfOutput);
    const QByteArray printed = at.output.toUtf8();
    QVector<TestOutcome> inner;
    for (const TestFramework framework : {TestFramework::kQtTest, TestFramework::kGoogleTest}) {
      TestProgram own = program;
      own.framework = framework;
      const auto reader = makeOutputReader(own);
      inner += reader->take(printed);
      inner += reader->finish();
    }
    bool saysWhy = false;
    for (const TestOutcome& one : std::as_const(inner)) {
      if (one.state == TestState::kRunning) continue;
      saysWhy |= one.state == TestState::kFailed;
      outcomes.append(one);
    }
    // A failure that one of its tests explains is not told twice.
    if (saysWhy) whole.message.clear();
    if (whole.state == TestState::kFailed && !saysWhy && whole.message.isEmpty())
      whole.message = translate("Its program has failed, and no test of it says why.");
    outcomes.append(whole);
  });
  return outcomes;
}

QVector<TestOutcome> readQtTestTimes(const QByteArray& bytes) {
  QVector<TestOutcome> outcomes;
  readJUnit(bytes, [&](const JUnitCase& at) {
    TestOutcome one;
    QString name = at.name;
    const qsizetype open = name.indexOf(u'(');
    if (open >= 0) {
      one.part = name.mid(open + 1, name.lastIndexOf(u')') - open - 1);
      name = name.left(open);
    }
    one.id = {TestFramework::kQtTest, {}, {at.className.section(QStringLiteral("::"), -1), name}};
    one.ms = at.ms;
    outcomes.append(one);
  });
  return outcomes;
}

QVector<TestOutcome> readScriptResults(const QByteArray& json, const TestProgram& program) {
  // A stack: "    at fn (/x/a.test.ts:3:9)", or " ❯ a.test.ts:3:9".
  static const QRegularExpression frame(
      QStringLiteral(R"((?:\(|at |❯ |file://)([^\s()]+?):(\d+):(\d+)\)?(?:\s|$))"));
  QVector<TestOutcome> outcomes;
  const QJsonObject all = QJsonDocument::fromJson(json).object();
  for (const QJsonValue file : all.value(u"testResults").toArray()) {
    const QString path = absolutePath(file[u"name"].toString(), program.folder);
    const QJsonArray tests = file[u"assertionResults"].toArray();
    const auto findPlace = [&](const QString& text, TestOutcome* one) {
      auto each = frame.globalMatch(text);
      while (each.hasNext() && one->line == 0) {
        const auto match = each.next();
        const QString at = absolutePath(match.captured(1), program.folder);
        if (at != path) continue;
        one->path = at;
        one->line = match.captured(2).toInt();
      }
    };
    for (const QJsonValue test : tests) {
      TestOutcome one;
      one.id = {program.framework, path, {}};
      for (const QJsonValue outer : test[u"ancestorTitles"].toArray())
        if (!outer.toString().isEmpty()) one.id.names.append(outer.toString());
      one.id.names.append(test[u"title"].toString());
      const QString status = test[u"status"].toString();
      one.state = status == QLatin1String("passed")   ? TestState::kPassed
                  : status == QLatin1String("failed") ? TestState::kFailed
                                                      : TestState::kSkipped;
      const double took = test[u"duration"].toDouble(-1);
      if (took >= 0 && took < 1e12) one.ms = static_cast<qint64>(took);
      QStringList messages;
      for (const QJsonValue message : test[u"failureMessages"].toArray())
        messages.append(message.toString());
      one.output = messages.join(u'\n').left(kMostOfOutput);
      findPlace(one.output, &one);
      if (one.state == TestState::kFailed && one.line == 0) {
        one.path = path;
        one.line = test[u"location"][u"line"].toInt();
      }
      // The stack below is for the output.
      const qsizetype stack = one.output.indexOf(QRegularExpression(QStringLiteral(R"(\n\s+at )")));
      one.message = stack < 0 ? one.output : one.output.left(stack);
      outcomes.append(one);
    }
    if (!tests.isEmpty() || file[u"status"].toString() != QLatin1String("failed")) continue;
    // A file that could not be read has no tests.
    TestOutcome one;
    one.id = {program.framework, path, {}};
    one.state = TestState::kFailed;
    one.message = file[u"message"].toString().left(kMostOfOutput);
    one.output = one.message;
    findPlace(one.message, &one);
    if (one.line == 0) {
      one.path = path;
      one.line = 1;
    }
    outcomes.append(one);
  }
  return outcomes;
}

}  // namespace waferpair::workbench
