// SPDX-License-Identifier: GPL-3.0-or-later
// Commands about spelling, and what a text's context menu offers about a marked word.
#pragma once

class QMenu;

namespace waferpair::gui {

class BannerStack;
class CommandRegistry;
class Document;
class EditorTabs;
class Picker;
class Settings;
class Spelling;

// All of it outlives the commands.
struct SpellingCommandParts {
  Spelling* spelling;
  EditorTabs* tabs;
  Settings* settings;
  Picker* picker;
  BannerStack* notices;
};
void addSpellingCommands(CommandRegistry& commands, const SpellingCommandParts& parts);

// Puts what can be done about the word at the caret ahead of the menu's entries, once it is known;
// nothing, where the word is not marked.
void offerSpelling(QMenu* menu, Spelling* spelling, Document* document);

}  // namespace waferpair::gui
