// SPDX-License-Identifier: GPL-3.0-or-later
// The accessible interface of a TextView, for screen readers and GUI tests. Its offsets are
// UTF-16 units: they are computed when asked for, or when something listens, never on a plain key
// press.
#pragma once

#include "editor/assist/completion_provider.h"

namespace waferpair::editor {

class TextView;

// Makes Qt use our interface for TextView. Call after the first QScintilla object exists, as the
// factory installed last is asked first; more calls do nothing.
void installAccessibility();

// Call these only while QAccessible::isActive(). `removed` is what the edit took out.
void reportAccessibleEdit(TextView* editor, const TextEdit& edit, const QByteArray& removed);
void reportAccessibleCaret(TextView* editor);

}  // namespace waferpair::editor
