// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/kit/dialog_size.h"

#include <QScreen>
#include <QWidget>

namespace waferpair::gui {
namespace {

constexpr QSize kFrame(20, 60);  // of a window manager, about

}  // namespace

void resizeWithin(QWidget* window, QSize wanted) {
  const QWidget* parent = window->parentWidget();
  const QScreen* screen = (parent ? parent : window)->screen();
  window->resize(wanted.boundedTo(screen->availableSize() - kFrame));
}

}  // namespace waferpair::gui
