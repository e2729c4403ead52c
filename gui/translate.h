// SPDX-License-Identifier: GPL-3.0-or-later
// Words of the window, for what is no QObject: all of them in one context.
#pragma once

#include <QCoreApplication>
#include <QString>

namespace waferpair::gui {

inline QString tr(const char* text) { return QCoreApplication::translate("Window", text); }

}  // namespace waferpair::gui
