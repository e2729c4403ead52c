// SPDX-License-Identifier: GPL-3.0-or-later
// Paints a row of what was found: a file's name, its folder and how many lines; or a line's number
// and its text, the match on a ground of its own.
#pragma once

#include <QColor>
#include <QFont>
#include <QStyledItemDelegate>

namespace waferpair::gui {

// What is laid over a row where the match is, of this theme.
QColor foundMatchTint();

class FoundDelegate : public QStyledItemDelegate {
  Q_OBJECT
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void setCodeFont(const QFont& font) { code_ = font; }

  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

 private:
  QFont code_;
};

}  // namespace waferpair::gui
