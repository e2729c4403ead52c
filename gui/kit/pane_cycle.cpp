// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/kit/pane_cycle.h"

#include <QApplication>
#include <QWidget>

namespace waferpair::gui {
namespace {

bool takesKeyboard(const QWidget* widget) {
  return widget->isVisible() && widget->isEnabled() && (widget->focusPolicy() & Qt::TabFocus);
}

}  // namespace

bool focusFirst(QWidget* root) {
  // Along the chain of the Tab key, which is the order on the screen and not that of the children.
  QWidget* one = root;
  do {
    if ((one == root || root->isAncestorOf(one)) && takesKeyboard(one)) {
      one->setFocus(Qt::TabFocusReason);
      return true;
    }
    one = one->nextInFocusChain();
  } while (one && one != root);
  return false;
}

PaneCycle::PaneCycle(QObject* parent) : QObject(parent) {
  connect(qApp, &QApplication::focusChanged, this, [this](QWidget* from, QWidget*) {
    if (const qsizetype left = paneOf(from); left >= 0) panes_[left].last = from;
  });
}

void PaneCycle::add(QWidget* root, std::function<bool()> enter) {
  panes_.append({root, std::move(enter), {}});
}

qsizetype PaneCycle::paneOf(const QWidget* widget) const {
  for (const QWidget* one = widget; one; one = one->parentWidget()) {
    for (qsizetype i = 0; i < panes_.size(); ++i) {
      if (panes_[i].root == one) return i;
    }
  }
  return -1;
}

bool PaneCycle::goInto(const Pane& pane) {
  if (!pane.root->isVisible()) return false;
  if (pane.enter) return pane.enter();
  if (pane.last && pane.root->isAncestorOf(pane.last) && takesKeyboard(pane.last)) {
    pane.last->setFocus(Qt::TabFocusReason);
    return true;
  }
  return focusFirst(pane.root);
}

void PaneCycle::step(int direction) {
  const qsizetype count = panes_.size();
  if (count == 0) return;
  const qsizetype now = paneOf(QApplication::focusWidget());
  // When no pane has the focus, the first step leads to the first pane or the last.
  const qsizetype from = now >= 0 ? now : direction > 0 ? count - 1 : 0;
  for (qsizetype i = 1; i <= count; ++i) {
    const qsizetype next = (from + direction * i + count) % count;
    if (next != now && goInto(panes_[next])) return;
  }
}

}  // namespace waferpair::gui
