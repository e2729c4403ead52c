// SPDX-License-Identifier: GPL-3.0-or-later
// Translations of texts about the tools around a text, outside any QObject, all in one context.
#pragma once

#include <QCoreApplication>
#include <QString>

namespace waferpair::workbench {

inline QString translate(const char* text) {
  return QCoreApplication::translate("Workbench", text);
}

}  // namespace waferpair::workbench
