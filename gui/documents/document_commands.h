// SPDX-License-Identifier: GPL-3.0-or-later
// The commands for open texts: saving and closing, editing, going from one to another.
#pragma once

namespace waferpair::gui {

class CommandRegistry;
class EditorTabs;
class InputPrompt;
class Picker;
class SaveFlow;
class Settings;

// All that is passed outlives the commands.
void addFileCommands(CommandRegistry& commands, EditorTabs* tabs, SaveFlow* saveFlow);
void addEditCommands(CommandRegistry& commands, EditorTabs* tabs, Settings* settings);
// `prompt` asks for a line.
void addGoCommands(CommandRegistry& commands, EditorTabs* tabs, InputPrompt* prompt,
                   Picker* picker);

}  // namespace waferpair::gui
