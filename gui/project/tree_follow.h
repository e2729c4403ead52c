// SPDX-License-Identifier: GPL-3.0-or-later
// The tree selects the file of the text in front, while it is seen and does not have the keyboard
// itself. A command turns that off and on again, which is remembered with the folder.
#pragma once

class QDockWidget;

namespace waferpair::gui {

class CommandRegistry;
class EditorTabs;
class FolderTree;
class Workspace;

// All that is passed outlives the commands.
void addTreeFollow(CommandRegistry& commands, FolderTree* tree, QDockWidget* dock, EditorTabs* tabs,
                   Workspace* workspace);

}  // namespace waferpair::gui
