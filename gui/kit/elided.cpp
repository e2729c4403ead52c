// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/kit/elided.h"

#include <QPainter>
#include <QStyle>
#include <QStyleOptionToolButton>
#include <QStylePainter>
#include <algorithm>

namespace waferpair::gui {
namespace {

constexpr int kFewLetters = 14;
constexpr int kRounding = 1;  // hints are of whole pixels, letters need not be

// Returns what `hint` would be if `text` were cut to a few letters.
QSize shortened(QSize hint, const QFontMetrics& metrics, const QString& text) {
  const int few = kFewLetters * metrics.averageCharWidth();
  const int whole = metrics.horizontalAdvance(text);
  hint.rwidth() -= std::max(0, whole - few);
  return hint;
}

}  // namespace

QSize ElidedLabel::minimumSizeHint() const {
  return shortened(QLabel::minimumSizeHint(), fontMetrics(), text());
}

void ElidedLabel::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  drawFrame(&painter);
  // Only the size hint has the room that the style sheet takes around the text.
  const int margins = sizeHint().width() - fontMetrics().horizontalAdvance(text());
  const QRect area = rect().adjusted(margins / 2, 0, margins / 2 - margins, 0);
  style()->drawItemText(
      &painter, area, static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter), palette(), isEnabled(),
      fontMetrics().elidedText(text(), mode_, area.width() + kRounding), foregroundRole());
}

ElidedButton::ElidedButton(QWidget* parent) : QToolButton(parent) {
  setToolButtonStyle(Qt::ToolButtonTextOnly);
  // Other buttons do not shrink.
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

QSize ElidedButton::minimumSizeHint() const {
  return shortened(QToolButton::minimumSizeHint(), fontMetrics(), text());
}

void ElidedButton::paintEvent(QPaintEvent*) {
  QStyleOptionToolButton option;
  initStyleOption(&option);
  const int margins = sizeHint().width() - fontMetrics().horizontalAdvance(text());
  option.text = fontMetrics().elidedText(text(), Qt::ElideMiddle, width() - margins + kRounding);
  QStylePainter(this).drawComplexControl(QStyle::CC_ToolButton, option);
}

}  // namespace waferpair::gui
