// SPDX-License-Identifier: GPL-3.0-or-later
// Translations of texts about requests to models and their answers, outside any QObject, all in one
// context.
#pragma once

#include <QCoreApplication>
#include <QString>

namespace waferpair::pairing {

inline QString translate(const char* text) { return QCoreApplication::translate("Pairing", text); }

}  // namespace waferpair::pairing
