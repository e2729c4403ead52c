// SPDX-License-Identifier: GPL-3.0-or-later
// Line ends are a property of a text. Whatever comes into one from outside (changes of a language
// server, answers of models, the clipboard, git) passes here first, and whatever compares texts
// sees them withLf(). LF, CRLF and a lone CR each end a line. Pure functions.
#pragma once

#include "editor/text/snapshot.h"
#include "editor/text/text_codec.h"

namespace waferpair::editor {

// Those that most lines of the text have; `otherwise` for a text that has none.
LineEnds lineEndsOf(const Snapshot& text, LineEnds otherwise = LineEnds::kLf);

// `outside` with these line ends, whichever it came with.
QByteArray withLineEnds(const QByteArray& outside, LineEnds ends);

// `outside` as it takes the place of `replaced`, in a text with these line ends: where that mixes
// several, lines that are otherwise the same keep the ends that they have.
QByteArray withLineEndsOf(const QByteArray& replaced, const QByteArray& outside, LineEnds ends);
// The same for a text as a whole.
Snapshot withLineEndsOf(const Snapshot& before, const Snapshot& outside);

}  // namespace waferpair::editor
