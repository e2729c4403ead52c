// SPDX-License-Identifier: GPL-3.0-or-later
// Translations of the pictures' texts outside any QObject, all in one context.
#pragma once

#include <QCoreApplication>
#include <QString>

namespace waferpair::view {

inline QString tr(const char* text) { return QCoreApplication::translate("WaferView", text); }

}  // namespace waferpair::view
