// SPDX-License-Identifier: GPL-3.0-or-later
// Takes a model's streamed text and says how much of it may be shown: never what repeats the text
// right of the caret or the lines below, nor what lies beyond the block that the caret is in, nor
// lines of ornament, nor blanks at its end. What was once shown never changes; so a part that could
// still turn out to be none of the user's is held back. No widget, LF line ends.
#pragma once

#include <QByteArray>

#include "editor/assist/suggested_block.h"

namespace waferpair::editor {

class SuggestionFilter {
 public:
  // `linePrefix`, `restOfLine`: left and right of the caret, without line end. `nextLine`: the
  // first line below that is not blank, empty when there is none.
  SuggestionFilter(const QByteArray& linePrefix, QByteArray restOfLine, QByteArray nextLine);

  // Drops CR on the way: the provider may echo a document's CRLF.
  void append(const QByteArray& utf8);
  // No more will come: what was held back is decided. `complete`: it ends here by itself, rather
  // than because what would come next is not sure.
  void finish(bool complete = true);

  // All that came, for comparison with what the user types.
  const QByteArray& raw() const { return raw_; }
  // The beginning of raw() that may be shown. Only grows.
  QByteArray shown() const { return raw_.left(shown_); }
  // The rest is a repetition, or beyond the limit: nothing more will ever be shown.
  bool isEnded() const { return ended_; }
  // The line ends behind shown(), or the text right of the caret in the document follows.
  bool endsLine() const;

 private:
  void decide();
  qsizetype firstLineCut(qsizetype lineEnd) const;
  qsizetype repeatedStart(const QByteArray& line) const;
  bool repeatsNextLine(const QByteArray& line, qsizetype lineStart) const;
  qsizetype free(const QByteArray& line, bool first) const;

  QByteArray rest_;    // trimmed
  bool restHasBlank_;  // a blank stood between caret and rest
  QByteArray next_;    // with its indentation, right end trimmed
  int mostLines_;
  SuggestedBlock block_;  // before the first line
  QByteArray raw_;
  qsizetype shown_ = 0;
  bool finished_ = false;
  bool complete_ = false;
  bool ended_ = false;
};

}  // namespace waferpair::editor
