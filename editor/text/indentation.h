// SPDX-License-Identifier: GPL-3.0-or-later
// Detects how a text is indented, and what the next line's indentation should be. Pure functions.
#pragma once

#include <QByteArray>

namespace waferpair::editor {

struct Indentation {
  bool tabs = false;
  int width = 4;  // columns of one level, and of a tab

  bool operator==(const Indentation&) const = default;
};

// Judges by the indented lines of the first 64 KiB; `fallback` where there are too few to tell.
Indentation detectIndentation(const QByteArray& utf8, Indentation fallback = {});

// The blanks a line begins with.
QByteArray leadingBlanks(const QByteArray& line);

// Returns the blanks for the line after `line` (only its part left of the caret): the same, one
// level deeper after an opening bracket or, in languages where it opens a block, a colon.
QByteArray nextLineIndent(const QByteArray& line, Indentation indentation, bool colonOpensBlock);

// Returns `blanks` and a level more. They stay as they are, so a line with mixed style is not
// rewritten.
QByteArray oneDeeper(const QByteArray& blanks, Indentation indentation);

// `columns` columns of blanks in the given style.
QByteArray blanksFor(int columns, Indentation indentation);

// Returns the columns that `blanks` take.
int columnsOf(const QByteArray& blanks, int tabWidth);

}  // namespace waferpair::editor
