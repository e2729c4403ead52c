// SPDX-License-Identifier: GPL-3.0-or-later
#include "wafer_view/model_card.h"

#include <QEvent>
#include <QFontMetricsF>
#include <QPainter>
#include <QResizeEvent>
#include <QStringList>
#include <algorithm>
#include <cmath>

#include "wafer_view/metric.h"
#include "wafer_view/pe_tile.h"
#include "wafer_view/text_fit.h"

namespace waferpair::view {
namespace {

constexpr int kCardPad = 12, kLine = 17, kBar = 9;
constexpr int kNarrowCard =
    260;  // below it one column of kinds, and the PEs in a line of their own

QString noteOf(const protocol::WaferLayout& layout) {
  return layout.wafers > 1 ? ModelCard::tr("on %n wafer(s)", nullptr, layout.wafers) : QString();
}

QString loadingOf(const protocol::WaferLayout& layout) {
  if (layout.loadSeconds <= 0) return {};
  return ModelCard::tr("loading %1 over %n link(s): %2, emulated", nullptr, layout.wafers)
      .arg(largeBytesText(std::llround(layout.loadBytes)), secondsText(layout.loadSeconds));
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

ModelCard::ModelCard(QWidget* parent) : QWidget(parent), theme_(waferColors(palette())) {
  setAccessibleName(tr("Model on the wafer"));
  setObjectName(QStringLiteral("modelCard"));
  setToolTip(tr("SRAM of all PEs of the fabric by kind: what the placement gives each region"));
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void ModelCard::setWafer(const protocol::WaferLayout& layout) {
  model_ = QString::fromStdString(layout.model);
  note_ = noteOf(layout);
  loading_ = loadingOf(layout);
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
  if (!loading_.isEmpty()) lines << loading_;
  for (int kind = 0; kind < protocol::kSramKinds; ++kind)
    lines << tr("%1: %2").arg(sramKindName(static_cast<protocol::SramKind>(kind)),
                              largeBytesText(occupancy_.byKind[kind]));
  return lines.join(QLatin1Char('\n'));
}

int ModelCard::heightFor(int width) const {
  const int head =
      1 + (note_.isEmpty() ? 0 : 1) + (loading_.isEmpty() ? 0 : 1) + (width < kNarrowCard ? 1 : 0);
  const int kinds = width < kNarrowCard ? protocol::kSramKinds : (protocol::kSramKinds + 1) / 2;
  return (head + kinds) * kLine + kBar + 3 + kLine + 9;
}

void ModelCard::resizeEvent(QResizeEvent* event) {
  if (heightFor(event->size().width()) != heightFor(event->oldSize().width())) updateGeometry();
}

QSize ModelCard::sizeHint() const { return {320, heightWanted()}; }
QSize ModelCard::minimumSizeHint() const { return {120, heightWanted()}; }

void ModelCard::paintEvent(QPaintEvent*) {
  if (occupancy_.bytes == 0) return;
  QPainter p(this);
  const QFont normal = sizedFont(font(), 11), bold = sizedFont(font(), 12, QFont::DemiBold);
  const QRectF inner(kCardPad, 4, width() - 2 * kCardPad, height() - 8);
  const bool narrow = width() < kNarrowCard;
  double y = inner.top();
  const auto line = [&] {
    const QRectF place(inner.left(), y, inner.width(), kLine);
    y += kLine;
    return place;
  };

  const QRectF first = line();
  const double usageWidth = narrow ? 0 : QFontMetricsF(normal).horizontalAdvance(usage()) + 12;
  p.setFont(bold);
  p.setPen(QColor(theme_.text));
  p.drawText(first, Qt::AlignLeft | Qt::AlignVCenter,
             QFontMetricsF(bold).elidedText(model_, Qt::ElideMiddle, first.width() - usageWidth));
  p.setFont(normal);
  p.setPen(QColor(theme_.dimText));
  if (narrow) {
    drawElided(p, line(), Qt::AlignLeft | Qt::AlignVCenter, usage());
  } else {
    p.drawText(first, Qt::AlignRight | Qt::AlignVCenter, usage());
  }
  if (!note_.isEmpty()) drawElided(p, line(), Qt::AlignLeft | Qt::AlignVCenter, note_);
  if (!loading_.isEmpty()) drawElided(p, line(), Qt::AlignLeft | Qt::AlignVCenter, loading_);

  // Cumulative edges, rounded once each: the pieces meet and end where the bar does.
  const QRectF bar(inner.left(), y + 3, inner.width(), kBar);
  std::int64_t before = 0;
  for (int kind = 0; kind < protocol::kSramKinds; ++kind) {
    const auto edge = [&](std::int64_t bytes) {
      return bar.left() + std::round(bar.width() * double(bytes) / double(occupancy_.bytes));
    };
    const double left = edge(before), right = edge(before + occupancy_.byKind[kind]);
    p.fillRect(QRectF(left, bar.top(), right - left, kBar), QColor(theme_.sram[kind]));
    before += occupancy_.byKind[kind];
  }

  const double column = narrow ? inner.width() : (inner.width() - 16) / 2;
  const int perColumn = narrow ? protocol::kSramKinds : (protocol::kSramKinds + 1) / 2;
  for (int kind = 0; kind < protocol::kSramKinds; ++kind) {
    const int across = kind / perColumn, down = kind % perColumn;
    const QRectF cell(inner.left() + across * (column + 16), bar.bottom() + 7 + down * kLine,
                      column, kLine);
    p.fillRect(QRectF(cell.left(), cell.top() + 5, 8, 8), QColor(theme_.sram[kind]));
    drawNamed(p, cell.adjusted(14, 0, 0, 0),
              {sramKindName(static_cast<protocol::SramKind>(kind)),
               largeBytesText(occupancy_.byKind[kind]),
               {}},
              normal, theme_.dimText, theme_.text);
  }
}

void ModelCard::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange) {
    theme_ = waferColors(palette());
    update();
  }
  QWidget::changeEvent(event);
}

}  // namespace waferpair::view
