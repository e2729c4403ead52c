// SPDX-License-Identifier: GPL-3.0-or-later
// Finds what the user means from a few typed letters: "mwcpp" finds "gui/shell/main_window.cpp".
#pragma once

#include <QList>
#include <QString>
#include <QStringView>
#include <optional>

namespace waferpair::gui {

struct FuzzyMatch {
  int score = 0;         // higher is better; comparable only for one and the same pattern
  QList<int> positions;  // indices into the text of the matched letters, ascending
};

// What was typed, made ready for many texts. Any thread, a const one by several at a time.
//
// The best way to find its letters (spaces ignored, case ignored) in a text in this order is looked
// for; there is none if a letter is missing. Letters that begin a word, follow one another or lie
// in the file name (after the last '/') count more. Cost is O(pattern x text) for texts that match
// at all; of a text only the last 400 characters are looked at, of a pattern the first 64 letters.
class FuzzyPattern {
 public:
  explicit FuzzyPattern(QStringView pattern);

  // Matches everything with a score of 0.
  bool isEmpty() const { return letters_.isEmpty(); }
  // Whether whatever this matches is matched by `other`, too.
  bool narrows(const FuzzyPattern& other) const { return letters_.startsWith(other.letters_); }

  // The same as match()->score, in less time.
  std::optional<int> score(QStringView text) const;
  std::optional<FuzzyMatch> match(QStringView text) const;

 private:
  QString letters_;  // case folded
  QString asTyped_;
};

std::optional<FuzzyMatch> fuzzyMatch(QStringView pattern, QStringView text);

}  // namespace waferpair::gui
