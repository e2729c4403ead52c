// SPDX-License-Identifier: GPL-3.0-or-later
// The paths of the program's own files: settings the user may edit, and state it may rebuild.
#pragma once

#include <QString>

namespace waferpair::gui {

struct AppPaths {
  QString config;  // settings.json, keys.json
  QString state;   // choices.json, recent.json, sessions/, recovery/, model.session

  // The folders of the XDG base directory specification; nothing is created.
  static AppPaths forUser();
};

// The path as people write it: "~/src" for a folder of the user's.
QString withTilde(const QString& path);

// Points the whole process (and what it starts) at folders under `directory` instead of the user's
// own: configuration, state, cache, data and trash. Call before QApplication exists.
void useProfile(const QString& directory);

}  // namespace waferpair::gui
