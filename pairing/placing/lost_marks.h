// SPDX-License-Identifier: GPL-3.0-or-later
// Hunks whose lines that stay have lost the blank that marks them: "- item" then looks removed, and
// a line that is indented has a blank too few.
#pragma once

#include "editor/text/result.h"
#include "pairing/answers/answer.h"
#include "pairing/placing/text_lines.h"

namespace waferpair::pairing {

// The change of a hunk with those blanks, as far as the text tells: a line stands there only with
// one. The same change where none is missing. An error: several lines may be meant.
editor::Result<ProposedChange> withMarks(const ProposedChange& change, const TextLines& text);

}  // namespace waferpair::pairing
