// SPDX-License-Identifier: GPL-3.0-or-later
// The settings, one row each. The settings files, the dialog, docs/settings.md and the JSON schema
// all follow from it: a new setting is a field of Preferences and a row here.
#pragma once

#include <QJsonValue>
#include <QList>
#include <QString>
#include <variant>

#include "gui/store/preferences.h"

namespace waferpair::gui {

// Says what the settings of an opened folder, which somebody else may have written, decide.
enum class ProjectMay {
  kSet,
  kSwitchOff,  // but not on, where the user has it off
  kNothing,    // for what the user sees everywhere, what is run, and what leaves the editor
};

struct SettingChoice {
  QString value;  // in the file
  QString title;
};

struct SettingRow {
  // Values of an enumeration are in the file by their names, in the order of `choices`.
  using Field =
      std::variant<bool Preferences::*, int Preferences::*, double Preferences::*,
                   QString Preferences::*, QStringList Preferences::*, ThemeKind Preferences::*,
                   AutoSave Preferences::*, KeyMap Preferences::*, SuggestionLevel Preferences::*,
                   TerminalBell Preferences::*, AskTools Preferences::*>;
  QString id;  // its name in the files: "editor/fontSize"
  QString category;
  QString title;
  QString help;  // sentences
  Field field;
  ProjectMay project = ProjectMay::kSet;
  QList<SettingChoice> choices = {};
  double least = 0;  // of numbers
  double most = 0;
  QString unit = {};        // behind a number
  QString emptyTitle = {};  // of a text: what an empty one means
  // A text that is one of the names that this computer has.
  // Of a list: what each of its texts is.
  enum class Names { kAny, kFonts, kDarkThemes, kLightThemes, kLanguageIndentations };
  Names names = Names::kAny;

  bool isFlag() const { return std::holds_alternative<bool Preferences::*>(field); }
  bool isWhole() const { return std::holds_alternative<int Preferences::*>(field); }
  bool isNumber() const {
    return isWhole() || std::holds_alternative<double Preferences::*>(field);
  }
  bool isList() const { return std::holds_alternative<QStringList Preferences::*>(field); }

  // As it is written in a file.
  QJsonValue valueIn(const Preferences& preferences) const;
  // `value` is one that wrongWith() has nothing against.
  void put(const QJsonValue& value, Preferences& preferences) const;
  QJsonValue defaultValue() const { return valueIn(Preferences()); }
  // Returns what may stand there ("a number from 6 to 40") where `value` may not; else an empty
  // text.
  QString wrongWith(const QJsonValue& value) const;
  // Empty where any text may stand there.
  QStringList namesThere() const;
  // Returns what may stand there, in words.
  QString expected() const;
};

// In the order of the dialog: the rows of a category follow one another.
const QList<SettingRow>& settingsTable();
// Null: there is none.
const SettingRow* settingRow(const QString& id);
// Returns the id that somebody most likely meant; empty where none is near.
QString nearestSetting(const QString& id);

}  // namespace waferpair::gui
