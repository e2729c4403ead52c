// SPDX-License-Identifier: GPL-3.0-or-later
// Blocks that words or tags open and end, as "if x; then" and "fi", "def" and "end", "<p>" and
// "</p>"; next_line.h knows of those with braces and colons. Pure functions of lines without
// comments.
#pragma once

#include <QByteArray>
#include <QString>

#include "editor/text/next_line.h"

namespace waferpair::editor {

bool hasWordBlocks(const QString& language);

// `code`, a line, opens a block that it does not end.
bool wordsOpenBlock(const QByteArray& code, const QString& language);

// `code`, a line, is but the word or tag that ends a block, or that divides one ("else").
bool isBlockEnd(const QByteArray& code, const QString& language);

// Returns the line, above `line`, that opened what this one ends or divides. -1: there is none.
int lineOfBlock(const LineText& textOf, int line, const QString& language);

}  // namespace waferpair::editor
