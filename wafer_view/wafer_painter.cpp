// SPDX-License-Identifier: GPL-3.0-or-later
#include "wafer_view/wafer_painter.h"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstring>
#include <map>

#include "wafer_view/pe_tile.h"

namespace waferpair::view {
namespace {

// Shares of 256 by which gaps and outlines cover what is beneath. Never all of it when a core is
// smaller than the line: a single hot core must be seen at any zoom.
constexpr int kDieGapShare = 190;     // over unused silicon
constexpr int kUsedDieGapShare = 80;  // over a region, which matters more than its dies
constexpr int kCoreGapShare = 256;
constexpr int kOutlineShare = 96;
constexpr int kSmallestOutlined = 12;  // pixels

// Two channels at a time; share is of 256.
QRgb blended(QRgb from, QRgb to, int share) {
  assert(share >= 0 && share <= 256);
  const unsigned keep = 256 - share, add = share;
  const unsigned redBlue = ((from & 0xff00ff) * keep + (to & 0xff00ff) * add) >> 8 & 0xff00ff;
  const unsigned green = ((from & 0x00ff00) * keep + (to & 0x00ff00) * add) >> 8 & 0x00ff00;
  return 0xff000000u | redBlue | green;
}

void mergeMax(Level* into, const Level* row, int count) {
  for (int i = 0; i < count; ++i) into[i] = std::max(into[i], row[i]);
}

}  // namespace

void WaferPainter::setTheme(const WaferColors& theme) {
  theme_ = theme;
  viewChanged_ = true;
}

void WaferPainter::setFont(const QFont& font) {
  font_ = font;
  viewChanged_ = true;
}

void WaferPainter::setIdle(bool idle) {
  if (idle == idle_) return;
  idle_ = idle;
  viewChanged_ = true;
}

void WaferPainter::setView(const Viewport& viewport, double devicePixelRatio) {
  viewport_ = viewport;
  ratio_ = devicePixelRatio;
  viewChanged_ = true;
}

QRect WaferPainter::render(const Planes& planes, const QRect& changed) {
  const bool everything = viewChanged_ || image_.isNull();
  if (everything) {
    const QSize size = (viewport_.size() * ratio_).toSize().expandedTo({1, 1});
    if (image_.size() != size) image_ = QImage(size, QImage::Format_RGB32);
    image_.setDevicePixelRatio(ratio_);
    buildMaps(planes);
    buildSilicon(planes);
    buildLabels(planes);
    drawGround(planes);
    viewChanged_ = false;
  }
  if (planes.isEmpty()) return everything ? QRect(QPoint(), viewport_.size().toSize()) : QRect();

  const QRect fabric(QPoint(columns_.begin, rows_.begin), QPoint(columns_.end - 1, rows_.end - 1));
  // Tiles print figures, which change even where the color stays.
  const bool tiles = viewport_.scale() >= kTileScale;
  const QRect pixels = everything || tiles ? fabric : pixelRect(changed) & fabric;
  if (!pixels.isEmpty()) {
    drawFabric(planes, pixels);
    drawOutlines(planes, pixels);
    drawDetail(planes, pixels);
  }
  if (everything) return {QPoint(), viewport_.size().toSize()};
  if (pixels.isEmpty()) return {};
  return QRectF(QPointF(pixels.topLeft()) / ratio_, QSizeF(pixels.size()) / ratio_).toAlignedRect();
}

QRect WaferPainter::pixelRect(const QRect& cores) const {
  if (cores.isEmpty()) return {};
  // A pixel more on each side: zoomed out, a pixel is shared with the cores next door.
  const int left = columns_.pixelOf(cores.left()) - 1, top = rows_.pixelOf(cores.top()) - 1;
  const int right = columns_.pixelOf(cores.right() + 1) + 1;
  const int bottom = rows_.pixelOf(cores.bottom() + 1) + 1;
  return {left, top, right - left, bottom - top};
}

void WaferPainter::buildMaps(const Planes& planes) {
  const double coresPerPixel = 1 / (viewport_.scale() * ratio_);
  const QPointF origin = viewport_.toCore({0, 0});
  columns_.build(image_.width(), origin.x(), coresPerPixel, planes.width());
  rows_.build(image_.height(), origin.y(), coresPerPixel, planes.height());
  block_ = static_cast<int>(std::bit_floor(std::max(1u, static_cast<unsigned>(coresPerPixel))));
  assert(columns_.begin <= columns_.end && columns_.end <= image_.width());
  assert(rows_.begin <= rows_.end && rows_.end <= image_.height());
  // Clipped pixels at the fabric's edges may cover fewer cores than a block.
  secondSpan_.resize(image_.width());
  for (int x = columns_.begin; x < columns_.end; ++x)
    secondSpan_[x] = std::max(columns_.first[x], columns_.last[x] - block_);

  columnGaps_.clear();
  rowGaps_.assign(image_.height(), GapKind::kNone);
  if (planes.isEmpty()) return;
  const double scale = viewport_.scale();
  const auto addColumn = [this](int pixel, int width, GapKind kind) {
    for (int i = 0; i < width; ++i)
      if (pixel + i >= columns_.begin && pixel + i < columns_.end)
        columnGaps_.push_back({pixel + i, kind});
  };
  const auto addRow = [this](int pixel, int width, GapKind kind) {
    for (int i = 0; i < width; ++i)
      if (pixel + i >= rows_.begin && pixel + i < rows_.end) rowGaps_[pixel + i] = kind;
  };
  if (scale >= kCoreGapScale && columns_.begin < columns_.end && rows_.begin < rows_.end) {
    const int width = std::max(1, static_cast<int>(std::lround(ratio_)));
    for (int x = columns_.first[columns_.begin]; x < columns_.last[columns_.end - 1]; ++x)
      addColumn(columns_.pixelOf(x), width, GapKind::kCore);
    for (int y = rows_.first[rows_.begin]; y < rows_.last[rows_.end - 1]; ++y)
      addRow(rows_.pixelOf(y), width, GapKind::kCore);
  }
  const double logical = scale < 3 ? 1 : scale < kCoreGapScale ? 2 : 4;
  const int width = std::max(1, static_cast<int>(std::lround(logical * ratio_)));
  const GapKind kind = scale < kCoreGapScale ? GapKind::kDie : GapKind::kCore;
  for (int column = 1; column < planes.layout().dieColumns; ++column)
    addColumn(columns_.pixelOf(planes.dieRect(column, 0).left()) - width / 2, width, kind);
  for (int row = 1; row < planes.layout().dieRows; ++row)
    addRow(rows_.pixelOf(planes.dieRect(0, row).top()) - width / 2, width, kind);
}

void WaferPainter::buildSilicon(const Planes& planes) {
  if (planes.isEmpty()) return;
  const auto& layout = planes.layout();
  silicon_.assign(std::size_t(layout.dieRows) * image_.width(), theme_.silicon);
  for (int row = 0; row < layout.dieRows; ++row) {
    std::vector<QRgb> byColumn;
    byColumn.reserve(std::size_t(layout.dieColumns));
    for (int column = 0; column < layout.dieColumns; ++column)
      byColumn.push_back(dieSilicon(theme_, column, row, layout.dieColumns, layout.dieRows));
    QRgb* line = silicon_.data() + std::size_t(row) * image_.width();
    for (int x = columns_.begin; x < columns_.end; ++x)
      line[x] = byColumn[planes.dieAt(columns_.first[x], 0).x()];
  }
  dieRowOf_.resize(planes.height());
  for (int y = 0; y < planes.height(); ++y) dieRowOf_[y] = planes.dieAt(0, y).y();
}

void WaferPainter::buildLabels(const Planes& planes) {
  labels_.clear();
  if (planes.isEmpty() || viewport_.scale() >= kTileScale) return;
  const auto& regions = planes.layout().regions;
  for (int i = 0; i < static_cast<int>(regions.size()); ++i) {
    const QRect& r = planes.rect(i);
    if (r.isEmpty()) continue;
    const int left = columns_.pixelOf(r.x()), right = columns_.pixelOf(r.x() + r.width());
    const int top = rows_.pixelOf(r.y()), bottom = rows_.pixelOf(r.y() + r.height());
    const QRectF visible(QPointF(left, top) / ratio_, QPointF(right, bottom) / ratio_);
    if (auto label =
            layoutRegionLabel(i, visible.toRect(), QString::fromStdString(regions[i].name), font_))
      labels_.push_back(std::move(*label));
  }
}

// Draws the surroundings of the fabric: the backdrop and the rim of the wafer.
void WaferPainter::drawGround(const Planes& planes) {
  image_.fill(theme_.backdrop);
  if (planes.isEmpty()) return;
  const QRectF fabric(viewport_.toPixel({0, 0}),
                      viewport_.toPixel(QPointF(planes.width(), planes.height())));
  if (fabric.contains(QRectF(QPointF(), viewport_.size()))) return;
  constexpr double kRim = 5;
  const QRectF body = fabric.adjusted(-kRim, -kRim, kRim, kRim);
  // A wafer zoomed far in reaches far off the screen: the rasterizer need not follow it there.
  const QRectF near = QRectF(QPointF(), viewport_.size()).adjusted(-40, -40, 40, 40);
  QPainter painter(&image_);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(QColor(theme_.waferRim), 1));
  painter.setBrush(QColor(theme_.waferEdge));
  painter.drawRoundedRect((body & near).adjusted(0.5, 0.5, -0.5, -0.5), kRim + 1, kRim + 1);
}

