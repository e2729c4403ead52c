// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/placing/indent_shift.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "editor/text/indentation.h"
#include "pairing/placing/line_replacement.h"

namespace waferpair::pairing {
namespace {

using editor::Indentation;

QByteArray withoutBlanksAtEnd(QByteArray line) {
  while (line.endsWith(' ') || line.endsWith('\t')) line.chop(1);
  return line;
}

// The line of the text that each line of the code is, without regard to blanks; -1: none.
QVector<qint64> pairsOf(const IndentShift& shift) {
  QByteArray old, fresh;
  for (qint64 i = shift.textFirst; i < shift.textEnd; ++i) old += shift.text->squeezed(i) + '\n';
  for (qint64 i = shift.codeFirst; i < shift.codeEnd; ++i) fresh += shift.code->squeezed(i) + '\n';
  QVector<qint64> pairs(shift.codeEnd - shift.codeFirst, -1);
  qint64 at = 0, other = 0;
  const auto pairUpTo = [&](qint64 end) {
    for (; at < end; ++at, ++other) pairs[at] = shift.textFirst + other;
  };
  for (const LineReplacement& change : replacementsBetween(old, fresh)) {
    pairUpTo(change.newStart);
    at = change.newStart + change.newCount;
    other = change.oldStart + change.oldCount;
  }
  pairUpTo(pairs.size());
  return pairs;
}

// The columns that lines of the code have in the text.
class Columns {
 public:
  Columns(const IndentShift& shift, const QVector<qint64>& pairs)
      : shift_(shift),
        pairs_(pairs),
        textHabit_(
            editor::detectIndentation(shift.text->slice(0, shift.text->count()), {false, 4})) {
    const Indentation code =
        editor::detectIndentation(shift.code->slice(shift.codeFirst, shift.codeEnd), {false, 0});
    tab_ = textHabit_.width;
    textBase_ = ofText(shift.textBase);
    codeBase_ = ofCode(shift.codeBase);
    // Levels of another width are told by the lines that stay, else by the code's own habit.
    QVector<double> factors = {1};
    if (!code.tabs && code.width > 0 && code.width != textHabit_.width)
      factors.append(static_cast<double>(textHabit_.width) / code.width);
    int best = -1;
    for (const double factor : factors) {
      const int fitting = fittingPairs(factor);
      const bool byHabit = fitting == best && textHabit_.tabs;
      if (fitting > best || byHabit) {
        best = fitting;
        factor_ = factor;
      }
    }
    isHeadLost_ = isHeadLost();
  }

  int ofText(qint64 line) const { return editor::columnsOf(shift_.text->indent(line), tab_); }
  int ofCode(qint64 line) const { return editor::columnsOf(shift_.code->indent(line), tab_); }
  bool isLeftOfBase(qint64 codeLine) const { return ofCode(codeLine) < codeBase_; }
  int inText(qint64 codeLine) const {
    if (isHeadLost_ && codeLine != shift_.codeBase) return ofCode(codeLine);
    const double columns = textBase_ + factor_ * (ofCode(codeLine) - codeBase_);
    return std::max(0, static_cast<int>(std::lround(columns)));
  }
  QByteArray blanks(int columns) const {
    return editor::blanksFor(columns, {textHabit_.tabs, tab_});
  }

 private:
  int fittingPairs(double factor) const {
    int fitting = 0;
    for (qint64 i = shift_.codeFirst; i < shift_.codeEnd; ++i) {
      const qint64 pair = pairs_[i - shift_.codeFirst];
      if (pair < 0 || shift_.code->squeezed(i).isEmpty() || ofCode(i) == codeBase_) continue;
      const double columns = textBase_ + factor * (ofCode(i) - codeBase_);
      fitting += std::abs(columns - ofText(pair)) < 0.01;
    }
    return fitting;
  }
  // A model may lose the indentation of the first line alone.
  bool isHeadLost() const {
    int least = std::numeric_limits<int>::max();
    for (qint64 i = shift_.codeFirst; i < shift_.codeEnd; ++i)
      if (i != shift_.codeBase && !shift_.code->squeezed(i).isEmpty())
        least = std::min(least, ofCode(i));
    const int expected = shift_.closes ? textBase_ : textBase_ + textHabit_.width;
    return codeBase_ == 0 && textBase_ > 0 && least == expected;
  }

  const IndentShift& shift_;
  const QVector<qint64>& pairs_;
  Indentation textHabit_;
  int tab_ = 4;
  int textBase_ = 0, codeBase_ = 0;
  double factor_ = 1;
  bool isHeadLost_ = false;
};

}  // namespace

QByteArrayList shifted(const IndentShift& shift) {
  const TextLines& text = *shift.text;
  const TextLines& code = *shift.code;
  const QVector<qint64> pairs = pairsOf(shift);
  const Columns columns(shift, pairs);
  QByteArrayList lines;
  for (qint64 i = shift.codeFirst; i < shift.codeEnd; ++i) {
    const qint64 pair = pairs[i - shift.codeFirst];
    const QByteArray own = pair >= 0 ? text.line(pair).toByteArray() : QByteArray();
    // An empty line is empty; what a string holds may begin anywhere, and stands as it did.
    if (code.squeezed(i).isEmpty() || (pair >= 0 && columns.isLeftOfBase(i))) {
      lines.append(own);
      continue;
    }
    const int there = columns.inText(i);
    const QByteArray rest = code.line(i).toByteArray().sliced(code.indent(i).size());
    const bool isOwn =
        pair >= 0 && columns.ofText(pair) == there &&
        withoutBlanksAtEnd(own.sliced(text.indent(pair).size())) == withoutBlanksAtEnd(rest);
    lines.append(isOwn ? own : columns.blanks(there) + rest);
  }
  return lines;
}

}  // namespace waferpair::pairing
