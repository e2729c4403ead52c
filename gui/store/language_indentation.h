// SPDX-License-Identifier: GPL-3.0-or-later
// How a language's texts are indented, as the settings say it: "Go=tabs 8", "JavaScript=spaces 2".
#pragma once

#include <QString>
#include <optional>

#include "editor/text/indentation.h"
#include "gui/store/preferences.h"

namespace waferpair::gui {

inline constexpr int kWidestTab = 16;  // columns

struct LanguageIndentation {
  QString language;
  bool tabs = false;
  std::optional<int> width;  // columns; empty: as in any language

  // Empty: `text` is of no such form. Letters may be small or capital; "tabs: 8" will do.
  static std::optional<LanguageIndentation> read(const QString& text);
};

// How texts in `language` (its name; empty: plain text) are indented that do not show it
// themselves.
editor::Indentation preferredIndentation(const Preferences& preferences, const QString& language);

}  // namespace waferpair::gui
