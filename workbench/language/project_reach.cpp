// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/language/project_reach.h"

#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <algorithm>

#include "editor/text/translate.h"

namespace waferpair::workbench {
namespace {

// These read all of a project by themselves.
constexpr const char* kProjectReaders[] = {"pylsp", "pyright", "basedpyright", "gopls",
                                           "rust-analyzer"};
constexpr const char* kClangdFolders[] = {"/.cache", "/.cache/clangd"};

// Returns whether clangd's folder is there, and in the project.
bool hasClangdFolder(const QString& root) {
  return std::all_of(std::begin(kClangdFolders), std::end(kClangdFolders), [&](const char* part) {
    const QFileInfo folder(root + QLatin1String(part));
    return !folder.isSymLink() && folder.isDir();
  });
}

}  // namespace

bool isClangd(const QString& name) { return name == QLatin1String("clangd"); }

ProjectReach projectReach(const QString& name, const ServerWorks& works) {
  if (isClangd(name)) {
    const QString index = QLatin1String(kClangdIndexWork);
    // It tells of an index even where all of it was on disk; without a word there is none.
    if (works.isUnderWay(index)) return ProjectReach::kReading;
    return works.wasDone(index) ? ProjectReach::kProject : ProjectReach::kOpenFiles;
  }
  const bool isReader =
      std::any_of(std::begin(kProjectReaders), std::end(kProjectReaders), [&](const char* reader) {
        return name.compare(QLatin1String(reader), Qt::CaseInsensitive) == 0;
      });
  if (works.isReading()) return ProjectReach::kReading;
  return isReader ? ProjectReach::kProject : ProjectReach::kUnknown;
}

QString reachWords(ProjectReach reach, const QString& server, const QString& work) {
  switch (reach) {
    case ProjectReach::kReading:
      return translate("%1 is still reading the project (%2): it may not know of all places yet.")
          .arg(server, work);
    case ProjectReach::kOpenFiles:
      return translate(
                 "%1 has no index of this project: it knows the open files and what they include. "
                 "It makes one where there is a compile_commands.json (CMake writes it with "
                 "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON).")
          .arg(server);
    case ProjectReach::kProject:
    case ProjectReach::kUnknown:
      break;
  }
  return {};
}

void hideClangdIndex(const QString& root) {
  if (!hasClangdFolder(root)) return;
  QFile ignore(root + QStringLiteral("/.cache/clangd/.gitignore"));
  // Whatever lies there already stays, and is not opened.
  if (ignore.open(QIODevice::WriteOnly | QIODevice::NewOnly)) ignore.write("*\n");
}

std::optional<QSet<QString>> namesInClangdIndex(const QString& root) {
  if (!hasClangdFolder(root)) return std::nullopt;
  QSet<QString> names;
  QDirIterator shards(root + QStringLiteral("/.cache/clangd/index"), QDir::Files);
  while (shards.hasNext()) {
    shards.next();
    // "use.cpp.18C974A942BFA1F9.idx"
    const QString shard = shards.fileName();
    if (!shard.endsWith(QLatin1String(".idx"))) continue;
    const qsizetype hash = shard.lastIndexOf(u'.', shard.size() - 5);
    if (hash > 0) names.insert(shard.left(hash));
  }
  if (names.isEmpty()) return std::nullopt;
  return names;
}

}  // namespace waferpair::workbench
