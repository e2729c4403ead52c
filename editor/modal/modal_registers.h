// SPDX-License-Identifier: GPL-3.0-or-later
// The registers of modal keys. All editors of the program share them. UI thread only.
#pragma once

#include <QHash>

#include "editor/modal/modal_command.h"

namespace waferpair::editor {

class ModalText;

struct ModalRegister {
  enum class Kind { kCharacters, kLines, kBlock };
  QByteArray text = {};  // lines end with "\n", that of kLines with the last one, too
  Kind kind = Kind::kCharacters;
};

class ModalRegisters {
 public:
  // `name`: 0 is the unnamed one. The clipboard and the file's name are the text's.
  ModalRegister get(char name, const ModalText& text) const;
  // What was yanked, or deleted: `isSmall` is a part of a line, `usesFirst` is kept in "1 all the
  // same.
  void yank(char name, const ModalRegister& content, ModalText* text);
  void take(char name, const ModalRegister& content, bool isSmall, bool usesFirst, ModalText* text);
  // A macro, or what was typed last: "." and ":".
  void set(char name, const QByteArray& content) { registers_[name] = {content}; }

 private:
  void put(char name, const ModalRegister& content, ModalText* text);

  QHash<char, ModalRegister> registers_;
  char unnamed_ = '0';  // the register that is meant without a name
};

}  // namespace waferpair::editor
