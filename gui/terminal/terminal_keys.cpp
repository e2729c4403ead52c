// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/terminal/terminal_keys.h"

namespace waferpair::gui {

bool isWindowKey(QKeyCombination key) {
  const Qt::KeyboardModifiers modifiers = key.keyboardModifiers() & ~Qt::KeypadModifier;
  if (!modifiers.testFlag(Qt::ControlModifier)) return false;
  if (modifiers == (Qt::ControlModifier | Qt::ShiftModifier)) return true;
  return modifiers == Qt::ControlModifier &&
         (key.key() == Qt::Key_QuoteLeft || key.key() == Qt::Key_Tab);
}

}  // namespace waferpair::gui
