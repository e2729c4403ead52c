// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/tools/find_tools.h"

#include <QDeadlineTimer>
#include <algorithm>

#include "editor/text/find_query.h"
#include "editor/text/translate.h"
#include "editor/text/written_text.h"
#include "pairing/changes/project_path.h"
#include "pairing/tools/tool_files.h"

namespace waferpair::pairing {
namespace {

constexpr qsizetype kMostHits = 60;
constexpr qsizetype kMostOfFile = 1 << 20;  // bytes
constexpr qsizetype kShownOfLine = 200;     // UTF-16 units
constexpr std::chrono::seconds kLongestSearch(10);
constexpr qsizetype kMostDefinitionPlaces = 8;
constexpr int kLinesOfDefinition = 40;
constexpr qsizetype kMostAlike = 10;
constexpr qsizetype kMostProblems = 60;

// The lines of one file.
class LineSearch {
 public:
  LineSearch(const QRegularExpression& expression, const QString& path)
      : expression_(expression), path_(path) {}

  // Stops at `most` hits, and where `isOver` says so: an expression may take its time over a line.
  template <typename IsOver>
  QStringList run(const QByteArray& utf8, qsizetype most, const IsOver& isOver) const {
    QStringList hits;
    const QString text = QString::fromUtf8(utf8);
    int number = 0;
    for (qsizetype from = 0; from <= text.size() && hits.size() < most && !isOver();) {
      qsizetype end = text.indexOf(u'\n', from);
      if (end < 0) end = text.size();
      const QString line = text.mid(from, end - from);
      from = end + 1;
      ++number;
      // Nobody wrote that, and an expression could take its time over it.
      if (line.size() > editor::kLongestWrittenLine) continue;
      if (!expression_.match(line).hasMatch()) continue;
      hits.append(QStringLiteral("%1:%2: ").arg(path_).arg(number) +
                  line.trimmed().left(kShownOfLine));
    }
    return hits;
  }

