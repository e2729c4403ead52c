// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/assist/suggested_block.h"

#include <algorithm>

#include "editor/text/indentation.h"
#include "editor/text/word_byte.h"

namespace waferpair::editor {

namespace {

// The width of a tab matters only where a file mixes tabs and spaces.
int columnsOfBlanks(const QByteArray& line) { return columnsOf(leadingBlanks(line), 4); }

// "}", "});", but not "} else {", which opens another block.
bool closes(const QByteArray& text) {
  const bool bracket = text.startsWith('}') || text.startsWith(')') || text.startsWith(']');
  return bracket && std::none_of(text.begin(), text.end(), isWordByte);
}

}  // namespace

SuggestedBlock::SuggestedBlock(const QByteArray& linePrefix)
    : indentation_(columnsOfBlanks(linePrefix)) {}

bool SuggestedBlock::isBeyond(const QByteArray& line) const {
  const QByteArray text = line.trimmed();
  if (text.isEmpty()) return false;
  if (closed_) return true;
  const int columns = columnsOfBlanks(line);
  if (columns < indentation_) return !closes(text);
  return columns == 0 && deeper_ && afterBlank_;
}

void SuggestedBlock::take(const QByteArray& line) {
  afterBlank_ = line.trimmed().isEmpty();
  if (afterBlank_) return;
  const int columns = columnsOfBlanks(line);
  closed_ = columns < indentation_;
  deeper_ = deeper_ || columns > indentation_;
}

}  // namespace waferpair::editor
