// SPDX-License-Identifier: GPL-3.0-or-later
// Tells when something in one of many folders was made, written, renamed or deleted. Unlike
// QFileSystemWatcher's, a watched folder tells of files written in place, too. Linux (inotify).
//
// A folder that several of these want is watched once: the system allows few watches for all
// programs together.
#pragma once

#include <QObject>
#include <QStringList>
#include <memory>

namespace waferpair::editor {

class SharedWatch;

class FolderWatch : public QObject {
  Q_OBJECT
 public:
  // More are not watched.
  static constexpr qsizetype kMostFolders = 8'192;

  enum class Event { kMade, kWritten, kGone };

  // All of these live in one thread.
  explicit FolderWatch(QObject* parent = nullptr);
  ~FolderWatch() override;

  // Watches these and no others; folders that are made in them are watched, too. Returns whether
  // this did not watch one of them before. Any thread.
  bool setFolders(const QStringList& folders);

 Q_SIGNALS:
  // Git's lock files, which come and go, are not told of.
  void changed();
  // The same of each file that is not a folder, before changed().
  void fileChanged(const QString& path, waferpair::editor::FolderWatch::Event event);

 private:
  std::shared_ptr<SharedWatch> shared_;
};

}  // namespace waferpair::editor
