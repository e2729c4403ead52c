// SPDX-License-Identifier: GPL-3.0-or-later
#include "wafer_view/model_card.h"

#include <QEvent>
#include <QFontMetricsF>
#include <QPainter>
#include <QStringList>
#include <algorithm>
#include <cmath>

#include "wafer_view/metric.h"
#include "wafer_view/pe_tile.h"
#include "wafer_view/shadow_band.h"

namespace waferpair::view {
namespace {

constexpr int kPad = 12, kLine = 17, kBar = 9, kHeight = 2 * kLine + kBar + 3 * kLine + 12;

QString noteOf(const protocol::WaferLayout& layout) {
  const QString wafers = layout.wafers > 1 ? ModelCard::tr("on %1 wafers").arg(layout.wafers)
                                           : ModelCard::tr("on one wafer");
  if (isShadow(layout))
    return ModelCard::tr("Shadow %1, the text is %2's")
        .arg(wafers, QString::fromStdString(layout.shadowOf));
  return layout.wafers > 1 ? wafers : QString();
}

}  // namespace

Occupancy occupancyOf(const protocol::WaferLayout& layout) {
  constexpr auto kFree = static_cast<std::size_t>(protocol::SramKind::kFree);
  Occupancy sum;
  sum.pes = std::int64_t{layout.wafers} * layout.fabricWidth * layout.fabricHeight;
  sum.bytes = sum.pes * layout.sramPerPe;
  std::int64_t used = 0;
  for (const protocol::RegionLayout& region : layout.regions) {
    const std::int64_t pes = std::int64_t{region.rect.width} * region.rect.height;
    sum.pesUsed += pes;
    for (std::size_t kind = 0; kind < kFree; ++kind) {
      sum.byKind[kind] += pes * region.sramPerPe[kind];
      used += pes * region.sramPerPe[kind];
    }
  }
  sum.byKind[kFree] = std::max<std::int64_t>(0, sum.bytes - used);
  return sum;
}

ModelCard::ModelCard(QWidget* parent) : QWidget(parent), theme_(themeFor(palette())) {
  setAccessibleName(tr("Model on the wafer"));
  setToolTip(tr("SRAM of all PEs of the fabric by kind: what the placement gives each region"));
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void ModelCard::setWafer(const protocol::WaferLayout& layout) {
  model_ = QString::fromStdString(layout.model);
  note_ = noteOf(layout);
  occupancy_ = occupancyOf(layout);
  setAccessibleDescription(text());
  updateGeometry();
  update();
}

QString ModelCard::usage() const {
  return tr("%1 of %2 PEs").arg(countText(occupancy_.pesUsed), countText(occupancy_.pes));
}

QString ModelCard::text() const {
  QStringList lines{model_};
  if (!note_.isEmpty()) lines << note_;
  lines << usage();
  for (int kind = 0; kind < protocol::kSramKinds; ++kind)
    lines << tr("%1: %2").arg(sramKindName(static_cast<protocol::SramKind>(kind)),
                              largeBytesText(occupancy_.byKind[kind]));
  return lines.join(QLatin1Char('\n'));
}

int ModelCard::heightWanted() const { return note_.isEmpty() ? kHeight : kHeight + kLine; }
QSize ModelCard::sizeHint() const { return {320, heightWanted()}; }
QSize ModelCard::minimumSizeHint() const { return {200, heightWanted()}; }

void ModelCard::paintEvent(QPaintEvent*) {
  if (occupancy_.bytes == 0) return;
  QPainter p(this);
  QFont normal = font(), bold = font();
  normal.setPixelSize(11);
  bold.setPixelSize(12);
  bold.setWeight(QFont::DemiBold);
  QRectF inner(kPad, 4, width() - 2 * kPad, height() - 8);

  p.setFont(normal);
  const double usageWidth = QFontMetricsF(normal).horizontalAdvance(usage());
  p.setPen(QColor(theme_.dimText));
  p.drawText(QRectF(inner.left(), inner.top(), inner.width(), kLine),
             Qt::AlignRight | Qt::AlignVCenter, usage());
  p.setFont(bold);
  p.setPen(QColor(theme_.text));
  p.drawText(
      QRectF(inner.left(), inner.top(), inner.width(), kLine), Qt::AlignLeft | Qt::AlignVCenter,
      QFontMetricsF(bold).elidedText(model_, Qt::ElideMiddle, inner.width() - usageWidth - 12));
  if (!note_.isEmpty()) {
    inner.setTop(inner.top() + kLine);
    p.setFont(normal);
    p.setPen(QColor(theme_.badge));
    p.drawText(QRectF(inner.left(), inner.top(), inner.width(), kLine),
               Qt::AlignLeft | Qt::AlignVCenter,
               QFontMetricsF(normal).elidedText(note_, Qt::ElideMiddle, inner.width()));
  }

  // Cumulative edges, rounded once each: the pieces meet and end where the bar does.
  const QRectF bar(inner.left(), inner.top() + kLine + 3, inner.width(), kBar);
  std::int64_t before = 0;
  for (int kind = 0; kind < protocol::kSramKinds; ++kind) {
    const auto edge = [&](std::int64_t bytes) {
      return bar.left() + std::round(bar.width() * double(bytes) / double(occupancy_.bytes));
    };
    const double left = edge(before), right = edge(before + occupancy_.byKind[kind]);
    p.fillRect(QRectF(left, bar.top(), right - left, kBar), QColor(theme_.sram[kind]));
    before += occupancy_.byKind[kind];
  }

  p.setFont(normal);
  const double column = (inner.width() - 16) / 2;
  for (int kind = 0; kind < protocol::kSramKinds; ++kind) {
    const QRectF cell(inner.left() + kind / 3 * (column + 16), bar.bottom() + 7 + kind % 3 * kLine,
                      column, kLine);
    p.fillRect(QRectF(cell.left(), cell.top() + 5, 8, 8), QColor(theme_.sram[kind]));
    p.setPen(QColor(theme_.dimText));
    p.drawText(cell.adjusted(14, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
               sramKindName(static_cast<protocol::SramKind>(kind)));
    p.setPen(QColor(theme_.text));
    p.drawText(cell, Qt::AlignRight | Qt::AlignVCenter, largeBytesText(occupancy_.byKind[kind]));
  }
}

void ModelCard::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange) {
    theme_ = themeFor(palette());
    update();
  }
  QWidget::changeEvent(event);
}

}  // namespace waferpair::view
