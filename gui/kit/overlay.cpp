// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/kit/overlay.h"

#include <QApplication>
#include <QKeyEvent>
#include <QLayout>
#include <algorithm>

namespace waferpair::gui {
namespace {

constexpr int kTop = 44, kBelow = 36;  // pixels of the window that stay free

}  // namespace

Overlay::Overlay(QWidget* window) : QFrame(window) {
  setProperty("role", "overlay");
  setFocusPolicy(Qt::ClickFocus);
  hide();
  window->installEventFilter(this);
  connect(qApp, &QApplication::focusChanged, this, &Overlay::focusMoved);
}

void Overlay::present(QWidget* focus) {
  show();
  raise();
  place();
  focus->setFocus(Qt::PopupFocusReason);
}

void Overlay::dismiss() {
  if (!isVisible()) return;
  hide();
  Q_EMIT closed();
}

void Overlay::place() {
  const QWidget* window = parentWidget();
  const int width = std::min(preferredWidth(), window->width() - 40);
  setFixedWidth(std::max(width, 200));
  const int most = window->height() - kTop - kBelow;
  fit(most);
  if (layout()) layout()->activate();
  resize(this->width(), std::min(sizeHint().height(), most));
  QWidget::move((window->width() - this->width()) / 2, kTop);
}

bool Overlay::eventFilter(QObject* watched, QEvent* event) {
  if (watched == parentWidget() && event->type() == QEvent::Resize && isVisible()) place();
  return QFrame::eventFilter(watched, event);
}

void Overlay::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape) {
    dismiss();
    return;
  }
  QFrame::keyPressEvent(event);
}

void Overlay::focusMoved(QWidget*, QWidget* to) {
  // A null `to` is another program's window coming up: stay, the user may be looking something up.
  if (isVisible() && to && to != this && !isAncestorOf(to)) dismiss();
}

}  // namespace waferpair::gui
