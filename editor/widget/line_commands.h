// SPDX-License-Identifier: GPL-3.0-or-later
// Commands that rearrange the lines and letters that are selected, at all carets, each as one undo
// step. Each is false where there is nothing for it to do.
#pragma once

namespace waferpair::editor {

class CodeEditor;

// Sorts the lines of each selection by their characters' numbers.
bool sortLines(CodeEditor* editor, bool descending);
// Joins the lines of each selection, or a line and the next one: one space is left between two,
// where there was anything on both sides.
bool joinLines(CodeEditor* editor);
// Takes the selected lines past the one above, or below: past all of it where that is a folded
// block. Bookmarks and folds go along.
bool moveLinesUp(CodeEditor* editor);
bool moveLinesDown(CodeEditor* editor);
// Each caret is left in the next line, in its column.
bool deleteLines(CodeEditor* editor);
// Puts a copy of what is selected behind it, of a caret's line below it.
bool duplicate(CodeEditor* editor);
// Puts a copy of the selected lines below them, or above: the caret goes into the lower copy, or
// stays in the upper one.
bool copyLinesDown(CodeEditor* editor);
bool copyLinesUp(CodeEditor* editor);
// Exchanges the characters left and right of each caret; at a line's end the two before it.
bool transposeCharacters(CodeEditor* editor);

enum class LetterCase { kUpper, kLower, kTitle };
// Of what is selected, or of the word at the caret.
bool changeCase(CodeEditor* editor, LetterCase letters);

// Takes the blanks at the ends of all lines away.
bool trimLineEnds(CodeEditor* editor);

// What is put right in a whole text before it is saved.
struct Tidying {
  bool trimsLineEnds = false;
  bool endsWithLineEnd = false;  // a text that holds anything gets one where it has none
  bool sparesCarets = false;     // lines with a caret, where somebody types, keep their blanks
};
bool tidyText(CodeEditor* editor, const Tidying& tidying);

}  // namespace waferpair::editor
