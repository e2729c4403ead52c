// SPDX-License-Identifier: GPL-3.0-or-later
// The threads of a project, a file each ("ID.json" in a folder of the project's own). A file is
// replaced whole or not at all, so that whatever was written survives a kill at any moment; damaged
// ones are named and set aside as "ID.json.damaged". Several windows may work in one project: a
// thread that another has changed since it was read here is merged with what is written.
//
// Called on the UI thread; the disk is read and written in order on a thread of the store's own.
#pragma once

#include <QHash>
#include <QObject>
#include <QSet>
#include <QThreadPool>
#include <functional>
#include <memory>

#include "pairing/threads/thread.h"

namespace waferpair::pairing {

class ThreadStore : public QObject {
  Q_OBJECT
 public:
  // Folders of projects are made in `directory` when first written to.
  explicit ThreadStore(const QString& directory, QObject* parent = nullptr);
  // Waits for what is still being written.
  ~ThreadStore() override;

  // Reads the threads of the project in `folder` (empty: of no project); loaded() follows. What an
  // earlier call reads is dropped.
  void load(const QString& folder);

  // Writes the thread, whose latest state counts when several calls wait. `written` is called
  // later, on the UI thread, when this state or a later one is on disk; or with what is wrong.
  using Written = std::function<void(const QString& problem)>;
  void save(const Thread& thread, const Written& written = {});
  void remove(const QString& threadId);
  // Returns when everything asked for so far is on disk.
  void flush();

 Q_SIGNALS:
  // The threads changed last come first.
  void loaded(const QVector<waferpair::pairing::Thread>& threads);
  // A thread could not be written or read; what to do about it is in the text.
  void problem(const QString& text);

 private:
  class Files;
  struct Waiting {
    Thread thread;
    QVector<Written> written;
  };
  void writeNext(const QString& key);

  QString directory_;
  QString folder_;  // of this project's files
  int loads_ = 0;
  QHash<QString, Waiting> waiting_;  // by file: not yet on its way to the disk
  QSet<QString> writing_;            // files that are being written
  std::shared_ptr<Files> files_;     // used by jobs alone
  QThreadPool thread_;               // of one thread, so that jobs keep their order
};

}  // namespace waferpair::pairing
