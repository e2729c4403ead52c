// SPDX-License-Identifier: GPL-3.0-or-later
#include "wafer_view/wave_bar.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "wafer_view/metric.h"

namespace waferpair::view {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("WaferView", text); }

}  // namespace

QString waveSummary(const WaveReplay& wave) {
  if (!wave.hasStep()) return {};
  return tr("1 token = %1 cycles, slowed %2×")
      .arg(countText(wave.totalCycles()), countText(std::llround(wave.slowdown())));
}

QString wavePosition(const WaveReplay& wave, const protocol::WaferLayout& layout) {
  if (!wave.isPlaying()) return tr("waiting for the next token");
  const int op = wave.currentOp();
  const QString name = op < 0 ? QString() : QString::fromStdString(layout.ops[op].name);
  const QString at = tr("cycle %1").arg(countText(wave.cycle()));
  if (name.isEmpty()) return at;
  const QString what = at + QStringLiteral(", ") + name;
  if (layout.wafers < 2) return what;
  return tr("%1, on wafer %2").arg(what).arg(layout.regions[wave.regionOf(op)].wafer + 1);
}

void drawWaveBar(QPainter& p, const QRectF& rect, const WaveReplay& wave,
                 const protocol::WaferLayout& layout, int wafer, const Theme& theme,
                 const QFont& font) {
  constexpr double kPad = 12, kHeight = 9;
  const QRectF inner = rect.adjusted(kPad, 5, -kPad, -3);
  QFont sized = font;
  sized.setPixelSize(11);
  p.setFont(sized);
  const QFontMetricsF metrics(sized);
  p.setPen(QColor(theme.text));
  if (!wave.hasStep()) {
    p.drawText(inner, Qt::AlignLeft | Qt::AlignTop, tr("The wave starts with the next token"));
    return;
  }
  const QString summary = waveSummary(wave);
  p.drawText(QPointF(inner.left(), inner.top() + metrics.ascent()), summary);

  const QString seconds =
      tr("%1 at %2")
          .arg(secondsText(wave.totalCycles() / layout.clockHz), clockText(layout.clockHz));
  if (metrics.horizontalAdvance(summary + seconds) + 20 < inner.width()) {
    p.setPen(QColor(theme.dimText));
    p.drawText(inner, Qt::AlignRight | Qt::AlignTop, seconds);
  }

  // Runs of spans in one region are one block; neighbours take turns in two shades.
  const QRectF bar(inner.left(), inner.bottom() - kHeight - 13, inner.width(), kHeight);
  p.fillRect(bar, QColor(theme.silicon));
  const double perCycle = bar.width() / wave.totalCycles();
  const QRgb shades[] = {mixed(theme.waferSeries, theme.backdrop, 0.35),
                         mixed(theme.waferSeries, theme.backdrop, 0.60)};
  const auto& spans = wave.spans();
  int shade = 0;
  for (std::size_t i = 0; i < spans.size(); shade ^= 1) {
    const int region = wave.regionOf(spans[i].op);
    const double left = bar.left() + spans[i].startCycle * perCycle;
    std::uint32_t endCycle = spans[i].endCycle;
    for (; i < spans.size() && wave.regionOf(spans[i].op) == region; ++i)
      endCycle = std::max(endCycle, spans[i].endCycle);
    const double right = bar.left() + endCycle * perCycle;
    const QRgb colour = layout.regions[region].wafer == wafer
                            ? shades[shade]
                            : mixed(shades[shade], theme.silicon, 0.6);
    p.fillRect(QRectF(left, bar.top(), std::max(1.0, right - left), kHeight), QColor(colour));
  }
  if (wave.isPlaying()) {
    const double x = std::round(bar.left() + wave.cycle() * perCycle);
    p.fillRect(QRectF(x - 1, bar.top() - 3, 2, kHeight + 6), QColor(theme.accent));
  }
  sized.setPixelSize(10);
  p.setFont(sized);
  p.setPen(QColor(theme.dimText));
  p.drawText(
      QRectF(inner.left(), bar.bottom() + 1, inner.width(), 13), Qt::AlignLeft | Qt::AlignBottom,
      QFontMetricsF(sized).elidedText(wavePosition(wave, layout), Qt::ElideRight, inner.width()));
}

}  // namespace waferpair::view
