// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/tasks/task_problems.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonObject>

#include "pairing/edits/error_places.h"

namespace waferpair::gui {

using pairing::ErrorPlace;
using workbench::Diagnostic;
using workbench::Severity;

namespace {

constexpr int kToLineEnd = 1 << 20;  // columns beyond a line's end mean its end

QJsonObject at(qint64 line, qint64 column) {
  return {{QStringLiteral("line"), line}, {QStringLiteral("character"), column}};
}

// Go prints the failures of its tests without a word for them.
bool isFailedTest(const ErrorPlace& place, const workbench::Task& task) {
  return task.kind == workbench::TaskKind::kTest && place.path.endsWith(QLatin1String("_test.go"));
}

// What the severity says already.
QString withoutSeverity(const QString& message) {
  static const QRegularExpression word(QStringLiteral("^(fatal error|error|warning): "));
  return QString(message).remove(word);
}

// In the protocol's form, which the list of problems reads.
Diagnostic diagnosticOf(const ErrorPlace& place, const QString& source) {
  const qint64 line = place.line - 1;
  const QJsonObject range{
      {QStringLiteral("start"), at(line, std::max<qint64>(0, place.column - 1))},
      {QStringLiteral("end"), at(line, kToLineEnd)}};
  const Severity severity = place.isWarning ? Severity::kWarning : Severity::kError;
  const QJsonObject told{{QStringLiteral("range"), range},
                         {QStringLiteral("severity"), static_cast<int>(severity)},
                         {QStringLiteral("source"), source},
                         {QStringLiteral("message"), withoutSeverity(place.message)}};
  return workbench::readDiagnostics(QJsonArray{told}).constFirst();
}

}  // namespace

QHash<QString, QVector<Diagnostic>> taskProblems(const QString& output, const workbench::Task& task,
                                                 const QString& folder, const QStringList& files) {
  QHash<QString, QVector<Diagnostic>> problems;
  const QVector<ErrorPlace> places = task.forms.isEmpty()
                                         ? pairing::errorPlaces(output)
                                         : pairing::errorPlaces(output, task.forms);
  for (const ErrorPlace& place : places) {
    if (!place.isError && !place.isWarning && !isFailedTest(place, task)) continue;
    // First as the task means it, in its own folder.
    const QString there = QDir::cleanPath(QDir(task.folder).absoluteFilePath(place.path));
    const QString inFolder = QDir(folder).relativeFilePath(there);
    const QString meant =
        files.contains(inFolder) ? inFolder : pairing::fileMeant(place.path, folder, files);
    if (meant.isEmpty()) continue;
    problems[folder + u'/' + meant].append(diagnosticOf(place, task.name));
  }
  return problems;
}

}  // namespace waferpair::gui
