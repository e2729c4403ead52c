// SPDX-License-Identifier: GPL-3.0-or-later
// Shapes and spacings of the standard widgets, as a Qt style sheet in the theme's colors.
#pragma once

#include <QString>

namespace waferpair::gui {

struct WindowColors;

// `points`: of the window's letters.
QString styleSheet(const WindowColors& colors, double points);

}  // namespace waferpair::gui
