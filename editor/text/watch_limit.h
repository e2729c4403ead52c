// SPDX-License-Identifier: GPL-3.0-or-later
// The system lets all programs of a user watch so many files and folders together. Once no more are
// to be had, whoever relies on being told of changes has to look by himself, and the user is to
// know.
#pragma once

#include <QObject>
#include <QStringList>
#include <atomic>

class QFileSystemWatcher;

namespace waferpair::editor {

class WatchLimit : public QObject {
  Q_OBJECT
 public:
  static WatchLimit& instance();

  bool isMet() const { return isMet_; }
  // Any thread.
  void meet();

 Q_SIGNALS:
  // Once a process, on the UI thread.
  void met();

 private:
  std::atomic<bool> isMet_ = false;
};

// What is there of these is watched, or the limit is met.
void watchPaths(QFileSystemWatcher* watcher, const QStringList& paths);

}  // namespace waferpair::editor
