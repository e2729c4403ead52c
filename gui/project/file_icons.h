// SPDX-License-Identifier: GPL-3.0-or-later
// A symbol for each kind of file, by its name alone.
#pragma once

#include <QIcon>
#include <QString>

namespace waferpair::gui {

QIcon fileIcon(const QString& path);
QIcon folderIcon();

}  // namespace waferpair::gui
