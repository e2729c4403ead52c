// SPDX-License-Identifier: GPL-3.0-or-later
#include "wafer_view/readout.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QStringList>
#include <algorithm>
#include <cmath>

#include "wafer_view/pe_tile.h"
#include "wafer_view/translate.h"

namespace waferpair::view {
namespace {

constexpr double kInset = 10, kRowHeight = 16, kBarHeight = 8, kForTwoColumns = 230;

QString opSummary(const std::vector<QString>& ops) {
  if (ops.size() > 2) return tr("%1 and %2 more").arg(ops.front(), countText(ops.size() - 1));
  return QStringList(ops.begin(), ops.end()).join(QStringLiteral(", "));
}

class Sheet {
 public:
  Sheet(QPainter& painter, const QRectF& inner, const WaferColors& theme, const QFont& font)
      : p_(painter),
        inner_(inner),
        theme_(theme),
        normal_(sizedFont(font, 11)),
        bold_(sizedFont(font, 12, QFont::DemiBold)),
        y_(inner.top()) {}

  // Draws the heading in two colors, each half elided on its own.
  void heading(const QString& title, const QString& place) {
    const QRectF line = next();
    p_.setFont(bold_);
    p_.setPen(QColor(theme_.text));
    drawElided(p_, line, Qt::AlignLeft | Qt::AlignVCenter, title);
    const double used = QFontMetricsF(bold_).horizontalAdvance(title) + 8;
    dim(line.adjusted(used, 0, 0, 0), Qt::AlignRight, place);
  }
  void figure(const NamedText& text, double indent = 0) {
    drawNamed(p_, next().adjusted(indent, 0, 0, 0), text, normal_, theme_.dimText, theme_.text);
  }
  void figures(const NamedText& left, const NamedText& right) {
    const QRectF line = next();
    const double half = (line.width() - 14) / 2;
    const auto draw = [&](double x, const NamedText& text) {
      drawNamed(p_, QRectF(x, line.top(), half, line.height()), text, normal_, theme_.dimText,
                theme_.text);
    };
    draw(line.left(), left);
    draw(line.right() - half, right);
  }
  bool isNarrow() const { return inner_.width() < kForTwoColumns; }
  void note(const QString& text) { dim(next(), Qt::AlignLeft, text); }
  void bar(const Planes& planes, int region) {
    const auto& layout = planes.layout();
    drawSramBar(p_, QRectF(inner_.left(), y_ + 4, inner_.width(), kBarHeight),
                layout.regions[region], layout.sramPerPe, theme_);
    y_ += kBarHeight + 8;
  }
  void swatch(QRgb color) { p_.fillRect(QRectF(inner_.left(), y_ + 4, 8, 8), QColor(color)); }

 private:
  QRectF next() {
    const QRectF line(inner_.left(), y_, inner_.width(), kRowHeight);
    y_ += kRowHeight;
    return line;
  }
  void dim(const QRectF& place, Qt::Alignment side, const QString& text) {
    p_.setFont(normal_);
    p_.setPen(QColor(theme_.dimText));
    if (place.width() > 20) drawElided(p_, place, side | Qt::AlignVCenter, text);
  }

