// SPDX-License-Identifier: GPL-3.0-or-later
// The trash of the desktop (freedesktop.org's Trash specification 1.0) for names that are no UTF-8,
// which Qt's own does not find.
#pragma once

#include <QString>

namespace waferpair::gui {

// Moves a file or a folder there under its own name, with a note of where it was. False, and it is
// where it was: its disk has no trash, or may not have one.
bool trashByBytes(const QString& path);

}  // namespace waferpair::gui
