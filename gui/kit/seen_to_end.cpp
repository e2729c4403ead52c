// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/kit/seen_to_end.h"

#include <QAbstractButton>
#include <QAbstractScrollArea>
#include <QEvent>
#include <QPlainTextEdit>
#include <QScrollArea>
#include <QScrollBar>

namespace waferpair::gui {

SeenToEnd::SeenToEnd(QAbstractScrollArea* area) : QObject(area), area_(area) {
  area->viewport()->installEventFilter(this);
}

void SeenToEnd::restart() {
  isSeen_ = false;
  for (const Guarded& guarded : std::as_const(guarded_)) apply(guarded);
  area_->viewport()->update();
  // A widget that is scrolled hides the viewport, which is then not painted.
  const auto* scroll = qobject_cast<const QScrollArea*>(area_);
  if (!scroll || !scroll->widget()) return;
  scroll->widget()->installEventFilter(this);
  scroll->widget()->update();
}

void SeenToEnd::guard(QAbstractButton* button) {
  guarded_.append({button, button->toolTip()});
  apply(guarded_.last());
}

void SeenToEnd::setWanted(QAbstractButton* button, bool wanted) {
  for (Guarded& guarded : guarded_) {
    if (guarded.button != button) continue;
    guarded.isWanted = wanted;
    apply(guarded);
  }
}

void SeenToEnd::apply(const Guarded& guarded) const {
  if (!guarded.button) return;
  guarded.button->setEnabled(isSeen_ && guarded.isWanted);
  guarded.button->setToolTip(isSeen_ ? guarded.tip
                                     : tr("Scroll to the end first: not all of it was in sight."));
}

// What was painted was seen; its layout, and so the scroll bar, is settled behind the paint.
bool SeenToEnd::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Paint && !isSeen_ && !posted_) {
    posted_ = true;
    QMetaObject::invokeMethod(this, &SeenToEnd::check, Qt::QueuedConnection);
  }
  return QObject::eventFilter(watched, event);
}

// Of a text its last line counts, wherever its scroll bar ends.
bool SeenToEnd::isAtEnd() const {
  const auto* text = qobject_cast<const QPlainTextEdit*>(area_);
  if (!text) return area_->verticalScrollBar()->value() >= area_->verticalScrollBar()->maximum();
  QTextCursor end(text->document());
  end.movePosition(QTextCursor::End);
  return text->cursorRect(end).bottom() <= text->viewport()->height();
}

void SeenToEnd::check() {
  posted_ = false;
  const QWidget* view = area_->viewport();
  // What lies around may cut off the end, too.
  bool isEndInSight = view->isVisible() && isAtEnd();
  for (const QWidget* around = view; !around->isWindow() && isEndInSight;) {
    around = around->parentWidget();
    isEndInSight = view->mapTo(around, QPoint(0, view->height() - 2)).y() < around->height();
  }
  if (isSeen_ || !isEndInSight) return;
  isSeen_ = true;
  for (const Guarded& guarded : std::as_const(guarded_)) apply(guarded);
  Q_EMIT seen();
}

}  // namespace waferpair::gui