 private:
  const QRegularExpression& expression_;
  const QString& path_;
};

}  // namespace

ToolResult searchText(const ToolProject& project, const ToolArguments& arguments,
                      qsizetype mostBytes) {
  const QString query = arguments.text("query");
  if (query.isEmpty()) return ToolResult::error(QStringLiteral("No query is given."));
  const auto expression = editor::findExpression(
      {query, arguments.flag("case_sensitive"), false, arguments.flag("regex")});
  if (!expression) return ToolResult::error(expression.error().what);
  ToolFiles files(project);
  const QString folder = arguments.text("path");
  const auto listed = files.below(folder);
  if (!listed)
    return ToolResult::error(
        QStringLiteral("There is no folder or file %1 in the project.").arg(folder));
  const QDeadlineTimer deadline(kLongestSearch);
  const auto isOver = [&] { return project.isCanceled() || deadline.hasExpired(); };
  ToolResult result;
  qsizetype hits = 0;
  QString cut;
  for (const QString& path : *listed) {
    if (isOver()) break;
    const QByteArray utf8 = files.listed(path, kMostOfFile);
    if (utf8.isEmpty()) continue;
    const QStringList found = LineSearch(*expression, path).run(utf8, kMostHits - hits + 1, isOver);
    if (found.isEmpty() || holdsSecret(utf8) || !files.isInside(path)) continue;
    result.paths.append(project.root + u'/' + path);
    for (const QString& hit : found) {
      if (hits == kMostHits || result.text.size() + hit.size() > mostBytes) {
        cut = QStringLiteral(
            "[More hits are left out: search for something narrower, or below a path.]");
        break;
      }
      ++hits;
      result.text += hit + u'\n';
    }
    if (!cut.isEmpty()) break;
  }
  if (cut.isEmpty() && deadline.hasExpired())
    cut = QStringLiteral("[The search took too long, and did not come to the end.]");
  if (hits == 0 && cut.isEmpty())
    result.text = QStringLiteral("Nothing in the project's text files matches.");
  result.text += cut;
  result.title = cut.isEmpty()
                     ? translate("Searched for \"%1\", hits: %2").arg(query).arg(hits)
                     : translate("Searched for \"%1\", hits: %2 and more").arg(query).arg(hits);
  if (hits > 0) result.line = result.text.section(u':', 1, 1).toInt();
  return result;
}

ToolResult findSymbol(const ToolProject& project, const ToolArguments& arguments,
                      qsizetype mostBytes) {
  QString name = arguments.text("name").trimmed();
  if (name.isEmpty()) return ToolResult::error(QStringLiteral("No name is given."));
  if (!project.passages)
    return ToolResult::error(QStringLiteral("The project's symbols are not known."));
  // "Class::method", "module.function()".
  if (const qsizetype bracket = name.indexOf(u'('); bracket > 0) name.truncate(bracket);
  if (const qsizetype at = std::max(name.lastIndexOf(u':'), name.lastIndexOf(u'.')); at >= 0)
    name = name.mid(at + 1);
  ToolFiles files(project);
  ToolResult result;
  qsizetype places = 0, leftOut = 0;
  for (const SymbolPlace& place : project.passages->definitionsOf(name)) {
    if (!files.isShown(place.path) || !files.isInside(place.path)) continue;
    const int last = std::min(place.lastLine, place.line + kLinesOfDefinition - 1);
    const QString code = project.passages->textOf(place.path, place.line, last);
    if (places == kMostDefinitionPlaces || result.text.size() + code.size() > mostBytes) {
      ++leftOut;
      continue;
    }
    if (++places == 1) result.line = place.line;
    const QString absolute = project.root + u'/' + place.path;
    if (!result.paths.contains(absolute)) result.paths.append(absolute);
    result.text +=
        QStringLiteral("%1, lines %2 to %3:\n").arg(place.path).arg(place.line).arg(last) + code;
    if (!result.text.endsWith(u'\n')) result.text += u'\n';
  }
  if (leftOut > 0)
    result.text += QStringLiteral("[%1 more definitions are left out.]").arg(leftOut);
  if (places == 0) {
    QStringList alike;
    for (const QString& known : project.passages->symbols())
      if (alike.size() < kMostAlike && known.contains(name, Qt::CaseInsensitive))
        alike.append(known);
    result.text = QStringLiteral("No definition of %1 is known; search for its text.").arg(name);
    if (!alike.isEmpty())
      result.text += QStringLiteral(" Alike are: %1.").arg(alike.join(QStringLiteral(", ")));
  }
  result.title = translate("Looked up %1, definitions: %2").arg(name).arg(places);
  return result;
}

ToolResult readDiagnostics(const ToolProject& project, const ToolArguments& arguments,
                           qsizetype mostBytes) {
  ToolFiles files(project);
  const auto wanted = placeInProject(project.root, arguments.text("path"));
  const QString root = project.root + u'/';
  ToolResult result;
  qsizetype told = 0;
  QString cut;
  for (const ReportedProblem& problem : project.problems) {
    if (!problem.path.startsWith(root)) continue;
    const QString path = problem.path.mid(root.size());
    const bool isMeant =
        !wanted || wanted->isEmpty() || path == *wanted || path.startsWith(*wanted + u'/');
    if (!isMeant || !files.isShown(path)) continue;
    const QString line =
        QStringLiteral("%1:%2: %3\n").arg(path).arg(problem.line).arg(problem.text);
    if (told == kMostProblems || result.text.size() + line.size() > mostBytes) {
      cut = QStringLiteral("[More are left out: ask for those of one file.]");
      break;
    }
    if (++told == 1) result.line = problem.line;
    if (!result.paths.contains(problem.path)) result.paths.append(problem.path);
    result.text += line;
  }
  if (told == 0)
    result.text =
        QStringLiteral("Nothing is reported wrong. Only language servers that run report.");
  result.text += cut;
  result.title = translate("Looked at what is reported wrong: %1").arg(told);
  return result;
}

}  // namespace waferpair::pairing
