// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/automation/input.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QEvent>
#include <QInputMethodEvent>
#include <QPointer>
#include <QTimer>
#include <QWheelEvent>
#include <QWidget>
#include <QWindow>
#include <array>
#include <iterator>
#include <utility>

// Qt Gui's own ways in for window system events. Qt Test's public headers, which are compiled into
// other people's programs, declare and call these two, so they stay for as long as Qt 6 does.
QT_BEGIN_NAMESPACE
Q_GUI_EXPORT void qt_handleKeyEvent(QWindow* window, QEvent::Type type, int key,
                                    Qt::KeyboardModifiers modifiers, const QString& text,
                                    bool autoRepeat, ushort count);
Q_GUI_EXPORT void qt_handleMouseEvent(QWindow* window, const QPointF& local, const QPointF& global,
                                      Qt::MouseButtons state, Qt::MouseButton button,
                                      QEvent::Type type, Qt::KeyboardModifiers modifiers,
                                      int timestamp);
QT_END_NAMESPACE

namespace waferpair::gui::input {
namespace {

constexpr qint64 kPaintLimitMs = 1000;
constexpr int kDragMoves = 4;  // enough to be over the distance at which a drag begins
// The time between two clicks on the clock of mouse events: they are never taken for a double
// click.
constexpr int kApartMs = 10'000;

QWindow* windowOf(const QWidget* widget) { return widget->window()->windowHandle(); }

QPoint inWindow(const QWidget* widget, QPoint position) {
  return widget->mapTo(widget->window(), position);
}

// The text that a keyboard's key gives, where it gives any.
QString textOf(Qt::Key key, Qt::KeyboardModifiers modifiers) {
  if (modifiers & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)) return {};
  switch (key) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
      return QStringLiteral("\r");
    case Qt::Key_Tab:
    case Qt::Key_Backtab:
      return QStringLiteral("\t");
    case Qt::Key_Backspace:
      return QStringLiteral("\b");
    case Qt::Key_Escape:
      return QStringLiteral("\x1b");
    default:
      break;
  }
  if (key < Qt::Key_Space || key >= Qt::Key_Escape) return {};
  const QString text = QString::fromUcs4(std::array{static_cast<char32_t>(key)}.data(), 1);
  return modifiers & Qt::ShiftModifier ? text : text.toLower();
}

void send(QWindow* window, QEvent::Type type, Qt::Key key, Qt::KeyboardModifiers modifiers,
          const QString& text = {}) {
  qt_handleKeyEvent(window, type, key, modifiers, text, false, 1);
}

// Down and up again. Whatever a key does may close the window.
void strike(QWindow* target, Qt::Key key, Qt::KeyboardModifiers modifiers, const QString& text) {
  const QPointer<QWindow> window(target);
  constexpr std::pair<Qt::KeyboardModifier, Qt::Key> kHeld[] = {
      {Qt::ShiftModifier, Qt::Key_Shift},
      {Qt::ControlModifier, Qt::Key_Control},
      {Qt::AltModifier, Qt::Key_Alt},
      {Qt::MetaModifier, Qt::Key_Meta}};
  Qt::KeyboardModifiers held;
  for (const auto& [modifier, modifierKey] : kHeld) {
    if (!window || !(modifiers & modifier)) continue;
    send(window, QEvent::KeyPress, modifierKey, held);
    held |= modifier;
  }
  if (window) send(window, QEvent::KeyPress, key, modifiers, text);
  if (window) send(window, QEvent::KeyRelease, key, modifiers, text);
  for (auto it = std::rbegin(kHeld); it != std::rend(kHeld); ++it) {
    if (!window || !(held & it->first)) continue;
    send(window, QEvent::KeyRelease, it->second, held);  // with itself, as X tells it
    held &= ~Qt::KeyboardModifiers(it->first);
  }
}

// The mouse as the window system has it.
struct Mouse {
  Qt::MouseButtons down;
  int timestamp = 0;  // milliseconds on a clock of its own
};

Mouse& mouse() {
  static Mouse one;
  return one;
}

void sendMouse(QWindow* window, QPoint at, QEvent::Type type, Qt::MouseButton button,
               Qt::KeyboardModifiers modifiers) {
  Mouse& m = mouse();
  ++m.timestamp;
  if (type == QEvent::MouseButtonPress) m.down |= button;
  if (type == QEvent::MouseButtonRelease) m.down &= ~Qt::MouseButtons(button);
  qt_handleMouseEvent(window, at, window->mapToGlobal(at), m.down, button, type, modifiers,
                      m.timestamp);
}

