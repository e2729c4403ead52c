// SPDX-License-Identifier: GPL-3.0-or-later
// What the user prefers, by field. gui/store/settings_table.h says of each what it is called in the
// settings files, and what the dialog, the page and the schema tell of it.
#pragma once

#include <QDateTime>
#include <QString>
#include <QStringList>

#include "gui/store/theme_kind.h"

namespace waferpair::gui {

// Says how readily suggestions come by themselves.
enum class SuggestionLevel {
  kQuiet,   // never: the user's key asks for them
  kNormal,  // where they are as sure as Preferences::certainty asks
  kEager,   // where they are less sure than that, too
};

// Says when texts that have a file are saved by themselves.
enum class AutoSave {
  kOff,
  kFocusLoss,  // when the keyboard goes elsewhere
  kDelay,      // a moment after the last change
};

// Whose keys commands have.
enum class KeyMap {
  kOwn,
  kVsCode,
  kKate,
};

// Which models look into the project by themselves when they are asked.
enum class AskTools {
  kOff,
  kBySize,  // those that are large enough for it, or whose size is not known
  kAlways,
};

// What a terminal does when the bell rings.
enum class TerminalBell { kOff, kFlash, kSound };

struct Preferences {
  ThemeKind theme = ThemeKind::kDark;
  QString darkColors;       // a dark theme of KSyntaxHighlighting; empty: the program's own
  QString lightColors;      // likewise
  int interfaceSize = 100;  // percent of the desktop's letters, 70 to 250
  bool reduceMotion = false;
  QString fontFamily;     // of the editor; empty: the editor's own choice
  double fontSize = 11;   // points, 6 to 40
  double lineHeight = 1;  // of the editor, in heights of its font's lines, 1 to 3
  bool ligatures = true;  // of the editor's font, where it has them
  bool wordWrap = false;
  bool whitespace = false;
  bool indentGuides = true;
  bool insertSpaces = true;          // where neither the text nor the project says otherwise
  int tabSize = 4;                   // columns, 1 to 16; likewise
  bool detectIndentation = true;     // by the lines that a text has
  QStringList languageIndentations;  // of single languages (gui/store/language_indentation.h)
  bool trimOnSave = false;           // blanks at line ends
  bool finalLineEndOnSave = false;   // the last line ends as the others do
  bool formatOnSave = false;         // by the language server, where it can
  bool formatOnType = false;         // likewise, around what was just typed
  AutoSave autoSave = AutoSave::kOff;
  bool localHistory = true;   // the states of files as they are saved
  bool waferDefects = false;  // an illustration of the wafer's defects, over its map
  bool breadcrumbs = true;    // where the text and the caret are, over the text
  bool previewTabs = true;    // a file that is only looked at gives its tab to the next one
  bool closePairs = true;     // brackets and quotes, as they are typed
  KeyMap keyMap = KeyMap::kOwn;
  bool vimKeys = false;  // keys are commands until they are to insert text
  bool ai = true;        // off: no model is asked, started or offered
  bool suggestions = true;
  // Least probability, in percent, of suggestions that come unasked; 0 lets all pass. Its effect at
  // each place is in editor/assist/suggestion_gate.h.
  int certainty = 75;
  SuggestionLevel suggestionLevel = SuggestionLevel::kNormal;
  QString largerModel;                      // suggests, too; a file, empty: none
  QStringList languagesWithoutSuggestions;  // by name, sorted; "" is plain text
  bool wordsWhileTyping = false;            // the list of words opens by itself
  bool membersWhileTyping = true;           // and where a language server knows what follows
  bool projectFiles = true;                 // suggestions copy from files that are not open, too
  bool nextEdits = true;                    // the likely next edit is offered, which takes no model
  bool renewEdits = true;                   // changes are previewed while an instruction is typed
  bool summarizeThreads = true;  // early messages of a long thread, by the model that answers
  AskTools askTools = AskTools::kBySize;
  bool askActions = true;            // such models may propose changes and commands, too
  bool spelling = true;              // words that no dictionary has are marked
  QStringList spellingDictionaries;  // by name; empty: the desktop's languages and English
  QStringList languagesWithoutSpelling{QString()};  // by name, sorted; "" is plain text
  bool languageServers = true;     // each is started only once the user agreed to it
  bool semanticColors = true;      // names have the colors of what a language server says they are
  bool inlayHints = false;         // behind lines: what parameters are called, what types are
  QString terminalShell;           // its command line; empty: the user's shell
  QStringList terminalProfiles;    // more of them: "NAME=COMMAND LINE"
  int terminalScrollback = 10000;  // lines that are kept above the screen
  TerminalBell terminalBell = TerminalBell::kFlash;
  bool hiddenFiles = false;      // the folder tree shows names that begin with a dot
  bool ignoredFiles = false;     // and what .gitignore lists
  QStringList adapters;          // of models, a line each (client/model_adapters.h)
  bool suggestionNames = false;  // suggestions know the members that a language server knows

  // -- State that is kept beside them, and has no place in the settings files
  QDateTime snoozedUntil;       // suggestions; invalid: they are not
  int acceptedSuggestions = 0;  // counted up to kEnoughAccepted: who did so knows the key

  bool offersNextEdits() const { return ai && nextEdits; }

  bool operator==(const Preferences&) const = default;
};

inline constexpr int kEnoughAccepted = 3;
inline constexpr int kLeastInterfaceSize = 70;
inline constexpr int kMostInterfaceSize = 250;

}  // namespace waferpair::gui
