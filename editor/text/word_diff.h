// SPDX-License-Identifier: GPL-3.0-or-later
// The words in which two pieces of text differ: what is marked within lines that changed.
#pragma once

#include <QByteArray>
#include <QVector>

#include "editor/text/byte_range.h"

namespace waferpair::editor {

struct WordChanges {
  QVector<ByteRange> before;  // in order, none touching another
  QVector<ByteRange> after;
};

// Compares texts in UTF-8 by words, runs of blanks, and other characters one by one. Where next to
// nothing is the same in both, no words are marked: the whole is another text then. The same for
// pieces of more than kMostComparedBytes.
inline constexpr qsizetype kMostComparedBytes = 1 << 16;
WordChanges wordDiff(const QByteArray& before, const QByteArray& after);

}  // namespace waferpair::editor
