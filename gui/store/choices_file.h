// SPDX-License-Identifier: GPL-3.0-or-later
// What the program remembers of what was chosen, as state: the model last loaded, a snooze. It is
// apart from the settings, which are the user's own text.
#pragma once

#include "gui/store/app_paths.h"
#include "gui/store/settings_file.h"

namespace waferpair::gui {

inline constexpr char kSnoozedUntil[] = "suggestions/snoozedUntil";
inline constexpr char kAcceptedSuggestions[] = "editor/acceptedSuggestions";
inline constexpr char kChosenModel[] = "runtime/model";
inline constexpr char kChosenShadow[] = "runtime/shadow";
inline constexpr char kShadowObjective[] = "runtime/shadowObjective";
inline constexpr char kShadowContext[] = "runtime/shadowContext";

class ChoicesFile : public SettingsFile {
 public:
  // Reads choices.json in the state folder. What earlier versions kept of it in settings.json, and
  // their settings.ini, are moved to where they belong first.
  explicit ChoicesFile(const AppPaths& paths);
};

// Returns the path of the user's settings.json.
QString settingsFile(const AppPaths& paths);

}  // namespace waferpair::gui
