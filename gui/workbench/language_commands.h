// SPDX-License-Identifier: GPL-3.0-or-later
// Commands for what language servers do.
#pragma once

class QDockWidget;

namespace waferpair::gui {

class BannerStack;
class CommandRegistry;
class DiagnosticMarks;
class EditorTabs;
class LanguageActions;
class LanguageGuide;
class LanguageRename;
class LanguageTools;
class Picker;
class ProblemsPanel;
class Settings;
class SignatureHints;
class TextLinks;

// All outlive the commands.
struct LanguageCommandParts {
  LanguageTools* tools = nullptr;
  EditorTabs* tabs = nullptr;
  DiagnosticMarks* marks = nullptr;
  LanguageGuide* guide = nullptr;
  LanguageRename* rename = nullptr;
  LanguageActions* actions = nullptr;
  SignatureHints* signatures = nullptr;
  TextLinks* links = nullptr;
  ProblemsPanel* problems = nullptr;
  QDockWidget* problemsDock = nullptr;
  Picker* picker = nullptr;
  BannerStack* notices = nullptr;
  Settings* settings = nullptr;
};

void addLanguageCommands(CommandRegistry& commands, const LanguageCommandParts& parts);

// Shows the list of problems and gives it the keyboard.
void showProblems(const LanguageCommandParts& parts);

}  // namespace waferpair::gui
