// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/tour_input.h"

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

class PaintWatch : public QObject {
 public:
  bool painted = false;
  bool eventFilter(QObject*, QEvent* event) override {
    painted = painted || event->type() == QEvent::Paint;
    return false;
  }
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
  PaintWatch watch;
  surface->installEventFilter(&watch);
  QElapsedTimer clock;
  clock.start();
  typeCharacter(surface, character);
  while (!watch.painted && clock.elapsed() < kPaintLimitMs) QCoreApplication::processEvents();
  const double milliseconds = static_cast<double>(clock.nsecsElapsed()) / 1e6;
  surface->removeEventFilter(&watch);
  if (!watch.painted) return std::nullopt;
  return milliseconds;
}

}  // namespace waferpair::gui::input
