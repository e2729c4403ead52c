// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/kit/accessible_roles.h"

#include <QAccessible>
#include <QAccessibleWidget>
#include <QKeySequenceEdit>

namespace waferpair::gui {

void installAccessibleRoles() {
  QAccessible::installFactory([](const QString&, QObject* object) -> QAccessibleInterface* {
    auto* keys = qobject_cast<QKeySequenceEdit*>(object);
    return keys ? new QAccessibleWidget(keys, QAccessible::HotkeyField) : nullptr;
  });
}

}  // namespace waferpair::gui
