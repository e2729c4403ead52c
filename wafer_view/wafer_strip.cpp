// SPDX-License-Identifier: GPL-3.0-or-later
#include "wafer_view/wafer_strip.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

namespace waferpair::view {
namespace {

constexpr double kStripPad = 12, kGap = 6, kMargin = 4;
constexpr double kNarrow = 220;  // pixels: the pictures need them more than words do

QString textOf(int wafer, int wafers) {
  return QCoreApplication::translate("WaferView", "Wafer %1 of %2").arg(wafer + 1).arg(wafers);
}

QString labelOf(int wafer, int wafers, double width) {
  return width < kNarrow ? QStringLiteral("%1/%2").arg(wafer + 1).arg(wafers)
                         : textOf(wafer, wafers);
}

}  // namespace

WaferStrip::WaferStrip(const QRectF& rect, const Planes& planes, const QFont& font)
    : rect_(rect), planes_(planes), font_(font) {
  font_.setPixelSize(11);
  font_.setWeight(QFont::DemiBold);
  // The last one's text is the longest: pictures stay where they are.
  const int wafers = planes.layout().wafers;
  left_ = rect.left() + kStripPad +
          QFontMetricsF(font_).horizontalAdvance(labelOf(wafers - 1, wafers, rect.width())) +
          2 * kGap;
  const double height = rect.height() - 2 * kMargin;
  const double width = height * planes.width() / std::max(1, planes.height());
  step_ = std::max(0.0, std::min(width + kGap, (rect.right() - kStripPad - left_) / wafers));
}

QString WaferStrip::text() const { return textOf(planes_.wafer(), planes_.layout().wafers); }

QRectF WaferStrip::picture(int wafer) const {
  const double gap = std::min(kGap, step_ / 4);
  return {left_ + wafer * step_, rect_.top() + kMargin, std::max(1.0, step_ - gap),
          rect_.height() - 2 * kMargin};
}

int WaferStrip::waferAt(const QPointF& at) const {
  if (!rect_.contains(at) || at.x() < left_ || step_ <= 0) return -1;
  const int wafer = static_cast<int>((at.x() - left_) / step_);
  return wafer < planes_.layout().wafers ? wafer : -1;
}

void WaferStrip::draw(QPainter& p, const WaferColors& theme, const LevelColors& colors) const {
  p.setFont(font_);
  p.setPen(QColor(theme.text));
  p.drawText(rect_.adjusted(kStripPad, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
             labelOf(planes_.wafer(), planes_.layout().wafers, rect_.width()));
  for (int wafer = 0; wafer < planes_.layout().wafers; ++wafer) {
    const QRectF frame = picture(wafer);
    p.fillRect(frame, QColor(wafer == planes_.wafer() ? theme.accent : theme.panelBorder));
    p.fillRect(frame.adjusted(1, 1, -1, -1), QColor(theme.silicon));
    // A second line around the one that the map shows.
    if (wafer == planes_.wafer()) {
      p.setPen(QColor(theme.accent));
      p.setBrush(Qt::NoBrush);
      p.drawRect(frame.adjusted(-1, -1, 0, 0));
    }
  }
  const auto& regions = planes_.layout().regions;
  for (std::size_t i = 0; i < regions.size(); ++i) {
    const QRectF inner = picture(regions[i].wafer).adjusted(1, 1, -1, -1);
    const double sx = inner.width() / planes_.width(), sy = inner.height() / planes_.height();
    const protocol::Rect& r = regions[i].rect;
    p.fillRect(QRectF(inner.left() + r.x * sx, inner.top() + r.y * sy, r.width * sx, r.height * sy),
               QColor(colors[planes_.regionLevel(static_cast<int>(i))]));
  }
}

}  // namespace waferpair::view
