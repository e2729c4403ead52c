// SPDX-License-Identifier: GPL-3.0-or-later
// The commands of the debugger. UI thread only.
#pragma once

namespace waferpair::gui {

class CommandRegistry;
class DebugTools;

// `tools` outlives the registry's commands.
void addDebugCommands(CommandRegistry& commands, DebugTools* tools);

}  // namespace waferpair::gui
