// SPDX-License-Identifier: GPL-3.0-or-later
#include "wafer_view/pe_tile.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "wafer_view/text_fit.h"
#include "wafer_view/translate.h"
#include "wafer_view/wafer_painter.h"

namespace waferpair::view {
namespace {

using protocol::SramKind;

constexpr int kSmallest = 9;  // pixels of a font that can be read

double lineHeight(const QFont& font) { return std::ceil(QFontMetricsF(font).height()); }

struct Row {
  NamedText text;
  int kind = -1;  // SRAM kind of its swatch, -1 for none
};

NamedText figure(const Planes& planes, int region, Metric metric, const QString& name) {
  const double value = planes.value(region, metric);
  return {name, valueText(metric, value), tickText(metric, value)};
}

// The most important first: the last ones go where there is no room.
std::vector<Row> figures(const Planes& planes, int region, bool everyKind) {
  std::vector<Row> rows;
  for (const Metric metric : {Metric::kUtilization, Metric::kActivity})
    rows.push_back({figure(planes, region, metric, metricName(metric))});
  rows.push_back({figure(planes, region, Metric::kTraffic, tr("Traffic"))});
  if (!everyKind) {
    rows.push_back({figure(planes, region, Metric::kSramUsed, tr("SRAM"))});
    return rows;
  }
  const auto& sram = planes.layout().regions[region].sramPerPe;
  for (int kind = 0; kind < protocol::kSramKinds; ++kind)
    rows.push_back({{sramKindName(static_cast<SramKind>(kind)), bytesText(sram[kind]),
                     tickText(Metric::kSramUsed, sram[kind])},
                    kind});
  return rows;
}

// The value that the color stands for, across the tile or its head.
QString headline(const Planes& planes, int region) {
  if (planes.showsShares()) return shareText(planes.share(region));
  const Metric metric = planes.metric();
  if (metric == Metric::kTraffic) return tickText(metric, planes.value(region, metric));
  if (isSram(metric)) return tickText(metric, planes.value(region, metric));
  return valueText(metric, planes.value(region, metric));
}

// Draws a tile between kTileScale and kCoordinateScale: the value over the SRAM bar.
void drawSmall(QPainter& p, const Planes& planes, int region, double side, QRgb heat,
               const WaferColors& theme, const QFont& font) {
  const double bar = std::round(side * 0.12), pad = std::round(side * 0.09);
  p.fillRect(QRectF(0, 0, side, side), QColor(heat));
  const QString value = headline(planes, region);
  int pixels = std::max(kSmallest, static_cast<int>(std::lround(side * 0.19)));
  const auto width = [&] {
    return QFontMetricsF(sizedFont(font, pixels)).horizontalAdvance(value);
  };
  while (pixels > kSmallest && width() > side - 6) --pixels;
  p.setFont(sizedFont(font, pixels));
  p.setPen(QColor(textOn(heat)));
  drawElided(p, QRectF(3, 0, side - 6, side - bar - pad), Qt::AlignCenter, value);
  const QRectF frame(pad, side - bar - pad, side - 2 * pad, bar);
  p.fillRect(frame.adjusted(-1, -1, 1, 1), QColor(theme.panel));
  drawSramBar(p, frame, planes.layout().regions[region], planes.layout().sramPerPe, theme);
}

// The head of a tile from kCoordinateScale on.
struct Head {
  Head(double side, const QFont& font)
      : pad(std::round(side * 0.055)),
        nameFont(sizedFont(font, std::max(kSmallest, static_cast<int>(std::lround(side * 0.055))))),
        valueFont(sizedFont(font, std::max(10, static_cast<int>(std::lround(side * 0.085))),
                            QFont::DemiBold)),
        name(pad, std::round(pad / 2), side - 2 * pad, lineHeight(nameFont)),
        value(pad, name.bottom(), side - 2 * pad, lineHeight(valueFont)),
        height(value.bottom() + 2) {}

