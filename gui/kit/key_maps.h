// SPDX-License-Identifier: GPL-3.0-or-later
// The keys of other editors, for hands that know them: resources/key_maps.json.
#pragma once

#include <QHash>
#include <QKeySequence>
#include <QList>

#include "gui/store/preferences.h"

namespace waferpair::gui {

// The keys that commands have in place of their own, by the commands' ids.
using KeyTable = QHash<QString, QList<QKeySequence>>;

// Empty for the program's own keys.
KeyTable keyTable(KeyMap map);

}  // namespace waferpair::gui
