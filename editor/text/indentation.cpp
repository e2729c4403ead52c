// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/text/indentation.h"

#include <algorithm>
#include <array>

#include "editor/text/word_byte.h"

namespace waferpair::editor {

namespace {

constexpr qsizetype kJudgedBytes = 64 * 1024;
constexpr int kMaxWidth = 8;

}  // namespace

QByteArray leadingBlanks(const QByteArray& line) {
  qsizetype n = 0;
  while (n < line.size() && isBlankByte(line[n])) ++n;
  return line.left(n);
}

Indentation detectIndentation(const QByteArray& utf8, Indentation fallback) {
  // Counts by how many columns lines are deeper than the line before: the width of one level is the
  // most frequent step. Continuation lines make odd steps, but fewer.
  std::array<int, kMaxWidth + 1> steps{};
  int tabLines = 0;
  int spaceLines = 0;
  int previous = 0;
  const qsizetype end = std::min(utf8.size(), kJudgedBytes);
  for (qsizetype at = 0; at < end;) {
    const qsizetype first = at;
    while (at < end && isBlankByte(utf8[at])) ++at;
    const bool empty = at >= end || utf8[at] == '\n' || utf8[at] == '\r';
    // A lone space before "*" belongs to a block comment.
    const bool comment = !empty && at - first == 1 && utf8[at] == '*';
    if (!empty && !comment) {
      const int columns = static_cast<int>(at - first);
      if (columns > 0 && utf8[first] == '\t') {
        ++tabLines;
        previous = 0;
      } else {
        if (columns > 1) ++spaceLines;
        const int step = columns - previous;
        if (step > 1 && step <= kMaxWidth) ++steps[static_cast<size_t>(step)];
        previous = columns;
      }
    }
    while (at < end && utf8[at] != '\n' && utf8[at] != '\r') ++at;
    if (at < end) ++at;
  }
  if (tabLines == 0 && spaceLines == 0) return fallback;
  if (tabLines > spaceLines) return {true, fallback.width};
  const auto most = std::max_element(steps.begin(), steps.end());
  if (*most == 0) return {false, fallback.width};
  // Where what continues a line is two levels deeper, there may be more of that than of levels.
  const auto width = static_cast<int>(most - steps.begin());
  for (int part = 2; part < width; ++part)
    if (width % part == 0 && steps[static_cast<size_t>(part)] * 3 >= *most) return {false, part};
  return {false, width};
}

int columnsOf(const QByteArray& blanks, int tabWidth) {
  int columns = 0;
  for (const char c : blanks)
    columns = c == '\t' ? (columns / tabWidth + 1) * tabWidth : columns + 1;
  return columns;
}

QByteArray blanksFor(int columns, Indentation indentation) {
  if (!indentation.tabs) return QByteArray(columns, ' ');
  return QByteArray(columns / indentation.width, '\t') +
         QByteArray(columns % indentation.width, ' ');
}

QByteArray nextLineIndent(const QByteArray& line, Indentation indentation, bool colonOpensBlock) {
  const QByteArray blanks = leadingBlanks(line);
  const QByteArray content = line.trimmed();
  if (content.isEmpty()) return blanks;
  const char last = content.back();
  const bool opens = last == '{' || last == '(' || last == '[' || (colonOpensBlock && last == ':');
  return opens ? oneDeeper(blanks, indentation) : blanks;
}

QByteArray oneDeeper(const QByteArray& blanks, Indentation indentation) {
  return blanks + (indentation.tabs ? QByteArray(1, '\t') : QByteArray(indentation.width, ' '));
}

}  // namespace waferpair::editor
