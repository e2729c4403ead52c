// SPDX-License-Identifier: GPL-3.0-or-later
// libvterm's end of a TerminalScreen: what the state machine tells becomes cells. Only for the
// files that implement the screen.
#pragma once

#include <vterm.h>

#include "workbench/terminal/terminal_screen.h"

namespace waferpair::workbench {

class TerminalScreen::Machine {
 public:
  explicit Machine(TerminalScreen* screen);
  ~Machine();
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  VTerm* terminal() const { return terminal_; }
  VTermState* state() const { return state_; }
  QByteArray& reply() const { return screen_->reply_; }

 private:
  static Machine& of(void* user) { return *static_cast<Machine*>(user); }
  // `Fields` differs from version to version of the library.
  template <typename Fields>
  static int resized(int rows, int columns, Fields* fields, void* user);

  void put(const VTermGlyphInfo& glyph, VTermPos at);
  void scroll(const VTermRect& area, int downward, int rightward);
  void erase(const VTermRect& area, bool isSelective);
  void setPen(VTermAttr attribute, const VTermValue& value);
  bool setProperty(VTermProp property, const VTermValue& value);
  CellPlace rewrap(int rows, int columns);
  void setLine(int row, const VTermLineInfo& info);

  Cell* cell(int row, int column);
  // An erased cell has the pen's ground.
  Cell erased() const;
  void fill(int row, int from, int to, bool isSelective);

  TerminalScreen* screen_;
  VTerm* terminal_;
  VTermState* state_;
  VTermStateCallbacks callbacks_{};
  // Behind the character put last, if nothing has moved the cursor since: the next one goes on with
  // the same line, even if it comes to the row below. Row -1: there is none.
  VTermPos last_{-1, 0};
};

}  // namespace waferpair::workbench
