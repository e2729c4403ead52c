// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/kit/wrap_layout.h"

#include <QWidget>
#include <algorithm>

namespace waferpair::gui {

WrapLayout::~WrapLayout() { qDeleteAll(items_); }

QLayoutItem* WrapLayout::takeAt(int index) {
  return index >= 0 && index < items_.size() ? items_.takeAt(index) : nullptr;
}

int WrapLayout::heightForWidth(int width) const { return arrange({0, 0, width, 0}, false); }

QSize WrapLayout::sizeHint() const {
  QSize size(0, 0);
  for (const QLayoutItem* item : items_) {
    if (item->isEmpty()) continue;  // hidden
    const QSize wanted = item->sizeHint();
    size.setWidth(size.width() + wanted.width() + (size.width() > 0 ? spacing() : 0));
    size.setHeight(std::max(size.height(), wanted.height()));
  }
  return size;
}

QSize WrapLayout::minimumSize() const {
  QSize size;
  for (const QLayoutItem* item : items_)
    if (!item->isEmpty()) size = size.expandedTo(item->minimumSize());
  return size;
}

void WrapLayout::setGeometry(const QRect& rectangle) {
  QLayout::setGeometry(rectangle);
  QRect rows = rectangle;
  if (alignment().testFlag(Qt::AlignVCenter)) {
    const int spare = rectangle.height() - arrange(rectangle, false);
    rows.setTop(rectangle.top() + std::max(0, spare / 2));
  }
  arrange(rows, true);
}

int WrapLayout::arrange(const QRect& rectangle, bool moves) const {
  int top = rectangle.top();
  bool isFirst = true;
  for (qsizetype from = 0; from < items_.size();) {
    int width = 0, height = 0;
    qsizetype to = from;
    for (; to < items_.size(); ++to) {
      if (items_[to]->isEmpty()) continue;
      const QSize wanted = items_[to]->sizeHint();
      const int with = width + (width > 0 ? spacing() : 0) + wanted.width();
      if (width > 0 && with > rectangle.width()) break;
      width = with;
      height = std::max(height, wanted.height());
    }
    if (height > 0) {
      if (!isFirst) top += spacing();
      isFirst = false;
    }
    const int spare = std::max(0, rectangle.width() - width);
    int left = rectangle.left() + (alignment().testFlag(Qt::AlignLeft) ? 0 : spare);
    for (; from < to; ++from) {
      if (items_[from]->isEmpty()) continue;
      QSize size = items_[from]->sizeHint();
      size.setWidth(std::min(size.width(), rectangle.width()));
      if (moves) items_[from]->setGeometry({QPoint(left, top), QSize(size.width(), height)});
      left += size.width() + spacing();
    }
    top += height;
  }
  return top - rectangle.top();
}

}  // namespace waferpair::gui
