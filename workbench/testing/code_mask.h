// SPDX-License-Identifier: GPL-3.0-or-later
// Source text without what only looks like code: comments, and what strings hold. Values.
#pragma once

#include <QByteArray>

namespace waferpair::workbench {

enum class CodeFamily { kCpp, kScript, kRust, kGo, kPython };

// Returns the text with each byte of comments and within strings blanked, the marks of strings and
// line ends left: what is at a place is at the same place in the result. Never fails; what is not
// closed goes to the end of its line, or of the text.
QByteArray maskedCode(const QByteArray& text, CodeFamily family);

// Returns the place of the bracket that closes the one at `open`, or the text's end.
qsizetype closingBracket(const QByteArray& masked, qsizetype open);

// Returns the number of the line, from 0, of each place that it is asked for in ascending order.
class LineCounter {
 public:
  explicit LineCounter(const QByteArray& text) : text_(text) {}
  int lineOf(qsizetype place);

 private:
  const QByteArray& text_;
  qsizetype at_ = 0;
  int line_ = 0;
};

}  // namespace waferpair::workbench