  QPainter& p_;
  QRectF inner_;
  const WaferColors& theme_;
  QFont normal_, bold_;
  double y_;
};

QString hint() { return tr("Point at a PE, or move with the arrow keys, to read it out."); }

void drawHint(QPainter& p, const QRectF& inner, const WaferColors& theme, const QFont& font) {
  p.setFont(sizedFont(font, 11));
  p.setPen(QColor(theme.dimText));
  if (inner.height() < 2 * kRowHeight)
    return drawElided(p, inner, Qt::AlignLeft | Qt::AlignVCenter, hint());
  p.drawText(inner, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, hint());
}

// "PE (381, 586)  layers 0-1, Utilization 12 %"
void drawLine(QPainter& p, const QRectF& inner, const Readout& readout, const WaferColors& theme,
              const QFont& font) {
  const QFont bold = sizedFont(font, 11, QFont::DemiBold);
  p.setFont(bold);
  p.setPen(QColor(theme.text));
  drawElided(p, inner, Qt::AlignLeft | Qt::AlignVCenter, readout.title);
  const double used = QFontMetricsF(bold).horizontalAdvance(readout.title) + 8;
  QStringList parts;
  if (!readout.figures.empty())
    parts << readout.figures.front().name + QLatin1Char(' ') + readout.figures.front().value;
  parts << readout.region;
  p.setFont(sizedFont(font, 11));
  p.setPen(QColor(theme.dimText));
  if (inner.width() - used > 20)
    drawElided(p, inner.adjusted(used, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
               parts.join(QStringLiteral(", ")));
}

void drawBlock(Sheet& sheet, const Readout& readout, const Planes& planes) {
  sheet.heading(readout.title, readout.place);
  if (readout.regionIndex < 0) return sheet.note(readout.region);
  sheet.note(readout.ops.isEmpty() ? readout.region
                                   : readout.region + QStringLiteral(" · ") + readout.ops);
  const auto& figures = readout.figures;
  const double used = planes.value(readout.regionIndex, Metric::kSramUsed);
  const NamedText sram{tr("SRAM"), valueText(Metric::kSramUsed, used),
                       tickText(Metric::kSramUsed, used)};
  // A value without its name tells nothing: two of them, where four have no room for theirs.
  if (sheet.isNarrow()) {
    sheet.figure(figures[0]);
    sheet.figure(sram);
  } else {
    sheet.figures(figures[0], figures[1]);
    sheet.figures(figures[2], sram);
  }
  sheet.bar(planes, readout.regionIndex);
}

void drawColumn(Sheet& sheet, const Readout& readout, const Planes& planes,
                const WaferColors& theme) {
  sheet.heading(readout.title, readout.place);
  sheet.figure({tr("Region"), readout.region, {}});
  if (readout.regionIndex < 0) return;
  if (!readout.ops.isEmpty()) sheet.figure({tr("Ops"), readout.ops, {}});
  for (const NamedText& figure : readout.figures) sheet.figure(figure);
  sheet.bar(planes, readout.regionIndex);
  for (std::size_t kind = 0; kind < readout.sram.size(); ++kind) {
    sheet.swatch(theme.sram[kind]);
    sheet.figure(readout.sram[kind], 14);
  }
  sheet.note(readout.basis);
}

}  // namespace

QString Readout::text() const {
  if (isEmpty()) return {};
  QStringList lines{title + QStringLiteral(", ") + place, tr("Region: %1").arg(region)};
  if (!ops.isEmpty()) lines << tr("Ops: %1").arg(ops);
  for (const NamedText& figure : figures)
    lines << figure.name + QStringLiteral(": ") + figure.value;
  for (const NamedText& kind : sram)
    lines << tr("SRAM %1: %2").arg(kind.name.toLower(), kind.value);
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
    readout.figures.push_back({tr("Wave"), shareText(planes.share(region)), {}});
  for (const Metric metric : {Metric::kUtilization, Metric::kActivity, Metric::kTraffic})
    readout.figures.push_back({metricName(metric), valueText(metric, planes.value(region, metric)),
                               tickText(metric, planes.value(region, metric))});
  const auto& sram = planes.layout().regions[region].sramPerPe;
  for (int kind = 0; kind < protocol::kSramKinds; ++kind)
    readout.sram.push_back({sramKindName(static_cast<protocol::SramKind>(kind)),
                            bytesText(sram[kind]), tickText(Metric::kSramUsed, sram[kind])});
  readout.basis =
      planes.intervalCycles() == 0
          ? tr("No cycles charged yet")
          : tr("Mean of the region, last %1 cycles").arg(countText(planes.intervalCycles()));
  return readout;
}

void drawReadout(QPainter& p, const QRectF& rect, const Readout& readout, const Planes& planes,
                 const WaferColors& theme, const QFont& font) {
  p.fillRect(rect, QColor(theme.panel));
  const bool isLine = rect.height() < kReadoutBlockHeight;
  const bool isColumn = rect.height() >= kReadoutColumnHeight;
  const QRectF inner = rect.adjusted(kInset, isLine ? 1 : 6, -kInset, isLine ? -1 : -6);
  if (readout.isEmpty()) return drawHint(p, inner, theme, font);
  if (isLine) return drawLine(p, inner, readout, theme, font);
  Sheet sheet(p, inner, theme, font);
  isColumn ? drawColumn(sheet, readout, planes, theme) : drawBlock(sheet, readout, planes);
}

}  // namespace waferpair::view
