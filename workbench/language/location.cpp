// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/language/location.h"

#include <QJsonArray>

namespace waferpair::workbench {

QVector<Location> readLocations(const QJsonValue& answer, ColumnUnit unit) {
  const QJsonArray list = answer.isArray() ? answer.toArray() : QJsonArray{answer};
  QVector<Location> read;
  for (const QJsonValue one : list) {
    const bool isLink = one[u"targetUri"].isString();
    const QString path = pathOf((isLink ? one[u"targetUri"] : one[u"uri"]).toString());
    if (path.isEmpty()) continue;
    const QJsonValue range = isLink ? one[u"targetSelectionRange"] : one[u"range"];
    const Location location{path, linePlaceOf(range[u"start"]), linePlaceOf(range[u"end"]), unit};
    if (!read.contains(location)) read.append(location);
    if (read.size() == kMostLocations) break;
  }
  return read;
}

}  // namespace waferpair::workbench
