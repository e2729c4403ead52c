// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/automation/tour_input.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QEvent>
#include <QTest>
#include <QWidget>
#include <QWindow>

namespace waferpair::gui::input {
namespace {

constexpr qint64 kPaintLimitMs = 1000;

QWindow* windowOf(const QWidget* widget) { return widget->window()->windowHandle(); }

QPoint inWindow(const QWidget* widget, QPoint position) {
  return widget->mapTo(widget->window(), position);
}

// Waits for the round of paints that a widget's is part of: at its end the window system has it.
class PaintWatch : public QObject {
 public:
  explicit PaintWatch(QWidget* surface) : surface_(surface), window_(surface->window()) {
    surface->installEventFilter(this);
    window_->installEventFilter(this);
    clock_.start();
  }
  qint64 elapsedMs() const { return clock_.elapsed(); }
  const std::optional<double>& milliseconds() const { return milliseconds_; }

  bool eventFilter(QObject* watched, QEvent* event) override {
    if (watched == surface_ && event->type() == QEvent::Paint) painted_ = true;
    if (watched != window_ || event->type() != QEvent::UpdateRequest || inRound_) return false;
    inRound_ = true;
    watched->event(event);
    inRound_ = false;
    if (painted_ && !milliseconds_)
      milliseconds_ = static_cast<double>(clock_.nsecsElapsed()) / 1e6;
    return true;
  }

 private:
  QWidget* surface_;
  QWidget* window_;
  QElapsedTimer clock_;
  bool painted_ = false;
  bool inRound_ = false;
  std::optional<double> milliseconds_;
};

}  // namespace

void pressKey(const QWidget* widget, Qt::Key key, Qt::KeyboardModifiers modifiers) {
  QTest::keyClick(windowOf(widget), key, modifiers);
}

void pressKey(const QWidget* widget, const QKeySequence& chord) {
  if (chord.isEmpty()) return;
  pressKey(widget, chord[0].key(), chord[0].keyboardModifiers());
}

void typeCharacter(const QWidget* widget, char character) {
  if (character == '\n')
    pressKey(widget, Qt::Key_Return);
  else
    QTest::keyClick(windowOf(widget), character);
}

void click(QWidget* widget, QPoint position) {
  QTest::mouseClick(windowOf(widget), Qt::LeftButton, {}, inWindow(widget, position));
}

void doubleClick(QWidget* widget, QPoint position) {
  QTest::mouseDClick(windowOf(widget), Qt::LeftButton, {}, inWindow(widget, position));
}

void moveMouse(QWidget* widget, QPoint position) {
  QTest::mouseMove(windowOf(widget), inWindow(widget, position));
}

std::optional<double> typeAndPaint(QWidget* surface, char character) {
  PaintWatch watch(surface);
  typeCharacter(surface, character);
  while (!watch.milliseconds() && watch.elapsedMs() < kPaintLimitMs)
    QCoreApplication::processEvents();
  return watch.milliseconds();
}

}  // namespace waferpair::gui::input
