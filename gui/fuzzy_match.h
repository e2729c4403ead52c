// SPDX-License-Identifier: GPL-3.0-or-later
// Finds what the user means from a few typed letters: "mwcpp" finds "gui/main_window.cpp".
#pragma once

#include <QList>
#include <QStringView>
#include <optional>

namespace waferpair::gui {

struct FuzzyMatch {
  int score = 0;         // higher is better; comparable only for one and the same pattern
  QList<int> positions;  // indices into the text of the matched letters, ascending
};

// The best way to find the letters of `pattern` (spaces ignored, case ignored) in `text` in this
// order; nothing if there is none. Letters that begin a word, follow one another or lie in the file
// name (after the last '/') count more. Cost is O(pattern x text) for texts that match at all; of a
// text only the last 400 characters are looked at.
std::optional<FuzzyMatch> fuzzyMatch(QStringView pattern, QStringView text);

}  // namespace waferpair::gui
