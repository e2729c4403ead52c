// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/project/marked_delegate.h"

#include <QApplication>
#include <QPainter>

namespace waferpair::gui {
namespace {

constexpr int kMarkMargin = 8;  // pixels on either side of the letter

}  // namespace

MarkedDelegate::MarkedDelegate(int markRole, QObject* parent)
    : ShownDelegate(parent), markRole_(markRole) {}

void MarkedDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                           const QModelIndex& index) const {
  const QString mark = index.data(markRole_).toString();
  if (mark.isEmpty()) return ShownDelegate::paint(painter, option, index);
  QStyleOptionViewItem row = option;
  initStyleOption(&row, index);
  const QStyle* style = row.widget ? row.widget->style() : QApplication::style();
  const int width = row.fontMetrics.horizontalAdvance(mark) + 2 * kMarkMargin;
  const int room =
      style->subElementRect(QStyle::SE_ItemViewItemText, &row, row.widget).width() - width;
  row.text = row.fontMetrics.elidedText(row.text, row.textElideMode, room);
  style->drawControl(QStyle::CE_ItemViewItem, &row, painter, row.widget);
  painter->save();
  painter->setFont(row.font);
  painter->setPen(index.data(Qt::ForegroundRole).value<QColor>());
  painter->drawText(row.rect.adjusted(0, 0, -kMarkMargin, 0), Qt::AlignRight | Qt::AlignVCenter,
                    mark);
  painter->restore();
}

}  // namespace waferpair::gui
