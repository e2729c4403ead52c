// SPDX-License-Identifier: GPL-3.0-or-later
// Commands that rearrange the lines and letters that are selected, at all carets, each as one undo
// step. Each is false where there is nothing for it to do.
#pragma once

namespace waferpair::editor {

class Bookmarks;
class TextView;

// Sorts the lines of each selection by their characters' numbers.
bool sortLines(TextView* editor, bool descending);
// Joins the lines of each selection, or a line and the next one: one space is left between two,
// where there was anything on both sides.
bool joinLines(TextView* editor);
// Takes the selected lines past the one above, or below: past all of it where that is a folded
// block. Bookmarks and folds go along.
bool moveLinesUp(TextView* editor, Bookmarks* bookmarks);
bool moveLinesDown(TextView* editor, Bookmarks* bookmarks);
// Each caret is left in the next line, in its column.
bool deleteLines(TextView* editor);
// Puts a copy of what is selected behind it, of a caret's line below it.
bool duplicate(TextView* editor);
// Puts a copy of the selected lines below them, or above: the caret goes into the lower copy, or
// stays in the upper one.
bool copyLinesDown(TextView* editor);
bool copyLinesUp(TextView* editor);
// Exchanges the characters left and right of each caret; at a line's end the two before it.
bool transposeCharacters(TextView* editor);

enum class LetterCase { kUpper, kLower, kTitle };
// Of what is selected, or of the word at the caret.
bool changeCase(TextView* editor, LetterCase letters);

// Takes the blanks at the ends of all lines away.
bool trimLineEnds(TextView* editor);

// What is put right in a whole text before it is saved.
struct Tidying {
  bool trimsLineEnds = false;
  bool endsWithLineEnd = false;  // a text that holds anything gets one where it has none
  bool sparesCarets = false;     // lines with a caret, where somebody types, keep their blanks
};
bool tidyText(TextView* editor, const Tidying& tidying);

}  // namespace waferpair::editor
