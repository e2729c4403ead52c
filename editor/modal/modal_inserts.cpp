// SPDX-License-Identifier: GPL-3.0-or-later
// Insert and replace mode, and what their keys do.
#include <algorithm>
#include <utility>

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

void ModalKeys::beginInsert(const Insertion& insertion) {
  insertion_ = insertion;
  insertion_.start = text_->caret();
  insertion_.lines = text_->lineCount();
  const QByteArray line = text_->line(insertion_.start.line);
  insertion_.tail = line.size() - insertion_.start.column;
  insertion_.before = line.left(insertion_.start.column);
  if (again_) {
    insertAgain(again_->inserted, insertion_);
    endInsert();
    return;
  }
  mode_ = ModalMode::kInsert;
  beginStep();
}

// Puts the text in, as often as the count says, beside what was typed the first time.
void ModalKeys::insertAgain(const QByteArray& text, const Insertion& insertion) {
  const auto insert = [this](const QByteArray& what) {
    const ModalPlace at = text_->caret();
    replaceText(at, at, what);
    const qsizetype newline = what.lastIndexOf('\n');
    const auto lines = static_cast<int>(what.count('\n'));
    const auto size = static_cast<int>(what.size());
    text_->setCaret(newline < 0
                        ? ModalPlace{at.line, at.column + size}
                        : ModalPlace{at.line + lines, size - static_cast<int>(newline) - 1});
  };
  if (again_) insert(text);
  for (int i = 1; i < insertion.count; ++i) insert(insertion.isLine ? '\n' + text : text);
  if (text.contains('\n') || text.isEmpty()) return;
  const ModalPlace caret = text_->caret();
  const QByteArray all = text.repeated(insertion.count);
  for (int line = insertion.start.line + 1; line <= insertion.blockLast; ++line) {
    const QByteArray content = text_->line(line);
    int column = columnAtDisplay(content, insertion.blockColumn, tabWidth());
    if (insertion.toLineEnds) column = static_cast<int>(content.size());
    const int reached = displayColumn(content, column, tabWidth());
    QByteArray padded = all;
    if (reached < insertion.blockColumn && !insertion.toLineEnds) {
      if (!insertion.isAppend) continue;
      padded = QByteArray(insertion.blockColumn - reached, ' ') + all;
    }
    replaceText({line, column}, {line, column}, padded);
  }
  text_->setCaret(caret);
}

void ModalKeys::endInsert() {
  const Insertion insertion = std::exchange(insertion_, {});
  if (!again_) {
    // What was typed lies between what stood before it and what stood behind.
    const ModalPlace start = insertion.start;
    const int line = start.line + text_->lineCount() - insertion.lines;
    QByteArray inserted;
    if (line >= start.line && line < text_->lineCount() &&
        text_->line(start.line).startsWith(insertion.before)) {
      const ModalPlace end{line, static_cast<int>(text_->line(line).size() - insertion.tail)};
      if (end > start) inserted = textOf({start, end, ModalSpan::Kind::kExclusive});
    }
    current_.inserted = inserted;
    lastChange_ = current_;
    memory_->registers.set('.', inserted);
    if (depth_ == 0)  // the lines that were typed
      followLines(start.line + 1, text_->lineCount() - insertion.lines);
    if (insertion.count > 1 || insertion.blockLast > start.line) insertAgain(inserted, insertion);
  }
  mode_ = ModalMode::kNormal;
  ModalPlace caret = text_->caret();
  marks_['^'] = caret;
  if (insertion.blockLast >= 0)
    caret = {insertion.start.line, insertion.blockStart};
  else
    caret.column = previousColumn(text_->line(caret.line), caret.column);
  setCaret(onCharacter(*text_, caret));
  if (!again_) closeStep();
}

bool ModalKeys::pressInsert(const ModalKey& key) {
  if (key == "<Esc>" || key == "<C-[>" || key == "<C-c>") {
    awaitsRegister_ = false;
    endInsert();
    return true;
  }
  if (pressInsertCommand(key)) return true;
  if (depth_ == 0) return false;
  text_->type(key);
  return true;
}

bool ModalKeys::pressReplace(const ModalKey& key) {
  const ModalPlace at = text_->caret();
  if (key == "<Esc>" || key == "<C-[>" || key == "<C-c>") {
    const QByteArray text = std::exchange(replacing_, {});
    for (int i = 1; i < insertion_.count; ++i)
      for (const ModalKey& again : modalKeys(text)) pressReplace(again);
    replacing_.clear();
    replaced_.clear();
    current_.inserted = text;
    if (!again_) lastChange_ = current_;
    mode_ = ModalMode::kNormal;
    ModalPlace caret = text_->caret();
    marks_['^'] = caret;
    caret.column = previousColumn(text_->line(caret.line), caret.column);
    setCaret(onCharacter(*text_, caret));
    if (!again_) closeStep();
    return true;
  }
  if (key == "<BS>") {
    if (replaced_.isEmpty() || at.column == 0) return true;
    const QByteArray line = text_->line(at.line);
    const ModalPlace before{at.line, previousColumn(line, at.column)};
    replaceText(before, at, replaced_.takeLast());
    text_->setCaret(before);
    replacing_.chop(at.column - before.column);
    return true;
  }
  if (key == "<CR>") {
    replaceText(at, at, "\n");
    text_->setCaret({at.line + 1, 0});
    replaced_.clear();
    replacing_ += "<CR>";
    return true;
  }
  if (key == "<Tab>") return pressReplace("\t");
  if (key.size() > 1 && key[0] == '<') return false;
  const QByteArray line = text_->line(at.line);
  const ModalPlace behind{at.line, nextColumn(line, at.column)};
  replaced_.append(line.mid(at.column, behind.column - at.column));
  replaceText(at, behind, key);
  text_->setCaret({at.line, at.column + static_cast<int>(key.size())});
  replacing_ += key == "<" ? QByteArray("<lt>") : key;
  return true;
}

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
  ModalPlace to{caret.line, from};
  if (caret.column == 0 && caret.line > 0)  // the end of the line before
    to = {caret.line - 1, static_cast<int>(text_->line(caret.line - 1).size())};
  replaceText(to, caret, {});
  text_->setCaret(to);
  if (start.line != caret.line || from >= start.column) return;
  insertion_.start.column = from;
  insertion_.before = text_->line(caret.line).left(from);
}

void ModalKeys::insertRegister(const ModalKey& name) {
  if (name.size() != 1) return;
  QByteArray text = memory_->registers.get(name[0], *text_).text;
  const ModalPlace at = text_->caret();
  replaceText(at, at, text);
  const auto lines = static_cast<int>(text.count('\n'));
  const auto behind = static_cast<int>(text.size() - text.lastIndexOf('\n') - 1);
  text_->setCaret({at.line + lines, lines > 0 ? behind : at.column + behind});
}

void ModalKeys::leaveInsertOnce() {
  const ModalPlace caret = text_->caret();
  endInsert();
  text_->setCaret(onCharacter(*text_, caret));
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
