// SPDX-License-Identifier: GPL-3.0-or-later
// Commands that set carets and select: more carets, brackets, larger and smaller selections. None
// changes the text. Each is false where there is nothing for it to do.
#pragma once

#include <QVector>

#include "editor/text/byte_range.h"
#include "editor/view/selections.h"

namespace waferpair::editor {

class TextView;

// Adds a caret in the next line above the topmost one (-1) or below the lowest one (1) that can be
// seen, in the column of the main one. It stays the main one.
bool addCaretBeside(TextView* editor, int direction);
// A caret at the end of each selected line.
bool caretsAtLineEnds(TextView* editor);
// Selects every place of the selected text, or of the word at the caret.
bool selectAllOccurrences(TextView* editor);

// Each caret goes to the partner of the bracket at it, or else to the bracket that opens what it is
// in. `select`: from where it was.
bool goToBracket(TextView* editor, bool select);

// Grows selections step by step (word, string, brackets, line, block, text) and goes back the same
// way. Belongs to an editor.
class SelectionSteps {
 public:
  bool expand(TextView* editor);
  bool shrink(TextView* editor);
  // Somebody knows the syntax: steps go through these ranges, each of which lies in the next, as
  // long as the text is of that version. From any place in the smallest one.
  void setKnown(const QVector<ByteRange>& ranges, qint64 version) {
    known_ = ranges;
    knownVersion_ = version;
  }

 private:
  ByteRange next(TextView& editor, ByteRange range) const;

  QVector<ByteRange> known_;
  qint64 knownVersion_ = -1;
  QVector<QVector<Selection>> smaller_;  // the last one is what shrink() goes back to
  QVector<Selection> now_;               // as the last step left them
  qint64 version_ = -1;                  // of the text then
};

}  // namespace waferpair::editor
