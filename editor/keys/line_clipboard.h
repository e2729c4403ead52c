// SPDX-License-Identifier: GPL-3.0-or-later
// Cut, copy and paste with nothing selected: they take the lines of the carets, and lines taken so
// are pasted above the caret's line. And with several selections: they are copied with line ends
// between them, and pasted into as many carets each gets one. Marks on the clipboard tell both from
// other text, in other windows of this program, too. Each is one undo step and false where it does
// not apply.
#pragma once

namespace waferpair::editor {

class TextView;

bool copyLines(const TextView& editor);
// Only copies the lines where the text cannot be edited.
bool cutLines(TextView* editor);
// With as many carets as lines, each caret gets its own line; otherwise each gets all of them.
bool pasteLines(TextView* editor);

bool copySelections(const TextView& editor);
// Text from elsewhere has a piece for each of its lines.
bool pasteOneEach(TextView* editor);

}  // namespace waferpair::editor
