// SPDX-License-Identifier: GPL-3.0-or-later
// Makes a program's output readable in a view that is no terminal.
#pragma once

#include <QString>

namespace waferpair::gui {

// Without colors and other commands for a terminal, with marks for what one does not see
// (editor/text/unseen.h). Of a text that goes on it is the beginning of what is shown of the whole,
// unless it ends within a command.
QString printedText(QString text);

}  // namespace waferpair::gui
