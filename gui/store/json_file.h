// SPDX-License-Identifier: GPL-3.0-or-later
// Small JSON files of the program's own: read with every error named, written atomically.
#pragma once

#include <QJsonObject>
#include <QString>

namespace waferpair::gui {

struct JsonRead {
  QJsonObject object;  // empty when the file is missing or wrong
  QString problem;     // empty when it was read, or when there is no such file
};

// A missing file is not a problem. Files over 16 MiB are refused unread.
JsonRead readJson(const QString& path);

// Saves as editor::saveFile() does, making the folder when needed. Returns an empty string, or what
// went wrong and what to do.
QString writeJson(const QString& path, const QJsonObject& object);

}  // namespace waferpair::gui