void strikeButton(const QPointer<QWindow>& window, QPoint at, Qt::MouseButton button,
                  Qt::KeyboardModifiers modifiers) {
  if (window) sendMouse(window, at, QEvent::MouseButtonPress, button, modifiers);
  if (window) sendMouse(window, at, QEvent::MouseButtonRelease, button, modifiers);
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
  strike(windowOf(widget), key, modifiers, textOf(key, modifiers));
}

void pressKey(const QWidget* widget, const QKeySequence& chords) {
  const QPointer<QWindow> window(windowOf(widget));
  for (int i = 0; i < chords.count() && window; ++i) {
    const Qt::Key key = chords[i].key();
    const Qt::KeyboardModifiers modifiers = chords[i].keyboardModifiers();
    strike(window, key, modifiers, textOf(key, modifiers));
  }
}

void type(const QWidget* widget, const QString& text) {
  const QPointer<QWindow> window(windowOf(widget));
  for (const char32_t character : text.toUcs4()) {
    if (!window) return;
    if (character == U'\n') {
      strike(window, Qt::Key_Return, {}, QStringLiteral("\r"));
    } else if (character == U'\t') {
      strike(window, Qt::Key_Tab, {}, QStringLiteral("\t"));
    } else if (QChar::requiresSurrogates(character)) {
      compose(QString::fromUcs4(&character, 1));
    } else {
      // Qt names a key by the capital letter on it.
      strike(window, static_cast<Qt::Key>(QChar::toUpper(character)), {},
             QString::fromUcs4(&character, 1));
    }
  }
}

void compose(const QString& text) {
  QInputMethodEvent composed(text, {}), committed;
  committed.setCommitString(text);
  for (QInputMethodEvent* event : {&composed, &committed})
    if (QObject* focus = QGuiApplication::focusObject()) QCoreApplication::sendEvent(focus, event);
}

void click(QWidget* widget, QPoint position, Qt::MouseButton button,
           Qt::KeyboardModifiers modifiers) {
  mouse().timestamp += kApartMs;
  strikeButton(windowOf(widget), inWindow(widget, position), button, modifiers);
}

void doubleClick(QWidget* widget, QPoint position) {
  mouse().timestamp += kApartMs;
  const QPointer<QWindow> window(windowOf(widget));
  const QPoint at = inWindow(widget, position);
  for (int i = 0; i < 2; ++i) strikeButton(window, at, Qt::LeftButton, {});
}

void moveMouse(QWidget* widget, QPoint position) {
  sendMouse(windowOf(widget), inWindow(widget, position), QEvent::MouseMove, Qt::NoButton, {});
}

void drag(QWidget* from, QPoint start, QWidget* to, QPoint end) {
  mouse().timestamp += kApartMs;
  // All of it goes to the window where it began, as the window system grabs the mouse for it.
  const QPointer<QWindow> window(windowOf(from));
  const QPoint a = inWindow(from, start);
  const QPoint b = window->mapFromGlobal(to->mapToGlobal(end));
  // Each step is an event of its own: where a move begins a drag and drop, Qt returns from it only
  // when the button has been let go.
  int left = 0;
  const auto later = [&window, &left](QPoint at, QEvent::Type type, Qt::MouseButton button) {
    ++left;
    QTimer::singleShot(0, qApp, [&window, &left, at, type, button] {
      if (window) sendMouse(window, at, type, button, {});
      --left;
    });
  };
  later(a, QEvent::MouseButtonPress, Qt::LeftButton);
  for (int i = 1; i <= kDragMoves; ++i)
    later(a + (b - a) * i / kDragMoves, QEvent::MouseMove, Qt::NoButton);
  later(b, QEvent::MouseButtonRelease, Qt::LeftButton);
  while (left > 0) QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
}

void wheel(QWidget* widget, QPoint position, QPoint degrees, Qt::KeyboardModifiers modifiers) {
  const QPoint at = inWindow(widget, position);
  QWindow* window = windowOf(widget);
  QWheelEvent event(at, window->mapToGlobal(at), {}, degrees * 8, mouse().down, modifiers,
                    Qt::NoScrollPhase, false);
  QCoreApplication::sendEvent(window, &event);
}

std::optional<double> typeAndPaint(QWidget* surface, QChar character) {
  PaintWatch watch(surface);
  type(surface, character);
  while (!watch.milliseconds() && watch.elapsedMs() < kPaintLimitMs)
    QCoreApplication::processEvents();
  return watch.milliseconds();
}

}  // namespace waferpair::gui::input
