// SPDX-License-Identifier: GPL-3.0-or-later
// Tells when something in one of many folders was made, written, renamed or deleted. Unlike
// QFileSystemWatcher's, a watched folder tells of files written in place, too. Linux (inotify).
#pragma once

#include <QHash>
#include <QMutex>
#include <QObject>
#include <QStringList>

namespace waferpair::workbench {

class FolderWatch : public QObject {
  Q_OBJECT
 public:
  // More are not watched: the system has a limit for all programs together.
  static constexpr qsizetype kMostFolders = 8'192;

  enum class Event { kMade, kWritten, kGone };

  explicit FolderWatch(QObject* parent = nullptr);
  ~FolderWatch() override;

  // Watches these and no others; folders that are made in them are watched, too. Returns whether
  // one of them was not watched before. Any thread.
  bool setFolders(const QStringList& folders);

 Q_SIGNALS:
  // Git's lock files, which come and go, are not told of.
  void changed();
  // The same of each file that is not a folder, before changed().
  void fileChanged(const QString& path, waferpair::workbench::FolderWatch::Event event);

 private:
  void readEvents();
  bool add(const QString& folder);

  const int inotify_;  // negative: the system allows no more
  QMutex mutex_;
  // Under the mutex:
  QHash<QString, int> watches_;  // by folder
  QHash<int, QString> folders_;  // the other way round
};

}  // namespace waferpair::workbench
