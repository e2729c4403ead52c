// SPDX-License-Identifier: GPL-3.0-or-later
// Translations of texts outside any QObject, all in one context. (The window's are
// gui/translate.h.)
#pragma once

#include <QCoreApplication>
#include <QString>

namespace waferpair {

inline QString translate(const char* text) {
  return QCoreApplication::translate("Waferpair", text);
}

}  // namespace waferpair
