// SPDX-License-Identifier: GPL-3.0-or-later
// How a line begins behind another one, as languages have it; indentation.h knows of brackets
// alone. Pure functions.
#pragma once

#include <QByteArray>
#include <QString>
#include <functional>

#include "editor/text/indentation.h"

namespace waferpair::editor {

// How a text is indented that does not show it: with tabs, or by two columns, where those who write
// the language do so.
Indentation indentationFor(const QString& language, Indentation fallback);

// Returns the blanks for the line after `code` (a line left of the caret, without comments): those
// that brackets ask for; a level deeper behind the head of a statement, a label, or a colon where
// it opens a block, and behind "="; less deep behind what ends a block. In C and C++ arguments
// stand below each other.
QByteArray blanksBehind(const QByteArray& code, Indentation indentation, const QString& language);

// This is all of an if, a loop or the like but for what it does, in a language with braces.
bool isStatementHead(const QByteArray& code, const QString& language);

// The statement goes on in the line behind this one ("=" or "&&" ends it), or is that of the line
// before ("&&" or "." begins it).
bool goesOn(const QByteArray& code, const QString& language);
bool continues(const QByteArray& code, const QString& language);

// Returns the blanks of a line that continues the one before it, of which this is the code.
QByteArray continuationBlanks(const QByteArray& before, Indentation indentation,
                              const QString& language);

// A label: "case x:", "default:".
bool isLabel(const QByteArray& code, const QString& language);

// Returns the line, above `line`, as deep as which that one belongs once it is typed: a label's is
// the one before it or, in Go, its switch; in Python "else" and its kin have that of which they
// are. -1: it stays where it stands.
using LineText = std::function<QByteArray(int line)>;
int lineToJoin(const LineText& textOf, int line, Indentation indentation, const QString& language);

// Returns what belongs at the start of the line behind `line` (left of the caret) in a comment that
// goes on from line to line: blanks, and the sign that each of its lines has.
QByteArray nextCommentLine(const QByteArray& line);

}  // namespace waferpair::editor
