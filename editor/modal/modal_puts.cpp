// SPDX-License-Identifier: GPL-3.0-or-later
// What a register holds is put into the text.
#include <algorithm>

#include "editor/modal/modal_keys.h"

namespace waferpair::editor {

void ModalKeys::putContent(const ModalRegister& content, bool isAfter, int count) {
  const ModalPlace at = text_->caret();
  const QByteArray line = text_->line(at.line);
  if (content.kind == ModalRegister::Kind::kLines) {
    QByteArray text = content.text;
    if (text.endsWith('\n')) text.chop(1);
    QByteArrayList lines;
    for (int i = 0; i < count; ++i) lines += text.split('\n');
    const int first = isAfter ? at.line + 1 : at.line;
    replaceLines(first, first, lines);
    return toLine(first);
  }
  const int column = isAfter ? nextColumn(line, at.column) : at.column;
  if (content.kind == ModalRegister::Kind::kBlock) {
    const int display = displayColumn(line, column, tabWidth());
    const QByteArrayList parts = content.text.split('\n');
    qsizetype width = 0;
    for (const QByteArray& part : parts) width = std::max(width, part.size());
    for (int i = 0; i < parts.size(); ++i) {
      const int row = at.line + i;
      if (row >= text_->lineCount()) replaceLines(row, row, {QByteArray()});
      const QByteArray target = text_->line(row);
      const int to = columnAtDisplay(target, display, tabWidth());
      const int missing = display - displayColumn(target, to, tabWidth());
      const bool isAtEnd = to >= target.size();
      QByteArray text = QByteArray(std::max(0, missing), ' ');
      for (int time = 0; time < count; ++time) {
        const bool pads = !isAtEnd || time + 1 < count;
        text += pads ? parts[i].leftJustified(width, ' ') : parts[i];
      }
      replaceText({row, to}, {row, to}, text);
    }
    return setCaret(onCharacter(*text_, {at.line, column}));
  }
  if (content.text.isEmpty()) return setCaret(onCharacter(*text_, {at.line, column}));
  const QByteArray text = content.text.repeated(count);
  replaceText({at.line, column}, {at.line, column}, text);
  if (text.contains('\n')) return setCaret(onCharacter(*text_, {at.line, column}));
  const int end = column + static_cast<int>(text.size());
  setCaret(onCharacter(*text_, {at.line, previousColumn(text_->line(at.line), end)}));
}

void ModalKeys::put(const ModalCommand& command, bool isAfter) {
  const ModalRegister content = memory_->registers.get(command.reg, *text_);
  if (content.text.isEmpty()) {
    failed_ = true;
    return;
  }
  putContent(content, isAfter, command.times());
}

// The caret goes behind what is put.
void ModalKeys::putAndPass(const ModalCommand& command, bool isAfter) {
  const ModalRegister content = memory_->registers.get(command.reg, *text_);
  put(command, isAfter);
  if (failed_) return;
  const ModalPlace at = text_->caret();
  if (content.kind == ModalRegister::Kind::kLines) {
    const auto lines = static_cast<int>(content.text.count('\n')) * command.times();
    return setCaret(onCharacter(*text_, {std::min(at.line + lines, text_->lineCount() - 1), 0}));
  }
  if (!content.text.contains('\n')) {
    const QByteArray line = text_->line(at.line);
    return setCaret(onCharacter(*text_, {at.line, nextColumn(line, at.column)}));
  }
  // The caret is at the beginning of these lines, or of this block.
  const auto lines = static_cast<int>(content.text.count('\n'));
  if (content.kind == ModalRegister::Kind::kBlock) {
    const auto parts = content.text.split('\n');
    const auto width = static_cast<int>(parts.last().size());
    return setCaret(onCharacter(*text_, {at.line + lines, at.column + width}));
  }
  const auto behind = static_cast<int>(content.text.size() - content.text.lastIndexOf('\n') - 1);
  setCaret(onCharacter(*text_, {at.line + lines * command.times(), behind}));
}

}  // namespace waferpair::editor
