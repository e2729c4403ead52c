// SPDX-License-Identifier: GPL-3.0-or-later
// "Race" opens the window of the race.
#pragma once

class QWidget;

namespace waferpair::gui {

class CommandRegistry;
class RuntimeService;

// Both outlive the command.
void addRaceCommands(CommandRegistry& commands, QWidget* window, RuntimeService* runtime);

}  // namespace waferpair::gui
