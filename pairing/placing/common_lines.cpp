// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/placing/common_lines.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "editor/text/indentation.h"
#include "pairing/placing/placeholders.h"

namespace waferpair::pairing {
namespace {

constexpr int kColumnsPerTab = 4;
// Shorter lines are brackets, which stand anywhere.
constexpr qsizetype kShortest = 3;

int columnsAt(const TextLines& lines, qsizetype line) {
  return editor::columnsOf(lines.indent(line), kColumnsPerTab);
}

// The only line of each of these texts.
QHash<QByteArray, qsizetype> onlyLines(const TextLines& lines) {
  QHash<QByteArray, qsizetype> found;
  QSet<QByteArray> several;
  for (qsizetype i = 0; i < lines.count(); ++i) {
    const QByteArray& line = lines.squeezed(i);
    if (line.size() < kShortest) continue;
    if (found.contains(line)) several.insert(line);
    found.insert(line, i);
  }
  for (const QByteArray& line : std::as_const(several)) found.remove(line);
  return found;
}

}  // namespace

CommonLines::CommonLines(const TextLines& code, const TextLines& text) {
  const QHash<QByteArray, qsizetype> there = onlyLines(text), here = onlyLines(code);
  for (auto line = here.cbegin(); line != here.cend(); ++line) {
    const auto other = there.constFind(line.key());
    if (other == there.cend()) continue;
    const int inCode = columnsAt(code, *line), inText = columnsAt(text, *other);
    ++shifts_[inCode - inText];
    inCode_.insert(inCode);
    inText_.insert(inText);
  }
  least_ = std::numeric_limits<int>::max();
  for (qsizetype i = 0; i < code.count(); ++i)
    if (code.squeezed(i).size() >= kShortest && !isPlaceholder(code.line(i)))
      least_ = std::min(least_, columnsAt(code, i));
}

std::optional<int> CommonLines::shift() const {
  if (shifts_.size() != 1) return {};
  const int shift = shifts_.cbegin().key();
  const bool isAround = shift > 0 && !inCode_.contains(least_);
  const bool isWithout = shift < 0 && least_ > 0;
  return isAround || isWithout ? std::nullopt : std::optional(shift);
}

bool CommonLines::areAsDeep() const {
  const int all = std::accumulate(shifts_.cbegin(), shifts_.cend(), 0);
  return 2 * shifts_.value(0) >= all;
}

bool CommonLines::areLessDeep() const {
  int all = 0, less = 0;
  for (auto shift = shifts_.cbegin(); shift != shifts_.cend(); ++shift) {
    all += *shift;
    less += shift.key() < 0 ? *shift : 0;
  }
  return 2 * less > all;
}

QByteArray movedBy(int columns, const QByteArray& code, const TextLines& text) {
  if (columns == 0) return code;
  const editor::Indentation habit =
      editor::detectIndentation(text.slice(0, text.count()), {false, kColumnsPerTab});
  const TextLines lines(code);
  QByteArray moved;
  for (qsizetype i = 0; i < lines.count(); ++i) {
    const QByteArray blanks = lines.indent(i);
    const int to = editor::columnsOf(blanks, kColumnsPerTab) + columns;
    const bool isEmpty = lines.squeezed(i).isEmpty();
    if (to < 0 && !isEmpty) return code;
    if (isEmpty)  // what it has of blanks does not matter
      moved += lines.line(i).sliced(std::min<qsizetype>(blanks.size(), std::max(0, -columns)));
    else
      moved += editor::blanksFor(to, {blanks.contains('\t') || (blanks.isEmpty() && habit.tabs),
                                      kColumnsPerTab}) +
               lines.line(i).sliced(blanks.size()).toByteArray();
    moved += lines.lineEnd(i);
  }
  return moved;
}

bool isAtMargin(const TextLines& lines) {
  for (qsizetype i = 0; i < lines.count(); ++i)
    if (!lines.squeezed(i).isEmpty() && !lines.indent(i).isEmpty()) return false;
  return true;
}

QByteArray inBlanksOf(const TextLines& text, const QByteArray& code) {
  const auto has = [](const TextLines& lines, const char* blanks) {
    for (qsizetype i = 0; i < lines.count(); ++i)
      if (!lines.squeezed(i).isEmpty() && lines.indent(i).startsWith(blanks)) return true;
    return false;
  };
  const TextLines lines(code);
  const bool toBlanks = has(lines, "\t") && !has(lines, " ") && has(text, " ") && !has(text, "\t");
  const bool toTabs = has(lines, " ") && !has(lines, "\t") && has(text, "\t") && !has(text, " ");
  if (!toBlanks && !toTabs) return code;
  const editor::Indentation habit =
      editor::detectIndentation(toBlanks ? text.slice(0, text.count()) : code, {false, 4});
  QByteArray made;
  for (qsizetype i = 0; i < lines.count(); ++i) {
    const QByteArray blanks = lines.indent(i);
    made += editor::blanksFor(editor::columnsOf(blanks, habit.width), {toTabs, habit.width}) +
            lines.line(i).sliced(blanks.size()).toByteArray() + lines.lineEnd(i);
  }
  // As wide as a level of the text where that has tabs.
  const CommonLines common(TextLines(toTabs ? QByteArray(made).replace("\t", "    ") : made), text);
  return common.areAsDeep() ? made : code;
}

bool isFlat(const TextLines& code, const LanguageFamily& family) {
  if ((!family.pairs || family.indented) && !family.shell) return false;
  bool any = false;
  qsizetype before = -1;  // the line before that says something
  for (qsizetype i = 0; i < code.count(); ++i) {
    const QByteArray& line = code.squeezed(i);
    if (line.isEmpty()) continue;
    const qsizetype last = std::exchange(before, i);
    const QByteArray above = last >= 0 ? code.squeezed(last) : QByteArray();
    if (line.startsWith('}') && above.endsWith(';') && !above.startsWith('}')) {
      if (columnsAt(code, last) > columnsAt(code, i)) return false;
      any = true;
    }
    if (!line.endsWith('{') || line.startsWith("namespace") || line.startsWith("extern")) continue;
    qsizetype next = i + 1;
    while (next < code.count() && code.squeezed(next).isEmpty()) ++next;
    if (next == code.count()) break;
    const QByteArray& inner = code.squeezed(next);
    const bool isLabel = inner.startsWith("case ") || inner.endsWith(':') || inner.startsWith('#');
    if (inner.startsWith('}') || isLabel) continue;
    if (columnsAt(code, next) > columnsAt(code, i)) return false;
    any = true;
  }
  return any;
}

}  // namespace waferpair::pairing
