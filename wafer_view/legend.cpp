// SPDX-License-Identifier: GPL-3.0-or-later
#include "wafer_view/legend.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "wafer_view/text_fit.h"
#include "wafer_view/translate.h"

namespace waferpair::view {
namespace {

void drawRamp(QPainter& p, const QRectF& ramp, const LevelColors& colors) {
  QImage line(254, 1, QImage::Format_RGB32);
  for (int i = 0; i < 254; ++i) line.setPixel(i, 0, colors[2 + i]);
  p.drawImage(ramp, line);
}

// Texts under the ramp; one that would run into its left neighbor is left out.
void drawTicks(QPainter& p, const QRectF& ramp, const QRectF& bounds, const Legend& legend,
               const WaferColors& theme) {
  const QFontMetricsF metrics(p.font());
  double free = bounds.left();
  for (const auto& [position, text] : legend.ticks) {
    const double x = std::round(ramp.left() + position * (ramp.width() - 1));
    const double width = metrics.horizontalAdvance(text);
    if (width > bounds.width()) continue;
    const double left = std::clamp(x - width / 2, bounds.left(), bounds.right() - width);
    if (left < free) continue;
    free = left + width + 6;
    p.fillRect(QRectF(x, ramp.bottom(), 1, 3), QColor(theme.dimText));
    p.drawText(QPointF(std::round(left), ramp.bottom() + 4 + metrics.ascent()), text);
  }
}

// Title, and the ramp between the values at its ends.
void drawCompact(QPainter& p, const QRectF& rect, const Legend& legend, const WaferColors& theme,
                 const LevelColors& colors, const QFont& font) {
  constexpr double kPad = 12, kGap = 6, kRampHeight = 8, kWidestRamp = 300, kShortestRamp = 24;
  if (legend.ticks.empty()) return;
  const QRectF inner = rect.adjusted(kPad, 0, -kPad, 0);
  const QFont small = sizedFont(font, 10);
  const QFontMetricsF metrics(small);
  const QString low = legend.ticks.front().second, high = legend.ticks.back().second;
  const double ends = metrics.horizontalAdvance(low) + metrics.horizontalAdvance(high) + 2 * kGap;
  p.setFont(sizedFont(font, 11, QFont::DemiBold));
  p.setPen(QColor(theme.text));
  double left = inner.left();
  const double title = QFontMetricsF(p.font()).horizontalAdvance(legend.title) + 10;
  // The metric's name is in the tool bar as well.
  if (title + ends + kShortestRamp <= inner.width()) {
    p.drawText(inner, Qt::AlignLeft | Qt::AlignVCenter, legend.title);
    left += title;
  }
  p.setFont(small);
  p.setPen(QColor(theme.dimText));
  p.drawText(QRectF(left, inner.top(), inner.right() - left, inner.height()),
             Qt::AlignLeft | Qt::AlignVCenter, low);
  left += metrics.horizontalAdvance(low) + kGap;
  const double right =
      std::min(inner.right() - metrics.horizontalAdvance(high) - kGap, left + kWidestRamp);
  drawRamp(
      p,
      QRectF(left, inner.center().y() - kRampHeight / 2, std::max(0.0, right - left), kRampHeight),
      colors);
  p.drawText(QRectF(right + kGap, inner.top(), inner.right() - right - kGap, inner.height()),
             Qt::AlignLeft | Qt::AlignVCenter, high);
}

}  // namespace

Legend metricLegend(Metric metric, std::uint32_t sramPerPe) {
  Legend legend{metricName(metric), metricUnit(metric), {}};
  const Scale scale = metricScale(metric, sramPerPe);
  for (const double tick : metricTicks(metric, sramPerPe))
    legend.ticks.emplace_back(scale.position(tick), tickText(metric, tick));
  return legend;
}

Legend waveLegend(std::uint32_t windowCycles) {
  Legend legend{tr("Wave"),
                tr("share of the last %1 cycles with an op running").arg(countText(windowCycles)),
                {}};
  for (const double tick : {0.0, 0.25, 0.5, 0.75, 1.0})
    legend.ticks.emplace_back(tick, tickText(Metric::kActivity, tick));
  return legend;
}

void drawLegend(QPainter& p, const QRectF& rect, const Legend& legend, const WaferColors& theme,
                const LevelColors& colors, const QFont& font) {
  constexpr double kPad = 12, kSwatch = 10, kRampHeight = 8, kWidestRamp = 460;
  if (rect.height() < kLegendHeight) return drawCompact(p, rect, legend, theme, colors, font);
  const QRectF inner = rect.adjusted(kPad, 6, -kPad, -4);
  const QRectF line(inner.left(), inner.top(), inner.width(), 15);
  const QFont bold = sizedFont(font, 11, QFont::DemiBold), normal = sizedFont(font, 11);
  const QFontMetricsF metrics(normal);
  const double title = QFontMetricsF(bold).horizontalAdvance(legend.title);

  // Swatches from the right, where the title leaves room: unused silicon, and a region whose value
  // is zero.
  p.setFont(normal);
  double right = line.right();
  const auto swatch = [&](const QString& text, QRgb color) {
    const double width = metrics.horizontalAdvance(text) + kSwatch + 5;
    if (right - width < line.left() + title + 10) return;
    right -= width;
    p.setPen(QColor(theme.dimText));
    p.drawText(QPointF(right + kSwatch + 5, line.top() + metrics.ascent()), text);
    const QRectF box(right, line.top() + 2, kSwatch, kSwatch);
    p.fillRect(box, QColor(theme.panelBorder));
    p.fillRect(box.adjusted(1, 1, -1, -1), QColor(color));
    right -= 10;
  };
  swatch(tr("unused"), colors[kUnusedLevel]);
  swatch(tr("0"), colors[kZeroLevel]);

  p.setFont(bold);
  p.setPen(QColor(theme.text));
  drawElided(p, QRectF(line.left(), line.top(), right - line.left(), metrics.height()),
             Qt::AlignLeft | Qt::AlignTop, legend.title);
  p.setFont(normal);
  p.setPen(QColor(theme.dimText));
  const QRectF unit(line.left() + title + 8, line.top(), right - line.left() - title - 8,
                    metrics.height());
  if (unit.width() > 30) drawElided(p, unit, Qt::AlignLeft | Qt::AlignTop, legend.unit);

  const QRectF ramp(inner.left(), line.bottom() + 3, std::min(inner.width(), kWidestRamp),
                    kRampHeight);
  drawRamp(p, ramp, colors);
  p.setFont(sizedFont(font, 10));
  p.setPen(QColor(theme.dimText));
  drawTicks(p, ramp, QRectF(ramp.left(), ramp.top(), ramp.width(), ramp.height()), legend, theme);
}

}  // namespace waferpair::view
