// SPDX-License-Identifier: GPL-3.0-or-later
#include "wafer_view/text_fit.h"

#include <QColor>
#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>

namespace waferpair::view {
namespace {

constexpr double kNameGap = 8;      // pixels between a name and its value, at least
constexpr int kShortestElided = 4;  // letters and the ellipsis; less tells nothing

}  // namespace

QFont sizedFont(QFont font, int pixels, QFont::Weight weight) {
  font.setPixelSize(std::max(1, pixels));
  font.setWeight(weight);
  return font;
}

NamedText fitted(const NamedText& text, double width, const QFont& font) {
  const QFontMetricsF metrics(font);
  const auto advance = [&](const QString& part) { return metrics.horizontalAdvance(part); };
  NamedText shown = text;
  const double name = text.name.isEmpty() ? 0 : advance(text.name) + kNameGap;
  if (name + advance(text.value) <= width) return shown;
  if (!text.brief.isEmpty()) shown.value = text.brief;
  shown.value = metrics.elidedText(shown.value, Qt::ElideRight, std::max(0.0, width));
  const double room = width - advance(shown.value) - kNameGap;
  shown.name = metrics.elidedText(text.name, Qt::ElideRight, std::max(0.0, room));
  if (shown.name != text.name && shown.name.size() < kShortestElided) shown.name.clear();
  return shown;
}

void drawNamed(QPainter& p, const QRectF& line, const NamedText& text, const QFont& font,
               QRgb nameColor, QRgb valueColor) {
  const NamedText shown = fitted(text, line.width(), font);
  p.setFont(font);
  p.setPen(QColor(nameColor));
  p.drawText(line, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, shown.name);
  p.setPen(QColor(valueColor));
  p.drawText(line, Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine, shown.value);
}

void drawElided(QPainter& p, const QRectF& line, Qt::Alignment alignment, const QString& text) {
  const QString shown =
      QFontMetricsF(p.font()).elidedText(text, Qt::ElideRight, std::max(0.0, line.width()));
  p.drawText(line, int(alignment) | Qt::TextSingleLine, shown);
}

}  // namespace waferpair::view
