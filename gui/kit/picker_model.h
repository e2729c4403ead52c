// SPDX-License-Identifier: GPL-3.0-or-later
// The rows of a Picker, in the order in which they are shown.
#pragma once

#include <QAbstractListModel>
#include <QIcon>
#include <QList>
#include <QString>
#include <QVariant>

namespace waferpair::gui {

struct PickerItem {
  QString text;        // what is matched
  int titleStart = 0;  // text from here on is the title; what precedes it is shown dimmed, behind
  QString hint = {};   // at the right: a shortcut, "current"
  QIcon icon = {};
  QVariant data = {};  // handed to the callback
};

struct PickerRow {
  PickerItem item;
  QList<int> positions = {};  // of the matched letters in its text
};

// Returns the items that match, the best first; without a pattern all, in their order. At most as
// many as anybody scrolls through. This is for lists that are searched between two keys; see
// fuzzy_search.h for longer ones.
QList<PickerRow> rankItems(const QList<PickerItem>& items, const QString& pattern);

class PickerModel : public QAbstractListModel {
  Q_OBJECT
 public:
  enum Role { kDataRole = Qt::UserRole, kTitleStartRole, kHintRole, kPositionsRole };

  using QAbstractListModel::QAbstractListModel;

  void setRows(const QList<PickerRow>& rows);

  int rowCount(const QModelIndex& parent = {}) const override;
  // Qt::DisplayRole is the whole text, kPositionsRole a QList<int> of matched letters in it.
  QVariant data(const QModelIndex& index, int role) const override;

 private:
  QList<PickerRow> rows_;
};

}  // namespace waferpair::gui
