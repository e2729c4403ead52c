// SPDX-License-Identifier: GPL-3.0-or-later
// The commands of the main window: what each is called, its key, and what it does.
#pragma once

#include "gui/kit/command_registry.h"
#include "gui/shell/window_parts.h"
#include "gui/store/settings.h"

namespace waferpair::gui {

void addFileCommands(const WindowParts& parts);
void addEditCommands(const WindowParts& parts);
void addViewCommands(const WindowParts& parts);
void addTreeCommands(const WindowParts& parts);
void addModelCommands(const WindowParts& parts);
void addWaferCommands(const WindowParts& parts);
void addShadowCommands(const WindowParts& parts);
void addHelpCommands(const WindowParts& parts);
void addStartCommands(const WindowParts& parts);
void addStatusCommands(const WindowParts& parts);
// After the window has been laid out. `text` is its middle: the files, or the start page.
void addPaneCommands(const WindowParts& parts, QWidget* text);

// A command that turns a preference over, ticked while it is on.
void addPreferenceToggle(const WindowParts& parts, Command command, bool Preferences::*field);

// Also used by other ways to the same thing: recent folders, the start page, the command line. Asks
// about unsaved texts first.
void openFolder(const WindowParts& parts, const QString& folder);
// One that was open before; if it is gone by now, that is said, and it can be taken off the list.
void openRecent(const WindowParts& parts, const QString& folder);

}  // namespace waferpair::gui
