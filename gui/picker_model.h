// SPDX-License-Identifier: GPL-3.0-or-later
// The rows of a Picker: its items, filtered and ranked by what was typed.
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

class PickerModel : public QAbstractListModel {
  Q_OBJECT
 public:
  enum Role { kDataRole = Qt::UserRole, kTitleStartRole, kHintRole, kPositionsRole };

  using QAbstractListModel::QAbstractListModel;

  void setItems(const QList<PickerItem>& items);
  // Without a pattern all items stay in their order; with one the best matches come first.
  void setPattern(const QString& pattern);

  int rowCount(const QModelIndex& parent = {}) const override;
  // Qt::DisplayRole is the whole text, kPositionsRole a QList<int> of matched letters in it.
  QVariant data(const QModelIndex& index, int role) const override;

 private:
  struct Row {
    qsizetype item;
    int score;
    QList<int> positions;
  };
  void rank();

  QList<PickerItem> items_;
  QList<Row> rows_;
  QString pattern_;
};

}  // namespace waferpair::gui
