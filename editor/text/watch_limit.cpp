// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/text/watch_limit.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QFileSystemWatcher>

namespace waferpair::editor {

WatchLimit& WatchLimit::instance() {
  static WatchLimit limit;
  return limit;
}

void WatchLimit::meet() {
  if (isMet_.exchange(true)) return;
  QMetaObject::invokeMethod(
      QCoreApplication::instance(), [] { Q_EMIT instance().met(); }, Qt::QueuedConnection);
}

void watchPaths(QFileSystemWatcher* watcher, const QStringList& paths) {
  if (paths.isEmpty()) return;
  for (const QString& path : watcher->addPaths(paths)) {
    const bool isKnown = watcher->files().contains(path) || watcher->directories().contains(path);
    if (!isKnown && QFileInfo(path).isReadable()) WatchLimit::instance().meet();
  }
}

}  // namespace waferpair::editor
