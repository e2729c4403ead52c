// SPDX-License-Identifier: GPL-3.0-or-later
// Which keys stay the window's while a terminal has the keyboard: few, that no program in it can
// tell from others anyway. All else is the program's.
#pragma once

#include <QKeyCombination>

namespace waferpair::gui {

// Ctrl+Shift with any key, Ctrl+`, Ctrl+Tab and Ctrl+Shift+Tab.
bool isWindowKey(QKeyCombination key);

}  // namespace waferpair::gui
