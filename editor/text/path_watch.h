// SPDX-License-Identifier: GPL-3.0-or-later
// Tells of changes of files and folders that are asked for one by one, whatever bytes their names
// have: QFileSystemWatcher, and FolderWatch for the names that it does not find. UI thread only.
#pragma once

#include <QFileSystemWatcher>
#include <QObject>
#include <QSet>

#include "editor/text/folder_watch.h"

namespace waferpair::editor {

class PathWatch : public QObject {
  Q_OBJECT
 public:
  explicit PathWatch(QObject* parent = nullptr);

  // A path that is watched already, or not there, is passed over. A file that was replaced is
  // another one, and has to be watched anew.
  void addFile(const QString& path);
  void addFolder(const QString& path);
  // Stops watching all other files.
  void keepFiles(const QSet<QString>& paths);
  // Likewise of folders.
  void keepFolders(const QSet<QString>& paths);
  void clear();

 Q_SIGNALS:
  void fileChanged(const QString& path);
  // Something was made, renamed or deleted in it.
  void folderChanged(const QString& path);

 private:
  void watchBytes();

  QFileSystemWatcher watcher_;
  FolderWatch byteWatch_;
  QSet<QString> byteFiles_, byteFolders_;
};

}  // namespace waferpair::editor
