// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/terminal/terminal_keys.h"

#include <algorithm>
#include <array>

#include "gui/kit/command_registry.h"

namespace waferpair::gui {
namespace {

// Each leads out of the terminal.
constexpr std::array kWaysOut = {"go.editor", "go.nextPart", "go.previousPart"};

// Ctrl+Shift with any key, Ctrl+`, Ctrl+Tab and Ctrl+Shift+Tab.
bool isAlike(QKeyCombination key) {
  const Qt::KeyboardModifiers modifiers = key.keyboardModifiers();
  if (modifiers == (Qt::ControlModifier | Qt::ShiftModifier)) return true;
  return modifiers == Qt::ControlModifier &&
         (key.key() == Qt::Key_QuoteLeft || key.key() == Qt::Key_Tab);
}

bool leadsOut(const CommandRegistry& commands, QKeyCombination key) {
  return std::any_of(kWaysOut.begin(), kWaysOut.end(), [&](const char* id) {
    return commands.activeKeys(QLatin1String(id)).contains(QKeySequence(key));
  });
}

}  // namespace

bool TerminalKeys::isWindowKey(QKeyCombination key) {
  if (isModifier(key.key())) return false;
  key = QKeyCombination(key.keyboardModifiers() & ~Qt::KeypadModifier, key.key());
  if (std::exchange(isInChord_, false)) return true;
  // A letter without Ctrl or Alt is typed; chords and ways out have one, or are function keys.
  const bool isTyped = !(key.keyboardModifiers() & (Qt::ControlModifier | Qt::AltModifier)) &&
                       (key.key() < Qt::Key_F1 || key.key() > Qt::Key_F35);
  if (isTyped) return false;
  isInChord_ = commands_->beginsChord(key);
  return isInChord_ || isAlike(key) || leadsOut(*commands_, key);
}

bool TerminalKeys::isKeyOf(const char* command, QKeyCombination key) const {
  return commands_->activeKeys(QLatin1String(command)).contains(QKeySequence(key));
}

}  // namespace waferpair::gui