void WaferPainter::drawFabric(const Planes& planes, const QRect& pixels) {
  // Each of these pixels covers a core: off the fabric the maps have none.
  assert(pixels.left() >= columns_.begin && pixels.right() < columns_.end);
  assert(pixels.top() >= rows_.begin && pixels.bottom() < rows_.end);
  const int left = pixels.left(), right = pixels.right() + 1, count = right - left;
  const int coreLeft = columns_.first[left], coreRight = columns_.last[right - 1];
  const LevelColors& colors = this->colors();
  const bool manyColumns = viewport_.scale() * ratio_ < 1;
  merged_.resize(planes.width());

  int source = -1;  // first core row in the pixel row above, when it can be copied
  for (int y = pixels.top(); y <= pixels.bottom(); ++y) {
    QRgb* out = reinterpret_cast<QRgb*>(image_.scanLine(y));
    const int from = rows_.first[y], to = rows_.last[y];
    assert(from >= 0 && from < to && to <= planes.height());
    if (from == source && to == from + 1) {
      std::memcpy(out + left, image_.constScanLine(y - 1) + std::size_t(left) * sizeof(QRgb),
                  std::size_t(count) * sizeof(QRgb));
    } else {
      const Level* row = planes.row(from);
      if (to > from + 1 || manyColumns) {
        std::memcpy(merged_.data() + coreLeft, row + coreLeft, coreRight - coreLeft);
        for (int r = from + 1; r < to; ++r)
          mergeMax(merged_.data() + coreLeft, planes.row(r) + coreLeft, coreRight - coreLeft);
        for (int span = 1; span < block_; span *= 2)
          mergeMax(merged_.data() + coreLeft, merged_.data() + coreLeft + span,
                   coreRight - coreLeft - span);
        row = merged_.data();
      }
      const QRgb* silicon = silicon_.data() + std::size_t(dieRowOf_[from]) * image_.width();
      const int* first = columns_.first.data();
      if (manyColumns) {
        const int* second = secondSpan_.data();
        for (int x = left; x < right; ++x) {
          const Level level = std::max(row[first[x]], row[second[x]]);
          out[x] = level == kUnusedLevel ? silicon[x] : colors[level];
        }
      } else {
        for (int x = left; x < right; ++x) {
          const Level level = row[first[x]];
          out[x] = level == kUnusedLevel ? silicon[x] : colors[level];
        }
      }
      for (const Gap& gap : columnGaps_)
        if (gap.pixel >= left && gap.pixel < right)
          out[gap.pixel] = inGap(out[gap.pixel], silicon[gap.pixel], gap.kind);
    }
    source = from;
    if (rowGaps_[y] != GapKind::kNone) {
      const QRgb* silicon = silicon_.data() + std::size_t(dieRowOf_[from]) * image_.width();
      for (int x = left; x < right; ++x) out[x] = inGap(out[x], silicon[x], rowGaps_[y]);
      source = -1;
    }
  }
}

