// SPDX-License-Identifier: GPL-3.0-or-later
// Commands for the user's own snippets: put one in, edit them.
#pragma once

namespace waferpair::editor {
class SnippetStore;
}

namespace waferpair::gui {

class CommandRegistry;
class EditorTabs;
class Picker;

// All that is passed outlives the commands.
void addSnippetCommands(CommandRegistry& commands, EditorTabs* tabs,
                        const editor::SnippetStore* store, Picker* picker);

}  // namespace waferpair::gui
