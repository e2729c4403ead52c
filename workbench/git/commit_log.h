// SPDX-License-Identifier: GPL-3.0-or-later
// The commits of a repository, the newest first, as git tells them: read piece by piece, so that
// the first are there while the others come. Values; any thread.
#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <QString>
#include <QVector>

#include "editor/text/result.h"

namespace waferpair::workbench {

struct LogCommit {
  QByteArray id;  // in hex
  QVector<QByteArray> parents;
  QString author;
  qint64 when = 0;  // seconds since 1970
  QString refs;     // "HEAD -> main, tag: v1"; mostly empty
  QString subject;
};

// What `git log` is to be told to write commits as the reader takes them.
QString commitLogFormat();

// Takes `git log -z --format=commitLogFormat()` in pieces cut anywhere. What is no commit is left
// out.
class CommitLogReader {
 public:
  // One commit is not longer than this; what is ends the reading.
  static constexpr qsizetype kMostBytes = 1 << 20;

  QVector<LogCommit> take(QByteArrayView bytes);
  // The last one has no end of its own.
  QVector<LogCommit> finish();

 private:
  QByteArray begun_;
};

// The lines of a commit's row in the picture of how commits follow each other: from lanes above to
// lanes below; a lane is a column from 0.
struct GraphRow {
  struct Edge {
    short from = 0;
    short to = 0;
    short lane = 0;  // whose color it has

    bool operator==(const Edge&) const = default;
  };
  short lane = 0;       // of the commit itself
  QVector<Edge> above;  // into this row's middle
  QVector<Edge> below;  // out of it

  bool operator==(const GraphRow&) const = default;
};

// Lays commits out one after another.
class CommitGraph {
 public:
  // Lines that need more lanes are not drawn.
  static constexpr int kMostLanes = 16;

  GraphRow add(const LogCommit& commit);

 private:
  QVector<QByteArray> lanes_;  // the commit that each leads to; empty: it is free
};

}  // namespace waferpair::workbench
