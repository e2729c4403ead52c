// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace waferpair::editor {

class CodeEditor;

// Has assistive technology say `words`, politely. Empty: what was said last is over.
void announce(CodeEditor* editor, const QString& words);

}  // namespace waferpair::editor
