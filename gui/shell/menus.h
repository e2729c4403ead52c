// SPDX-License-Identifier: GPL-3.0-or-later
// The places where commands are shown: menu bar, the tool bar at the left edge, context menus. The
// commands themselves say what is in each, by a menu's name (MenuPlace).
#pragma once

class QMainWindow;
class QMenu;

namespace waferpair::gui {

class CommandRegistry;
class FolderFlow;
class Workspace;

// Call after all commands have been added. "Open Recent" opens through `flow`.
void addMenus(QMainWindow* window, const CommandRegistry& commands, FolderFlow* flow,
              Workspace* workspace);
// "tools": its second group is at the lower end.
void addActivityBar(QMainWindow* window, const CommandRegistry& commands);
// "tab" or "tree"; it deletes itself when closed.
QMenu* makeContextMenu(const char* name, const CommandRegistry& commands, QMainWindow* window);

}  // namespace waferpair::gui