  double pad;
  QFont nameFont, valueFont;
  QRectF name;   // the PE's own, which differs from tile to tile
  QRectF value;  // of the region
  double height;
};

void drawLarge(QPainter& p, const Planes& planes, int region, double side, QRgb heat,
               const WaferColors& theme, const QFont& font) {
  const Head head(side, font);
  const double pad = head.pad;
  p.fillRect(QRectF(0, 0, side, side), QColor(theme.panel));
  p.fillRect(QRectF(0, 0, side, head.height), QColor(heat));
  p.setPen(QColor(mixed(theme.panel, theme.text, 0.16)));
  p.drawRect(QRectF(0.5, 0.5, side - 1, side - 1));

  p.setPen(QColor(textOn(heat)));
  p.setFont(head.valueFont);
  const QString value = headline(planes, region);
  const double valueWidth = QFontMetricsF(head.valueFont).horizontalAdvance(value);
  drawElided(p, head.value, Qt::AlignRight | Qt::AlignVCenter, value);
  const QString name = planes.showsShares() ? tr("Wave") : metricName(planes.metric());
  const double room = head.value.width() - valueWidth - pad;
  if (QFontMetricsF(head.nameFont).horizontalAdvance(name) <= room) {
    p.setFont(head.nameFont);
    p.drawText(head.value, Qt::AlignLeft | Qt::AlignVCenter, name);
  }

  // The tile shows as many rows as can be read.
  const double bar = std::round(side * 0.05);
  const double top = head.height + std::round(pad / 2), bottom = side - std::round(pad / 2);
  const double height = bottom - top - bar - pad;
  const double smallest = lineHeight(sizedFont(font, kSmallest));
  std::vector<Row> rows = figures(planes, region, true);
  if (smallest * static_cast<double>(rows.size()) > height) rows = figures(planes, region, false);
  const auto most = static_cast<std::size_t>(std::max(0.0, height / smallest));
  if (rows.size() > most) rows.resize(most);
  const double line = height / static_cast<double>(std::max<std::size_t>(1, rows.size()));
  const double box = std::round(line * 0.5);
  const auto indentOf = [&](const Row& row) { return row.kind < 0 ? 0 : box * 1.7; };
  const auto fits = [&](const QFont& rowFont) {
    return lineHeight(rowFont) <= line && std::ranges::all_of(rows, [&](const Row& row) {
             const double width = side - 2 * pad - indentOf(row);
             return fitted(row.text, width, rowFont).name == row.text.name;
           });
  };
  int pixels = 13;
  while (pixels > kSmallest && !fits(sizedFont(font, pixels))) --pixels;
  const QFont rowFont = sizedFont(font, pixels);
  double y = top;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i == 3) {
      drawSramBar(p, QRectF(pad, y + std::round(pad / 2), side - 2 * pad, bar),
                  planes.layout().regions[region], planes.layout().sramPerPe, theme);
      y += bar + pad;
    }
    if (rows[i].kind >= 0)
      p.fillRect(QRectF(pad, std::round(y + (line - box) / 2), box, box),
                 QColor(theme.sram[rows[i].kind]));
    const double indent = indentOf(rows[i]);
    drawNamed(p, QRectF(pad + indent, y, side - 2 * pad - indent, line), rows[i].text, rowFont,
              theme.dimText, theme.text);
    y += line;
  }
}

}  // namespace

void drawPeTile(QPainter& painter, const Planes& planes, int region, int side, QRgb heat,
                const WaferColors& theme, const QFont& font) {
  if (side < WaferPainter::kCoordinateScale - 1) {  // the gap takes one of a core's pixels
    drawSmall(painter, planes, region, side, heat, theme, font);
  } else {
    drawLarge(painter, planes, region, side, heat, theme, font);
  }
}

void drawPeName(QPainter& painter, const QPointF& at, int side, int x, int y, QRgb color,
                const QFont& font) {
  const Head head(side, font);
  painter.setFont(head.nameFont);
  painter.setPen(QColor(color));
  drawElided(painter, head.name.translated(at), Qt::AlignLeft | Qt::AlignVCenter,
             tr("PE %1, %2").arg(x).arg(y));
}

QImage peTile(const Planes& planes, int region, int side, double devicePixelRatio,
              const WaferColors& theme, const LevelColors& colors, const QFont& font) {
  const int pixels = std::max(1, static_cast<int>(std::lround(side * devicePixelRatio)));
  QImage tile(pixels, pixels, QImage::Format_RGB32);
  tile.setDevicePixelRatio(devicePixelRatio);
  QPainter painter(&tile);
  painter.setRenderHint(QPainter::TextAntialiasing);
  drawPeTile(painter, planes, region, side, colors[planes.regionLevel(region)], theme, font);
  return tile;
}

void drawSramBar(QPainter& painter, const QRectF& rect, const protocol::RegionLayout& region,
                 std::uint32_t sramPerPe, const WaferColors& theme) {
  painter.fillRect(rect, QColor(theme.sram[static_cast<int>(SramKind::kFree)]));
  if (sramPerPe == 0) return;
  double x = rect.left();
  for (int kind = 0; kind < static_cast<int>(SramKind::kFree); ++kind) {
    const double width = rect.width() * region.sramPerPe[kind] / sramPerPe;
    const double right = std::min(x + width, rect.right());
    painter.fillRect(QRectF(x, rect.top(), right - x, rect.height()), QColor(theme.sram[kind]));
    x = right;
  }
}

QString sramKindName(SramKind kind) {
  switch (kind) {
    case SramKind::kCode:
      return tr("Code");
    case SramKind::kWeights:
      return tr("Weights");
    case SramKind::kKvCache:
      return tr("KV cache");
    case SramKind::kActivations:
      return tr("Activations");
    case SramKind::kFree:
      return tr("Free");
  }
  return {};
}

}  // namespace waferpair::view
