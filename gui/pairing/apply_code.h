// SPDX-License-Identifier: GPL-3.0-or-later
// Changes that a block of code in an answer proposes, as hunks over the texts that they are for.
// Nothing is changed until the user accepts one. UI thread only.
#pragma once

#include <QString>
#include <QStringList>

namespace waferpair::gui {

class EditorTabs;

// Returns whether it is a unified diff or search/replace blocks, rather than code without a place.
bool proposesChanges(const QString& code);

// Offers the changes in the texts that they name, which are opened where they lie below `root`, or
// in the text in front where they name none. Returns why some have no place, for the user.
QStringList offerChanges(const QString& code, EditorTabs* tabs, const QString& root);

}  // namespace waferpair::gui
