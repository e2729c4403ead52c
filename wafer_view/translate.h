// SPDX-License-Identifier: GPL-3.0-or-later
// Words of the pictures, for what is no QObject: all of them in one context.
#pragma once

#include <QCoreApplication>
#include <QString>

namespace waferpair::view {

inline QString tr(const char* text) { return QCoreApplication::translate("WaferView", text); }

}  // namespace waferpair::view
