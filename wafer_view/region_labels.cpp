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
  const double room = visible.width() - 2 * kPad;
  // "layers 12-13" becomes "12-13": the end of a name is what tells neighbours apart.
  QString text = name;
  if (metrics.horizontalAdvance(text) > room) text = name.mid(name.lastIndexOf(QLatin1Char(' ')) + 1);
  text = metrics.elidedText(text, Qt::ElideRight, room);
  if (text.size() < std::min<qsizetype>(4, name.size())) return;
  // Lines between dies stop at the name, so that they do not strike it through.
  const double width = metrics.horizontalAdvance(text);
  const double top = std::min(4.0, (visible.height() - metrics.height()) / 2);
  painter.fillRect(QRectF(visible.left() + kPad - 2, visible.top() + top + 1, width + 4,
                          metrics.height() - 2), QColor(fill));
  painter.setFont(sized);
  painter.setPen(QColor(mixed(fill, textOn(fill), 0.86)));
  painter.drawText(QPointF(visible.left() + kPad, visible.top() + top + metrics.ascent()), text);
}

}  // namespace waferpair::view
