// SPDX-License-Identifier: GPL-3.0-or-later
// A button that is an icon, with what it does as its name and its tool tip. A click leaves the
// keyboard where it is. UI thread only.
#pragma once

#include <QToolButton>

#include "gui/kit/icons.h"

namespace waferpair::gui {

// `parent` owns it.
inline QToolButton* makeIconButton(const QString& name, const QString& symbol, const QString& text,
                                   QWidget* parent) {
  auto* button = new QToolButton(parent);
  button->setObjectName(name);
  button->setAccessibleName(text);
  button->setToolTip(text);
  button->setIcon(icon(symbol));
  button->setFocusPolicy(Qt::TabFocus);
  return button;
}

}  // namespace waferpair::gui
