// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps the state of the git repository of a folder: read by a thread of its own, and again a
// moment after a file, the index or a branch has changed. UI thread only; nothing here waits for
// the disk.
#pragma once

#include <QObject>
#include <QThreadPool>
#include <QTimer>
#include <atomic>
#include <memory>

#include "editor/text/folder_watch.h"
#include "workbench/git/git_status.h"

namespace waferpair::workbench {

class GitWatch : public QObject {
  Q_OBJECT
 public:
  explicit GitWatch(QObject* parent = nullptr);
  // Waits for the thread, which gives up at the next file.
  ~GitWatch() override;

  // Absolute; empty: none.
  void setFolder(const QString& folder);
  void refresh();
  // Its state is not known yet.
  bool isFirstReading() const { return cancelled_ && !status_ && problem_.what.isEmpty(); }

  // Null: the folder is in no repository, in one that has a problem, or it is not known yet.
  const std::shared_ptr<const GitStatus>& status() const { return status_; }
  // Why there is no state; empty: nothing is wrong.
  const editor::Error& problem() const { return problem_; }

 Q_SIGNALS:
  void changed();

 private:
  void read();
  void take(const editor::Result<std::optional<GitStatus>>& read);

  QString folder_;
  std::shared_ptr<const GitStatus> status_;
  editor::Error problem_;
  editor::FolderWatch watch_;
  QTimer soon_{this};
  std::shared_ptr<std::atomic<bool>> cancelled_;  // of the reading under way; null: none is
  bool again_ = false;                            // something changed while it was read
  QThreadPool thread_{this};
};

}  // namespace waferpair::workbench
