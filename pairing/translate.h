// SPDX-License-Identifier: GPL-3.0-or-later
// Words of what is asked of models and comes back, for what is no QObject: all of them in one
// context.
#pragma once

#include <QCoreApplication>
#include <QString>

namespace waferpair::pairing {

inline QString translate(const char* text) { return QCoreApplication::translate("Pairing", text); }

}  // namespace waferpair::pairing
