// SPDX-License-Identifier: GPL-3.0-or-later
#include "wafer_view/elided_combo_box.h"

#include <QStyleOptionComboBox>
#include <QStylePainter>

namespace waferpair::view {

void ElidedComboBox::paintEvent(QPaintEvent*) {
  constexpr int kPadding = 4;  // that styles leave around the text
  QStylePainter painter(this);
  QStyleOptionComboBox option;
  initStyleOption(&option);
  const QRect field =
      style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this);
  option.currentText =
      fontMetrics().elidedText(option.currentText, Qt::ElideRight, field.width() - kPadding);
  painter.drawComplexControl(QStyle::CC_ComboBox, option);
  painter.drawControl(QStyle::CE_ComboBoxLabel, option);
}

}  // namespace waferpair::view
