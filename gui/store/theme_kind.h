// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace waferpair::gui {

// The program's looks, as a setting; what they are made of is gui/kit/theme.h's matter.
enum class ThemeKind {
  kDark,
  kLight,
  kAuto,  // as the desktop is
};

}  // namespace waferpair::gui
