// SPDX-License-Identifier: GPL-3.0-or-later
#include "wafer_view/region_labels.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>

#include "wafer_view/theme.h"

namespace waferpair::view {

void drawRegionLabel(QPainter& painter, const QRect& visible, const QString& name,
                     const QFont& font, unsigned fill) {
  constexpr int kPad = 5, kNarrowest = 34, kLowest = 15;
  if (visible.width() < kNarrowest || visible.height() < kLowest) return;
  QFont sized = font;
  sized.setPixelSize(visible.height() < 22 || visible.width() < 70 ? 10 : 11);
  const QFontMetricsF metrics(sized);
  const QString text = metrics.elidedText(name, Qt::ElideRight, visible.width() - 2 * kPad);
  if (text.size() < std::min<qsizetype>(4, name.size())) return;
  painter.setFont(sized);
  painter.setPen(QColor(mixed(fill, textOn(fill), 0.86)));
  const double top = std::min(4.0, (visible.height() - metrics.height()) / 2);
  painter.drawText(QPointF(visible.left() + kPad, visible.top() + top + metrics.ascent()), text);
}

}  // namespace waferpair::view
