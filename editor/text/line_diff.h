// SPDX-License-Identifier: GPL-3.0-or-later
// The lines in which two texts differ, as git sees it (libgit2). A line ends with LF here; a CR is
// a character of its line, so that CRLF and LF are a difference; textDiff() does not see them.
#pragma once

#include <QVector>
#include <optional>

#include "editor/text/snapshot.h"

namespace waferpair::editor {

// Lines [oldStart, oldStart + oldCount) of the old text became [newStart, newStart + newCount) of
// the new one; one of both counts may be 0. Counted by LF, from 0.
struct ChangedLines {
  qint64 oldStart = 0;
  qint64 oldCount = 0;
  qint64 newStart = 0;
  qint64 newCount = 0;
  // The same as bytes of the two texts.
  qint64 oldFrom = 0;
  qint64 oldTo = 0;
  qint64 newFrom = 0;
  qint64 newTo = 0;
};

// Returns the hunks in order, with a line between any two that is the same in both. Empty for equal
// texts. Costs both texts as a copy and, as a rule, time in proportion to their length.
QVector<ChangedLines> lineDiff(const Snapshot& before, const Snapshot& after);

// The same for people: line ends are no difference, and any ends a line, as Snapshot counts them.
QVector<ChangedLines> textDiff(const Snapshot& before, const Snapshot& after);

// The line that an unchanged line of the old text is in the new one; -1: it is none.
qint64 lineBehind(const QVector<ChangedLines>& changes, qint64 line);

// The edits that turn `before` into `after`: one for each changed place, to be applied in order.
QVector<TextEdit> lineEdits(const Snapshot& before, const Snapshot& after);

// The one edit from the first character in which they differ to the last; for equal texts one that
// changes nothing. Costs little memory, whatever their size.
TextEdit differingRange(const Snapshot& before, const Snapshot& after);

// The edits that turn `before` into `after`, found within some 20 ms: those of lineEdits(), or of
// differingRange() where what differs is large or lies in long lines.
QVector<TextEdit> quickEdits(const Snapshot& before, const Snapshot& after);

// `mine` with what `theirs` changed of `base`, as `git merge` does it. None where both changed the
// same lines in different ways, or lines next to each other.
std::optional<Snapshot> lineMerge(const Snapshot& base, const Snapshot& mine,
                                  const Snapshot& theirs);

}  // namespace waferpair::editor
