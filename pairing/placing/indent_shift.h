// SPDX-License-Identifier: GPL-3.0-or-later
// Brings lines of an answer to the indentation of the lines that they replace, as a whole: by where
// both begin and by what a level is in both. What is deeper in the answer stays deeper.
#pragma once

#include <QByteArrayList>

#include "pairing/placing/text_lines.h"

namespace waferpair::pairing {

struct IndentShift {
  const TextLines* text = nullptr;
  const TextLines* code = nullptr;
  // The lines that are replaced, and those that take their place: [first, end).
  qint64 textFirst = 0, textEnd = 0;
  qint64 codeFirst = 0, codeEnd = 0;
  // The line of each that the others are indented from.
  qint64 textBase = 0, codeBase = 0;
  bool closes = true;  // the last line stands where the base does: a brace
};

// Returns the lines without their ends. Where a line is one of the replaced but for blanks at its
// end, it is that.
QByteArrayList shifted(const IndentShift& shift);

}  // namespace waferpair::pairing
