// SPDX-License-Identifier: GPL-3.0-or-later
// The commands for plans.
#pragma once

namespace waferpair::gui {

class CommandRegistry;
class DockStrip;
class PairDock;

// `dock`, which may be folded to `strip`, outlives the commands.
void addPlanCommands(CommandRegistry& commands, PairDock* dock, DockStrip* strip);

}  // namespace waferpair::gui
