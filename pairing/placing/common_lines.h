// SPDX-License-Identifier: GPL-3.0-or-later
// What the lines that code of an answer has in common with a text tell of how the code is indented.
#pragma once

#include <QByteArray>
#include <QHash>
#include <QSet>
#include <optional>

#include "pairing/next_edit/language_family.h"
#include "pairing/placing/text_lines.h"

namespace waferpair::pairing {

// Of the lines that stand once in both, without regard to blanks.
struct CommonLines {
  CommonLines(const TextLines& code, const TextLines& text);

  // All of them are so many columns deeper in the code than in the text, or less deep; none: there
  // are none, some are so and some otherwise, or the code puts a block around them or takes one
  // away.
  std::optional<int> shift() const;
  // Most of them are neither deeper nor less deep, or there are none.
  bool areAsDeep() const;
  // Most of them are less deep in the code.
  bool areLessDeep() const;
  // Lines that are indented alike in the code are not so in the text.
  bool areOtherwiseIndented() const { return inText_.size() > inCode_.size(); }

 private:
  QHash<int, int> shifts_;     // how often each stands
  QSet<int> inText_, inCode_;  // in columns
  int least_ = 0;              // of all lines of the code that say something
};

// Code moved as a whole by so many columns, to the left where that is negative; as it is where it
// has no such room.
QByteArray movedBy(int columns, const QByteArray& code, const TextLines& text);

// No line is indented.
bool isAtMargin(const TextLines& lines);

// Code that is indented by tabs where the text is by blanks, or the other way round, as that is,
// where lines of both show it.
QByteArray inBlanksOf(const TextLines& text, const QByteArray& code);

// In a language of braces, no line is indented that stands in one's block.
bool isFlat(const TextLines& code, const LanguageFamily& family);

}  // namespace waferpair::pairing
