// SPDX-License-Identifier: GPL-3.0-or-later
// A question for the next edit, as every model that was taught next edits is asked it, whatever the
// form: the lines around the caret, and the edits that led there. A value.
#pragma once

#include "pairing/next_edit/next_edit.h"

namespace waferpair::pairing {

// Lines have no line ends.
struct PastEdit {
  QString path;                  // of the file, as the project has it
  int line = 0;                  // of the text as it is now: the first of `after`
  QByteArrayList before, after;  // what became what
  QByteArrayList above, below;   // what stands around, at most kContext lines each

  static constexpr int kContext = 3;
};

struct EditQuestion {
  QString path;
  int firstLine = 0;        // of the text, the first of `lines`
  QByteArrayList lines;     // around the caret; one that is empty behind the last line end is none
  int caretLine = 0;        // among `lines`
  int caretColumn = 0;      // bytes
  QVector<PastEdit> edits;  // oldest first
};

// Asks about the text at this index of the situation, with edits of those texts that `mayBeSeen`
// agrees to. The caret is in a line of it. Takes time in proportion to the lines around the caret.
EditQuestion editQuestion(const Situation& situation, int text, int caretLine, int caretColumn,
                          const QVector<editor::DocumentId>& mayBeSeen);

// The lines [from, to) of the question as they were before the last edit of this file.
QByteArrayList formerLines(const EditQuestion& question, int from, int to);

// "@@ -3,4 +3,5 @@" and the lines behind it, each with its line end.
QByteArray unifiedHunk(const PastEdit& edit);

// The lines [first, last) around the caret that take at most so many bytes with their line ends,
// grown a line at a time on both sides; at least the caret's own.
struct LineSpan {
  int first = 0;
  int last = 0;
};
LineSpan linesAround(const EditQuestion& question, LineSpan inner, qsizetype mostBytes);

// Each line with a line end.
QByteArray joinedLines(const QByteArrayList& lines, LineSpan span);

}  // namespace waferpair::pairing
