// SPDX-License-Identifier: GPL-3.0-or-later
// Sentences as Vim has them: one ends with ".", "!" or "?" and closing brackets or quotes, before a
// blank or a line's end, and where a paragraph does. Pure functions of the text.
#pragma once

#include <optional>

#include "editor/modal/modal_motions.h"

namespace waferpair::editor {

// ')' and '('. Nothing: it would lead beyond the text.
std::optional<ModalTarget> sentenceMotion(const ModalText& text, ModalPlace from, int direction,
                                          int count);
// "is" and "as": the sentence around the place; `isAround`: with the blanks behind it, or else
// those before it.
std::optional<ModalSpan> sentenceObject(const ModalText& text, ModalPlace at, bool isAround,
                                        int count);

}  // namespace waferpair::editor
