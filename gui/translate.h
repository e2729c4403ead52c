// SPDX-License-Identifier: GPL-3.0-or-later
// Translations of the window's texts outside any QObject, all in one context.
#pragma once

#include <QCoreApplication>
#include <QString>

namespace waferpair::gui {

inline QString tr(const char* text) { return QCoreApplication::translate("Window", text); }

}  // namespace waferpair::gui
