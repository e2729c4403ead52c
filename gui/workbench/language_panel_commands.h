// SPDX-License-Identifier: GPL-3.0-or-later
// Commands for the panels that show what language servers know, and for what they draw in texts.
#pragma once

#include "gui/workbench/language_commands.h"

namespace waferpair::gui {

class LanguageWorkStatus;
class OutlinePanel;
class RelationsPanel;

// All outlive the commands.
struct LanguagePanels {
  OutlinePanel* outline = nullptr;
  QDockWidget* outlineDock = nullptr;
  RelationsPanel* relations = nullptr;
  QDockWidget* relationsDock = nullptr;
  LanguageWorkStatus* work = nullptr;
};

void addLanguagePanelCommands(CommandRegistry& commands, const LanguageCommandParts& parts,
                              const LanguagePanels& panels);

}  // namespace waferpair::gui
