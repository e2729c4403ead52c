// SPDX-License-Identifier: GPL-3.0-or-later
#include "wafer_view/legend.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

namespace waferpair::view {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("WaferView", text); }

QFont sized(QFont font, int pixels, QFont::Weight weight = QFont::Normal) {
  font.setPixelSize(pixels);
  font.setWeight(weight);
  return font;
}

void drawRamp(QPainter& p, const QRectF& ramp, const LevelColours& colours) {
  QImage line(254, 1, QImage::Format_RGB32);
  for (int i = 0; i < 254; ++i) line.setPixel(i, 0, colours[2 + i]);
  p.drawImage(ramp, line);
}

// Texts under the ramp; one that would run into its left neighbour is left out.
void drawTicks(QPainter& p, const QRectF& ramp, const QRectF& bounds, const Legend& legend,
               const Theme& theme) {
  const QFontMetricsF metrics(p.font());
  double free = bounds.left();
  for (const auto& [position, text] : legend.ticks) {
    const double x = std::round(ramp.left() + position * (ramp.width() - 1));
    const double width = metrics.horizontalAdvance(text);
    const double left = std::clamp(x - width / 2, bounds.left(), bounds.right() - width);
    if (left < free) continue;
    free = left + width + 6;
    p.fillRect(QRectF(x, ramp.bottom(), 1, 3), QColor(theme.dimText));
    p.drawText(QPointF(std::round(left), ramp.bottom() + 4 + metrics.ascent()), text);
  }
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

void drawLegend(QPainter& p, const QRectF& rect, const Legend& legend, const Theme& theme,
                const LevelColours& colours, const QFont& font) {
  constexpr double kPad = 12, kSwatch = 10, kRampHeight = 8, kWidestRamp = 460;
  const QRectF inner = rect.adjusted(kPad, 6, -kPad, -4);
  const QRectF line(inner.left(), inner.top(), inner.width(), 15);

  // Swatches from the right: unused silicon, and a region whose value is zero.
  p.setFont(sized(font, 11));
  const QFontMetricsF metrics(p.font());
  double right = line.right();
  const auto swatch = [&](const QString& text, QRgb colour) {
    right -= metrics.horizontalAdvance(text);
    p.setPen(QColor(theme.dimText));
    p.drawText(QPointF(right, line.top() + metrics.ascent()), text);
    right -= kSwatch + 5;
    const QRectF box(right, line.top() + 2, kSwatch, kSwatch);
    p.fillRect(box, QColor(theme.panelBorder));
    p.fillRect(box.adjusted(1, 1, -1, -1), QColor(colour));
    right -= 10;
  };
  swatch(tr("unused"), colours[kUnusedLevel]);
  swatch(tr("0"), colours[kZeroLevel]);

  const QFont bold = sized(font, 11, QFont::DemiBold);
  const QFontMetricsF boldMetrics(bold);
  p.setFont(bold);
  p.setPen(QColor(theme.text));
  p.drawText(QPointF(line.left(), line.top() + metrics.ascent()), legend.title);
  const double unitLeft = line.left() + boldMetrics.horizontalAdvance(legend.title) + 8;
  p.setFont(sized(font, 11));
  p.setPen(QColor(theme.dimText));
  p.drawText(QPointF(unitLeft, line.top() + metrics.ascent()),
             metrics.elidedText(legend.unit, Qt::ElideRight, std::max(0.0, right - unitLeft)));

  const QRectF ramp(inner.left(), line.bottom() + 3, std::min(inner.width(), kWidestRamp),
                    kRampHeight);
  drawRamp(p, ramp, colours);
  p.setFont(sized(font, 10));
  p.setPen(QColor(theme.dimText));
  drawTicks(p, ramp, QRectF(ramp.left(), ramp.top(), ramp.width(), ramp.height()), legend, theme);
}

}  // namespace waferpair::view
