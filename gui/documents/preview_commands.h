// SPDX-License-Identifier: GPL-3.0-or-later
// Texts as they look: Markdown and SVG beside their text, pictures in place of their bytes.
#pragma once

namespace waferpair::gui {

class CommandRegistry;
class EditorTabs;

// Shows pictures that are opened from now on. Both outlive the command.
void addPreviewCommands(CommandRegistry& commands, EditorTabs* tabs);

}  // namespace waferpair::gui
