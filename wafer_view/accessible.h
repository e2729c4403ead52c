// SPDX-License-Identifier: GPL-3.0-or-later
// The accessible interfaces of this room's widgets, beyond what Qt does by itself, for screen
// readers and GUI tests.
#pragma once

#include <QString>

class QWidget;

namespace waferpair::view {

// Gives the widgets of this room their roles, and every combo box of the program a name that stays:
// Qt on Unix tells the value in place of the accessible name. Combo boxes made earlier keep what
// they have. More calls do nothing.
void installAccessibles();

// Says `text` politely, when whatever is being read out has come to its end. `widget` is the place
// where the same is written, with the text as its accessible name.
void announcePolitely(QWidget* widget, const QString& text);

}  // namespace waferpair::view
