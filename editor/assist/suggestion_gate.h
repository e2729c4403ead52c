// SPDX-License-Identifier: GPL-3.0-or-later
// The one place that decides what is worth showing by itself: how sure of it the model must be
// where the caret is, and how much it must save. A wrong suggestion costs more than a missing one:
// it is read, and stands in the way of what one was about to write. What the user asks for by key
// does not pass here.
//
// The controller asks the model with leastProbability(), and the server ends the text where it
// would be less likely than that (docs/protocol.md, min_probability); of what comes back the
// controller shows what isWorthShowing(). tests/bench/bench_typing.cpp measures the outcome in the
// editor, training/replay.py on lines of real commits: the numbers in the .cpp were chosen by
// these.
#pragma once

#include <QByteArray>

namespace waferpair::editor {

// The caret's place, by the text left of it in its line.
enum class CaretPlace {
  kLineStart,  // nothing but blanks
  kMember,     // behind ".", "->" or "::"
  kWord,       // behind a letter, a digit or an underscore
  kElsewhere,
};

CaretPlace caretPlace(QByteArrayView linePrefix);

class SuggestionGate {
 public:
  // `level`: how likely a suggestion must be right, as a whole, where nothing speaks against it;
  // 0 to 1. At 0 everything passes.
  explicit SuggestionGate(double level = 0) : level_(level) {}

  // Returns the least probability for this place. It is above the level between words, and more so
  // where anything may follow: where a line or a member's name begins. It is higher still when the
  // typed text has just `contradicted` the suggestion that was shown: another word at each key is
  // worse than none.
  double leastProbability(CaretPlace place, bool contradicted) const;

  // Returns whether `text`, to be shown behind `linePrefix`, saves enough to be looked at: three
  // letters (characters that are no blanks), or two that end a word or the line. A single letter
  // saves no key. `endsLine`: nothing comes behind it in its line.
  bool isWorthShowing(QByteArrayView text, QByteArrayView linePrefix, bool endsLine) const;

 private:
  double level_;
};

}  // namespace waferpair::editor
