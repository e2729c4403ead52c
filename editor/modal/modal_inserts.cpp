// SPDX-License-Identifier: GPL-3.0-or-later
// Keys of insert mode that are commands.
#include <algorithm>

#include "editor/modal/modal_keys.h"
#include "editor/text/word_byte.h"

namespace waferpair::editor {

namespace {

// Where the word before a column begins, with the blanks behind it.
int wordStart(const QByteArray& line, int column) {
  while (column > 0 && isBlankByte(line[column - 1])) --column;
  if (column == 0) return 0;
  const bool isWord = isWordByte(line[column - 1]);
  while (column > 0 && !isBlankByte(line[column - 1]) && isWordByte(line[column - 1]) == isWord)
    --column;
  return column;
}

}  // namespace

bool ModalKeys::pressInsertCommand(const ModalKey& key) {
  if (awaitsRegister_) {
    awaitsRegister_ = false;
    insertRegister(key);
    return true;
  }
  const ModalPlace caret = text_->caret();
  const QByteArray line = text_->line(caret.line);
  if (key == "<C-o>") {
    leaveInsertOnce();
  } else if (key == "<C-r>") {
    awaitsRegister_ = true;
  } else if (key == "<C-u>") {
    const int blanks = text_->indentsNewLines() ? firstNonBlank(line) : 0;
    deleteTyped(blanks < caret.column ? blanks : 0);
  } else if (key == "<C-w>") {
    deleteTyped(wordStart(line, caret.column));
  } else {
    return false;
  }
  return true;
}

// From this column to the caret; of what stood there before no more than is deleted at once.
void ModalKeys::deleteTyped(int from) {
  const ModalPlace caret = text_->caret();
  const ModalPlace start = insertion_.start;
  if (start.line == caret.line && start.column < caret.column) from = std::max(from, start.column);
  text_->replace({caret.line, from}, caret, {});
  text_->setCaret({caret.line, from});
  if (start.line != caret.line || from >= start.column) return;
  insertion_.start.column = from;
  insertion_.before = text_->line(caret.line).left(from);
}

void ModalKeys::insertRegister(const ModalKey& name) {
  if (name.size() != 1) return;
  QByteArray text = memory_->registers.get(name[0], *text_).text;
  const ModalPlace at = text_->caret();
  text_->replace(at, at, text);
  const auto lines = static_cast<int>(text.count('\n'));
  const auto behind = static_cast<int>(text.size() - text.lastIndexOf('\n') - 1);
  text_->setCaret({at.line + lines, lines > 0 ? behind : at.column + behind});
}

void ModalKeys::leaveInsertOnce() {
  const ModalPlace caret = text_->caret();
  endInsert();
  text_->setCaret(caret);
  insertsOn_ = caret;
}

// The command is done: at a line's end the insertion goes on behind its last character.
void ModalKeys::goOnInserting() {
  if (!insertsOn_ || mode_ != ModalMode::kNormal || !keys_.isEmpty()) return;
  const ModalPlace left = *insertsOn_;
  insertsOn_.reset();
  ModalPlace caret = text_->caret();
  const QByteArray line = text_->line(caret.line);
  const bool wasAtEnd = caret.line == left.line && left.column >= line.size();
  if ((wasAtEnd || wanted_ == kEndColumn) && nextColumn(line, caret.column) == line.size())
    caret.column = static_cast<int>(line.size());
  text_->setCaret(caret);
  current_ = {{}, {}, {}};
  current_.command.name = "i";
  beginInsert({});
}

}  // namespace waferpair::editor
