// SPDX-License-Identifier: GPL-3.0-or-later
// Lines that stand for lines of the file which an answer leaves out: "// ... existing code ...".
#pragma once

#include <QByteArray>
#include <QSet>

#include "pairing/placing/text_lines.h"

namespace waferpair::pairing {

// Returns whether the line says that something is left out, rather than being something. A line of
// dots alone says so, too.
bool isPlaceholder(QByteArrayView line);
// Returns whether that line is one that the original, whose squeezed lines are given, does not
// have. Dots that are all of a block in Python are none.
bool isLeftOut(const TextLines& lines, qsizetype line, const QSet<QByteArray>& original);
bool hasPlaceholder(const TextLines& lines, const TextLines& original);

}  // namespace waferpair::pairing
