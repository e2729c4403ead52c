// SPDX-License-Identifier: GPL-3.0-or-later
// Commands for conflicts of a merge, and merging files into one that is open.
#pragma once

#include <QString>

namespace waferpair::gui {

class CommandRegistry;
class Document;
class EditorTabs;

// Looks for conflicts in each text that is opened from now on. Both outlive the commands.
void addMergeCommands(CommandRegistry& commands, EditorTabs* tabs);

struct MergeFiles {
  QString base;
  QString ours;
  QString theirs;
  QString into;  // made by its first save where it is not there
};
// Opens the last file with what the merge of the first three gives, which is not saved: conflicts
// have markers. EditorTabs::problem() tells what cannot be read. Returns its document, or null.
Document* mergeFiles(EditorTabs* tabs, const MergeFiles& files);

}  // namespace waferpair::gui
