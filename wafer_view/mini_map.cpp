// SPDX-License-Identifier: GPL-3.0-or-later
#include "wafer_view/mini_map.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "wafer_view/wafer_painter.h"

namespace waferpair::view {

QRect miniMapRect(const QRect& map, const Planes& planes, const Viewport& viewport) {
  constexpr int kMargin = 10;
  constexpr double kLongest = 66, kZoomedIn = 2.2;
  if (planes.isEmpty() || viewport.scale() < kZoomedIn * viewport.minimumScale()) return {};
  const double scale = kLongest / std::max(planes.width(), planes.height());
  const QSize size(std::max(8, static_cast<int>(std::lround(planes.width() * scale))) + 2,
                   std::max(8, static_cast<int>(std::lround(planes.height() * scale))) + 2);
  // A PE's own figures matter more than where it lies, where both do not fit.
  constexpr int kNarrow = 480;
  if (map.width() < kNarrow && viewport.scale() >= WaferPainter::kCoordinateScale) return {};
  if (map.width() < 3 * size.width() || map.height() < 2 * size.height()) return {};
  return {map.bottomRight() - QPoint(size.width() + kMargin - 1, size.height() + kMargin - 1),
          size};
}

void drawMiniMap(QPainter& p, const QRect& rect, const Planes& planes, const Viewport& viewport,
                 const WaferColors& theme, const LevelColors& colors) {
  const QRectF inner = QRectF(rect).adjusted(1, 1, -1, -1);
  p.fillRect(rect, QColor(theme.panelBorder));
  p.fillRect(inner, QColor(theme.silicon));
  const double sx = inner.width() / planes.width(), sy = inner.height() / planes.height();
  for (int i = 0; i < static_cast<int>(planes.layout().regions.size()); ++i) {
    const QRect& r = planes.rect(i);
    p.fillRect(QRectF(inner.left() + r.x() * sx, inner.top() + r.y() * sy, r.width() * sx,
                      r.height() * sy),
               QColor(colors[planes.regionLevel(i)]));
  }
  const QRectF seen = viewport.visibleCores();
  QRectF frame(inner.left() + seen.left() * sx, inner.top() + seen.top() * sy, seen.width() * sx,
               seen.height() * sy);
  frame &= inner;
  // A few cores are less than a pixel here: the frame stays large enough to be found.
  constexpr double kSmallest = 5;
  if (frame.width() < kSmallest || frame.height() < kSmallest) {
    const QPointF center = frame.center();
    frame.setSize({std::max(frame.width(), kSmallest), std::max(frame.height(), kSmallest)});
    frame.moveCenter(center);
  }
  p.setPen(QPen(QColor(theme.accent), 1));
  p.setBrush(Qt::NoBrush);
  p.drawRect(frame.toAlignedRect().adjusted(0, 0, -1, -1));
}

}  // namespace waferpair::view
