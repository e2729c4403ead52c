// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/tools/read_tools.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "editor/text/translate.h"
#include "pairing/context/project_tree.h"
#include "pairing/tools/tool_files.h"
#include "runtime/exclusions/glob.h"

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

// Patterns of files as models write them: "*.cpp" is meant of names, "src/**/*.{h,cpp}" of paths.
// Brackets are those of a name, such as a route's "[id].tsx".
class FilePattern {
 public:
  explicit FilePattern(const QString& pattern) : isOfPaths_(pattern.contains(u'/')) {
    for (const QString& one : alternatives(pattern)) {
      QByteArray glob = one.toUtf8();
      glob.replace('\\', "\\\\").replace('[', "\\[");
      globs_.emplace_back(std::string_view(glob.constData(), static_cast<size_t>(glob.size())),
                          true);
    }
  }

  bool fits(const QString& path) const {
    const QByteArray text = (isOfPaths_ ? path : path.mid(path.lastIndexOf(u'/') + 1)).toUtf8();
    const std::string_view view(text.constData(), static_cast<size_t>(text.size()));
    return std::any_of(globs_.begin(), globs_.end(),
                       [view](const exclusions::Glob& glob) { return glob.matches(view); });
  }

 private:
  // What the braces in it stand for; a brace that does not end, or is one of too many, is text.
  static QStringList alternatives(const QString& pattern) {
    QStringList all{pattern};
    for (qsizetype at = 0; at < all.size() && all.size() < kMostAlternatives;) {
      const QString one = all[at];
      const qsizetype end = one.indexOf(u'}');
      const qsizetype start = end < 0 ? -1 : one.lastIndexOf(u'{', end);
      if (start < 0) {
        ++at;
        continue;
      }
      all.removeAt(at);
      for (const QString& choice : one.mid(start + 1, end - start - 1).split(u','))
        all.append(one.left(start) + choice + one.mid(end + 1));
    }
    return all;
  }

  static constexpr qsizetype kMostAlternatives = 64;

  bool isOfPaths_;
  std::vector<exclusions::Glob> globs_;
};

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
  const FilePattern wanted(pattern);
  qsizetype found = 0;
  QStringList names;
  for (const QString& file : std::as_const(*listed)) {
    if (project.isCanceled()) break;
    if (!wanted.fits(file) || !files.isShown(file)) continue;
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
