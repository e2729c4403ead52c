// SPDX-License-Identifier: GPL-3.0-or-later
// Shapes and spacings of the standard widgets, as a Qt style sheet in the theme's colors.
#pragma once

#include <QString>

namespace waferpair::gui {

struct WindowColors;

QString styleSheet(const WindowColors& colors);

}  // namespace waferpair::gui
