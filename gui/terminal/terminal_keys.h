// SPDX-License-Identifier: GPL-3.0-or-later
// Which keys stay the window's while a terminal has the keyboard: those that no program in it can
// tell from others anyway, those that lead to another part of the window, and chords, by the keys
// as the user has them. All else is the program's.
#pragma once

#include <QKeyCombination>

namespace waferpair::gui {

class CommandRegistry;

class TerminalKeys {
 public:
  // `commands` outlives this.
  explicit TerminalKeys(const CommandRegistry* commands) : commands_(commands) {}

  // Whether this key press is the window's. Tell it all, in order: the key behind the first of a
  // chord is the window's, too.
  bool isWindowKey(QKeyCombination key);
  // Whether the command has this key at present.
  bool isKeyOf(const char* command, QKeyCombination key) const;
  // The keyboard has left the terminal: a chord that was begun is over.
  void forget() { isInChord_ = false; }

 private:
  const CommandRegistry* commands_;
  bool isInChord_ = false;
};

}  // namespace waferpair::gui
