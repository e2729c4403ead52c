// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/language/name_uses.h"

#include <QJsonArray>

namespace waferpair::workbench {

QVector<NameUse> readNameUses(const QJsonValue& answer, const editor::Snapshot& text,
                              ColumnUnit unit) {
  constexpr int kWrite = 3;  // as the protocol numbers them
  QVector<NameUse> uses;
  const QJsonArray list = answer.toArray();
  for (const QJsonValue one : list) {
    if (uses.size() == kMostNameUses) break;
    const ByteRange range = byteRangeOf(text, one[u"range"], unit);
    if (range.start < range.end) uses.append({range, one[u"kind"].toInt() == kWrite});
  }
  return uses;
}

}  // namespace waferpair::workbench
