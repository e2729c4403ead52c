// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/kit/keyboard_home.h"

#include <QApplication>
#include <QDockWidget>
#include <QScopedValueRollback>

#include "gui/kit/banner.h"
#include "gui/kit/overlay.h"

namespace waferpair::gui {
namespace {

constexpr qsizetype kMostBefore = 16;

bool canBeGoneBackTo(const QWidget* widget) {
  return widget->isVisible() && widget->isEnabled() && widget->focusPolicy() != Qt::NoFocus;
}

// Returns the notice, the panel or the overlay that a widget belongs to as the user sees it; null:
// none of these.
const QWidget* surfaceOf(const QWidget* widget) {
  for (const QWidget* one = widget; one && !one->isWindow(); one = one->parentWidget())
    if (qobject_cast<const Banner*>(one) || qobject_cast<const QDockWidget*>(one) ||
        qobject_cast<const Overlay*>(one))
      return one;
  return nullptr;
}

bool isOfNotice(const QWidget* widget) {
  return qobject_cast<const Banner*>(surfaceOf(widget)) != nullptr;
}

// The keyboard only moves on within what the user went to: another control of a panel, or the next
// to a button that has done its work.
bool isBeside(const QWidget* from, const QWidget* to) {
  const QWidget* surface = surfaceOf(from);
  const QWidget* within = surface ? surface : from->parentWidget();
  return within && within->isVisible() && within->isAncestorOf(to) && !isOfNotice(to) &&
         (surface || from->isVisible());
}

}  // namespace

KeyboardHome::KeyboardHome(QWidget* window, std::function<void()> goHome)
    : window_(window), goHome_(std::move(goHome)) {
  connect(qApp, &QApplication::focusChanged, this, &KeyboardHome::moved);
}

void KeyboardHome::moved(QWidget* from, QWidget* to) {
  if (givesBack_) return;
  const bool wasHere = from && from->window() == window_;
  if (!to) {
    // It was deleted, or lets go of the keyboard; else another program's window has it.
    if (!wasHere || !window_->isActiveWindow()) return;
    QMetaObject::invokeMethod(
        this,
        [this] {
          if (!QApplication::focusWidget() && window_->isActiveWindow()) giveBack(nullptr);
        },
        Qt::QueuedConnection);
    return;
  }
  if (to->window() != window_) return;
  // Had somebody asked for this, what lets go of it would still be there.
  const bool isUnasked = wasHere && (!from->isVisible() || !from->isEnabled());
  if (isUnasked && !isBeside(from, to)) return giveBack(surfaceOf(from));
  before_.removeIf([to](const QPointer<QWidget>& each) { return !each || each == to; });
  before_.append(to);
  if (before_.size() > kMostBefore) before_.removeFirst();
}

// From a panel or a notice: to what had it before, outside of it. Null: there is nothing.
QWidget* KeyboardHome::backTo(const QWidget* surface) const {
  if (!surface) return nullptr;
  for (auto each = before_.crbegin(); each != before_.crend(); ++each) {
    QWidget* widget = *each;
    if (!widget || !canBeGoneBackTo(widget) || widget->window() != window_) continue;
    if (isOfNotice(widget) || surface->isAncestorOf(widget)) continue;
    return widget;
  }
  return nullptr;
}

void KeyboardHome::giveBack(const QWidget* surface) {
  const QScopedValueRollback<bool> guard(givesBack_, true);
  if (QWidget* widget = backTo(surface)) {
    widget->setFocus(Qt::OtherFocusReason);
  } else {
    goHome_();
  }
}

}  // namespace waferpair::gui
