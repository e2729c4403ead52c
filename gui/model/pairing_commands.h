// SPDX-License-Identifier: GPL-3.0-or-later
// The commands for the models that pair: which they are, and which of the two does the work.
#pragma once

namespace waferpair::gui {

class CommandRegistry;
class ModelGetter;
class ModelPicker;
class PairingModels;

// All that is passed outlives the commands. `getter` may be null: no models are fetched then.
void addPairingModelCommands(CommandRegistry& commands, ModelPicker* picker, ModelGetter* getter,
                             PairingModels* models);

}  // namespace waferpair::gui
