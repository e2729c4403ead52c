// SPDX-License-Identifier: GPL-3.0-or-later
// The tests of all files of a project. Files that are as they were when they were read last are not
// read again. One thread at a time.
#pragma once

#include <QDateTime>
#include <QHash>
#include <atomic>

#include "workbench/testing/test_item.h"

namespace waferpair::workbench {

class TestScanner {
 public:
  // `files`: those of `folder` (absolute), relative to it. Returns the files that have tests, in
  // that order; what there is by then once `cancelled` is true.
  QVector<TestFile> scan(const QString& folder, const QStringList& files,
                         const std::atomic<bool>& cancelled);

 private:
  struct Seen {
    QDateTime changed;
    qint64 size = 0;
    QVector<TestItem> items;
  };

  QString folder_;
  QHash<QString, Seen> seen_;  // by absolute path
};

}  // namespace waferpair::workbench
