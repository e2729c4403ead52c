// SPDX-License-Identifier: GPL-3.0-or-later
#include "wafer_view/pe_tile.h"

#include <QCoreApplication>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "wafer_view/wafer_painter.h"

namespace waferpair::view {
namespace {

using protocol::SramKind;

QString tr(const char* text) { return QCoreApplication::translate("WaferView", text); }

QFont sized(QFont font, double pixels) {
  font.setPixelSize(std::max(8, static_cast<int>(std::lround(pixels))));
  return font;
}

struct Row {
  QString name, value;
  int kind = -1;  // SRAM kind of its swatch, -1 for none
};

std::vector<Row> figures(const Planes& planes, int region, bool everyKind) {
  std::vector<Row> rows;
  for (const Metric metric : {Metric::kUtilization, Metric::kActivity})
    rows.push_back({metricName(metric), valueText(metric, planes.value(region, metric))});
  rows.push_back(
      {tr("Traffic"), valueText(Metric::kTraffic, planes.value(region, Metric::kTraffic))});
  if (!everyKind) {
    rows.push_back(
        {tr("SRAM"), valueText(Metric::kSramUsed, planes.value(region, Metric::kSramUsed))});
    return rows;
  }
  const auto& sram = planes.layout().regions[region].sramPerPe;
  for (int kind = 0; kind < protocol::kSramKinds; ++kind)
    rows.push_back({sramKindName(static_cast<SramKind>(kind)), bytesText(sram[kind]), kind});
  return rows;
}

// The value that the colour stands for, across the tile or its head.
QString headline(const Planes& planes, int region) {
  if (planes.showsShares()) return shareText(planes.share(region));
  const Metric metric = planes.metric();
  if (metric == Metric::kTraffic) return tickText(metric, planes.value(region, metric));
  if (isSram(metric)) return tickText(metric, planes.value(region, metric));
  return valueText(metric, planes.value(region, metric));
}

// Between kTileScale and kCoordinateScale: the value over the SRAM bar.
void drawSmall(QPainter& p, const Planes& planes, int region, double side, QRgb heat,
               const Theme& theme, const QFont& font) {
  const double bar = std::round(side * 0.12), pad = std::round(side * 0.09);
  p.fillRect(QRectF(0, 0, side, side), QColor(heat));
  p.setFont(sized(font, side * 0.19));
  p.setPen(QColor(textOn(heat)));
  p.drawText(QRectF(0, 0, side, side - bar - pad), Qt::AlignCenter, headline(planes, region));
  const QRectF frame(pad, side - bar - pad, side - 2 * pad, bar);
  p.fillRect(frame.adjusted(-1, -1, 1, 1), QColor(theme.panel));
  drawSramBar(p, frame, planes.layout().regions[region], planes.layout().sramPerPe, theme);
}

void drawLarge(QPainter& p, const Planes& planes, int region, double side, QRgb heat,
               const Theme& theme, const QFont& font) {
  const bool everyKind = side >= 230;
  const double pad = std::round(side * 0.055), head = std::round(side * 0.24);
  p.fillRect(QRectF(0, 0, side, side), QColor(theme.panel));
  p.fillRect(QRectF(0, 0, side, head), QColor(heat));

  p.setPen(QColor(mixed(theme.panel, theme.text, 0.16)));
  p.drawRect(QRectF(0.5, 0.5, side - 1, side - 1));

  QFont bold = sized(font, side * 0.085);
  bold.setWeight(QFont::DemiBold);
  p.setFont(bold);
  p.setPen(QColor(textOn(heat)));
  // The upper part of the head stays free for the coordinates, which differ from PE to PE.
  const QRectF value(pad, 0, side - 2 * pad, head - pad / 2);
  p.drawText(value, Qt::AlignRight | Qt::AlignBottom, headline(planes, region));
  if (side >= 180) {
    p.setFont(sized(font, side * 0.05));
    p.drawText(value, Qt::AlignLeft | Qt::AlignBottom,
               planes.showsShares() ? tr("Wave") : metricName(planes.metric()));
  }

  const std::vector<Row> rows = figures(planes, region, everyKind);
  const double bar = std::round(side * 0.05);
  const double top = head + pad, bottom = side - pad;
  const double line = (bottom - top - bar - pad) / static_cast<double>(rows.size());
  p.setFont(sized(font, std::min(13.0, line * 0.72)));
  double y = top;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i == 3) {
      drawSramBar(p, QRectF(pad, y + pad * 0.4, side - 2 * pad, bar),
                  planes.layout().regions[region], planes.layout().sramPerPe, theme);
      y += bar + pad;
    }
    const QRectF at(pad, y, side - 2 * pad, line);
    double indent = 0;
    if (rows[i].kind >= 0) {
      const double box = std::round(line * 0.5);
      p.fillRect(QRectF(pad, std::round(y + (line - box) / 2), box, box),
                 QColor(theme.sram[rows[i].kind]));
      indent = box * 1.7;
    }
    p.setPen(QColor(theme.dimText));
    p.drawText(at.adjusted(indent, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, rows[i].name);
    p.setPen(QColor(theme.text));
    p.drawText(at, Qt::AlignRight | Qt::AlignVCenter, rows[i].value);
    y += line;
  }
}

}  // namespace

QImage peTile(const Planes& planes, int region, int side, double devicePixelRatio,
              const Theme& theme, const LevelColours& colours, const QFont& font) {
  const int pixels = std::max(1, static_cast<int>(std::lround(side * devicePixelRatio)));
  QImage tile(pixels, pixels, QImage::Format_RGB32);
  tile.setDevicePixelRatio(devicePixelRatio);
  QPainter painter(&tile);
  painter.setRenderHint(QPainter::TextAntialiasing);
  const QRgb heat = colours[planes.regionLevel(region)];
  if (side < WaferPainter::kCoordinateScale) {
    drawSmall(painter, planes, region, side, heat, theme, font);
  } else {
    drawLarge(painter, planes, region, side, heat, theme, font);
  }
  return tile;
}

void drawSramBar(QPainter& painter, const QRectF& rect, const protocol::RegionLayout& region,
                 std::uint32_t sramPerPe, const Theme& theme) {
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
