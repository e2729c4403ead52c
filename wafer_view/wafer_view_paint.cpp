// SPDX-License-Identifier: GPL-3.0-or-later
// The painting of the wafer view: its parts on the screen.
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "wafer_view/mini_map.h"
#include "wafer_view/wafer_view_p.h"

namespace waferpair::view {
namespace {

// Qt (qdrawhelper.cpp) gives a picture of 96 rows of the screen and more to threads of its own, and
// waits for them: tens of milliseconds where all cores have work.
constexpr double kMostRowsAtOnce = 95;

}  // namespace

QString WaferView::Private::badge() const {
  QStringList parts{state(), defects
                                 ? defectText(illustrativeDefects(planes.layout(), planes.wafer()))
                                 : QString()};
  parts.removeAll(QString());
  return parts.join(QStringLiteral(" · "));
}

QString WaferView::Private::state() const {
  if (paused) return tr("Paused");
  if (waveOn) return wave.hasStep() ? tr("Slow motion") : tr("Waiting for a token");
  if (fades()) return sinceFrame.isValid() ? tr("Idle, last activity") : tr("Idle");
  return {};
}

// Only strips that are exposed are drawn: the map alone changes with most frames.
void WaferView::Private::paint(QPainter& p, const QRect& exposed) {
  const ViewPlaces at = places();
  const auto shows = [&](const QRect& part) { return !part.isEmpty() && exposed.intersects(part); };
  paintMap(p, exposed);
  if (shows(at.header)) {
    p.fillRect(at.header, QColor(theme.backdrop));
    drawHeader(p, at.header, planes.layout(), badge(), paused, theme, q->font());
  }
  if (shows(at.wafers)) {
    p.fillRect(at.wafers, QColor(theme.backdrop));
    strip().draw(p, theme, colors());
  }
  if (shows(at.readout)) drawReadout(p, at.readout, readout, planes, theme, q->font());
  if (shows(at.legend)) {
    p.fillRect(at.legend, QColor(theme.backdrop));
    drawLegend(p, at.legend,
               waveOn ? waveLegend(wave.windowCycles())
                      : metricLegend(planes.metric(), planes.layout().sramPerPe),
               theme, colors(), q->font());
  }
  if (keyboardFocus && q->hasFocus()) {
    p.setPen(QPen(q->palette().color(QPalette::Link), 2));
    p.setBrush(Qt::NoBrush);
    p.drawRect(q->rect().adjusted(1, 1, -1, -1));
  }
}

void WaferView::Private::paintMap(QPainter& p, const QRect& exposed) {
  const QRect map = mapRect();
  const double ratio = painter.image().devicePixelRatio();
  const QRect part = exposed & map;
  if (part.isEmpty()) return;
  const int band = std::max(1, static_cast<int>(kMostRowsAtOnce / ratio));
  for (int top = part.top(); top <= part.bottom(); top += band) {
    const QRect to = part & QRect(part.left(), top, part.width(), band);
    const QRect in = to.translated(-map.topLeft());
    p.drawImage(to, painter.image(),
                QRectF(QPointF(in.topLeft()) * ratio, QSizeF(in.size()) * ratio));
  }
  p.setClipRect(part);
  if (defects) paintDefects(p);
  paintPointed(p);
  const QRect mini = miniMapRect(map, planes, viewport);
  if (!mini.isEmpty() && mini.intersects(part))
    drawMiniMap(p, mini, planes, viewport, theme, colors());
  p.setClipping(false);
}

// Spare rows as a hatched strip at the lower edge of each die; from each defect a line to them, as
// the cores below it in its column do the work of their upper neighbors.
void WaferView::Private::paintDefects(QPainter& p) {
  constexpr double kDefectRadius = 3;
  const DefectMap map = illustrativeDefects(planes.layout(), planes.wafer());
  if (map.isEmpty()) return;
  const QPointF corner = mapRect().topLeft();
  const QRectF near = QRectF(mapRect()).adjusted(-9, -9, 9, 9);
  const auto place = [&](double x, double y) { return viewport.toPixel({x, y}) + corner; };
  const auto spareRows = [&](const QRect& die) {
    const double height = map.spareShare * die.height();
    const double bottom = die.y() + die.height();
    return QRectF(place(die.x(), bottom - height), place(die.x() + die.width(), bottom));
  };
  p.setPen(Qt::NoPen);
  const protocol::WaferLayout& layout = planes.layout();
  for (int row = 0; row < layout.dieRows; ++row) {
    for (int column = 0; column < layout.dieColumns; ++column)
      p.fillRect(spareRows(planes.dieRect(column, row)) & near,
                 QBrush(QColor(theme.dimText), Qt::BDiagPattern));
  }
  p.setRenderHint(QPainter::Antialiasing);
  for (const QPoint& core : map.defects) {
    const QPoint die = planes.dieAt(core.x(), core.y());
    const QPointF at = place(core.x() + 0.5, core.y() + 0.5);
    const QPointF spare(at.x(), spareRows(planes.dieRect(die.x(), die.y())).top());
    if (!QRectF(at, spare).normalized().adjusted(-9, -9, 9, 9).intersects(near)) continue;
    p.setPen(QPen(QColor(theme.accent), 1, Qt::DotLine));
    if (spare.y() > at.y()) p.drawLine(at, spare);
    p.setPen(QPen(QColor(theme.backdrop), 1));
    p.setBrush(QColor(theme.accent));
    p.drawEllipse(at, kDefectRadius, kDefectRadius);
  }
  p.setRenderHint(QPainter::Antialiasing, false);
}

// The outline of the region (or, drawn large, of the PE) that is read out.
void WaferView::Private::paintPointed(QPainter& p) {
  if (readout.isEmpty()) return;
  const double scale = viewport.scale();
  QRectF outline;
  if (scale >= WaferPainter::kCoreGapScale) {
    const QPointF core = hovering ? viewport.toCore(mouse) : viewport.targetCenter();
    const QPointF corner(std::floor(core.x()), std::floor(core.y()));
    outline = QRectF(viewport.toPixel(corner), viewport.toPixel(corner + QPointF(1, 1)));
  } else if (readout.regionIndex >= 0) {
    const QRectF r = planes.rect(readout.regionIndex);
    outline = QRectF(viewport.toPixel(r.topLeft()), viewport.toPixel(r.bottomRight()));
  } else {
    return;
  }
  p.setPen(QPen(QColor(theme.accent), 1));
  p.setBrush(Qt::NoBrush);
  const QRectF near = QRectF(mapRect()).adjusted(-9, -9, 9, 9);
  p.drawRect(
      (outline.translated(mapRect().topLeft()) & near).toAlignedRect().adjusted(0, 0, -1, -1));
}

void WaferView::Private::paintEmpty(QPainter& p) {
  p.fillRect(q->rect(), QColor(theme.backdrop));
  QFont title = q->font();
  title.setPixelSize(16);
  title.setWeight(QFont::DemiBold);
  const QRect middle = q->rect().adjusted(16, 0, -16, 0);
  const int y = q->height() / 2;
  p.setFont(title);
  p.setPen(QColor(theme.text));
  p.drawText(QRect(middle.left(), y - 30, middle.width(), 24), Qt::AlignCenter,
             tr("No model loaded"));
  QFont small = q->font();
  small.setPixelSize(12);
  p.setFont(small);
  p.setPen(QColor(theme.dimText));
  // A reason may name a path, which has nowhere to break.
  const int wrap = Qt::TextWordWrap | Qt::TextWrapAnywhere;
  p.drawText(QRect(middle.left(), y, middle.width(), q->height() - y),
             Qt::AlignHCenter | Qt::AlignTop | wrap, emptyText);
}

}  // namespace waferpair::view
