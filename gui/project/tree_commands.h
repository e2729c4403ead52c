// SPDX-License-Identifier: GPL-3.0-or-later
// The commands for the folder tree and what is selected in it.
#pragma once

class QDockWidget;

namespace waferpair::gui {

class CommandRegistry;
class EditorTabs;
class FolderTree;

// `dock` holds the tree. All of them outlive the commands.
void addTreeCommands(CommandRegistry& commands, FolderTree* tree, QDockWidget* dock,
                     EditorTabs* tabs);

}  // namespace waferpair::gui
