// SPDX-License-Identifier: GPL-3.0-or-later
// The files of a project for quick open: read by a thread of its own, ignored files left out.
// UI thread only; nothing here waits for the disk.
#pragma once

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
  // Beyond this quick open would show a part only; atLimit() says so.
  static constexpr qsizetype kMostFiles = 200'000;

  explicit FileIndex(QObject* parent = nullptr);
  ~FileIndex() override;

  void setFolder(const QString& folder);
  const QString& folder() const { return folder_; }
  // Reads the folder again; the old list stays until changed().
  void refresh();

  const QStringList& files() const { return files_; }
  bool isReading() const { return reading_; }
  QString busyWith() const override;
  bool atLimit() const { return files_.size() >= kMostFiles; }

 Q_SIGNALS:
  void changed();

 private:
  QString folder_;
  QStringList files_;
  bool reading_ = false;
  std::shared_ptr<std::atomic<bool>> cancelled_;  // of the reading under way
};

}  // namespace waferpair::gui
