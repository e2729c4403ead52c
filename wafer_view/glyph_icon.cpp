// SPDX-License-Identifier: GPL-3.0-or-later
#include "wafer_view/glyph_icon.h"

#include <QIconEngine>
#include <QPainter>
#include <QPainterPath>

namespace waferpair::view {
namespace {

// Paths lie in a square of 16 units.
QPainterPath outline(Glyph glyph) {
  QPainterPath path;
  switch (glyph) {
    case Glyph::kZoomIn:
      path.moveTo(8, 3.5);
      path.lineTo(8, 12.5);
      [[fallthrough]];
    case Glyph::kZoomOut:
      path.moveTo(3.5, 8);
      path.lineTo(12.5, 8);
      break;
    case Glyph::kFitModel:
      path.addRect(5.5, 5.5, 5, 5);
      [[fallthrough]];
    case Glyph::kFit:
      for (const auto& [x, y] : {std::pair{1, 1}, {-1, 1}, {-1, -1}, {1, -1}}) {
        path.moveTo(8 - 5 * x, 8 - 2 * y);
        path.lineTo(8 - 5 * x, 8 - 5 * y);
        path.lineTo(8 - 2 * x, 8 - 5 * y);
      }
      break;
    case Glyph::kWave:
      path.moveTo(1.5, 8);
      path.cubicTo(4, 0.5, 5.5, 0.5, 8, 8);
      path.cubicTo(10.5, 15.5, 12, 15.5, 14.5, 8);
      break;
    case Glyph::kPause:
      path.moveTo(5.5, 4);
      path.lineTo(5.5, 12);
      path.moveTo(10.5, 4);
      path.lineTo(10.5, 12);
      break;
    case Glyph::kResume:
      path.moveTo(5, 3.5);
      path.lineTo(12.5, 8);
      path.lineTo(5, 12.5);
      path.closeSubpath();
      break;
    case Glyph::kStepBack:
      path.moveTo(11.5, 4);
      path.lineTo(6, 8);
      path.lineTo(11.5, 12);
      path.closeSubpath();
      path.moveTo(4, 4);
      path.lineTo(4, 12);
      break;
    case Glyph::kStepForward:
      path.moveTo(4.5, 4);
      path.lineTo(10, 8);
      path.lineTo(4.5, 12);
      path.closeSubpath();
      path.moveTo(12, 4);
      path.lineTo(12, 12);
      break;
    case Glyph::kMore:
      for (const double x : {3.5, 8.0, 12.5}) path.addEllipse(QPointF(x, 8), 0.5, 0.5);
      break;
    case Glyph::kClose:
      path.moveTo(4.5, 4.5);
      path.lineTo(11.5, 11.5);
      path.moveTo(11.5, 4.5);
      path.lineTo(4.5, 11.5);
      break;
  }
  return path;
}

class Engine final : public QIconEngine {
 public:
  Engine(Glyph glyph, const QColor& color, const QColor& disabled)
      : glyph_(glyph), color_(color), disabled_(disabled) {}

  void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->translate(QRectF(rect).center());
    const double scale = std::min(rect.width(), rect.height()) / 16.0;
    painter->scale(scale, scale);
    painter->translate(-8, -8);
    painter->setPen(QPen(mode == QIcon::Disabled ? disabled_ : color_, 1.6, Qt::SolidLine,
                         Qt::RoundCap, Qt::RoundJoin));
    painter->drawPath(outline(glyph_));
    painter->restore();
  }

  QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
    QPixmap pixmap(size);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    paint(&painter, QRect(QPoint(), size), mode, state);
    return pixmap;
  }

  QIconEngine* clone() const override { return new Engine(glyph_, color_, disabled_); }

 private:
  Glyph glyph_;
  QColor color_, disabled_;
};

}  // namespace

QIcon glyphIcon(Glyph glyph, const QColor& color, const QColor& disabled) {
  return QIcon(new Engine(glyph, color, disabled));  // the icon owns its engine
}

}  // namespace waferpair::view
