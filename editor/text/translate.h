// SPDX-License-Identifier: GPL-3.0-or-later
// Translations of the texts' errors, outside any QObject, all in one context.
#pragma once

#include <QCoreApplication>
#include <QString>

namespace waferpair::editor {

inline QString translate(const char* text) { return QCoreApplication::translate("Text", text); }

}  // namespace waferpair::editor
