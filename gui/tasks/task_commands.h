// SPDX-License-Identifier: GPL-3.0-or-later
// The commands of tasks. UI thread only.
#pragma once

namespace waferpair::gui {

class CommandRegistry;
class TaskRunner;

// `runner` outlives the registry's commands.
void addTaskCommands(CommandRegistry& commands, TaskRunner* runner);

}  // namespace waferpair::gui
