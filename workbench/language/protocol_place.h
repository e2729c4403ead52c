// SPDX-License-Identifier: GPL-3.0-or-later
// Places and files as the Language Server Protocol names them. Columns count bytes or UTF-16 units,
// as client and server agree. What is wrong is clamped to the text. Pure functions.
#pragma once

#include <QJsonObject>
#include <QJsonValue>
#include <QString>

#include "editor/text/byte_range.h"
#include "editor/text/positions.h"

namespace waferpair::workbench {

enum class ColumnUnit { kUtf8, kUtf16 };

QJsonObject protocolPlace(const editor::Snapshot& text, qint64 offset, ColumnUnit unit);
QJsonObject protocolRange(const editor::Snapshot& text, qint64 start, qint64 end, ColumnUnit unit);

using editor::ByteRange;

editor::LinePlace linePlaceOf(const QJsonValue& place);
qint64 offsetOf(const editor::Snapshot& text, editor::LinePlace place, ColumnUnit unit);
qint64 offsetOf(const editor::Snapshot& text, const QJsonValue& place, ColumnUnit unit);
ByteRange byteRangeOf(const editor::Snapshot& text, const QJsonValue& range, ColumnUnit unit);

QString uriOf(const QString& path);
// Empty for what is no local file.
QString pathOf(const QString& uri);

}  // namespace waferpair::workbench
