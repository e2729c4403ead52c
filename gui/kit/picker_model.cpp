// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/kit/picker_model.h"

#include <algorithm>

#include "editor/text/unseen.h"
#include "gui/kit/fuzzy_match.h"
#include "gui/kit/fuzzy_search.h"

namespace waferpair::gui {

QList<PickerRow> rankItems(const QList<PickerItem>& items, const QString& pattern) {
  const FuzzyPattern wanted(pattern);
  struct Ranked {
    qsizetype item;
    FuzzyMatch match;
  };
  QList<Ranked> ranked;
  for (qsizetype i = 0; i < items.size(); ++i) {
    if (auto match = wanted.match(items[i].text)) ranked.append({i, *std::move(match)});
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const Ranked& a, const Ranked& b) { return a.match.score > b.match.score; });
  QList<PickerRow> rows;
  for (const Ranked& one : std::as_const(ranked)) {
    if (rows.size() == FuzzySearch::kMostHits) break;
    rows.append({items[one.item], one.match.positions});
  }
  return rows;
}

void PickerModel::setRows(const QList<PickerRow>& rows) {
  beginResetModel();
  rows_ = rows;
  endResetModel();
}

int PickerModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

QVariant PickerModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rows_.size()) return {};
  const PickerRow& row = rows_[index.row()];
  const PickerItem& item = row.item;
  switch (role) {
    case Qt::DisplayRole:
      return item.text;
    case Qt::AccessibleTextRole:
      return editor::shownForm(item.text, editor::OtherBlanks::kKept);
    case Qt::DecorationRole:
      return item.icon;
    case kDataRole:
      return item.data;
    case kTitleStartRole:
      return item.titleStart;
    case kHintRole:
      return item.hint;
    case kPositionsRole:
      return QVariant::fromValue(row.positions);
    default:
      return {};
  }
}

}  // namespace waferpair::gui