QRgb WaferPainter::inGap(QRgb pixel, QRgb silicon, GapKind kind) const {
  if (kind == GapKind::kCore) return blended(pixel, theme_.gap, kCoreGapShare);
  return blended(pixel, theme_.gap, pixel == silicon ? kDieGapShare : kUsedDieGapShare);
}

void WaferPainter::drawOutlines(const Planes& planes, const QRect& pixels) {
  if (viewport_.scale() >= kCoreGapScale) return;  // the gaps between cores say it there
  for (int i = 0; i < static_cast<int>(planes.layout().regions.size()); ++i) {
    const QRect& r = planes.rect(i);
    if (r.isEmpty()) continue;
    const int left = columns_.pixelOf(r.x()), right = columns_.pixelOf(r.x() + r.width());
    const int top = rows_.pixelOf(r.y()), bottom = rows_.pixelOf(r.y() + r.height());
    if (right - left < kSmallestOutlined || bottom - top < kSmallestOutlined) continue;
    const QRect outline(left, top, right - left, bottom - top);
    if (!outline.intersects(pixels)) continue;
    const auto mix = [&](int x, int y) {
      assert(image_.valid(x, y));
      QRgb* pixel = reinterpret_cast<QRgb*>(image_.scanLine(y)) + x;
      *pixel = blended(*pixel, theme_.outline, kOutlineShare);
    };
    const int xa = std::max(left, pixels.left()), xb = std::min(right, pixels.right() + 1);
    const int ya = std::max(top + 1, pixels.top());
    const int yb = std::min(bottom - 1, pixels.bottom() + 1);
    for (const int y : {top, bottom - 1})
      if (y >= pixels.top() && y <= pixels.bottom())
        for (int x = xa; x < xb; ++x) mix(x, y);
    for (const int x : {left, right - 1})
      if (x >= pixels.left() && x <= pixels.right())
        for (int y = ya; y < yb; ++y) mix(x, y);
  }
}

