// SPDX-License-Identifier: GPL-3.0-or-later
// Paints a Picker's row: icon, title with the matched letters in the accent color, where it is
// (dimmed), and a hint at the right.
#pragma once

#include <QStyledItemDelegate>

namespace waferpair::gui {

class PickerDelegate : public QStyledItemDelegate {
  Q_OBJECT
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace waferpair::gui
