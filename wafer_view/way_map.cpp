// SPDX-License-Identifier: GPL-3.0-or-later
#include "wafer_view/way_map.h"

#include <QHelpEvent>
#include <QLocale>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "wafer_view/text_fit.h"

namespace waferpair::view {
namespace {

constexpr double kMargin = 10, kCaption = 16, kBetween = 18;
constexpr double kHead = 7;         // pixels of an arrow's head
constexpr std::size_t kTrail = 24;  // moves that stay in sight behind the token
constexpr double kLeastNamed = 54;  // pixels of a region's width from which on it has its name

QString nameOf(const std::string& name) { return QString::fromStdString(name); }

void drawArrow(QPainter& p, const QPointF& from, const QPointF& to, const QColor& color,
               double width) {
  QPointF along = to - from;
  const double length = std::hypot(along.x(), along.y());
  if (length < 1) return;
  along /= length;
  const QPointF across(-along.y(), along.x());
  // A slight bow, so that ways there and back are two.
  const QPointF middle = (from + to) / 2 + across * std::min(18.0, length / 6);
  QPainterPath path(from);
  path.quadTo(middle, to);
  p.setPen(QPen(color, width, Qt::SolidLine, Qt::RoundCap));
  p.setBrush(Qt::NoBrush);
  p.drawPath(path);
  QPointF end = to - middle;
  end /= std::max(1.0, std::hypot(end.x(), end.y()));
  const QPointF side(-end.y(), end.x());
  p.setBrush(color);
  p.setPen(Qt::NoPen);
  p.drawPolygon(
      QPolygonF({to, to - end * kHead + side * kHead / 2, to - end * kHead - side * kHead / 2}));
}

}  // namespace

std::vector<int> opsAt(const protocol::TokenWay& way, std::int64_t cycle) {
  std::vector<int> found;
  for (std::size_t op = 0; op < way.ops.size(); ++op)
    if (way.ops[op].start <= cycle && cycle < way.ops[op].end)
      found.push_back(static_cast<int>(op));
  return found;
}

int opAt(const protocol::TokenWay& way, std::int64_t cycle) {
  int found = 0;
  for (std::size_t op = 0; op < way.ops.size(); ++op)
    if (way.ops[op].start <= cycle && way.ops[op].end > way.ops[op].start)
      found = static_cast<int>(op);
  return found;
}

WayMap::WayMap(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("wayMap"));
  setAccessibleName(tr("The token on the wafers"));
  setMouseTracking(true);
}

void WayMap::setWay(const protocol::TokenWay& way) {
  way_ = way;
  stays_.clear();
  for (std::size_t op = 0; op < way.ops.size(); ++op) {
    const int region = way.layout.ops[op].region;
    if (stays_.empty() || stays_.back().region != region)
      stays_.push_back({region, way.ops[op].start, way.ops[op].end});
    stays_.back().end = std::max(stays_.back().end, way.ops[op].end);
  }
  setCycle(0);
  update();
}

void WayMap::setCycle(std::int64_t cycle) {
  cycle_ = cycle;
  setAccessibleDescription(text());
  update();
}

QString WayMap::text() const {
  if (way_.ops.empty()) return {};
  const int op = opAt(way_, cycle_);
  const protocol::OpLayout& at = way_.layout.ops[static_cast<std::size_t>(op)];
  const protocol::RegionLayout& region = way_.layout.regions[static_cast<std::size_t>(at.region)];
  const QString cycles = QLocale().toString(static_cast<qlonglong>(cycle_));
  return way_.layout.wafers > 1
             ? tr("Cycle %1: %2 in %3, wafer %4 of %5")
                   .arg(cycles, nameOf(at.name), nameOf(region.name))
                   .arg(region.wafer + 1)
                   .arg(way_.layout.wafers)
             : tr("Cycle %1: %2 in %3").arg(cycles, nameOf(at.name), nameOf(region.name));
}

// Wafers stand side by side, in as many rows as make them largest.
QRectF WayMap::waferRect(int wafer) const {
  const int wafers = std::max(1, way_.layout.wafers);
  const double aspect = static_cast<double>(std::max(1, way_.layout.fabricWidth)) /
                        std::max(1, way_.layout.fabricHeight);
  const QRectF all = QRectF(rect()).adjusted(kMargin, kMargin, -kMargin, -kMargin);
  const double caption = wafers > 1 ? kCaption : 0;
  double best = 0;
  int columns = 1;
  for (int tried = 1; tried <= wafers; ++tried) {
    const int rows = (wafers + tried - 1) / tried;
    const double width = (all.width() - kBetween * (tried - 1)) / tried;
    const double height = (all.height() - kBetween * (rows - 1)) / rows - caption;
    const double scale = std::min(width, height * aspect);
    if (scale <= best) continue;
    best = scale;
    columns = tried;
  }
  const int rows = (wafers + columns - 1) / columns;
  const QSizeF size(best, best / aspect);
  const double usedWidth = columns * size.width() + kBetween * (columns - 1);
  const double usedHeight = rows * (size.height() + caption) + kBetween * (rows - 1);
  const double left = all.center().x() - usedWidth / 2, top = all.center().y() - usedHeight / 2;
  return {left + (wafer % columns) * (size.width() + kBetween),
          top + (wafer / columns) * (size.height() + caption + kBetween) + caption, size.width(),
          size.height()};
}

