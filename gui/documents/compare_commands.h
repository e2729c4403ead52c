// SPDX-License-Identifier: GPL-3.0-or-later
// Commands that compare texts: with a file, the disk, the clipboard, another open text.
#pragma once

#include <QString>

namespace waferpair::gui {

class CommandRegistry;
class Document;
class EditorTabs;
class Picker;

// All outlive the commands.
void addCompareCommands(CommandRegistry& commands, EditorTabs* tabs, Picker* picker);

// Shows the text beside what its file has on disk; EditorTabs::problem() tells why not.
void compareWithSaved(EditorTabs* tabs, Document* document);

// Opens both files and shows the second beside the first. EditorTabs::problem() tells what cannot
// be opened. Returns the second; null where they are not compared.
Document* compareFiles(EditorTabs* tabs, const QString& left, const QString& right);

}  // namespace waferpair::gui
