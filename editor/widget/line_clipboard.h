// SPDX-License-Identifier: GPL-3.0-or-later
// Cut, copy and paste with nothing selected: they take the lines of the carets, and lines taken so
// are pasted above the caret's line. A mark on the clipboard tells them from other text, in other
// windows of this program, too. Each is one undo step and false where it does not apply.
#pragma once

namespace waferpair::editor {

class CodeEditor;

bool copyLines(const CodeEditor& editor);
// What cannot be edited is copied.
bool cutLines(CodeEditor* editor);
// With as many carets as there are lines each gets its own, otherwise each gets all.
bool pasteLines(CodeEditor* editor);

}  // namespace waferpair::editor
