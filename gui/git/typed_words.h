// SPDX-License-Identifier: GPL-3.0-or-later
// Tells a blank between words that somebody types from one that is a key of its own: in a list of
// changes it would stage something. A key that goes somewhere ends the words.
#pragma once

#include <QKeyEvent>

namespace waferpair::gui {

class TypedWords {
 public:
  void take(const QKeyEvent& key) {
    const bool isPlain = (key.modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier)) == 0;
    if (key.key() == Qt::Key_Space || key.key() == Qt::Key_Shift) return;
    isTyped_ = isPlain && !key.text().isEmpty() && key.text()[0].isPrint();
  }
  void end() { isTyped_ = false; }
  bool areTyped() const { return isTyped_; }

 private:
  bool isTyped_ = false;
};

}  // namespace waferpair::gui
