// SPDX-License-Identifier: GPL-3.0-or-later
// The blocks of a text that a server says can be folded (LSP 3.17, FoldingRange). Pure functions.
#pragma once

#include <QJsonValue>
#include <optional>
#include <vector>

#include "editor/text/fold_range.h"

namespace waferpair::workbench {

// Of more the first are taken.
inline constexpr qsizetype kMostFoldingRanges = 20'000;

// Sorted; each lies in the next one around it or apart, and begins in a line of its own. What
// contradicts an earlier one, hides nothing or lies beyond the text's lines is left out, an end
// beyond them is the last line. None: that is no answer.
std::optional<std::vector<editor::FoldRange>> readFoldingRanges(const QJsonValue& answer,
                                                                int lineCount);

}  // namespace waferpair::workbench
