// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/text/path_watch.h"

#include <QFileInfo>

#include "editor/text/path_bytes.h"
#include "editor/text/watch_limit.h"

namespace waferpair::editor {

PathWatch::PathWatch(QObject* parent) : QObject(parent) {
  connect(&watcher_, &QFileSystemWatcher::fileChanged, this, &PathWatch::fileChanged);
  connect(&watcher_, &QFileSystemWatcher::directoryChanged, this, &PathWatch::folderChanged);
  connect(&byteWatch_, &FolderWatch::fileChanged, this, [this](const QString& path) {
    if (byteFiles_.contains(path)) Q_EMIT fileChanged(path);
  });
  // It does not tell in which.
  connect(&byteWatch_, &FolderWatch::changed, this, [this] {
    const QSet<QString> folders = byteFolders_;
    for (const QString& folder : folders) Q_EMIT folderChanged(folder);
  });
}

void PathWatch::addFile(const QString& path) {
  if (isUtf8Path(path)) {
    if (!watcher_.files().contains(path) && QFileInfo::exists(path)) watchPaths(&watcher_, {path});
  } else if (!byteFiles_.contains(path)) {
    byteFiles_.insert(path);
    watchBytes();
  }
}

void PathWatch::addFolder(const QString& path) {
  if (isUtf8Path(path)) {
    if (!watcher_.directories().contains(path)) watchPaths(&watcher_, {path});
  } else if (!byteFolders_.contains(path)) {
    byteFolders_.insert(path);
    watchBytes();
  }
}

void PathWatch::keepFiles(const QSet<QString>& paths) {
  const QStringList watched = watcher_.files();
  for (const QString& path : watched)
    if (!paths.contains(path)) watcher_.removePath(path);
  byteFiles_.intersect(paths);
  watchBytes();
}

void PathWatch::keepFolders(const QSet<QString>& paths) {
  const QStringList watched = watcher_.directories();
  for (const QString& path : watched)
    if (!paths.contains(path)) watcher_.removePath(path);
  byteFolders_.intersect(paths);
  watchBytes();
}

void PathWatch::clear() {
  const QStringList watched = watcher_.files() + watcher_.directories();
  if (!watched.isEmpty()) watcher_.removePaths(watched);
  byteFiles_.clear();
  byteFolders_.clear();
  watchBytes();
}

void PathWatch::watchBytes() {
  QSet<QString> folders = byteFolders_;
  for (const QString& file : std::as_const(byteFiles_)) folders.insert(QFileInfo(file).path());
  byteWatch_.setFolders(folders.values());
}

}  // namespace waferpair::editor
