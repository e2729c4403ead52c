// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers as Scintilla's messages take them.
#pragma once

#include <QtGlobal>

namespace waferpair::editor {

// Margins of an editor, of which most are hidden.
inline constexpr unsigned long kMargins = 8;

inline unsigned long word(qint64 value) { return static_cast<unsigned long>(value); }

}  // namespace waferpair::editor
