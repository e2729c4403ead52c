// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pairing/next_edit_commands.h"

#include "gui/kit/command_registry.h"
#include "gui/kit/preference_toggle.h"
#include "gui/pairing/next_edit_status.h"
#include "gui/translate.h"

namespace waferpair::gui {

void addNextEditCommands(CommandRegistry& commands, Settings* settings, NextEditStatus* status) {
  const QString edit = tr("Edit");
  addPreferenceToggle(commands, settings,
                      {.id = "edit.nextEdits",
                       .category = edit,
                       .text = tr("Offer &Next Edits"),
                       .help = tr("Offer the likely next edit after each edit; it needs no model."),
                       .places = {{"edit", 5}}},
                      &Preferences::nextEdits);
  commands.add({.id = "edit.nextEditCounts",
                .category = edit,
                .text = tr("Next Edits &So Far…"),
                .help = tr("How many next edits were shown, taken and dismissed."),
                .places = {{"edit", 5}},
                .run = [status] { status->showCounts(); }});
}

}  // namespace waferpair::gui
