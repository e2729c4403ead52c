// SPDX-License-Identifier: GPL-3.0-or-later
// The program's icons: stroked SVGs (resources/icons, 16 x 16 units) tinted with the theme's
// colors when they are painted, so they follow a change of theme and any pixel ratio by
// themselves.
#pragma once

#include <QIcon>
#include <QString>

namespace waferpair::gui {

enum class IconTint { kText, kMuted, kAccent, kDanger, kWarning };

// `name` is the file name without ".svg".
QIcon icon(const QString& name, IconTint tint = IconTint::kMuted);

// The icon of the program's windows, in its own colors.
QIcon programIcon();

}  // namespace waferpair::gui
