// SPDX-License-Identifier: GPL-3.0-or-later
// The commands of next edits that are no keys of the editor.
#pragma once

namespace waferpair::gui {

class CommandRegistry;
class NextEditStatus;
class Settings;

// All outlive `commands`.
void addNextEditCommands(CommandRegistry& commands, Settings* settings, NextEditStatus* status);

}  // namespace waferpair::gui
