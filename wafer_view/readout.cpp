// SPDX-License-Identifier: GPL-3.0-or-later
#include "wafer_view/readout.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <QStringList>
#include <algorithm>
#include <cmath>

#include "wafer_view/pe_tile.h"

namespace waferpair::view {
namespace {

constexpr double kPad = 10, kLine = 16, kBar = 8, kWidth = 236;

QString tr(const char* text) { return QCoreApplication::translate("WaferView", text); }

QString opSummary(const std::vector<QString>& ops) {
  if (ops.size() > 2) return tr("%1 and %2 more").arg(ops.front(), countText(ops.size() - 1));
  return QStringList(ops.begin(), ops.end()).join(QStringLiteral(", "));
}

QFont sized(QFont font, int pixels, QFont::Weight weight = QFont::Normal) {
  font.setPixelSize(pixels);
  font.setWeight(weight);
  return font;
}

}  // namespace

QString Readout::text() const {
  if (isEmpty()) return {};
  QStringList lines{title + QStringLiteral(", ") + place, tr("Region: %1").arg(region)};
  if (!ops.isEmpty()) lines << tr("Ops: %1").arg(ops);
  for (const auto& [name, value] : figures) lines << name + QStringLiteral(": ") + value;
  for (const auto& [name, value] : sram) lines << tr("SRAM %1: %2").arg(name.toLower(), value);
  if (!basis.isEmpty()) lines << basis;
  return lines.join(QLatin1Char('\n'));
}

Readout readoutAt(const Planes& planes, int x, int y) {
  if (x < 0 || y < 0 || x >= planes.width() || y >= planes.height()) return {};
  Readout readout;
  const QPoint die = planes.dieAt(x, y);
  readout.title = tr("PE (%1, %2)").arg(x).arg(y);
  readout.place = tr("die (%1, %2)").arg(die.x()).arg(die.y());
  if (planes.layout().wafers > 1)
    readout.place = tr("wafer %1, %2").arg(planes.wafer() + 1).arg(readout.place);
  const int region = planes.regionAt(x, y);
  readout.regionIndex = region;
  if (region < 0) {
    readout.region = tr("unused");
    return readout;
  }
  readout.region = QString::fromStdString(planes.layout().regions[region].name);
  readout.ops = opSummary(planes.opsOf(region));
  if (planes.showsShares())
    readout.figures.emplace_back(tr("Wave"), shareText(planes.share(region)));
  for (const Metric metric : {Metric::kUtilization, Metric::kActivity, Metric::kTraffic})
    readout.figures.emplace_back(metricName(metric),
                                 valueText(metric, planes.value(region, metric)));
  const auto& sram = planes.layout().regions[region].sramPerPe;
  for (int kind = 0; kind < protocol::kSramKinds; ++kind)
    readout.sram.emplace_back(sramKindName(static_cast<protocol::SramKind>(kind)),
                              bytesText(sram[kind]));
  readout.basis =
      planes.intervalCycles() == 0
          ? tr("No cycles charged yet")
          : tr("Mean of the region, last %1 cycles").arg(countText(planes.intervalCycles()));
  return readout;
}

QSizeF readoutSize(const Readout& readout, double widest) {
  const double lines = 2 + (readout.ops.isEmpty() ? 0 : 1) + double(readout.figures.size()) +
                       double(readout.sram.size()) + (readout.basis.isEmpty() ? 0 : 1);
  const double bar = readout.sram.empty() ? 0 : kBar + 8;
  return {std::min(kWidth, widest), 2 * kPad - 2 + lines * kLine + bar};
}

void drawReadout(QPainter& p, const QRectF& rect, const Readout& readout, const Planes& planes,
                 const Theme& theme, const QFont& font) {
  p.setRenderHint(QPainter::Antialiasing);
  p.setPen(QColor(theme.panelBorder));
  p.setBrush(QColor(theme.panel));
  p.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
  p.setRenderHint(QPainter::Antialiasing, false);

  const QRectF inner = rect.adjusted(kPad, kPad - 1, -kPad, -kPad + 1);
  const QFont normal = sized(font, 11), bold = sized(font, 12, QFont::DemiBold);
  double y = inner.top();
  const auto pair = [&](const QString& name, const QString& value, double indent = 0) {
    const QRectF line(inner.left() + indent, y, inner.width() - indent, kLine);
    const double left = QFontMetricsF(normal).horizontalAdvance(name) + 10;
    p.setFont(normal);
    p.setPen(QColor(theme.dimText));
    p.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, name);
    p.setPen(QColor(theme.text));
    p.drawText(line, Qt::AlignRight | Qt::AlignVCenter,
               QFontMetricsF(normal).elidedText(value, Qt::ElideRight, line.width() - left));
    y += kLine;
  };

  p.setFont(bold);
  p.setPen(QColor(theme.text));
  p.drawText(QRectF(inner.left(), y, inner.width(), kLine), Qt::AlignLeft | Qt::AlignVCenter,
             readout.title);
  p.setFont(normal);
  p.setPen(QColor(theme.dimText));
  p.drawText(QRectF(inner.left(), y, inner.width(), kLine), Qt::AlignRight | Qt::AlignVCenter,
             readout.place);
  y += kLine;
  pair(tr("Region"), readout.region);
  if (!readout.ops.isEmpty()) pair(tr("Ops"), readout.ops);
  for (const auto& [name, value] : readout.figures) pair(name, value);
  if (!readout.sram.empty()) {
    const auto& layout = planes.layout();
    drawSramBar(p, QRectF(inner.left(), y + 4, inner.width(), kBar),
                layout.regions[readout.regionIndex], layout.sramPerPe, theme);
    y += kBar + 8;
    for (std::size_t kind = 0; kind < readout.sram.size(); ++kind) {
      p.fillRect(QRectF(inner.left(), y + 4, 8, 8), QColor(theme.sram[kind]));
      pair(readout.sram[kind].first, readout.sram[kind].second, 14);
    }
  }
  if (!readout.basis.isEmpty()) {
    p.setFont(sized(font, 10));
    p.setPen(QColor(theme.dimText));
    p.drawText(QRectF(inner.left(), y, inner.width(), kLine), Qt::AlignLeft | Qt::AlignVCenter,
               QFontMetricsF(p.font()).elidedText(readout.basis, Qt::ElideRight, inner.width()));
  }
}

}  // namespace waferpair::view
