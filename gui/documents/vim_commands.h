// SPDX-License-Identifier: GPL-3.0-or-later
// Turns Vim keys on and off, and does what their ":" commands ask of the window.
#pragma once

namespace waferpair::gui {

class CommandRegistry;
class EditorTabs;
class Settings;

// All that is passed outlives the commands.
void addVimCommands(CommandRegistry& commands, EditorTabs* tabs, Settings* settings);

}  // namespace waferpair::gui
