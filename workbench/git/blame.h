// SPDX-License-Identifier: GPL-3.0-or-later
// Who changed lines of a file last, as `git blame --porcelain` tells it. Values; any thread.
#pragma once

#include <QByteArray>
#include <QString>
#include <QVector>

namespace waferpair::workbench {

struct BlamedLine {
  QByteArray commit;  // in hex; empty: it is not committed yet
  QString author;
  qint64 when = 0;  // seconds since 1970
  QString subject;

  bool operator==(const BlamedLine&) const = default;
};

// In the order of git's answer; what is not of its form is left out.
QVector<BlamedLine> readBlame(const QByteArray& porcelain);

}  // namespace waferpair::workbench
