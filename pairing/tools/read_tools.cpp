// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/tools/read_tools.h"

#include <QRegularExpression>
#include <algorithm>

#include "pairing/context/project_tree.h"
#include "pairing/tools/tool_files.h"
#include "pairing/translate.h"

namespace waferpair::pairing {
namespace {

constexpr qsizetype kMostListed = 300;
// A tree of more bytes is told less deep.
constexpr qsizetype kMostOfTree = 6 << 10;

// The end of the last character that is whole within the first `most` bytes.
qsizetype wholeCharacters(const QByteArray& utf8, qsizetype most) {
  qsizetype end = std::min(most, utf8.size());
  while (end > 0 && end < utf8.size() && (utf8[end] & 0xc0) == 0x80) --end;
  return end;
}

// "*.cpp" is meant of names, "src/**/*.cpp" of paths.
QRegularExpression globOf(const QString& pattern) {
  QString expression;
  for (qsizetype i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == u'*' && pattern.mid(i, 3) == QLatin1String("**/")) {
      expression += QStringLiteral("(?:.*/)?");
      i += 2;
    } else if (pattern[i] == u'*' && pattern.mid(i, 2) == QLatin1String("**")) {
      expression += QStringLiteral(".*");
      ++i;
    } else if (pattern[i] == u'*') {
      expression += QStringLiteral("[^/]*");
    } else if (pattern[i] == u'?') {
      expression += QStringLiteral("[^/]");
    } else {
      expression += QRegularExpression::escape(QString(pattern[i]));
    }
  }
  const QString anywhere = pattern.contains(u'/') ? QString() : QStringLiteral("(?:.*/)?");
  return QRegularExpression(u'^' + anywhere + expression + u'$');
}

}  // namespace

ToolResult readFile(const ToolProject& project, const ToolArguments& arguments,
                    qsizetype mostBytes) {
  const QString path = arguments.text("path");
  if (path.isEmpty()) return ToolResult::error(QStringLiteral("No path is given."));
  const auto read = ToolFiles(project).read(path);
  if (!read) return ToolResult::error(read.error().what);
  const editor::Snapshot& text = read->text;
  const bool endsLine = !text.isEmpty() && text.lineStart(text.lineCount() - 1) == text.size();
  const qint64 lines = text.lineCount() - (endsLine || text.isEmpty() ? 1 : 0);
  if (lines == 0) {
    return {QStringLiteral("%1 is empty.").arg(read->path),
            false,
            translate("Read %1, which is empty").arg(read->path),
            {project.root + u'/' + read->path},
            1};
  }
  const qint64 first = std::max<qint64>(arguments.number("first_line").value_or(1), 1);
  if (first > lines)
    return ToolResult::error(QStringLiteral("%1 has %2 lines only.").arg(read->path).arg(lines));
  const auto limit = arguments.number("limit");  // as other tools have it
  const qint64 wanted = arguments.number("last_line").value_or(limit ? first + *limit - 1 : lines);
  qint64 last = std::clamp<qint64>(wanted, first, lines);
  const qint64 start = text.lineStart(first - 1);
  QString cut;
  QByteArray shown;
  if (text.lineStart(last) - start > mostBytes) {
    // Whole lines; of one that is longer than that its beginning.
    last = std::max(text.lineAt(start + mostBytes), first);
    shown = text.slice(start, text.lineStart(last));
    if (shown.size() > mostBytes) {
      shown.truncate(wholeCharacters(shown, mostBytes));
      cut = QStringLiteral("\n[The rest of this line is left out.]");
    }
    if (last < lines)
      cut += QStringLiteral("\n[Lines %1 to %2 are left out: read them by first_line.]")
                 .arg(last + 1)
                 .arg(std::clamp<qint64>(wanted, last + 1, lines));
  } else {
    shown = text.slice(start, text.lineStart(last));
  }
  if (shown.endsWith('\n')) shown.chop(1);
  ToolResult result;
  result.text = QStringLiteral("%1, lines %2 to %3 of %4:\n")
                    .arg(read->path)
                    .arg(first)
                    .arg(last)
                    .arg(lines) +
                QString::fromUtf8(shown) + cut;
  result.title = translate("Read %1, lines %2 to %3").arg(read->path).arg(first).arg(last);
  result.paths = {project.root + u'/' + read->path};
  result.line = static_cast<int>(first);
  return result;
}

ToolResult listFiles(const ToolProject& project, const ToolArguments& arguments,
                     qsizetype mostBytes) {
  ToolFiles files(project);
  const QString folder = arguments.text("path");
  auto listed = files.below(folder);
  if (!listed)
    return ToolResult::error(
        QStringLiteral("There is no folder %1 with files in the project.").arg(folder));
  const QString pattern = arguments.text("pattern");
  ToolResult result;
  if (pattern.isEmpty()) {
    const auto isShown = [&files](const QString& file) { return files.isShown(file); };
    result.text =
        QString::fromUtf8(projectTree(*listed, std::min(mostBytes, kMostOfTree), isShown));
    if (result.text.isEmpty()) {
      result.text = QStringLiteral("There are no files.");
    } else if (result.text.contains(QLatin1String("/ ("))) {
      result.text += QStringLiteral("[Folders with a number have so many files: list them.]");
    }
    result.title = folder.isEmpty() ? translate("Listed the project's files")
                                    : translate("Listed the files of %1").arg(folder);
    return result;
  }
  const QRegularExpression glob = globOf(pattern);
  qsizetype found = 0;
  QStringList names;
  for (const QString& file : std::as_const(*listed)) {
    if (project.isCanceled()) break;
    if (!glob.match(file).hasMatch() || !files.isShown(file)) continue;
    ++found;
    if (names.size() < kMostListed && result.text.size() < mostBytes) {
      names.append(file);
      result.text += file + u'\n';
    }
  }
  if (found == 0) result.text = QStringLiteral("No file matches %1.").arg(pattern);
  if (found > names.size())
    result.text += QStringLiteral("[%1 more files are left out.]").arg(found - names.size());
  result.title = translate("Listed files like %1: %2").arg(pattern).arg(found);
  return result;
}

}  // namespace waferpair::pairing
