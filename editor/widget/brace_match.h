// SPDX-License-Identifier: GPL-3.0-or-later
// Marks the bracket at the caret and its partner.
#pragma once

#include <QtGlobal>

namespace waferpair::editor {

class CodeEditor;

// The partner of the bracket at byte `position`, -1 when there is none within 64 KiB. Brackets in
// another style (a string, a comment) do not count.
qint64 matchingBrace(const CodeEditor& editor, qint64 position);

void highlightBraces(CodeEditor* editor);

}  // namespace waferpair::editor
