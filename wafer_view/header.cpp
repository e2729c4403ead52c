// SPDX-License-Identifier: GPL-3.0-or-later
#include "wafer_view/header.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

#include "wafer_view/metric.h"

namespace waferpair::view {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("WaferView", text); }

QString machineTitle(const protocol::WaferLayout& layout) {
  return tr("%1, emulated").arg(QString::fromStdString(layout.machine));
}

QString profileLine(const protocol::WaferLayout& layout) {
  return tr("kernel profile %1 · %2")
      .arg(QString::fromStdString(layout.profile), clockText(layout.clockHz));
}

}  // namespace

QString machineSummary(const protocol::WaferLayout& layout) {
  return tr("%1 emulated, kernel profile %2, %3")
      .arg(QString::fromStdString(layout.machine), QString::fromStdString(layout.profile),
           clockText(layout.clockHz));
}

void drawHeader(QPainter& p, const QRectF& rect, const protocol::WaferLayout& layout,
                const QString& badge, bool loud, const Theme& theme, const QFont& font) {
  constexpr double kPad = 12;
  double right = rect.right() - kPad;
  QFont small = font;
  small.setPixelSize(11);
  if (!badge.isEmpty()) {
    QFont bold = small;
    bold.setWeight(QFont::DemiBold);
    const double width = QFontMetricsF(bold).horizontalAdvance(badge) + 18;
    const QRectF pill(right - width, rect.top() + 4, width, 19);
    p.setRenderHint(QPainter::Antialiasing);
    p.setPen(loud ? Qt::NoPen : QPen(QColor(theme.panelBorder)));
    p.setBrush(QColor(loud ? theme.badge : theme.panel));
    p.drawRoundedRect(pill.adjusted(0.5, 0.5, -0.5, -0.5), 9, 9);
    p.setRenderHint(QPainter::Antialiasing, false);
    p.setFont(bold);
    p.setPen(QColor(loud ? theme.badgeText : theme.dimText));
    p.drawText(pill, Qt::AlignCenter, badge);
    right = pill.left() - 8;
  }
  // Only the title makes room for the badge: profile and clock are to be read at any time.
  const double width = right - rect.left() - kPad, whole = rect.width() - 2 * kPad;
  QFont title = font;
  title.setPixelSize(13);
  title.setWeight(QFont::DemiBold);
  p.setFont(title);
  p.setPen(QColor(theme.text));
  p.drawText(QRectF(rect.left() + kPad, rect.top() + 5, width, 17),
             Qt::AlignLeft | Qt::AlignVCenter,
             QFontMetricsF(title).elidedText(machineTitle(layout), Qt::ElideRight, width));
  p.setFont(small);
  p.setPen(QColor(theme.dimText));
  p.drawText(QRectF(rect.left() + kPad, rect.top() + 22, whole, 15),
             Qt::AlignLeft | Qt::AlignVCenter,
             QFontMetricsF(small).elidedText(profileLine(layout), Qt::ElideMiddle, whole));
}

}  // namespace waferpair::view
