// SPDX-License-Identifier: GPL-3.0-or-later
// The commands of search in all files. UI thread only.
#pragma once

class QDockWidget;

namespace waferpair::gui {

class CommandRegistry;
class EditorTabs;
class SearchPanel;

// All outlive the registry's commands.
void addSearchCommands(CommandRegistry& commands, EditorTabs* tabs, SearchPanel* panel,
                       QDockWidget* dock);

}  // namespace waferpair::gui
