// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRegularExpression>

namespace waferpair::editor {

// A pattern as Vim writes them ("\<word\>", "a\|b", "\v(a|b)+", "\c"), as far as other expressions
// have the same.
QRegularExpression vimPattern(const QString& pattern);
// What matches this text alone.
QString vimPatternOf(const QString& text);

}  // namespace waferpair::editor
