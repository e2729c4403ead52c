// SPDX-License-Identifier: GPL-3.0-or-later
// The part of TerminalScreen that keys, the mouse and the clipboard speak to.
#include <algorithm>
#include <optional>

#include "workbench/terminal/screen_machine.h"

namespace waferpair::workbench {
namespace {

VTermModifier machineModifiers(Qt::KeyboardModifiers modifiers) {
  int bits = VTERM_MOD_NONE;
  if (modifiers.testFlag(Qt::ShiftModifier)) bits |= VTERM_MOD_SHIFT;
  if (modifiers.testFlag(Qt::AltModifier)) bits |= VTERM_MOD_ALT;
  if (modifiers.testFlag(Qt::ControlModifier)) bits |= VTERM_MOD_CTRL;
  return static_cast<VTermModifier>(bits);
}

// Keys whose bytes depend on the program's modes.
std::optional<VTermKey> machineKey(int key) {
  switch (key) {
    case Qt::Key_Up:
      return VTERM_KEY_UP;
    case Qt::Key_Down:
      return VTERM_KEY_DOWN;
    case Qt::Key_Left:
      return VTERM_KEY_LEFT;
    case Qt::Key_Right:
      return VTERM_KEY_RIGHT;
    case Qt::Key_Insert:
      return VTERM_KEY_INS;
    case Qt::Key_Delete:
      return VTERM_KEY_DEL;
    case Qt::Key_Home:
      return VTERM_KEY_HOME;
    case Qt::Key_End:
      return VTERM_KEY_END;
    case Qt::Key_PageUp:
      return VTERM_KEY_PAGEUP;
    case Qt::Key_PageDown:
      return VTERM_KEY_PAGEDOWN;
    default:
      break;
  }
  if (key >= Qt::Key_F1 && key <= Qt::Key_F12)
    return static_cast<VTermKey>(VTERM_KEY_FUNCTION(key - Qt::Key_F1 + 1));
  return std::nullopt;
}

// The keys between and around the digits, which a program may ask to be told apart.
std::optional<VTermKey> keypadKey(int key) {
  switch (key) {
    case Qt::Key_Enter:
      return VTERM_KEY_KP_ENTER;
    case Qt::Key_Plus:
      return VTERM_KEY_KP_PLUS;
    case Qt::Key_Minus:
      return VTERM_KEY_KP_MINUS;
    case Qt::Key_Asterisk:
      return VTERM_KEY_KP_MULT;
    case Qt::Key_Slash:
      return VTERM_KEY_KP_DIVIDE;
    default:
      return std::nullopt;
  }
}

// The control character that Ctrl makes of a key; -1: none.
int controlCharacter(int key) {
  if (key >= Qt::Key_A && key <= Qt::Key_Z) return key - Qt::Key_A + 1;
  switch (key) {
    case Qt::Key_Space:
    case Qt::Key_At:
    case Qt::Key_2:
      return 0x00;
    case Qt::Key_BracketLeft:
    case Qt::Key_BraceLeft:
    case Qt::Key_3:
      return 0x1b;
    case Qt::Key_Backslash:
    case Qt::Key_Bar:
    case Qt::Key_4:
      return 0x1c;
    case Qt::Key_BracketRight:
    case Qt::Key_BraceRight:
    case Qt::Key_5:
      return 0x1d;
    case Qt::Key_AsciiCircum:
    case Qt::Key_6:
      return 0x1e;
    case Qt::Key_Underscore:
    case Qt::Key_Slash:
    case Qt::Key_Minus:
    case Qt::Key_7:
      return 0x1f;
    case Qt::Key_Question:
    case Qt::Key_8:
      return 0x7f;
    default:
      return -1;
  }
}

// What these keys send without a mode of the program; empty: they are others.
QByteArray plainKey(int key, Qt::KeyboardModifiers modifiers) {
  switch (key) {
    case Qt::Key_Escape:
      return "\x1b";
    case Qt::Key_Tab:
      return modifiers.testFlag(Qt::ShiftModifier) ? "\x1b[Z" : "\t";
    case Qt::Key_Backtab:
      return "\x1b[Z";
    case Qt::Key_Backspace:
      return modifiers.testFlag(Qt::ControlModifier) ? "\b" : "\x7f";
    default:
      return {};
  }
}

}  // namespace

bool TerminalScreen::key(int key, Qt::KeyboardModifiers modifiers, const QString& text) {
  const bool isAlt = modifiers.testFlag(Qt::AltModifier);
  const qsizetype before = reply_.size();
  if (modifiers.testFlag(Qt::KeypadModifier) && !isAlt) {
    if (const auto known = keypadKey(key)) {
      vterm_keyboard_key(machine_->terminal(), *known, VTERM_MOD_NONE);
      // Outside of the keypad's own mode both keys are one.
      if (reply_.endsWith('\n')) reply_.back() = '\r';
      return reply_.size() > before;
    }
  }
  if (const auto known = machineKey(key)) {
    vterm_keyboard_key(machine_->terminal(), *known, machineModifiers(modifiers));
    return reply_.size() > before;
  }
  if (key == Qt::Key_Return || key == Qt::Key_Enter) {
    if (isAlt) reply_ += '\x1b';
    vterm_keyboard_key(machine_->terminal(), VTERM_KEY_ENTER, VTERM_MOD_NONE);
    return true;
  }
  QByteArray bytes = plainKey(key, modifiers);
  if (bytes.isEmpty() && modifiers.testFlag(Qt::ControlModifier)) {
    const int control = controlCharacter(key);
    if (control >= 0) {
      bytes = QByteArray(1, static_cast<char>(control));
    } else if (text.size() == 1 && text[0] < u' ') {
      bytes = text.toLatin1();
    }
  }
  // A key without a control character is what it is alone.
  if (bytes.isEmpty()) bytes = text.toUtf8();
  if (bytes.isEmpty()) return false;
  if (isAlt) reply_ += '\x1b';
  reply_ += bytes;
  return true;
}

void TerminalScreen::mouseMove(int row, int column, Qt::KeyboardModifiers modifiers) {
  if (mouse_ == MouseReports::kNone) return;
  vterm_mouse_move(machine_->terminal(), std::clamp(row, 0, rows() - 1),
                   std::clamp(column, 0, columns() - 1), machineModifiers(modifiers));
}

void TerminalScreen::mouseButton(int button, bool isPressed, Qt::KeyboardModifiers modifiers) {
  if (mouse_ == MouseReports::kNone) return;
  vterm_mouse_button(machine_->terminal(), button, isPressed, machineModifiers(modifiers));
}

bool TerminalScreen::isPasteBracketed() const {
  // The library tells no other way: it writes a bracket or it does not.
  QByteArray& reply = machine_->reply();
  const qsizetype before = reply.size();
  vterm_keyboard_start_paste(machine_->terminal());
  const bool isBracketed = reply.size() > before;
  reply.truncate(before);
  return isBracketed;
}

void TerminalScreen::paste(const QString& text) {
  QString clean = text;
  clean.replace(QLatin1String("\r\n"), QLatin1String("\r"));
  clean.replace(u'\n', u'\r');
  clean.removeIf(
      [](QChar c) { return c.category() == QChar::Other_Control && c != u'\r' && c != u'\t'; });
  vterm_keyboard_start_paste(machine_->terminal());
  reply_ += clean.toUtf8();
  vterm_keyboard_end_paste(machine_->terminal());
}

void TerminalScreen::focus(bool isFocused) {
  if (isFocused) {
    vterm_state_focus_in(machine_->state());
  } else {
    vterm_state_focus_out(machine_->state());
  }
}

}  // namespace waferpair::workbench
