// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/language/document_links.h"

#include <QJsonArray>

namespace waferpair::workbench {

QVector<DocumentLink> readDocumentLinks(const QJsonValue& answer, const editor::Snapshot& text,
                                        ColumnUnit unit) {
  QVector<DocumentLink> links;
  const QJsonArray list = answer.toArray();
  for (const QJsonValue one : list) {
    if (links.size() == kMostDocumentLinks) break;
    if (!one.isObject()) continue;
    const ByteRange range = byteRangeOf(text, one[u"range"], unit);
    if (range.start < range.end) links.append({range, one[u"target"].toString(), one});
  }
  return links;
}

}  // namespace waferpair::workbench
