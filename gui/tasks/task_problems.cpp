// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/tasks/task_problems.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonObject>
#include <QSet>
#include <algorithm>

#include "editor/text/guest_file.h"
#include "editor/text/path_on_disk.h"
#include "pairing/edits/error_places.h"

namespace waferpair::gui {

using pairing::ErrorPlace;
using workbench::Diagnostic;
using workbench::Severity;

namespace {

constexpr int kToLineEnd = 1 << 20;  // columns beyond a line's end mean its end

constexpr qint64 kMostOfSource = 8 << 20;  // bytes of a file in which a linker's name is sought

QJsonObject at(qint64 line, qint64 column) {
  return {{QStringLiteral("line"), line}, {QStringLiteral("character"), column}};
}

// What the severity says already.
QString withoutSeverity(const QString& message) {
  static const QRegularExpression word(QStringLiteral("^(fatal error|[Ee]rror|[Ww]arning): ?"));
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

// "ns::f(int)" is written "f".
QString writtenName(const QString& symbol) {
  return symbol.section(u'(', 0, 0).section(QStringLiteral("::"), -1).section(u'<', 0, 0).trimmed();
}

qint64 lineWith(const QStringList& lines, const QString& name, qint64 from) {
  if (name.isEmpty()) return -1;
  const QRegularExpression word(
      QStringLiteral(R"((?<!\w)%1(?!\w))").arg(QRegularExpression::escape(name)));
  for (qint64 line = from; line < lines.size(); ++line)
    if (word.match(lines[line]).hasMatch()) return line;
  return -1;
}

// A linker that knows no lines names a function, and in it a symbol: where the file has them, from
// 1; 0: nowhere.
qint64 lineOfSymbol(const QString& path, const ErrorPlace& place) {
  const QStringList lines = QString::fromUtf8(editor::guestBytes(path, kMostOfSource)).split(u'\n');
  const qint64 function = lineWith(lines, writtenName(place.function), 0);
  const QString symbol = writtenName(place.symbol);
  qint64 line = function < 0 ? -1 : lineWith(lines, symbol, function);
  if (line < 0) line = lineWith(lines, symbol, 0);
  return std::max(line, function) < 0 ? 0 : (line < 0 ? function : line) + 1;
}

// Finds files of a project by what programs print of them.
class ProjectPaths {
 public:
  ProjectPaths(const workbench::Task& task, const QString& folder, const QStringList& files)
      : task_(task), folder_(folder), real_(QFileInfo(folder).canonicalFilePath()), files_(files) {}

  // The absolute path of a file below the project's folder that is on the disk; else empty.
  QString onDisk(const QString& printed, const QString& told) const {
    QStringList bases{task_.folder, folder_};
    if (!told.isEmpty()) bases.prepend(QDir(task_.folder).absoluteFilePath(told));
    for (const QString& base : std::as_const(bases)) {
      const QString path = ofProject(QDir::cleanPath(QDir(base).absoluteFilePath(printed)));
      if (!path.isEmpty() && editor::isFileAt(path)) return path;
    }
    return {};
  }
  // The same, or the only file that ends so.
  QString meant(const ErrorPlace& place) const {
    const QString path = onDisk(place.path, place.folder);
    if (!path.isEmpty()) return path;
    const QString other = pairing::fileMeant(place.path, folder_, files_);
    return other.isEmpty() ? QString() : folder_ + u'/' + other;
  }

 private:
  // Programs that look where they are print the folder without links.
  QString ofProject(const QString& path) const {
    if (path.startsWith(folder_ + u'/')) return path;
    if (!real_.isEmpty() && path.startsWith(real_ + u'/')) return folder_ + path.mid(real_.size());
    return {};
  }

  const workbench::Task& task_;
  QString folder_, real_;
  const QStringList& files_;
};

}  // namespace

QHash<QString, QVector<Diagnostic>> taskProblems(const QString& output, const workbench::Task& task,
                                                 const QString& folder, const QStringList& files) {
  const ProjectPaths paths(task, folder, files);
  const auto isFile = [&paths](const QString& path, const QString& told) {
    return !paths.onDisk(path, told).isEmpty();
  };
  const QVector<ErrorPlace> places = task.forms.isEmpty()
                                         ? pairing::errorPlaces(output, isFile)
                                         : pairing::errorPlaces(output, task.forms);
  QHash<QString, QVector<Diagnostic>> problems;
  QSet<qint64> told;  // errors that have their place
  for (ErrorPlace place : places) {
    if (!place.isError && !place.isWarning) continue;
    const QString path = paths.meant(place);
    if (path.isEmpty()) continue;
    // The innermost frame of the project, and no note of it, is where the error is.
    if (task.forms.isEmpty() && told.contains(place.error)) continue;
    if (place.line == 0) place.line = lineOfSymbol(path, place);
    if (place.line == 0) continue;
    told.insert(place.error);
    const Diagnostic one = diagnosticOf(place, task.name);
    // Several commands may have compiled the file, and named it each in its way.
    if (!problems[path].contains(one)) problems[path].append(one);
  }
  return problems;
}

}  // namespace waferpair::gui
