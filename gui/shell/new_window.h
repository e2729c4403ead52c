// SPDX-License-Identifier: GPL-3.0-or-later
// The commands for windows: another one, the next one, a text that goes to one, the end of all.
#pragma once

namespace waferpair::gui {

class CommandRegistry;
class MainWindow;

// The window outlives the commands.
void addWindowCommands(CommandRegistry& commands, MainWindow* window);

}  // namespace waferpair::gui
