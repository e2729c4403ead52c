// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/language/selection_ranges.h"

namespace waferpair::workbench {

QVector<ByteRange> readSelectionRanges(const QJsonValue& answer, const editor::Snapshot& text,
                                       ColumnUnit unit) {
  QVector<ByteRange> ranges;
  QJsonValue at = answer[0];
  for (qsizetype i = 0; i < kMostSelectionRanges && at.isObject(); ++i) {
    const ByteRange range = byteRangeOf(text, at[u"range"], unit);
    const bool isLarger = ranges.isEmpty() ? range.start < range.end
                                           : range.start <= ranges.constLast().start &&
                                                 ranges.constLast().end <= range.end &&
                                                 range != ranges.constLast();
    if (isLarger) ranges.append(range);
    const QJsonValue parent = at[u"parent"];
    at = parent;
  }
  return ranges;
}

}  // namespace waferpair::workbench
