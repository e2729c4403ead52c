// SPDX-License-Identifier: GPL-3.0-or-later
// How a line begins behind another one, as languages have it; indentation.h knows of brackets
// alone. Pure functions.
#pragma once

#include <QByteArray>
#include <QString>

#include "editor/text/indentation.h"

namespace waferpair::editor {

// How a text is indented that does not show it: with tabs where the language asks for them.
Indentation indentationFor(const QString& language, Indentation fallback);

// Returns the blanks for the line after `code` (a line left of the caret, without comments): those
// that brackets ask for; a level deeper behind the head of a statement, or a colon where it opens a
// block; less deep behind what ends one.
QByteArray blanksBehind(const QByteArray& code, Indentation indentation, const QString& language);

// This is all of an if, a loop or the like but for what it does, in a language with braces.
bool isStatementHead(const QByteArray& code, const QString& language);

// Returns what belongs at the start of the line behind `line` (left of the caret) in a comment that
// goes on from line to line: blanks, and the sign that each of its lines has.
QByteArray nextCommentLine(const QByteArray& line);

}  // namespace waferpair::editor
