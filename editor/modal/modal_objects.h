// SPDX-License-Identifier: GPL-3.0-or-later
// Text objects of modal keys, as Vim has them: iw, a(, it and their like. Pure functions.
#pragma once

#include <optional>

#include "editor/modal/modal_motions.h"

namespace waferpair::editor {

// `kind`: the letter behind i or a ("w", "(", "t" ...). Null: there is none at the place.
std::optional<ModalSpan> textObject(const ModalText& text, ModalPlace at, char kind, bool isAround,
                                    int count);

}  // namespace waferpair::editor
