// SPDX-License-Identifier: GPL-3.0-or-later
#include "wafer_view/region_labels.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>

#include "wafer_view/theme.h"

namespace waferpair::view {

std::optional<RegionLabel> layoutRegionLabel(int region, const QRect& visible, const QString& name,
                                             const QFont& font) {
  constexpr int kNarrowest = 16, kLowest = 14, kNarrow = 70;
  if (name.isEmpty() || visible.width() < kNarrowest || visible.height() < kLowest)
    return std::nullopt;
  const int pad = visible.width() < kNarrow ? 3 : 5;
  RegionLabel label;
  label.region = region;
  label.visible = visible;
  label.font = font;
  label.font.setPixelSize(visible.height() < 22 || visible.width() < kNarrow ? 10 : 11);
  const QFontMetricsF metrics(label.font);
  const double room = visible.width() - 2 * pad;
  QString text = name;
  if (metrics.horizontalAdvance(text) > room) {
    // "layers 12-13" becomes "12-13": the end of a name is what tells neighbors apart.
    text = name.mid(name.lastIndexOf(QLatin1Char(' ')) + 1);
    if (metrics.horizontalAdvance(text) > room) {
      text = metrics.elidedText(text, Qt::ElideRight, room);
      if (text.size() < 4) return std::nullopt;
    }
  }

  const double top = std::min(4.0, (visible.height() - metrics.height()) / 2);
  label.at = QPointF(visible.left() + pad, visible.top() + top);
  // Lines between dies stop at the name, so that they do not strike it through.
  label.ground = QRectF(label.at.x() - 2, label.at.y() + 1, metrics.horizontalAdvance(text) + 4,
                        metrics.height() - 2);
  label.text = QStaticText(text);
  label.text.setTextFormat(Qt::PlainText);
  label.text.prepare(QTransform(), label.font);
  return label;
}

void drawRegionLabel(QPainter& painter, const RegionLabel& label, unsigned fill) {
  painter.fillRect(label.ground, QColor(fill));
  painter.setFont(label.font);
  painter.setPen(QColor(mixed(fill, textOn(fill), 0.86)));
  painter.drawStaticText(label.at, label.text);
}

}  // namespace waferpair::view
