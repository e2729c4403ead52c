// SPDX-License-Identifier: GPL-3.0-or-later
// How rendered Markdown looks in the window. UI thread only.
#pragma once

class QTextDocument;

namespace waferpair::gui {

// Gives tables and links the theme's lines and colors; the document keeps them, whatever the theme
// becomes later.
void styleMarkdown(QTextDocument* document);

}  // namespace waferpair::gui
