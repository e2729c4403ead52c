// SPDX-License-Identifier: GPL-3.0-or-later
// A project's files as they are on disk at one moment, so that it can be told later what became of
// them: whoever writes (an agent, or a command that it runs), the difference is found there. Reads
// the disk, so it is for a thread of its own. Values.
#pragma once

#include <QHash>
#include <QString>
#include <QStringList>
#include <QVector>

#include "pairing/changes/project_texts.h"
#include "runtime/exclusions/file_stamp.h"

namespace waferpair::pairing {

// A file that is not as it was.
struct DiskChange {
  QString path;  // relative to the project
  FileText before;
  FileText after;
  // One of the two texts is not known (too large, no text), so that it cannot be taken back; why.
  QString unknown;
};

class ProjectState {
 public:
  // Texts beyond these sizes are not kept: bytes of a file, and of all together.
  static constexpr qint64 kMostOfFile = 2 << 20;
  static constexpr qint64 kMostBytes = 128 << 20;
  // Beyond these no file is looked at.
  static constexpr qsizetype kMostFiles = 50'000;

  // Reads `files`, relative to `root` (absolute). Those that are as in `earlier` are not read
  // again.
  static ProjectState read(const QString& root, const QStringList& files,
                           const ProjectState& earlier);

  // The files that are others in `now`, by path.
  QVector<DiskChange> changesTo(const ProjectState& now) const;
  // Takes this file as it is on disk: whoever changed it is not to be told of.
  void take(const QString& root, const QString& file);
  // As far as it is known.
  FileText textOf(const QString& file) const;

 private:
  struct File {
    exclusions::FileStamp stamp;
    FileText text;
    QString unknown;  // why `text` is not known
  };
  static File readFile(const QString& path, qint64 room, const File* earlier);

  QHash<QString, File> files_;
  qint64 bytes_ = 0;
};

}  // namespace waferpair::pairing
