// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/documents/drop_mark.h"

#include <QPainter>

#include "gui/kit/theme.h"

namespace waferpair::gui {
namespace {

constexpr int kMarkAlpha = 48;

}  // namespace

void DropMark::showAt(const QRect& area) {
  setGeometry(area);
  raise();
  show();
}

void DropMark::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  QColor ground = Theme::instance().colors().accent;
  painter.setPen(ground);
  ground.setAlpha(kMarkAlpha);
  painter.setBrush(ground);
  painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

}  // namespace waferpair::gui
