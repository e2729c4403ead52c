// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/language/protocol_place.h"

#include <QDir>
#include <QUrl>
#include <algorithm>

#include "editor/text/path_bytes.h"

namespace waferpair::workbench {

using editor::LinePlace;
using editor::Snapshot;

QJsonObject protocolPlace(const Snapshot& text, qint64 offset, ColumnUnit unit) {
  LinePlace place;
  if (unit == ColumnUnit::kUtf16) {
    place = utf16Place(text, offset);
  } else {
    place = utf8Place(text, offset);
  }
  return {{QStringLiteral("line"), place.line}, {QStringLiteral("character"), place.column}};
}

QJsonObject protocolRange(const Snapshot& text, qint64 start, qint64 end, ColumnUnit unit) {
  return {{QStringLiteral("start"), protocolPlace(text, start, unit)},
          {QStringLiteral("end"), protocolPlace(text, end, unit)}};
}

LinePlace linePlaceOf(const QJsonValue& place) {
  return {std::max<qint64>(0, place[u"line"].toInteger()),
          std::max<qint64>(0, place[u"character"].toInteger())};
}

qint64 offsetOf(const Snapshot& text, LinePlace place, ColumnUnit unit) {
  return unit == ColumnUnit::kUtf16 ? offsetOfUtf16(text, place) : offsetOfUtf8(text, place);
}

qint64 offsetOf(const Snapshot& text, const QJsonValue& place, ColumnUnit unit) {
  return offsetOf(text, linePlaceOf(place), unit);
}

ByteRange byteRangeOf(const Snapshot& text, const QJsonValue& range, ColumnUnit unit) {
  const qint64 start = offsetOf(text, range[u"start"], unit);
  return {start, std::max(start, offsetOf(text, range[u"end"], unit))};
}

QString uriOf(const QString& path) {
  // Its bytes, where they are no characters; QUrl has those only.
  if (!editor::isUtf8Path(path))
    return QString::fromLatin1("file://" + editor::pathBytes(path).toPercentEncoding("/"));
  return QString::fromLatin1(QUrl::fromLocalFile(path).toEncoded());
}

QString pathOf(const QString& uri) {
  const QUrl url(uri);
  // A path on another computer is none here, and one without a root is none at all.
  const bool isHere = url.host().isEmpty() || url.host() == QLatin1String("localhost");
  if (!url.isLocalFile() || !isHere || !url.path().startsWith(u'/')) return {};
  return QDir::cleanPath(
      editor::pathText(QByteArray::fromPercentEncoding(url.path(QUrl::FullyEncoded).toLatin1())));
}

}  // namespace waferpair::workbench