void WaferPainter::drawDetail(const Planes& planes, const QRect& pixels) {
  QPainter painter(&image_);
  painter.setRenderHint(QPainter::TextAntialiasing);
  if (viewport_.scale() >= kTileScale) return drawTiles(planes, painter);

  painter.setClipRect(QRectF(QPointF(pixels.topLeft()) / ratio_, QSizeF(pixels.size()) / ratio_));
  const QRectF changed(QPointF(pixels.topLeft()) / ratio_, QSizeF(pixels.size()) / ratio_);
  for (const RegionLabel& label : labels_)
    if (changed.intersects(label.visible))
      drawRegionLabel(painter, label, colors()[planes.regionLevel(label.region)]);
}

void WaferPainter::drawTiles(const Planes& planes, QPainter& painter) {
  const double gap = 1;  // logical pixel that buildMaps() left between cores
  const int side = static_cast<int>(std::floor(viewport_.scale() - gap));
  std::map<int, QImage> tiles;  // by region; a view this close shows few of them
  for (int y = rows_.first[rows_.begin]; y < rows_.last[rows_.end - 1]; ++y) {
    for (int x = columns_.first[columns_.begin]; x < columns_.last[columns_.end - 1]; ++x) {
      const int region = planes.regionAt(x, y);
      // Tiles begin on whole device pixels, so that copies are exact and text stays sharp.
      const QPointF corner = viewport_.toPixel(QPointF(x, y)) * ratio_;
      const QPointF at =
          QPointF(std::ceil(corner.x()), std::ceil(corner.y())) / ratio_ + QPointF(gap, gap);
      const bool named = viewport_.scale() >= kCoordinateScale;
      if (region < 0) {
        if (named) drawPeName(painter, at, side, x, y, theme_.dimText, font_);
        continue;
      }
      auto [tile, isNew] = tiles.try_emplace(region);
      if (isNew) tile->second = peTile(planes, region, side, ratio_, theme_, colors(), font_);
      painter.drawImage(at, tile->second);
      if (named)
        drawPeName(painter, at, side, x, y, textOn(colors()[planes.regionLevel(region)]), font_);
    }
  }
  // The gaps between dies are wider than those that the tiles leave free.
  for (const Gap& column : columnGaps_)
    painter.fillRect(QRectF(column.pixel / ratio_, rows_.begin / ratio_, 1 / ratio_,
                            (rows_.end - rows_.begin) / ratio_),
                     QColor(theme_.gap));
  for (int y = rows_.begin; y < rows_.end; ++y)
    if (rowGaps_[y] != GapKind::kNone)
      painter.fillRect(QRectF(columns_.begin / ratio_, y / ratio_,
                              (columns_.end - columns_.begin) / ratio_, 1 / ratio_),
                       QColor(theme_.gap));
}

}  // namespace waferpair::view
