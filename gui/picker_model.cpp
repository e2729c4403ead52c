// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/picker_model.h"

#include <algorithm>

#include "gui/fuzzy_match.h"

namespace waferpair::gui {
namespace {

// Nobody scrolls further than this; typing another letter is quicker.
constexpr qsizetype kMostRows = 200;

}  // namespace

void PickerModel::setItems(const QList<PickerItem>& items) {
  items_ = items;
  rank();
}

void PickerModel::setPattern(const QString& pattern) {
  pattern_ = pattern;
  rank();
}

void PickerModel::rank() {
  beginResetModel();
  rows_.clear();
  for (qsizetype i = 0; i < items_.size(); ++i) {
    if (const auto match = fuzzyMatch(pattern_, items_[i].text)) {
      rows_.append({i, match->score, match->positions});
    }
  }
  std::stable_sort(rows_.begin(), rows_.end(),
                   [](const Row& a, const Row& b) { return a.score > b.score; });
  if (rows_.size() > kMostRows) rows_.resize(kMostRows);
  endResetModel();
}

int PickerModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

QVariant PickerModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rows_.size()) return {};
  const Row& row = rows_[index.row()];
  const PickerItem& item = items_[row.item];
  switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
      return item.text;
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
