// SPDX-License-Identifier: GPL-3.0-or-later
// Tells the model server of the project's files that no editor has open, so that suggestions can
// copy from them; they stay on this computer. project_choice.h chooses them, on a thread of its
// own; this class sends them in small turns, and never while somebody types.
// A known file that changes on disk is noticed at once; a new one when the project's list is read
// again (FileIndex), as it is when the window comes to the front. UI thread only; nothing here
// waits for the disk.
#pragma once

#include <QElapsedTimer>
#include <QFileSystemWatcher>
#include <QHash>
#include <QObject>
#include <QTimer>
#include <memory>

#include "editor/text/busy.h"
#include "gui/project/project_choice.h"

namespace waferpair::gui {

class CompletionService;
class FileIndex;

struct FeedPace {
  int quietMs = 300;  // after an edit nothing is sent for so long
  // A turn sends files until they are so many bytes: it takes less time than a frame.
  qint64 turnBytes = 128 << 10;
  int turnMs = 15;      // between two turns
  int settleMs = 200;   // what happens within this time makes one choice
  int againMs = 3'000;  // from one choice to the next, at least
};

class ProjectFeed : public QObject, public editor::Busy {
  Q_OBJECT
 public:
  // The project is that of `index`. Both outlive this.
  ProjectFeed(FileIndex* index, CompletionService* service, FeedPace pace = {},
              QObject* parent = nullptr);
  ~ProjectFeed() override;

  // The user's switch, on at first. Off: the server forgets all files.
  void setEnabled(bool enabled);
  // The file at work: what is like it comes first. `path` is empty for none.
  void setActive(const QString& path, const QString& language);
  // Looks for files that other programs may have added.
  void lookAgain();

  // Returns what the server has been told, for a person: "212 files, 1,430 KiB". Never empty.
  QString summary() const;
  // Returns whether files are being chosen or sent, or soon will be.
  bool isBusy() const;
  QString busyWith() const override;

 Q_SIGNALS:
  // Sent when summary() has changed.
  void changed();

 private:
  bool isWanted() const;
  void readIndex();
  void startSession();
  void stop();
  void forget(const QString& path);
  void chooseSoon();
  void choose();
  void take(ProjectChoice choice);
  void followActive();
  void sendTurn();
  void documentOpened(const QString& id);
  void documentClosed(const QString& id);

  FileIndex* index_;
  CompletionService* service_;
  FeedPace pace_;
  bool enabled_ = true;
  QStringList folders_;  // of the files that are known; the first is the project
  QString activePath_;
  QString activeLanguage_;
  QString chosenFor_;       // what activePath_ was at the latest choice
  QString chosenLanguage_;  // and activeLanguage_

  QHash<QString, DiskStamp> known_;  // what the server has, as it was read; by absolute path
  QList<ChosenFile> queue_;          // to be sent, from queueNext_ on
  qsizetype queueNext_ = 0;
  bool complete_ = true;  // the latest choice left nothing out
  bool chosen_ = false;   // there was one in this session

  QTimer chooseSoon_{this};
  QTimer turn_{this};
  QTimer quiet_{this};  // active: somebody types
  QElapsedTimer sinceChoice_;
  std::shared_ptr<std::atomic<bool>> choosing_;  // set: a choice is being made; true: for nothing
  QFileSystemWatcher watcher_;                   // of the known files
};

}  // namespace waferpair::gui
