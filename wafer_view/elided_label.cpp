// SPDX-License-Identifier: GPL-3.0-or-later
#include "wafer_view/elided_label.h"

#include <QPainter>
#include <QStyle>

namespace waferpair::view {

ElidedLabel::ElidedLabel(const QString& text, QWidget* parent) : QLabel(text, parent) {
  setTextFormat(Qt::PlainText);
}

QSize ElidedLabel::minimumSizeHint() const {
  return {fontMetrics().horizontalAdvance(QStringLiteral("…")), QLabel::minimumSizeHint().height()};
}

void ElidedLabel::paintEvent(QPaintEvent*) {
  QPainter p(this);
  const QRect inner = contentsRect();
  const QString shown = fontMetrics().elidedText(text(), Qt::ElideRight, inner.width());
  style()->drawItemText(&p, inner, static_cast<int>(alignment()) | Qt::TextSingleLine, palette(),
                        isEnabled(), shown, foregroundRole());
}

}  // namespace waferpair::view
