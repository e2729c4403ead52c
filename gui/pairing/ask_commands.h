// SPDX-License-Identifier: GPL-3.0-or-later
// The commands for questions and their threads.
#pragma once

namespace waferpair::gui {

class CommandRegistry;
class DockStrip;
class PairDock;
class Settings;

// Both outlive the commands.
void addAskCommands(CommandRegistry& commands, Settings* settings, PairDock* dock,
                    DockStrip* strip);

}  // namespace waferpair::gui
