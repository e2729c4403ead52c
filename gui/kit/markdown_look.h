// SPDX-License-Identifier: GPL-3.0-or-later
// How rendered Markdown looks in the window. UI thread only.
#pragma once

#include <QString>
#include <optional>

class QTextDocument;

namespace waferpair::gui {

// Gives tables and links the theme's lines and colors; the document keeps them, whatever the theme
// becomes later.
void styleMarkdown(QTextDocument* document);

// The distance from the top of the heading that a link with this fragment leads to, in pixels: a
// heading's anchor is its text in lower case with hyphens, as on code hosts. Nothing: there is
// none.
std::optional<int> headingTop(const QTextDocument& document, const QString& fragment);

}  // namespace waferpair::gui