QRectF WayMap::rectOf(int region) const {
  const protocol::RegionLayout& of = way_.layout.regions[static_cast<std::size_t>(region)];
  const QRectF wafer = waferRect(of.wafer);
  const double sx = wafer.width() / way_.layout.fabricWidth;
  const double sy = wafer.height() / way_.layout.fabricHeight;
  return {wafer.left() + of.rect.x * sx, wafer.top() + of.rect.y * sy,
          std::max(1.5, of.rect.width * sx), std::max(1.5, of.rect.height * sy)};
}

int WayMap::regionAt(const QPointF& at) const {
  for (std::size_t i = 0; i < way_.layout.regions.size(); ++i)
    if (rectOf(static_cast<int>(i)).contains(at)) return static_cast<int>(i);
  return -1;
}

void WayMap::drawMoves(QPainter& p, const WaferColors& theme) const {
  std::size_t last = 0;
  while (last + 1 < stays_.size() && stays_[last + 1].start <= cycle_) ++last;
  // A move under way is told by the op that makes it.
  const auto centerOf = [&](std::size_t stay) { return rectOf(stays_[stay].region).center(); };
  const std::size_t first = last > kTrail ? last - kTrail : 0;
  for (std::size_t i = first; i < last; ++i) {
    QColor color(theme.waferSeries);
    color.setAlphaF(0.25F + 0.5F * static_cast<float>(i - first + 1) / (last - first));
    drawArrow(p, centerOf(i), centerOf(i + 1), color, 1.5);
  }
  if (last + 1 >= stays_.size()) return;
  for (const int op : opsAt(way_, cycle_)) {
    const std::string& name = way_.layout.ops[static_cast<std::size_t>(op)].name;
    const bool moves = name.ends_with("transfer") || name == "token_embd";
    if (moves && way_.layout.ops[static_cast<std::size_t>(op)].region == stays_[last].region)
      drawArrow(p, centerOf(last), centerOf(last + 1), QColor(theme.accent), 3);
  }
}

void WayMap::paintEvent(QPaintEvent*) {
  const WaferColors theme = waferColors(palette());
  QPainter p(this);
  p.fillRect(rect(), QColor(theme.backdrop));
  if (way_.ops.empty()) return;
  p.setRenderHint(QPainter::Antialiasing);
  p.setFont(sizedFont(font(), 11));
  for (int wafer = 0; wafer < way_.layout.wafers; ++wafer) {
    const QRectF frame = waferRect(wafer);
    p.setPen(QPen(QColor(theme.waferRim), 1));
    p.setBrush(QColor(theme.silicon));
    p.drawRect(frame.adjusted(-1, -1, 1, 1));
    if (way_.layout.wafers < 2) continue;
    p.setPen(QColor(theme.dimText));
    drawElided(p, {frame.left(), frame.top() - kCaption, frame.width(), kCaption - 2},
               Qt::AlignLeft | Qt::AlignVCenter, tr("Wafer %1").arg(wafer + 1));
  }
  std::vector<char> busy(way_.layout.regions.size()), passed(way_.layout.regions.size());
  for (const int op : opsAt(way_, cycle_))
    busy[static_cast<std::size_t>(way_.layout.ops[static_cast<std::size_t>(op)].region)] = 1;
  for (const Stay& stay : stays_)
    if (stay.end <= cycle_) passed[static_cast<std::size_t>(stay.region)] = 1;
  for (std::size_t i = 0; i < way_.layout.regions.size(); ++i) {
    const QRectF region = rectOf(static_cast<int>(i));
    const double share = busy[i] ? 0.95 : passed[i] ? 0.42 : 0.12;
    const QRgb fill = heatColor(theme.ground, share);
    p.setPen(QPen(QColor(busy[i] ? theme.accent : theme.outline), busy[i] ? 2 : 1));
    p.setBrush(QColor(fill));
    p.drawRect(region);
    if (region.width() < kLeastNamed || region.height() < kCaption) continue;
    p.setPen(QColor(textOn(fill)));
    drawElided(p, region.adjusted(4, 0, -4, 0), Qt::AlignLeft | Qt::AlignVCenter,
               nameOf(way_.layout.regions[i].name));
  }
  drawMoves(p, theme);
}

void WayMap::mousePressEvent(QMouseEvent* event) {
  const int region = regionAt(event->position());
  for (const Stay& stay : stays_)
    if (stay.region == region) return Q_EMIT cycleWanted(std::max<std::int64_t>(0, stay.start));
}

bool WayMap::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  auto* help = static_cast<QHelpEvent*>(event);
  const int region = regionAt(help->pos());
  if (region < 0) {
    QToolTip::hideText();
    return true;
  }
  const protocol::RegionLayout& of = way_.layout.regions[static_cast<std::size_t>(region)];
  std::int64_t start = 0, end = 0;
  for (const Stay& stay : stays_) {
    if (stay.region != region) continue;
    start = stay.start;
    end = stay.end;
  }
  QToolTip::showText(help->globalPos(),
                     tr("%1, %2 x %3 PEs: cycles %L4 to %L5")
                         .arg(nameOf(of.name))
                         .arg(of.rect.width)
                         .arg(of.rect.height)
                         .arg(start)
                         .arg(end),
                     this);
  return true;
}

}  // namespace waferpair::view
