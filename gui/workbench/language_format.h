// SPDX-License-Identifier: GPL-3.0-or-later
// Has the text in front formatted by its language server.
#pragma once

#include <QJsonObject>

#include "editor/text/indentation.h"
#include "editor/text/result.h"
#include "gui/workbench/language_guide.h"

namespace waferpair::gui {

// The selected lines where there is a selection and the server can do that, else all of the text;
// as one undo step, in which carets, folds and marks stay where they can. What comes once the text
// is another is not made.
void formatText(const LanguageGuideParts& parts);

// The protocol's FormattingOptions.
QJsonObject formattingOptions(editor::Indentation indentation);
// Makes the changes that a server answered with, as one undo step. Returns how many places they
// are; fails, and changes nothing, where there is no answer, or none that can be made.
editor::Result<qsizetype> applyFormatted(Document* document,
                                         const workbench::LanguageAnswer& answer);

}  // namespace waferpair::gui
