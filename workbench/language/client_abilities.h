// SPDX-License-Identifier: GPL-3.0-or-later
// What this program tells a language server about itself: nothing that it does not do.
#pragma once

#include <QJsonObject>
#include <QString>

namespace waferpair::workbench {

// {"uri": ..., "name": ...}, as the protocol has the folder of a project.
QJsonObject folderObject(const QString& root);

// The parameters of "initialize".
QJsonObject initializeParams(const QString& root);

}  // namespace waferpair::workbench
