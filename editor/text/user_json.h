// SPDX-License-Identifier: GPL-3.0-or-later
// JSON files that people write by hand: with comments, and commas behind which nothing follows.
#pragma once

#include <QByteArray>
#include <QJsonObject>
#include <QString>

#include "editor/text/result.h"

namespace waferpair::editor {

// Fails with the name of the file and the line where it is wrong. What is no object is an empty
// one.
Result<QJsonObject> readUserJson(const QByteArray& json, const QString& file);

}  // namespace waferpair::editor
