// SPDX-License-Identifier: GPL-3.0-or-later
// The files of a window's folders for quick open: read by a thread of its own, ignored files left
// out.
// UI thread only; nothing here waits for the disk.
#pragma once

#include <QHash>
#include <QObject>
#include <QStringList>
#include <atomic>
#include <memory>

#include "editor/text/busy.h"

namespace waferpair::gui {

// Paths relative to `folder`, sorted, with '/'. Stops early, with what it has, when `cancelled`
// becomes true or at `most` files. Symbolic links to folders are not followed. Any thread.
QStringList listProjectFiles(const QString& folder, qsizetype most,
                             const std::atomic<bool>& cancelled);

class FileIndex : public QObject, public editor::Busy {
  Q_OBJECT
 public:
  // Of all folders together. Beyond this quick open would show a part only; atLimit() says so.
  static constexpr qsizetype kMostFiles = 200'000;

  explicit FileIndex(QObject* parent = nullptr);
  ~FileIndex() override;

  // What is known of those that stay is kept until they are read again.
  void setFolders(const QStringList& folders);
  void setFolder(const QString& folder) {
    setFolders(folder.isEmpty() ? QStringList() : QStringList{folder});
  }
  const QStringList& folders() const { return folders_; }
  // Reads the folders again; the old lists stay until changed().
  void refresh();

  // Of the first folder; empty: none.
  const QString& folder() const { return folder_; }
  const QStringList& files() const { return files_; }
  // Of one of them, relative to it.
  QStringList filesOf(const QString& folder) const { return all_.value(folder); }
  bool isReading() const { return reading_; }
  QString busyWith() const override;
  bool atLimit() const;

 Q_SIGNALS:
  void changed();

 private:
  QStringList folders_;
  QHash<QString, QStringList> all_;  // by folder
  QString folder_;
  QStringList files_;
  bool reading_ = false;
  std::shared_ptr<std::atomic<bool>> cancelled_;  // of the reading under way
};

}  // namespace waferpair::gui
