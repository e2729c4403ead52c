// SPDX-License-Identifier: GPL-3.0-or-later
// What lies around a place by the syntax of a text, from within (LSP 3.17, SelectionRange). Values.
#pragma once

#include <QJsonValue>
#include <QVector>

#include "workbench/language/protocol_place.h"

namespace waferpair::workbench {

inline constexpr qsizetype kMostSelectionRanges = 200;

// Of the first place that the server was asked about, the smallest first; each lies in the next and
// is larger. What does not is left out.
QVector<ByteRange> readSelectionRanges(const QJsonValue& answer, const editor::Snapshot& text,
                                       ColumnUnit unit);

}  // namespace waferpair::workbench
