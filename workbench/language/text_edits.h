// SPDX-License-Identifier: GPL-3.0-or-later
// Changes of one text that a server answers with (LSP 3.17, TextEdit). Pure functions.
#pragma once

#include "editor/text/edit.h"
#include "editor/text/result.h"
#include "workbench/language/protocol_place.h"

namespace waferpair::workbench {

inline constexpr qsizetype kMostTextEdits = 200'000;

// The text as it is behind these edits; null is none. Places beyond the text are its end. Line ends
// are those of the text, whichever the server sends (editor/text/line_ends.h). Fails,
// where nothing of it is to be believed: an edit is malformed, ends before it begins, or replaces
// what another does, too; or there are more than kMostTextEdits.
editor::Result<editor::Snapshot> withEdits(const editor::Snapshot& text, const QJsonValue& edits,
                                           ColumnUnit unit);

// The edits that turn `before` into `after`, in order, each as small as its line allows: carets,
// folds and marks in what stays are not moved.
QVector<editor::TextEdit> smallEdits(const editor::Snapshot& before, const editor::Snapshot& after);

}  // namespace waferpair::workbench
