// SPDX-License-Identifier: GPL-3.0-or-later
// Where the commands are shown: menu bar, the tool bar at the left edge, context menus.
#pragma once

#include "gui/shell/window_parts.h"

class QMenu;

namespace waferpair::gui {

// After all commands have been added.
void addMenus(const WindowParts& parts);
void addActivityBar(const WindowParts& parts);

// Both delete themselves when closed.
QMenu* makeTabMenu(const WindowParts& parts);
QMenu* makeTreeMenu(const WindowParts& parts);

}  // namespace waferpair::gui
