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

// Returns the lines in which two texts differ in more than the ends of lines: CRLF and LF are the
// same. Counted by LF, with the bytes of both as they are.
QVector<editor::ChangedLines> gitLineDiff(const editor::Snapshot& before,
                                          const editor::Snapshot& after);

// Returns the changes, the staged ones behind the others, each in order. `clean` is the text as git
// would store it, which has the same lines; `lines` are of it, `place` is of the text.
QVector<GitHunk> gitHunks(const editor::Snapshot& head, const editor::Snapshot& index,
                          const editor::Snapshot& text, const editor::Snapshot& clean);
inline QVector<GitHunk> gitHunks(const editor::Snapshot& head, const editor::Snapshot& index,
                                 const editor::Snapshot& text) {
  return gitHunks(head, index, text, text);
}

// Lines of a change that are meant: of those that go, and of those that come, from the first of the
// change on. All of them: the default.
struct ChosenLines {
  QVector<bool> old;
  QVector<bool> fresh;
  bool isAll = true;
};

// Returns what is chosen by these new lines of a change alone: an old line goes with the new one
// that stands for it, and one that nothing stands for stays.
ChosenLines chosenByNew(const editor::Snapshot& before, const editor::Snapshot& after,
                        const editor::ChangedLines& change, const QVector<bool>& fresh);

// Returns `before` with the chosen lines of its change to `after` made. Lines that stand for each
// other keep their places.
editor::Snapshot withChange(const editor::Snapshot& before, const editor::Snapshot& after,
                            const editor::ChangedLines& change, const ChosenLines& chosen = {});
// Returns what stands in the place of the change's new lines once the chosen ones are taken back.
QByteArray linesWithout(const editor::Snapshot& before, const editor::Snapshot& after,
                        const editor::ChangedLines& change, const ChosenLines& chosen = {});
// Returns `after` with the chosen lines of its change from `before` taken back.
editor::Snapshot withoutChange(const editor::Snapshot& before, const editor::Snapshot& after,
                               const editor::ChangedLines& change, const ChosenLines& chosen = {});

}  // namespace waferpair::workbench
