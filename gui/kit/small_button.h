// SPDX-License-Identifier: GPL-3.0-or-later
// A button with little room around its text, for rows within panels. UI thread only.
#pragma once

#include <QPushButton>

namespace waferpair::gui {

// `parent` owns it.
inline QPushButton* makeSmallButton(const char* name, const QString& text, const QString& tip,
                                    QWidget* parent) {
  auto* button = new QPushButton(text, parent);
  button->setObjectName(QLatin1String(name));
  button->setProperty("role", QStringLiteral("small"));
  button->setToolTip(tip);
  return button;
}

}  // namespace waferpair::gui
