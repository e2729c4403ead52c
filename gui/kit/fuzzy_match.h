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

// A pattern as typed, made ready for many texts. Any thread, a const one by several at a time.
//
// It looks for the best way to find its letters (spaces ignored, case ignored) in a text in this
// order; there is none if a letter is missing. Letters that begin a word, follow one another or lie
// in the file name (after the last '/') count more. Cost is O(pattern x text) for texts that match
// at all; only the last 400 characters of a text are looked at, and the first 64 letters of a
// pattern.
class FuzzyPattern {
 public:
  explicit FuzzyPattern(QStringView pattern);

  // Matches everything with a score of 0.
  bool isEmpty() const { return letters_.isEmpty(); }
  // Returns whether `other` matches everything that this one matches.
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
