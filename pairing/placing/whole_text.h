// SPDX-License-Identifier: GPL-3.0-or-later
// Tells whether code of an answer is a whole text, rather than a piece of it or something else.
#pragma once

#include "pairing/placing/text_lines.h"

namespace waferpair::pairing {

// The code begins and ends as the text does, and has most of its lines. One of a few lines is
// never certain to be a piece: it has to hold half of what the text says.
// `hasImports`: the code brings in what other files have. `mayEndOtherwise`: the text is code,
// whose end would be missed.
bool isWholeText(const TextLines& code, const TextLines& text, bool hasImports,
                 bool mayEndOtherwise);

// The share of `text` that stands in `code`, too, in the same order: 0 to 1, by length.
double shareIn(const TextLines& code, const TextLines& text);

}  // namespace waferpair::pairing
