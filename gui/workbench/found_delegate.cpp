// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/workbench/found_delegate.h"

#include <QAbstractItemView>
#include <QPainter>
#include <QTextLayout>
#include <algorithm>

#include "gui/kit/theme.h"
#include "gui/workbench/found_model.h"

namespace waferpair::gui {
namespace {

constexpr int kFoundPad = 2;
constexpr int kFoundGap = 8;
constexpr int kMatchTint = 90;  // of 255, of the accent color

}  // namespace

QColor foundMatchTint() {
  QColor tint = Theme::instance().colors().accent;
  tint.setAlpha(kMatchTint);
  return tint;
}

QSize FoundDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const {
  const int height = std::max(QFontMetrics(option.font).height(), QFontMetrics(code_).height());
  return {80, height + 2 * kFoundPad};
}

void FoundDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                          const QModelIndex& index) const {
  const WindowColors& colors = Theme::instance().colors();
  const auto* view = qobject_cast<const QAbstractItemView*>(option.widget);
  painter->save();
  painter->setClipRect(option.rect);
  if (option.state.testFlag(QStyle::State_Selected))
    painter->fillRect(option.rect, view && view->hasFocus() ? colors.selection : colors.hover);
  QRect area = option.rect.adjusted(4, 0, -8, 0);
  const QFontMetrics metrics(option.font);
  const auto write = [&](const QString& text, const QColor& color) {
    painter->setPen(color);
    const QString shown = metrics.elidedText(text, Qt::ElideMiddle, area.width());
    painter->drawText(area, Qt::AlignLeft | Qt::AlignVCenter, shown);
    area.setLeft(area.left() + metrics.horizontalAdvance(shown) + kFoundGap);
  };
  painter->setFont(option.font);
  const qint64 line = index.data(FoundModel::kFoundLineRole).toLongLong();
  if (line == 0) {
    const QString count = QString::number(index.data(FoundModel::kFoundCountRole).toLongLong());
    painter->setPen(colors.muted);
    painter->drawText(area, Qt::AlignRight | Qt::AlignVCenter, count);
    area.setRight(area.right() - metrics.horizontalAdvance(count) - kFoundGap);
    write(index.data().toString(), colors.text);
    write(index.data(FoundModel::kFoundFolderRole).toString(), colors.muted);
  } else {
    write(QString::number(line), colors.muted);
    const QString text = index.data(FoundModel::kFoundTextRole).toString().replace(u'\t', u' ');
    const int start = index.data(FoundModel::kFoundStartRole).toInt();
    const int length = index.data(FoundModel::kFoundLengthRole).toInt();
    QTextLayout layout(text, code_);
    QTextLayout::FormatRange match{start, length, {}};
    match.format.setBackground(foundMatchTint());
    layout.setFormats({match});
    layout.beginLayout();
    QTextLine laid = layout.createLine();
    laid.setLineWidth(1e6);
    layout.endLayout();
    painter->setPen(colors.text);
    layout.draw(painter, QPointF(area.left(), area.top() + (area.height() - laid.height()) / 2));
  }
  painter->restore();
}

}  // namespace waferpair::gui
