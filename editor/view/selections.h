// SPDX-License-Identifier: GPL-3.0-or-later
// The carets of an editor, each with what it selects, and edits that are made at all of them.
#pragma once

#include <QVector>
#include <algorithm>

#include "editor/text/edit.h"

namespace waferpair::editor {

class TextView;

// Bytes; both are the same where nothing is selected.
struct Selection {
  qint64 anchor = 0;
  qint64 caret = 0;

  qint64 start() const { return std::min(anchor, caret); }
  qint64 end() const { return std::max(anchor, caret); }
  bool isEmpty() const { return anchor == caret; }
  bool operator==(const Selection&) const = default;
};

// Never empty; a rectangle has one for each of its lines.
QVector<Selection> selectionsOf(const TextView& editor);
// Returns which of selectionsOf() is the main one.
qsizetype mainSelection(const TextView& editor);
// Sets them, of which there is at least one; those that are equal become one. The caret of the main
// one comes into view.
void setSelections(TextView* editor, const QVector<Selection>& selections, qsizetype main);

// Some caret stands beyond its line's end, as those of a rectangle may.
bool hasVirtualSpace(const TextView& editor);

// First and last line of a selection; one that ends at a line's start leaves that line out.
struct LineSpan {
  int first = 0;
  int last = 0;
};
LineSpan linesOf(const TextView& editor, const Selection& selection);
// The lines of all selections from the top, those that touch or overlap as one.
QVector<LineSpan> selectedSpans(const TextView& editor);
// The same, where a folded block is one with its first line, and with the line that closes it.
QVector<LineSpan> wholeSpans(const TextView& editor);

// What becomes of one selection: edits from the first place to the last, which do not overlap, all
// in offsets of the text before any of them; and the selection that is left, in the text with these
// edits made, and no others.
struct CaretEdit {
  QVector<TextEdit> edits;
  Selection after;
};
// Makes them as one undo step, one for each of selectionsOf(), and sets the selections. False, with
// nothing done, where edits of two carets overlap.
bool applyAtCarets(TextView* editor, const QVector<CaretEdit>& edits);

// Where a place is after such edits; `isBehind`: behind what is put in there.
qint64 placeAfter(const QVector<TextEdit>& edits, qint64 place, bool isBehind);

// Makes edits from the first place to the last, which do not overlap, all in offsets of the text
// before any of them, as one undo step; then sets the selections, which are of the text after it.
void applyAsStep(TextView* editor, const QVector<TextEdit>& edits,
                 const QVector<Selection>& selections, qsizetype main);
// The same, where selections stay with their text: what is put in at a caret comes before it, at an
// end of what is selected it is selected, too.
void applyAroundSelections(TextView* editor, const QVector<TextEdit>& edits);

}  // namespace waferpair::editor
