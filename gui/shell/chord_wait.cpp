// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/shell/chord_wait.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMainWindow>
#include <QStatusBar>
#include <QTimer>
#include <utility>

#include "gui/kit/command_registry.h"
#include "gui/translate.h"

namespace waferpair::gui {
namespace {

constexpr int kTellMs = 4000;  // that no command has a chord

QKeyCombination keyOf(const QKeyEvent& event) {
  return QKeyCombination(event.modifiers() & ~Qt::KeypadModifier,
                         static_cast<Qt::Key>(event.key()));
}

QString words(const QKeySequence& keys) { return keys.toString(QKeySequence::NativeText); }

}  // namespace

ChordWait::ChordWait(QMainWindow* window, const CommandRegistry* commands)
    : QObject(window), window_(window), commands_(commands) {
  qApp->installEventFilter(this);
  connect(commands, &CommandRegistry::triggered, this, &ChordWait::end);
}

// Qt asks whether a widget wants a key for itself (ShortcutOverride) and keeps the key that begins
// a chord; of the key behind it only the release is told, as Qt keeps that, too, whatever it means.
bool ChordWait::eventFilter(QObject* watched, QEvent* event) {
  const QEvent::Type type = event->type();
  if (type == QEvent::WindowDeactivate && watched == window_) end();
  if (type != QEvent::ShortcutOverride && type != QEvent::KeyPress && type != QEvent::KeyRelease)
    return false;
  const auto* widget = qobject_cast<QWidget*>(watched);
  if (!widget || widget->window() != window_) return false;
  const auto* key = static_cast<const QKeyEvent*>(event);
  if (isModifier(static_cast<Qt::Key>(key->key())) || key->isAutoRepeat()) return false;
  if (type == QEvent::ShortcutOverride) {
    pressed(keyOf(*key));
  } else if (type == QEvent::KeyPress) {
    candidate_.reset();
    end();
  } else {
    released(keyOf(*key));
  }
  return false;
}

void ChordWait::pressed(QKeyCombination key) {
  if (first_ || !commands_->beginsChord(key)) return;
  if (!std::exchange(candidate_, key)) QTimer::singleShot(0, this, &ChordWait::begin);
}

void ChordWait::begin() {
  if (!candidate_) return;
  first_ = std::exchange(candidate_, std::nullopt);
  firstIsUp_ = false;
  window_->statusBar()->showMessage(
      tr("%1 was pressed. The second key of the chord is awaited; Esc ends it.")
          .arg(words(QKeySequence(*first_))));
}

void ChordWait::released(QKeyCombination key) {
  // A chord that was done before the event loop came round needs no word.
  if (candidate_ && key.key() != candidate_->key()) candidate_.reset();
  if (!first_) return;
  if (key.key() == first_->key() && !std::exchange(firstIsUp_, true)) return;
  const QKeySequence pressed(*first_, key);
  const bool isKnown = !commands_->commandsWithKey(pressed).isEmpty();
  end();
  if (!isKnown && key.key() != Qt::Key_Escape)
    window_->statusBar()->showMessage(tr("No command has the keys %1.").arg(words(pressed)),
                                      kTellMs);
}

void ChordWait::end() {
  if (!std::exchange(first_, std::nullopt)) return;
  window_->statusBar()->clearMessage();
}

}  // namespace waferpair::gui
