// SPDX-License-Identifier: GPL-3.0-or-later
// The commands for the panes that texts lie in, and the list of what is open in them.
#pragma once

namespace waferpair::gui {

class CommandRegistry;
class EditorTabs;
class Picker;

// All that is passed outlives the commands.
void addSplitCommands(CommandRegistry& commands, EditorTabs* tabs, Picker* picker);

}  // namespace waferpair::gui
