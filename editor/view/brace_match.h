// SPDX-License-Identifier: GPL-3.0-or-later
// Marks the bracket at the caret and its partner.
#pragma once

#include <QtGlobal>
#include <utility>

namespace waferpair::editor {

class TextView;

// The partner of the bracket at byte `position`, -1 when there is none within 64 KiB. Brackets in
// another style (a string, a comment) do not count.
qint64 matchingBrace(const TextView& editor, qint64 position);

// The bracket at a caret: the one left of it, which was just typed, else the one right of it; -1.
qint64 bracketAt(const TextView& editor, qint64 caret);

// The nearest pair of brackets around bytes [from, to), -1 for both where there is none near by.
std::pair<qint64, qint64> enclosingBrackets(const TextView& editor, qint64 from, qint64 to);

void highlightBraces(TextView* editor);

}  // namespace waferpair::editor
