// SPDX-License-Identifier: GPL-3.0-or-later
// The commands for editing in place, and for the changes that are offered over the text in front.
#pragma once

#include "gui/pairing/edit_session.h"
#include "gui/pairing/fix_error.h"

namespace waferpair::gui {

class CommandRegistry;
class EditorTabs;
class Picker;

// The session of a document, made when it is first asked for.
EditSession* editSession(Document* document, const EditParts& parts);

// `tabs` and `picker` outlive the commands; `outputs` are those of commands that failed, the latest
// first.
void addEditInPlaceCommands(CommandRegistry& commands, EditorTabs* tabs, const EditParts& parts,
                            Picker* picker, const std::function<QVector<PrintedOutput>()>& outputs);

}  // namespace waferpair::gui
