// SPDX-License-Identifier: GPL-3.0-or-later
// A command that turns a preference over.
#pragma once

#include "gui/kit/command.h"
#include "gui/store/settings.h"

namespace waferpair::gui {

class CommandRegistry;

// Adds `command`, which is ticked while the preference is on; its `checkable` and `run` are set
// here. `settings` outlives it.
void addPreferenceToggle(CommandRegistry& commands, Settings* settings, Command command,
                         bool Preferences::*field);

}  // namespace waferpair::gui
