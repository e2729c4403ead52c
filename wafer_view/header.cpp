// SPDX-License-Identifier: GPL-3.0-or-later
#include "wafer_view/header.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>

#include "wafer_view/band_text.h"
#include "wafer_view/metric.h"
#include "wafer_view/text_fit.h"
#include "wafer_view/translate.h"

namespace waferpair::view {
namespace {

QString machineTitle(const protocol::WaferLayout& layout) {
  return tr("%1, emulated").arg(QString::fromStdString(layout.machine));
}

QString profileLine(const protocol::WaferLayout& layout) {
  return tr("kernel profile %1 · %2")
      .arg(QString::fromStdString(layout.profile), clockText(layout.clockHz));
}

}  // namespace

QString machineSummary(const protocol::WaferLayout& layout) {
  const QString summary =
      tr("%1 emulated, kernel profile %2, %3")
          .arg(QString::fromStdString(layout.machine), QString::fromStdString(layout.profile),
               clockText(layout.clockHz));
  return layout.band ? tr("%1; %2").arg(summary, bandText(*layout.band)) : summary;
}

void drawHeader(QPainter& p, const QRectF& rect, const protocol::WaferLayout& layout,
                const QString& badge, bool loud, const WaferColors& theme, const QFont& font) {
  constexpr double kPad = 12, kShortestTitle = 60;
  const bool compact = rect.height() < kHeaderHeight;
  const double top = rect.top() + (compact ? 2 : 4);
  double right = rect.right() - kPad;
  if (!badge.isEmpty()) {
    p.setFont(sizedFont(font, 11, QFont::DemiBold));
    const double most = std::max(0.0, rect.width() - 2 * kPad - kShortestTitle);
    const double width = std::min(QFontMetricsF(p.font()).horizontalAdvance(badge) + 18, most);
    const QRectF pill(right - width, top, width, compact ? 18 : 19);
    p.setRenderHint(QPainter::Antialiasing);
    p.setPen(loud ? Qt::NoPen : QPen(QColor(theme.panelBorder)));
    p.setBrush(QColor(loud ? theme.badge : theme.panel));
    p.drawRoundedRect(pill.adjusted(0.5, 0.5, -0.5, -0.5), 9, 9);
    p.setRenderHint(QPainter::Antialiasing, false);
    p.setPen(QColor(loud ? theme.badgeText : theme.dimText));
    drawElided(p, pill.adjusted(8, 0, -8, 0), Qt::AlignCenter, badge);
    right = pill.left() - 8;
  }
  // Only the title makes room for the badge: profile and clock are to be read at any time.
  const double width = right - rect.left() - kPad, whole = rect.width() - 2 * kPad;
  p.setFont(sizedFont(font, 13, QFont::DemiBold));
  p.setPen(QColor(theme.text));
  drawElided(p, QRectF(rect.left() + kPad, top + 1, width, 17), Qt::AlignLeft | Qt::AlignVCenter,
             machineTitle(layout));
  if (compact) return;
  p.setFont(sizedFont(font, 11));
  p.setPen(QColor(theme.dimText));
  const auto line = [&](double y, const QString& text) {
    drawElided(p, QRectF(rect.left() + kPad, rect.top() + y, whole, 15),
               Qt::AlignLeft | Qt::AlignVCenter, text);
  };
  line(24, profileLine(layout));
  if (layout.band) line(38, bandText(*layout.band));
}

}  // namespace waferpair::view
