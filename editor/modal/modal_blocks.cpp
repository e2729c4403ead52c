// SPDX-License-Identifier: GPL-3.0-or-later
// Rectangles of text, by display columns.
#include <algorithm>

#include "editor/modal/modal_keys.h"
#include "editor/text/word_byte.h"

namespace waferpair::editor {

ModalKeys::BlockColumns ModalKeys::blockColumns(const ModalSpan& span) const {
  const QByteArray first = text_->line(span.start.line), last = text_->line(span.end.line);
  const int a = displayColumn(first, span.start.column, tabWidth());
  const int b = displayColumn(last, span.end.column, tabWidth());
  if (wanted_ == kEndColumn) return {std::min(a, b), kEndColumn};
  return {std::min(a, b), std::max(lastDisplayColumn(first, span.start.column),
                                   lastDisplayColumn(last, span.end.column))};
}

int ModalKeys::lastDisplayColumn(const QByteArray& line, int column) const {
  return std::max(displayColumn(line, nextColumn(line, column), tabWidth()) - 1,
                  displayColumn(line, column, tabWidth()));
}

std::pair<int, int> ModalKeys::blockPart(int line, const BlockColumns& columns) const {
  const QByteArray content = text_->line(line);
  const int start = columnAtDisplay(content, columns.first, tabWidth());
  if (columns.last == kEndColumn) return {start, static_cast<int>(content.size())};
  const int end = nextColumn(content, columnAtDisplay(content, columns.last, tabWidth()));
  return {start, std::max(start, end)};
}

// A tab that this display column lies within becomes blanks.
void ModalKeys::splitTab(int line, int column) {
  const QByteArray content = text_->line(line);
  const int at = columnAtDisplay(content, column, tabWidth());
  if (at >= content.size() || content[at] != '\t') return;
  const int start = displayColumn(content, at, tabWidth());
  const int end = displayColumn(content, at + 1, tabWidth());
  if (start < column && column < end)
    replaceText({line, at}, {line, at + 1}, QByteArray(end - start, ' '));
}

// Splits the tabs that the edges of a block go through.
void ModalKeys::splitTabs(const ModalSpan& span, const BlockColumns& columns) {
  for (int line = span.start.line; line <= span.end.line; ++line) {
    splitTab(line, columns.first);
    if (columns.last != kEndColumn) splitTab(line, columns.last + 1);
  }
}

// The blanks at the block's left edge become more or fewer; what stands before stays.
void ModalKeys::shiftBlock(const ModalSpan& span, int levels) {
  const Indentation indentation = text_->indentation();
  const int edge = blockColumns(span).first;
  for (int line = span.start.line; line <= span.end.line; ++line) {
    const QByteArray content = text_->line(line);
    const int start = columnAtDisplay(content, edge, tabWidth());
    if (start >= content.size()) continue;
    int end = start;
    while (end < content.size() && isBlankByte(content[end])) ++end;
    int column = displayColumn(content, start, tabWidth());
    const int wanted =
        std::max(column, displayColumn(content, end, tabWidth()) + levels * indentation.width);
    QByteArray blanks;
    while (indentation.tabs && column / tabWidth() * tabWidth() + tabWidth() <= wanted) {
      blanks += '\t';
      column = column / tabWidth() * tabWidth() + tabWidth();
    }
    blanks += QByteArray(wanted - column, ' ');
    if (blanks != content.mid(start, end - start)) replaceText({line, start}, {line, end}, blanks);
  }
}

}  // namespace waferpair::editor
