// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/language/folding_ranges.h"

#include <QJsonArray>
#include <algorithm>

namespace waferpair::workbench {

using editor::FoldRange;

std::optional<std::vector<FoldRange>> readFoldingRanges(const QJsonValue& answer, int lineCount) {
  if (answer.isNull()) return std::vector<FoldRange>();
  if (!answer.isArray()) return std::nullopt;
  const QJsonArray list = answer.toArray();
  std::vector<FoldRange> all;
  for (qsizetype i = 0; i < std::min(list.size(), kMostFoldingRanges); ++i) {
    const QJsonValue one = list[i];
    const int first = one[u"startLine"].toInt(-1);
    const int last = std::min(one[u"endLine"].toInt(-1), lineCount - 1);
    if (first >= 0 && first < last) all.push_back({first, last});
  }
  std::sort(all.begin(), all.end(), [](const FoldRange& a, const FoldRange& b) {
    return a.first != b.first ? a.first < b.first : a.last > b.last;
  });
  std::vector<FoldRange> kept;
  std::vector<FoldRange> around;  // those that the next one may lie in, the innermost last
  for (const FoldRange& one : all) {
    while (!around.empty() && around.back().last < one.first) around.pop_back();
    if (!around.empty() && (one.first == around.back().first || one.last > around.back().last))
      continue;
    around.push_back(one);
    kept.push_back(one);
  }
  return kept;
}

}  // namespace waferpair::workbench
