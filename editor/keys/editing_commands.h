// SPDX-License-Identifier: GPL-3.0-or-later
// Edits that keys make beyond Scintilla's own commands. Each is one undo step.
#pragma once

#include <QtGlobal>

namespace waferpair::editor {

class TextView;

// Comments the selected lines, or uncomments them when all are comments already; at all carets.
// False when the language has no comments.
bool toggleComment(TextView* editor);

// Moves the selected lines `levels` levels of indentation deeper (negative: less deep); at all
// carets.
void indentLines(TextView* editor, int levels);

// Selects the word at the caret, or, when something is selected, adds the next place with the same
// text as a further selection.
void selectNextOccurrence(TextView* editor);

// A line break at each caret, with the indentation the next line should have; between two brackets
// the closing one gets a line of its own where they are to be parted. Returns the length in bytes
// of the indentation where there is one caret, else 0. A line left with nothing but that loses it:
// TextView::autoIndent().
enum class Brackets { kParted, kKept };
qint64 breakLine(TextView* editor, Brackets brackets);

// Does Backspace behind the spaces a line begins with: takes a level of them away. It is one
// removal that ends at the caret, which a suggestion can follow, where Scintilla would write all
// the blanks anew. False when the caret is elsewhere.
bool unindentBeforeCaret(TextView* editor);

// Call after a closing bracket was typed as the first thing in its line: indents the line as deep
// as its partner's.
void outdentClosingBracket(TextView* editor);

// Call before an opening brace is typed: as the first thing in the line behind the head of a
// statement it stands as deep as the head.
void outdentOpeningBrace(TextView* editor);

// Call after a ':' was typed: a label, or a clause of Python's, that it ends goes where it belongs.
void alignClause(TextView* editor);

// Behind a key that made the caret's line the word or tag that ends a block, or made it another
// word ("end", "ends"): the line begins where that block does, or where it would have begun.
void alignBlockEnd(TextView* editor);

// Call after the first sign of a line was typed: one that continues the statement above it ("?",
// "&&", "." of a chain) stands deeper than that began.
void alignContinuation(TextView* editor);

}  // namespace waferpair::editor
