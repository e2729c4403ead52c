// SPDX-License-Identifier: GPL-3.0-or-later
// Mouse, wheel, gestures and keys of the wafer view.
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QNativeGestureEvent>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "wafer_view/wafer_view_p.h"

namespace waferpair::view {
namespace {

using Motion = Viewport::Motion;

constexpr double kKeyPan = 80;      // pixels an arrow key moves the view
constexpr double kWheelStep = 240;  // eighths of a degree that double the size
constexpr int kDragStart = 3;       // pixels

}  // namespace

bool WaferView::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip && hasLayout()) {
    const auto* help = static_cast<QHelpEvent*>(event);
    QString text;
    const ViewPlaces at = d->places();
    if (at.wafers.contains(help->pos())) {
      text = tr("%1. Click another, or press [ and ].").arg(d->strip().text());
    } else if (at.header.contains(help->pos())) {
      text = tr("%1.\nCycles are charged by the kernel profile's cost model for each op that ran; "
                "seconds are cycles over this clock.")
                 .arg(machineText());
    } else if (at.readout.contains(help->pos())) {
      text = readoutText();  // in a low view it is one line of many
    } else if (at.legend.contains(help->pos())) {
      text =
          tr("The scale is fixed: a color always means the same value.\n"
             "Drawn small, a pixel shows the highest value of the cores under it.");
    }
    if (text.isEmpty()) {
      QToolTip::hideText();
    } else {
      QToolTip::showText(help->globalPos(), text, this);
    }
    return true;
  }
  if (event->type() == QEvent::NativeGesture) {
    const auto* gesture = static_cast<QNativeGestureEvent*>(event);
    if (gesture->gestureType() == Qt::ZoomNativeGesture) {
      d->viewport.zoomAt(gesture->position() - d->mapRect().topLeft(), 1 + gesture->value(),
                         Motion::kAtOnce);
      d->changedView();
      return true;
    }
  }
  return QWidget::event(event);
}

void WaferView::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton)
    return event->ignore();
  if (d->hasWafers() && d->places().wafers.contains(event->pos())) {
    const int wafer = d->strip().waferAt(event->position());
    if (wafer >= 0) setWafer(wafer);
    return;
  }
  if (!d->mapRect().contains(event->pos())) return;
  d->viewport.stop();
  d->pressed = event->position();
}

void WaferView::mouseMoveEvent(QMouseEvent* event) {
  if (d->pressed) {
    const QPointF moved = event->position() - *d->pressed;
    if (!d->dragging && moved.manhattanLength() < kDragStart) return;
    if (!d->dragging) setCursor(Qt::ClosedHandCursor);
    d->dragging = true;
    d->pressed = event->position();
    d->viewport.panBy(moved, Motion::kAtOnce);
    d->changedView();
  }
  d->hovering = d->mapRect().contains(event->pos()) && hasLayout();
  d->keyboardReadout = false;
  d->mouse = event->position() - d->mapRect().topLeft();
  d->changedOverlay();
}

void WaferView::mouseReleaseEvent(QMouseEvent*) {
  if (d->dragging) unsetCursor();
  d->pressed.reset();
  d->dragging = false;
  d->changedOverlay();
}

// Wafer, die, PE, and back to the wafer.
void WaferView::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || !d->mapRect().contains(event->pos())) return;
  const QPointF core = d->viewport.toCore(event->position() - d->mapRect().topLeft());
  const int x = static_cast<int>(std::floor(core.x())), y = static_cast<int>(std::floor(core.y()));
  if (x < 0 || y < 0 || x >= d->planes.width() || y >= d->planes.height()) return;
  const QPoint die = d->planes.dieAt(x, y);
  const QSizeF dieSize = d->planes.dieRect(die.x(), die.y()).size();
  const double dieScale = std::min(d->viewport.size().width() / dieSize.width(),
                                   d->viewport.size().height() / dieSize.height());
  const double scale = d->viewport.targetScale();
  if (scale >= 0.9 * d->viewport.maximumScale()) {
    fitWafer();
  } else if (scale >= 0.8 * dieScale) {
    fitPe(x, y);
  } else {
    fitDie(die.x(), die.y());
  }
}

void WaferView::leaveEvent(QEvent*) {
  d->hovering = false;
  d->changedOverlay();
}

void WaferView::wheelEvent(QWheelEvent* event) {
  if (!hasLayout()) return event->ignore();
  const QPointF at = event->position() - d->mapRect().topLeft();
  const QPoint turned = event->angleDelta();
  if (std::abs(turned.x()) > std::abs(turned.y())) {
    d->viewport.panBy(QPointF(turned.x(), 0), d->motion());
  } else {
    d->viewport.zoomAt(at, std::exp2(turned.y() / kWheelStep), d->motion());
  }
  d->changedView();
  event->accept();
}

void WaferView::keyPressEvent(QKeyEvent* event) {
  const auto pan = [this](double x, double y) {
    d->viewport.panBy(QPointF(x, y) * kKeyPan, d->motion());
    d->changedView();
  };
  if (!hasLayout() || event->modifiers() & (Qt::ControlModifier | Qt::AltModifier))
    return QWidget::keyPressEvent(event);
  switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
      zoomIn();
      break;
    case Qt::Key_Minus:
      zoomOut();
      break;
    case Qt::Key_0:
    case Qt::Key_Home:
      fitWafer();
      break;
    case Qt::Key_F:
      fitModel();
      break;
    case Qt::Key_Left:
      pan(1, 0);
      break;
    case Qt::Key_Right:
      pan(-1, 0);
      break;
    case Qt::Key_Up:
      pan(0, 1);
      break;
    case Qt::Key_Down:
      pan(0, -1);
      break;
    case Qt::Key_M: {
      const int step = event->modifiers() & Qt::ShiftModifier ? kMetrics - 1 : 1;
      setMetric(static_cast<Metric>((static_cast<int>(metric()) + step) % kMetrics));
      break;
    }
    case Qt::Key_BracketLeft:
    case Qt::Key_PageUp:
      setWafer(wafer() - 1);
      break;
    case Qt::Key_BracketRight:
    case Qt::Key_PageDown:
      setWafer(wafer() + 1);
      break;
    case Qt::Key_W:
      setWave(!isWave());
      break;
    case Qt::Key_Comma:
    case Qt::Key_Period:
      if (!isWave()) setWave(true);
      stepWave(event->key() == Qt::Key_Period);
      break;
    case Qt::Key_Less:
    case Qt::Key_Greater:
      changeWaveSpeed(event->key() == Qt::Key_Greater);
      break;
    case Qt::Key_Space:
      setPaused(!isPaused());
      break;
    default:
      return QWidget::keyPressEvent(event);
  }
  // Without a mouse on the map, the PE in the middle is the one that is read out.
  d->keyboardReadout = !d->hovering;
  d->changedOverlay();
}

void WaferView::focusInEvent(QFocusEvent* event) {
  d->keyboardFocus = event->reason() == Qt::TabFocusReason ||
                     event->reason() == Qt::BacktabFocusReason ||
                     event->reason() == Qt::ShortcutFocusReason;
  update();
}

void WaferView::focusOutEvent(QFocusEvent*) {
  d->keyboardReadout = false;
  d->changedOverlay();
  update();
}

}  // namespace waferpair::view
