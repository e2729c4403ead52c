// SPDX-License-Identifier: GPL-3.0-or-later
// The changes of a text to what git has of it, and what the index has to be for a part of them to
// be staged or not. Values; any thread.
#pragma once

#include <QVector>

#include "editor/text/byte_range.h"
#include "editor/text/line_diff.h"

namespace waferpair::workbench {

struct GitHunk {
  enum class Kind { kAdded, kChanged, kRemoved };
  // Staged ones turn the last commit's text into the index's, the others that into the file's.
  bool isStaged = false;
  Kind kind = Kind::kChanged;
  editor::ChangedLines lines;
  // Where it is in the file's text: whole lines. Empty for kRemoved, and for a staged one whose
  // lines were changed again since.
  editor::ByteRange place;
  int firstLine = 0;  // of the file's text, as editors count lines
  int lineCount = 0;
};

// Returns the changes, the staged ones behind the others, each in order.
QVector<GitHunk> gitHunks(const editor::Snapshot& head, const editor::Snapshot& index,
                          const editor::Snapshot& text);

// Lines of a change that are meant: of those that go, and of those that come, from the first of the
// change on. All of them: the default.
struct ChosenLines {
  QVector<bool> old;
  QVector<bool> fresh;
  bool isAll = true;
};

// Returns `before` with the chosen lines of its change to `after` made. Where as many lines go as
// come, those that stand for each other keep their places.
editor::Snapshot withChange(const editor::Snapshot& before, const editor::Snapshot& after,
                            const editor::ChangedLines& change, const ChosenLines& chosen = {});
// Returns what stands in the place of the change's new lines once the chosen ones are taken back.
QByteArray linesWithout(const editor::Snapshot& before, const editor::Snapshot& after,
                        const editor::ChangedLines& change, const ChosenLines& chosen = {});
// Returns `after` with the chosen lines of its change from `before` taken back.
editor::Snapshot withoutChange(const editor::Snapshot& before, const editor::Snapshot& after,
                               const editor::ChangedLines& change, const ChosenLines& chosen = {});

}  // namespace waferpair::workbench
