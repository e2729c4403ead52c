// SPDX-License-Identifier: GPL-3.0-or-later
// Has the text in front formatted by its language server.
#pragma once

#include "gui/workbench/language_guide.h"

namespace waferpair::gui {

// The selected lines where there is a selection and the server can do that, else all of the text;
// as one undo step, in which carets, folds and marks stay where they can. What comes once the text
// is another is not made.
void formatText(const LanguageGuideParts& parts);

}  // namespace waferpair::gui
