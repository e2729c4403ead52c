// SPDX-License-Identifier: GPL-3.0-or-later
// The changes of a file as rows to read and to choose from: lines that go, lines that come, and a
// few around them that stay. Values; any thread.
#pragma once

#include <QByteArray>
#include <QVector>

#include "workbench/git/git_hunks.h"

namespace waferpair::workbench {

struct DiffRow {
  enum class Kind {
    kGap,  // lines are left out above; its text says where it goes on
    kSame,
    kRemoved,
    kAdded,
  };
  Kind kind = Kind::kSame;
  int change = -1;  // the number of the change it belongs to; a gap's is that which follows
  int line = 0;     // of the change's old or new lines, from 0; of the others where it goes on
};

struct DiffRows {
  static constexpr qsizetype kMostRows = 20'000;

  QVector<DiffRow> rows;
  QByteArray text;     // a line for each row, without ends but LF
  bool isCut = false;  // there were more than kMostRows
};

DiffRows diffRows(const editor::Snapshot& before, const editor::Snapshot& after,
                  const QVector<editor::ChangedLines>& changes);

// Returns the lines of change `change` that are meant by rows [first, last]. Its gap, or all of it,
// means all.
ChosenLines chosenLines(const DiffRows& rows, int change, const editor::ChangedLines& lines,
                        qsizetype first, qsizetype last);

}  // namespace waferpair::workbench
