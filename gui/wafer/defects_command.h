// SPDX-License-Identifier: GPL-3.0-or-later
// "Defects" draws an illustration of the wafer's defective and spare cores over its map.
#pragma once

namespace waferpair::gui {

class CommandRegistry;
class Settings;
class WaferDock;

// All of them outlive the command.
void addDefectsCommand(CommandRegistry& commands, Settings* settings, WaferDock* dock);

}  // namespace waferpair::gui
