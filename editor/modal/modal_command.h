// SPDX-License-Identifier: GPL-3.0-or-later
// The commands of normal and visual mode as they are typed: register, counts, operator, motion.
#pragma once

#include <QByteArray>
#include <QVector>

namespace waferpair::editor {

// A character in UTF-8, or a name in brackets as Vim writes it: "<Esc>", "<C-d>", "<CR>".
using ModalKey = QByteArray;

// "d2f,x<Esc>" as keys; "<lt>" is "<".
QVector<ModalKey> modalKeys(const QByteArray& text);

struct ModalCommand {
  char reg = 0;              // 0: none was named
  int count = 0;             // the product of all counts; 0: none was typed
  QByteArray op;             // "d", "gU"; empty: none
  QByteArray name;           // a motion or another command: "w", "gg", "dd" is op "d" and name "d"
  QByteArray argument = {};  // the character behind f, r, m and so on, or the object behind i and a
  bool isObject = false;     // `name` is "i" or "a", and there is an argument

  int times() const { return count > 0 ? count : 1; }
};

enum class ModalParse { kWhole, kPart, kWrong };

// `isRecording`: "q" is a whole command then.
ModalParse parseModal(const QVector<ModalKey>& keys, bool isVisual, bool isRecording,
                      ModalCommand* command);

}  // namespace waferpair::editor
