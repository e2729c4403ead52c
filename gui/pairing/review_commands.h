// SPDX-License-Identifier: GPL-3.0-or-later
// The commands for remarks on what changed, and for what is reviewed beside them.
#pragma once

namespace waferpair::gui {

class CommandRegistry;
class DockStrip;
class PairDock;

// All of them outlive the commands.
void addReviewCommands(CommandRegistry& commands, PairDock* dock, DockStrip* strip);

}  // namespace waferpair::gui
