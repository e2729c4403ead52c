// SPDX-License-Identifier: GPL-3.0-or-later
// Who changed lines of a file last, as `git blame` tells it. Any thread; the calling one waits.
#pragma once

#include <QByteArray>
#include <QString>
#include <QVector>
#include <atomic>

#include "editor/text/encoding.h"
#include "editor/text/result.h"
#include "editor/text/snapshot.h"

namespace waferpair::workbench {

struct BlamedLine {
  QByteArray commit;  // in hex; empty: it is not committed yet
  QString author;
  qint64 when = 0;  // seconds since 1970
  QString subject;

  bool operator==(const BlamedLine&) const = default;
};

struct BlameWish {
  QString path;  // absolute
  // The text as it is, saved or not.
  editor::Snapshot text;
  editor::Encoding encoding = editor::Encoding::kUtf8;
  qint64 line = 0;  // from 1, by LF; 0: all lines
};
// Fails where git does not know the file, or a program converts it for git, which is not run here.
editor::Result<QVector<BlamedLine>> blame(const BlameWish& wish,
                                          const std::atomic<bool>& cancelled);

// The answer to `git blame --porcelain`. In the order of git's answer; what is not of its form is
// left out.
QVector<BlamedLine> readBlame(const QByteArray& porcelain);

}  // namespace waferpair::workbench
