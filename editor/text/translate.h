// SPDX-License-Identifier: GPL-3.0-or-later
// Words of the texts' errors, for what is no QObject: all of them in one context.
#pragma once

#include <QCoreApplication>
#include <QString>

namespace waferpair::editor {

inline QString translate(const char* text) { return QCoreApplication::translate("Text", text); }

}  // namespace waferpair::editor
