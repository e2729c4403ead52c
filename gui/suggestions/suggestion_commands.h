// SPDX-License-Identifier: GPL-3.0-or-later
// Commands for when suggestions come, and for what became of them. UI thread only.
#pragma once

#include <QString>
#include <functional>
#include <optional>

class QWidget;

namespace waferpair::gui {

class CommandRegistry;
class Picker;
class Settings;
class SuggestionCounts;
class SuggestionRules;

struct SuggestionCommandParts {
  Settings* settings;
  SuggestionRules* rules;
  SuggestionCounts* counts;
  Picker* picker;
  QWidget* window;
  // Returns the language of the text in front; nothing: there is none.
  std::function<std::optional<QString>()> language;
};

// The objects that `parts` points at outlive the commands.
void addSuggestionCommands(CommandRegistry& commands, const SuggestionCommandParts& parts);
// Level, snooze, language and counts in one list.
void chooseSuggestions(const SuggestionCommandParts& parts);

}  // namespace waferpair::gui
