// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/modal/modal_registers.h"

#include "editor/modal/modal_text.h"

namespace waferpair::editor {

namespace {

bool isClipboard(char name) { return name == '+' || name == '*'; }
bool isUpper(char name) { return name >= 'A' && name <= 'Z'; }

}  // namespace

ModalRegister ModalRegisters::get(char name, const ModalText& text) const {
  if (name == 0 || name == '"') name = unnamed_;
  if (name == '_') return {};
  if (name == '%') return {text.fileName().toUtf8()};
  if (isClipboard(name)) {
    const QByteArray content = text.clipboard();
    return {content, content.endsWith('\n') ? ModalRegister::Kind::kLines
                                            : ModalRegister::Kind::kCharacters};
  }
  return registers_.value(isUpper(name) ? static_cast<char>(name - 'A' + 'a') : name);
}

void ModalRegisters::put(char name, const ModalRegister& content, ModalText* text) {
  using Kind = ModalRegister::Kind;
  if (isClipboard(name)) return text->setClipboard(content.text);
  if (!isUpper(name)) {
    registers_[name] = content;
    return;
  }
  ModalRegister& kept = registers_[static_cast<char>(name - 'A' + 'a')];
  const bool becomesLines = content.kind == Kind::kLines && kept.kind != Kind::kLines;
  if (becomesLines && !kept.text.isEmpty()) kept.text += '\n';
  if (kept.kind == Kind::kLines && content.kind != Kind::kLines) {
    kept.text += content.text + '\n';
  } else {
    kept.text += content.text;
  }
  if (becomesLines) kept.kind = Kind::kLines;
}

void ModalRegisters::yank(char name, const ModalRegister& content, ModalText* text) {
  if (name == '_') return;
  if (name == 0 || name == '"') name = '0';
  put(name, content, text);
  unnamed_ = isUpper(name) ? static_cast<char>(name - 'A' + 'a') : name;
}

void ModalRegisters::take(char name, const ModalRegister& content, bool isSmall, bool usesFirst,
                          ModalText* text) {
  if (name == '_') return;
  const bool isNamed = name != 0 && name != '"';
  if (isNamed) yank(name, content, text);
  if (!isSmall || usesFirst) {
    for (char to = '9'; to > '1'; --to)
      registers_[to] = registers_.value(static_cast<char>(to - 1));
    registers_['1'] = content;
    if (!isNamed) unnamed_ = '1';
  }
  if (!isNamed && isSmall) {
    registers_['-'] = content;
    unnamed_ = '-';
  }
}

}  // namespace waferpair::editor
