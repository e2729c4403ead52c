// SPDX-License-Identifier: GPL-3.0-or-later
// What the keys of visual mode do to what is selected.
#include <algorithm>
#include <utility>

#include "editor/modal/modal_keys.h"

namespace waferpair::editor {

namespace {

using Kind = ModalSpan::Kind;

}  // namespace

ModalKeys::VisualExtent ModalKeys::visualExtent(const ModalSpan& span) const {
  const int lines = span.end.line - span.start.line + 1;
  if (mode_ == ModalMode::kVisualBlock) {
    const BlockColumns block = blockColumns(span);
    return {mode_, lines, block.last == kEndColumn ? kEndColumn : block.last - block.first + 1};
  }
  const QByteArray last = text_->line(span.end.line);
  const int first = lines == 1 ? displayColumn(last, span.start.column, tabWidth()) : 0;
  return {mode_, lines, lastDisplayColumn(last, span.end.column) - first + 1};
}

void ModalKeys::operateVisual(const ModalCommand& command) {
  ModalSpan span = visualSpan();
  const bool onLines = command.op == ">" || command.op == "<" || command.op == "=";
  const QByteArray last = text_->line(span.end.line);
  const bool toLineEnd = span.end.column >= last.size();
  if (span.kind == Kind::kInclusive && toLineEnd && !onLines &&
      span.end.line + 1 < text_->lineCount()) {
    span.end = {span.end.line + 1, 0};  // the line end goes along
    span.kind = Kind::kExclusive;
  }
  if (!again_) current_.extent = visualExtent(span);
  if (span.kind != Kind::kBlock) {
    endVisual();
    return operate(command, span, false);
  }
  // The columns of a block depend on the caret: it stays until they are used.
  lastVisual_ = {mode_, visualStart_, text_->caret()};
  operate(command, span, false);
  if (isVisual()) mode_ = ModalMode::kNormal;
}

bool ModalKeys::editVisual(const ModalCommand& command) {
  const QByteArray& name = command.name;
  ModalCommand made = command;
  made.name.clear();
  const auto operated = [&](const char* op, bool wholeLines = false) {
    made.op = op;
    if (wholeLines && mode_ != ModalMode::kVisualBlock) mode_ = ModalMode::kVisualLine;
    operateVisual(made);
    return true;
  };
  const bool isBlock = mode_ == ModalMode::kVisualBlock;
  if (name == "x" || name == "<Del>") return operated("d");
  if (name == "s") return operated("c");
  if (name == "u") return operated("gu");
  if (name == "U") return operated("gU");
  if (name == "~") return operated("g~");
  if ((name == "D" || name == "C") && isBlock) {
    wanted_ = kEndColumn;
    return operated(name == "D" ? "d" : "c");
  }
  if (name == "X" || name == "D") return operated("d", true);
  if (name == "S" || name == "R" || name == "C") return operated("c", true);
  if (name == "Y") return operated("y", true);
  if (name == "o" || name == "O") {
    const ModalPlace caret = text_->caret();
    setCaret(std::exchange(visualStart_, caret));
    return true;
  }
  const ModalSpan span = visualSpan();
  if (name == "J" || name == "gJ") {
    endVisual();
    if (span.start.line + 1 >= text_->lineCount()) {
      setCaret({span.start.line, span.kind == Kind::kLines ? 0 : span.start.column});
      return false;
    }
    current_ = {command, {}, {}};
    current_.command.count = std::max(2, span.end.line - span.start.line + 1);
    if (!again_) lastChange_ = current_;
    beginStep();
    joinLines(span.start.line, std::max(2, span.end.line - span.start.line + 1), name == "J");
    if (!again_) endStep();
    return true;
  }
  if (name == "p" || name == "P") {
    ModalRegister content = memory_->registers.get(command.reg, *text_);
    beginStep();
    const bool wasAtEnd = span.kind == Kind::kLines
                              ? span.end.line + 1 >= text_->lineCount()
                              : nextColumn(text_->line(span.end.line), span.end.column) >=
                                    text_->line(span.end.line).size();
    made.op = "d";
    made.reg = name == "P" ? '_' : 0;
    operateVisual(made);
    beginStep();
    const bool isLines = content.kind == ModalRegister::Kind::kLines;
    if (span.kind == Kind::kLines) {
      // Whatever takes the place of lines is lines.
      const bool isAllGone = text_->lineCount() == 1 && text_->line(0).isEmpty();
      const bool isEmpty = content.text.isEmpty();
      if (!isLines) content = {content.text + '\n', ModalRegister::Kind::kLines};
      if (!isAllGone || !isEmpty) {
        putContent(content, wasAtEnd || isAllGone, command.times());
        if (!isLines) setCaret({text_->caret().line, 0});
        if (isAllGone) {
          const ModalPlace caret = text_->caret();
          replaceLines(0, 1, {});
          setCaret({caret.line - 1, caret.column});
        }
      }
    } else if (content.text.isEmpty()) {
      // Nothing takes its place.
    } else if (isLines) {
      const ModalPlace at = text_->caret();
      const int column = wasAtEnd ? static_cast<int>(text_->line(at.line).size()) : at.column;
      replaceText({at.line, column}, {at.line, column}, "\n");
      text_->setCaret({at.line, 0});
      putContent(content, true, command.times());
    } else {
      putContent(content, wasAtEnd, command.times());
    }
    closeStep();
    return true;
  }
  if (name == "r") {
    const QByteArray character = command.argument;
    if (!again_) lastChange_ = {command, {}, visualExtent(span)};
    beginStep();
    const BlockColumns columns = isBlock ? blockColumns(span) : BlockColumns{};
    endVisual();
    if (isBlock) splitTabs(span, columns);
    for (int line = span.start.line; line <= span.end.line; ++line) {
      const QByteArray content = text_->line(line);
      auto [start, end] = std::pair(0, static_cast<int>(content.size()));
      if (isBlock) std::tie(start, end) = blockPart(line, columns);
      const QByteArray part = content.mid(start, end - start);
      if (isBlock && part.contains('\t')) {
        // A tab has as many characters as columns.
        const int width =
            displayColumn(content, end, tabWidth()) - displayColumn(content, start, tabWidth());
        replaceText({line, start}, {line, end}, character.repeated(width));
        continue;
      }
      if (span.kind == Kind::kInclusive && line == span.start.line) start = span.start.column;
      if (span.kind == Kind::kInclusive && line == span.end.line)
        end = nextColumn(content, span.end.column);
      const auto letters = QString::fromUtf8(content.mid(start, end - start)).size();
      if (end > start) replaceText({line, start}, {line, end}, character.repeated(letters));
    }
    setCaret(
        onCharacter(*text_, {span.start.line, isBlock ? blockPart(span.start.line, columns).first
                                              : span.kind == Kind::kLines ? 0
                                                                          : span.start.column}));
    closeStep();
    return true;
  }
  if (name == "I" || name == "A") {
    Insertion insertion;
    insertion.count = command.times();
    ModalPlace at = name == "I" ? span.start : span.end;
    if (isBlock) {
      const BlockColumns columns = blockColumns(span);
      insertion.blockLast = span.end.line;
      insertion.toLineEnds = name == "A" && columns.last == kEndColumn;
      insertion.isAppend = name == "A";
      insertion.blockColumn = name == "I" ? columns.first : columns.last + 1;
      const QByteArray line = text_->line(span.start.line);
      insertion.blockStart = columnAtDisplay(line, columns.first, tabWidth());
      const int reached = displayColumn(line, static_cast<int>(line.size()), tabWidth());
      const bool isShort = insertion.isAppend && !insertion.toLineEnds;
      beginStep();
      if (isShort && reached < insertion.blockColumn)
        replaceText({span.start.line, static_cast<int>(line.size())},
                    {span.start.line, static_cast<int>(line.size())},
                    QByteArray(insertion.blockColumn - reached, ' '));
      for (int each = span.start.line; each <= span.end.line; ++each)
        splitTab(each, insertion.blockColumn);
      const QByteArray ready = text_->line(span.start.line);
      at = {span.start.line, insertion.toLineEnds
                                 ? static_cast<int>(ready.size())
                                 : columnAtDisplay(ready, insertion.blockColumn, tabWidth())};
    } else if (name == "A") {
      at.column = nextColumn(text_->line(at.line), at.column);
    } else if (span.kind == Kind::kLines) {
      at.column = 0;
    }
    if (!again_) {
      current_ = {{}, {}, {}};
      current_.command.name = name == "I" ? "i" : "a";
      // Done again, an insertion into a block goes into as many lines.
      if (isBlock) {
        current_.command = command;
        current_.extent = visualExtent(span);
      }
    }
    endVisual();
    beginStep();
    text_->setCaret(at);
    beginInsert(insertion);
    return true;
  }
  if (name == "<C-a>" || name == "<C-x>") {
    beginStep();
    endVisual();
    for (int line = span.start.line; line <= span.end.line; ++line) {
      text_->setCaret(
          {line, line == span.start.line && span.kind != Kind::kLines ? span.start.column : 0});
      addToNumber(name == "<C-a>" ? command.times() : -command.times());
    }
    setCaret(onCharacter(*text_, span.start));
    closeStep();
    return true;
  }
  sayUnknown(command);
  return false;
}

}  // namespace waferpair::editor
