// SPDX-License-Identifier: GPL-3.0-or-later
#include "wafer_view/shadow_band.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

namespace waferpair::view {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("WaferView", text); }

}  // namespace

QString shadowTitle(const protocol::WaferLayout& layout) {
  return isShadow(layout) ? tr("Shadow of %1").arg(QString::fromStdString(layout.model))
                          : QString();
}

QString shadowNote(const protocol::WaferLayout& layout) {
  return isShadow(layout) ? tr("Its placement and cycles, %1's text.")
                                .arg(QString::fromStdString(layout.shadowOf))
                          : QString();
}

QString shadowText(const protocol::WaferLayout& layout) {
  return isShadow(layout) ? shadowTitle(layout) + QStringLiteral(". ") + shadowNote(layout)
                          : QString();
}

void drawShadowBand(QPainter& p, const QRectF& rect, const protocol::WaferLayout& layout,
                    const Theme& theme, const QFont& font) {
  constexpr double kPad = 12, kLine = 16;
  p.fillRect(rect, QColor(theme.badge));
  p.setPen(QColor(theme.badgeText));
  QFont sized = font;
  const auto line = [&](double top, const QString& text) {
    p.setFont(sized);
    const QRectF place(rect.left() + kPad, rect.top() + top, rect.width() - 2 * kPad, kLine);
    p.drawText(place, Qt::AlignLeft | Qt::AlignVCenter,
               QFontMetricsF(sized).elidedText(text, Qt::ElideMiddle, place.width()));
  };
  sized.setPixelSize(12);
  sized.setWeight(QFont::DemiBold);
  line(3, shadowTitle(layout));
  sized.setPixelSize(11);
  sized.setWeight(QFont::Normal);
  line(19, shadowNote(layout));
}

}  // namespace waferpair::view
