// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/language/hierarchy.h"

#include <QJsonArray>
#include <optional>

#include "workbench/language/symbols.h"

namespace waferpair::workbench {
namespace {

constexpr qsizetype kMostOfItemName = 400;  // UTF-16 units

Location locationIn(const QString& path, const QJsonValue& range, ColumnUnit unit) {
  return {path, linePlaceOf(range[u"start"]), linePlaceOf(range[u"end"]), unit};
}

// None: it has no name, or lies in no local file.
std::optional<HierarchyItem> readItem(const QJsonValue& item, ColumnUnit unit) {
  HierarchyItem read;
  read.name = item[u"name"].toString().simplified().left(kMostOfItemName);
  read.kind = symbolKindName(item[u"kind"].toInt());
  read.detail = item[u"detail"].toString().simplified().left(kMostOfItemName);
  const QString path = pathOf(item[u"uri"].toString());
  if (read.name.isEmpty() || path.isEmpty()) return std::nullopt;
  read.place = locationIn(path, item[u"selectionRange"], unit);
  read.told = item;
  return read;
}

}  // namespace

QVector<HierarchyItem> readHierarchyItems(const QJsonValue& answer, ColumnUnit unit) {
  QVector<HierarchyItem> items;
  const QJsonArray list = answer.toArray();
  for (const QJsonValue one : list) {
    if (items.size() == kMostHierarchyItems) break;
    if (const auto item = readItem(one, unit)) items.append(*item);
  }
  return items;
}

QVector<HierarchyItem> readCalls(const QJsonValue& answer, CallSide side, ColumnUnit unit) {
  QVector<HierarchyItem> items;
  const QJsonArray list = answer.toArray();
  for (const QJsonValue one : list) {
    if (items.size() == kMostHierarchyItems) break;
    auto item = readItem(side == CallSide::kCallers ? one[u"from"] : one[u"to"], unit);
    if (!item) continue;
    const QJsonArray ranges = one[u"fromRanges"].toArray();
    item->count = ranges.size();
    // Both tell of places in the caller, which is the other end only of one.
    if (side == CallSide::kCallers && !ranges.isEmpty())
      item->place = locationIn(item->place.path, ranges.first(), unit);
    items.append(*item);
  }
  return items;
}

}  // namespace waferpair::workbench
