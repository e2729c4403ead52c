// SPDX-License-Identifier: GPL-3.0-or-later
// Files that the program keeps of a project, one for each thread or plan ("ID.json" in a folder of
// the project's own). A file is replaced whole or not at all, so that whatever was written survives
// a kill at any moment; damaged ones are named and set aside as "ID.json.damaged". Several windows
// may work in one project: a file that another has changed since it was read here is merged with
// what is written.
//
// Called on the UI thread; the disk is read and written in order on a thread of its own.
#pragma once

#include <QByteArray>
#include <QHash>
#include <QObject>
#include <QSet>
#include <QThreadPool>
#include <functional>
#include <memory>
#include <optional>

#include "editor/text/result.h"

namespace waferpair::pairing {

class KeptFiles : public QObject {
  Q_OBJECT
 public:
  // Merges what two windows made of one file: `ours` and `theirs` both began as `base`. Nothing:
  // theirs cannot be read, and ours is written. Called on the thread of the files.
  using Merge = std::function<std::optional<QByteArray>(
      const QByteArray& base, const QByteArray& ours, const QByteArray& theirs)>;

  // Folders of projects are made in `directory` when first written to.
  KeptFiles(const QString& directory, Merge merge, QObject* parent = nullptr);
  // Waits for what is still being written.
  ~KeptFiles() override;

  // Takes what a file holds, and returns what was taken as it would be written here; or what is
  // wrong with it. Called on the thread of the files.
  using Take = std::function<editor::Result<QByteArray>(const QByteArray& bytes)>;
  // Reads all files of the project in `folder` (empty: of no project), and calls `done` later on
  // the UI thread. What an earlier call reads is dropped.
  void load(const QString& folder, Take take, std::function<void()> done);

  // Makes the bytes of a file; called on the thread of the files.
  using Make = std::function<QByteArray()>;
  // `problem` is empty when this state or a later one is on disk. Called later, on the UI thread.
  using Written = std::function<void(const QString& problem)>;
  // Writes the file, whose latest state counts when several calls wait. load() comes first.
  void save(const QString& id, Make make, const Written& written = {});
  void remove(const QString& id);
  // Returns when everything asked for so far is on disk.
  void flush();

 Q_SIGNALS:
  // A file could not be written or read; what to do about it is in the text.
  void problem(const QString& text);

 private:
  class Disk;
  struct Waiting {
    Make make;
    QVector<Written> written;
  };
  QString pathOf(const QString& id) const;
  void writeNext(const QString& path);

  QString directory_;
  QString folder_;  // of this project's files
  int loads_ = 0;
  QHash<QString, Waiting> waiting_;  // by path: not yet on its way to the disk
  QSet<QString> writing_;            // paths that are being written
  std::shared_ptr<Disk> disk_;       // used by jobs alone
  QThreadPool thread_{this};         // of one thread, so that jobs keep their order
};

}  // namespace waferpair::pairing
