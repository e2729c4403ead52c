// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/kit/strip_text.h"

#include <QPainter>

#include "editor/text/unseen.h"
#include "gui/kit/theme.h"

namespace waferpair::gui {

void StripText::setText(const QString& foreign) {
  const QString text = editor::shownForm(foreign, editor::OtherBlanks::kKept);
  if (text == text_) return;
  text_ = text;
  setAccessibleName(text);
  setToolTip(text);
  updateGeometry();
  update();
}

void StripText::setUpright(bool upright) {
  if (upright == upright_) return;
  upright_ = upright;
  updateGeometry();
  update();
}

QSize StripText::sizeHint() const {
  const QSize flat(fontMetrics().horizontalAdvance(text_) + 2, fontMetrics().height());
  return upright_ ? flat.transposed() : flat;
}

QSize StripText::minimumSizeHint() const {
  const QSize flat(0, fontMetrics().height());
  return upright_ ? flat.transposed() : flat;
}

void StripText::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  QSize area = size();
  if (upright_) {
    painter.translate(width(), 0);
    painter.rotate(90);
    area.transpose();
  }
  painter.setPen(Theme::instance().colors().muted);
  painter.drawText(QRect(QPoint(), area), Qt::AlignLeft | Qt::AlignVCenter,
                   fontMetrics().elidedText(text_, Qt::ElideRight, area.width()));
}

}  // namespace waferpair::gui
