// SPDX-License-Identifier: GPL-3.0-or-later
// The commands for the model: suggestions on and off, what runs, another one.
#pragma once

namespace waferpair::gui {

class CommandRegistry;
class RuntimeService;
class RuntimeStatus;
class Settings;

// All that is passed outlives the commands.
void addModelCommands(CommandRegistry& commands, Settings* settings, RuntimeService* runtime,
                      RuntimeStatus* runtimeStatus);

}  // namespace waferpair::gui
