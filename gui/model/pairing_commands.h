// SPDX-License-Identifier: GPL-3.0-or-later
// The commands for the models that pair: which they are, and which of the two does the work.
#pragma once

namespace waferpair::gui {

class CommandRegistry;
class ModelPicker;
class PairingModels;

// All that is passed outlives the commands.
void addPairingModelCommands(CommandRegistry& commands, ModelPicker* picker, PairingModels* models);

}  // namespace waferpair::gui
