// SPDX-License-Identifier: GPL-3.0-or-later
// Shapes and spacings of the standard widgets, as a Qt style sheet in the theme's colours.
#pragma once

#include <QString>

namespace waferpair::gui {

struct ThemeColors;

QString styleSheet(const ThemeColors& colors);

}  // namespace waferpair::gui
