// SPDX-License-Identifier: GPL-3.0-or-later
// What a screen reader could not name in a window.
#pragma once

#include <QAccessible>
#include <QStringList>
#include <QWidget>

namespace waferpair::test {

// Adds what can be seen below `element`, takes the keyboard or is a picture, and has no name.
inline void addNameless(QAccessibleInterface* element, QStringList& nameless) {
  if (!element || element->state().invisible) return;
  const QAccessible::Role role = element->role();
  const bool told = element->state().focusable || role == QAccessible::Graphic;
  if (told && element->object() && element->text(QAccessible::Name).trimmed().isEmpty())
    nameless << element->object()->objectName() + QLatin1Char(' ') +
                    QLatin1String(element->object()->metaObject()->className());
  // Cells and items are named by their texts.
  if (role == QAccessible::Table || role == QAccessible::List || role == QAccessible::ComboBox)
    return;
  for (int i = 0; i < element->childCount(); ++i) addNameless(element->child(i), nameless);
}

inline QStringList namelessIn(QWidget* window) {
  QStringList nameless;
  addNameless(QAccessible::queryAccessibleInterface(window), nameless);
  return nameless;
}

}  // namespace waferpair::test
