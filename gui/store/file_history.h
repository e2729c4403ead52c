// SPDX-License-Identifier: GPL-3.0-or-later
// Earlier states of files, as they were saved: a folder for each file, readable by its owner only,
// with a file for each state. Bounded in number, size and age; what goes beyond is removed, the
// oldest first. Whether a file may be kept at all is its caller's to ask.
//
// UI thread only; states are written and removed in order on a thread of the store's own.
#pragma once

#include <QDateTime>
#include <QList>
#include <QObject>
#include <QString>
#include <QThreadPool>

#include "editor/text/result.h"
#include "editor/text/snapshot.h"

namespace waferpair::gui {

struct HistoryLimits {
  qsizetype states = 50;              // of a file
  qint64 textBytes = 2 << 20;         // of a state: longer texts are not kept
  qint64 fileBytes = 20 << 20;        // of all states of a file
  qint64 totalBytes = 300 << 20;      // of all
  qint64 seconds = 60LL * 24 * 3600;  // of age
  qint64 apart = 10;                  // seconds: of states closer than that the later one stays
};

class FileHistory : public QObject {
  Q_OBJECT
 public:
  // Makes `directory` when the first state is kept. What is too old or too much is removed then.
  explicit FileHistory(QString directory, const HistoryLimits& limits = {},
                       QObject* parent = nullptr);
  ~FileHistory() override;  // what was kept is on disk

  const HistoryLimits& limits() const { return limits_; }

  struct State {
    QDateTime time;
    qint64 bytes = 0;
    QString file;  // for read()
  };
  // Keeps the text as the state of the file at `time`, unless the latest state is the same.
  void keep(const QString& path, const QDateTime& time, const editor::Snapshot& text);
  // The latest comes first. Waits for what is being written.
  QList<State> states(const QString& path);
  // Fails when the state is gone or damaged.
  editor::Result<editor::Snapshot> read(const State& state) const;
  // Removes all states of the file.
  void forget(const QString& path);

 Q_SIGNALS:
  // A state could not be written; what to do about it is in the text. Sent once.
  void problem(const QString& text);

 private:
  QString folderOf(const QString& path) const;
  void write(const QString& path, const QDateTime& time, const editor::Snapshot& text);
  void prune(const QString& folder) const;
  void pruneAll() const;

  QString directory_;
  HistoryLimits limits_;
  QThreadPool thread_{this};  // of one thread, so that jobs keep their order
  bool pruned_ = false;
  bool told_ = false;
};

}  // namespace waferpair::gui
