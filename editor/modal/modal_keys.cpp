// SPDX-License-Identifier: GPL-3.0-or-later
// The modes. Where motions lead is in modal_moves.cpp, what edits do in modal_edits.cpp, what is
// typed behind ":" in modal_ex.cpp.
#include "editor/modal/modal_keys.h"

#include <QCoreApplication>
#include <algorithm>
#include <utility>

#include "editor/modal/vim_pattern.h"

namespace waferpair::editor {

namespace {

constexpr int kMostPlayedKeys = 100'000;

QByteArray writtenKey(const ModalKey& key) { return key == "<" ? QByteArray("<lt>") : key; }

}  // namespace

ModalKeys::ModalKeys(ModalText* text, ModalMemory* memory) : text_(text), memory_(memory) {}

QString ModalKeys::typed() const {
  if (mode_ == ModalMode::kCommandLine) return commandLine_;
  return QString::fromUtf8(keys_.join());
}

bool ModalKeys::press(const ModalKey& key) {
  // The "q" that ends a recording is no part of it.
  const bool ends = recording_ != 0 && key == "q" && keys_.isEmpty() &&
                    mode_ != ModalMode::kInsert && mode_ != ModalMode::kReplace &&
                    mode_ != ModalMode::kCommandLine;
  if (recording_ != 0 && !ends && depth_ == 0) recorded_ += writtenKey(key);
  failed_ = false;
  const bool wasOut = insertsOn_.has_value();
  const bool isTaken = dispatch(key);
  if (wasOut) goOnInserting();
  return isTaken;
}

bool ModalKeys::dispatch(const ModalKey& key) {
  if (mode_ == ModalMode::kCommandLine) return pressCommandLine(key);
  if (mode_ == ModalMode::kInsert) return pressInsert(key);
  if (mode_ == ModalMode::kReplace) return pressReplace(key);
  if (key == "<Esc>" || key == "<C-[>" || key == "<C-c>") {
    if (keys_.isEmpty() && isVisual()) endVisual();
    keys_.clear();
    return true;
  }
  // Keys of the window, and those that nobody has typed as a command.
  static const QByteArrayList kKnown{"<C-a>",  "<C-b>", "<C-d>",    "<C-e>",      "<C-f>", "<C-i>",
                                     "<C-o>",  "<C-r>", "<C-u>",    "<C-v>",      "<C-x>", "<C-y>",
                                     "<CR>",   "<BS>",  "<Left>",   "<Right>",    "<Up>",  "<Down>",
                                     "<Home>", "<End>", "<PageUp>", "<PageDown>", "<Del>"};
  if (key == "<Tab>") return dispatch("<C-i>");
  if (key.size() > 1 && key[0] == '<' && !kKnown.contains(key)) {
    keys_.clear();
    return false;
  }
  keys_.append(key);
  ModalCommand command;
  const ModalParse parsed = parseModal(keys_, isVisual(), recording_ != 0, &command);
  if (parsed == ModalParse::kPart) return true;
  keys_.clear();
  // Who went to a line's beginning inserts there, in a line of one character, too.
  const bool isToStart = command.name == "0" || command.name == "^" || command.name == "_";
  if (insertsOn_ && isToStart && parsed == ModalParse::kWhole) insertsOn_->column = 0;
  if (parsed == ModalParse::kWhole) execute(command);
  if (parsed == ModalParse::kWrong) failed_ = true;
  return true;
}

void ModalKeys::execute(const ModalCommand& command) {
  if (executeMode(command) || executeView(command)) return;
  if (command.op.isEmpty() && !command.isObject && move(command)) return;
  if (isVisual()) {
    if (command.isObject) {
      const auto span = spanOf(command);
      if (!span) {
        failed_ = true;
        return;
      }
      return selectSpan(*span);
    }
    if (!command.op.isEmpty()) return operateVisual(command);
    failed_ = !editVisual(command);
    return;
  }
  if (!command.op.isEmpty()) {
    if (command.name == "/" || command.name == "?") {
      searchFor_ = command;
      below_ = ModalMode::kNormal;
      mode_ = ModalMode::kCommandLine;
      commandLine_ = QString::fromUtf8(command.name);
      return;
    }
    const auto aim = command.isObject || command.name == command.op
                         ? std::nullopt
                         : target(command, text_->caret());
    const auto span = aim && aim->isShort ? std::nullopt : spanOf(command);
    if (!span) {
      if (aim) setCaret(onCharacter(*text_, aim->place));
      failed_ = true;
      return;
    }
    return operate(command, *span, aim && aim->usesFirstRegister);
  }
  failed_ = !edit(command);
}

void ModalKeys::selectSpan(const ModalSpan& span) {
  visualStart_ = span.start;
  if (span.kind == ModalSpan::Kind::kLines) mode_ = ModalMode::kVisualLine;
  ModalPlace end = span.end;
  if (span.kind == ModalSpan::Kind::kExclusive)
    end.column = previousColumn(text_->line(end.line), end.column);
  setCaret(end);
}

// A command that Vim may have, and that is not here.
void ModalKeys::sayUnknown(const ModalCommand& command) const {
  if (depth_ > 0 || command.name.isEmpty()) return;
  text_->say(QCoreApplication::translate("Text", "“%1” is no command here.")
                 .arg(QString::fromUtf8(command.op + command.name + command.argument)));
}

// Commands that lead to another mode, and those of macros.
bool ModalKeys::executeMode(const ModalCommand& command) {
  const QByteArray& name = command.name;
  if (!command.op.isEmpty() || command.isObject) return false;
  if (name == "v" || name == "V" || name == "<C-v>") {
    beginVisual(name == "v"   ? ModalMode::kVisual
                : name == "V" ? ModalMode::kVisualLine
                              : ModalMode::kVisualBlock);
  } else if (name == "gv") {
    failed_ = lastVisual_.mode == ModalMode::kNormal;
    if (failed_) return true;
    mode_ = lastVisual_.mode;
    visualStart_ = onCharacter(*text_, lastVisual_.start);
    setCaret(onCharacter(*text_, lastVisual_.end));
  } else if (name == "gn" || name == "gN") {
    const auto span = matchSpan(name == "gn");
    failed_ = !span;
    if (!span) return true;
    const ModalPlace start = isVisual() ? visualStart_ : span->start;
    if (!isVisual()) mode_ = ModalMode::kVisual;
    selectSpan(*span);
    visualStart_ = start;
    if (name == "gN") {
      visualStart_ = text_->caret();
      setCaret(span->start);
    }
  } else if (name == ":" || name == "/" || name == "?") {
    searchFor_ = command;
    commandLine_ = QString::fromUtf8(name);
    if (name == ":" && isVisual()) {
      commandLine_ += QStringLiteral("'<,'>");
      endVisual();
    } else if (name == ":" && command.count > 0) {
      commandLine_ += command.count == 1 ? QStringLiteral(".")
                                         : QStringLiteral(".,.+%1").arg(command.count - 1);
    }
    below_ = mode_;
    mode_ = ModalMode::kCommandLine;
  } else if (name == "q") {
    if (recording_ != 0) {
      memory_->registers.set(recording_, recorded_);
      recording_ = 0;
    } else {
      recording_ = command.argument[0];
      if (recording_ >= 'A' && recording_ <= 'Z') {
        recording_ = static_cast<char>(recording_ - 'A' + 'a');
        recorded_ = memory_->registers.get(recording_, *text_).text;
      } else {
        recorded_.clear();
      }
    }
  } else if (name == "@") {
    playMacro(command);
  } else if (name == "." && !isVisual()) {
    repeatChange(command);
  } else if (name == "m") {
    marks_[command.argument[0]] = text_->caret();
  } else if (name == "ZZ" || name == "ZQ") {
    failed_ =
        !text_->run(name == "ZZ" ? QStringLiteral("write-quit") : QStringLiteral("force-quit"));
  } else {
    return false;
  }
  return true;
}

// Commands that change what is seen of the text, or go through places and history.
bool ModalKeys::executeView(const ModalCommand& command) {
  const QByteArray& name = command.name;
  if (!command.op.isEmpty() || command.isObject) return false;
  const auto first = text_->firstShown(), last = text_->lastShown();
  const int page = std::max(1, last - first - 1);
  const auto run = [&](const char* what) { failed_ = !text_->run(QLatin1String(what)); };
  const auto showAt = [&](double height) {
    int line = text_->caret().line;
    if (command.count > 0) {
      line = std::min(command.count, text_->lineCount()) - 1;
      setCaret(atWanted(line), true);
    }
    text_->showLineAt(line, height);
  };
  if (name == "zt" || name == "z<CR>") {
    showAt(0);
  } else if (name == "zz" || name == "z.") {
    showAt(0.5);
  } else if (name == "zb" || name == "z-") {
    showAt(1);
  } else if (name == "za") {
    run("toggle-fold");
  } else if (name == "zo") {
    run("unfold");
  } else if (name == "zc") {
    run("fold");
  } else if (name == "zR") {
    run("unfold-all");
  } else if (name == "zM") {
    run("fold-all");
  } else if (name == "<C-o>") {
    run("jump-back");
  } else if (name == "<C-i>") {
    run("jump-forward");
  } else if (name == "<C-d>" || name == "<C-u>") {
    scrollHalf(name == "<C-d>" ? 1 : -1, command.count);
  } else if (name == "<C-f>" || name == "<C-b>" || name == "<PageDown>" || name == "<PageUp>") {
    const int direction = name == "<C-f>" || name == "<PageDown>" ? 1 : -1;
    const int by = direction * page * command.times();
    const int line = std::clamp(text_->caret().line + by, 0, text_->lineCount() - 1);
    text_->showLineAt(std::clamp(first + by, 0, text_->lineCount() - 1), 0);
    setCaret({line, firstNonBlank(text_->line(line))});
  } else if (name == "<C-e>" || name == "<C-y>") {
    const int by = (name == "<C-e>" ? 1 : -1) * command.times();
    const int top = std::clamp(first + by, 0, text_->lineCount() - 1);
    text_->showLineAt(top, 0);
    const int most = std::min(std::max(top, last + by), text_->lineCount() - 1);
    const int line = std::clamp(text_->caret().line, top, most);
    if (line != text_->caret().line) setCaret(atWanted(line), true);
  } else if (name == "u" && !isVisual()) {
    closeStep();
    for (int i = 0; i < command.times(); ++i) failed_ = !text_->undo();
    setCaret(onCharacter(*text_, text_->caret()));
  } else if (name == "<C-r>") {
    for (int i = 0; i < command.times(); ++i) failed_ = !text_->redo();
    setCaret(onCharacter(*text_, text_->caret()));
  } else {
    return false;
  }
  return true;
}

void ModalKeys::scrollHalf(int direction, int count) {
  const int half = std::max(1, (text_->lastShown() - text_->firstShown() + 1) / 2);
  const int by = direction * (count > 0 ? count : half);
  const int line = std::clamp(text_->caret().line + by, 0, text_->lineCount() - 1);
  if (line == text_->caret().line) {
    failed_ = true;
    return;
  }
  text_->showLineAt(std::clamp(text_->firstShown() + by, 0, text_->lineCount() - 1), 0);
  setCaret({line, firstNonBlank(text_->line(line))});
}

// -- Edits

void ModalKeys::replaceText(ModalPlace start, ModalPlace end, const QByteArray& text) {
  text_->replace(start, end, text);
  // What stood in lines that are joined stands in the first.
  for (ModalPlace& mark : marks_)
    if (mark.line > start.line && mark.line <= end.line) mark.line = start.line;
  // A line end at a line's beginning moves all of that line.
  const bool isAbove = start == end && start.column == 0;
  followLines(end.line + (isAbove ? 0 : 1),
              static_cast<int>(text.count('\n')) - (end.line - start.line));
}

void ModalKeys::replaceLines(int first, int end, const QByteArrayList& lines) {
  text_->replaceLines(first, end, lines);
  const auto made = static_cast<int>(lines.size());
  marks_.removeIf([&](auto mark) { return mark->line >= first + made && mark->line < end; });
  followLines(end, made - (end - first));
}

// The lines from `end` on stand so many lines lower.
void ModalKeys::followLines(int end, int by) {
  if (by == 0) return;
  for (ModalPlace& mark : marks_)
    if (mark.line >= end) mark.line += by;
  for (ModalPlace* place : {&lastVisual_.start, &lastVisual_.end})
    if (place->line >= end) place->line = std::max(0, place->line + by);
}

// -- Undo steps

void ModalKeys::beginStep() {
  if (std::exchange(isInStep_, true)) return;
  text_->beginStep();
}

void ModalKeys::closeStep() {
  if (std::exchange(isInStep_, false)) text_->endStep();
}

void ModalKeys::endStep() {
  if (mode_ != ModalMode::kInsert && mode_ != ModalMode::kReplace) closeStep();
}

// -- Visual modes

void ModalKeys::beginVisual(ModalMode mode) {
  if (mode_ == mode) return endVisual();
  if (!isVisual()) visualStart_ = text_->caret();
  mode_ = mode;
}

void ModalKeys::endVisual() {
  if (!isVisual()) return;
  lastVisual_ = {mode_, visualStart_, text_->caret()};
  const ModalSpan span = visualSpan();
  marks_['<'] = span.start;
  marks_['>'] = span.end;
  const ModalPlace caret = onCharacter(*text_, text_->caret());
  mode_ = ModalMode::kNormal;
  text_->setCaret(caret);
}

// -- What is typed behind ":", "/" and "?"

bool ModalKeys::pressCommandLine(const ModalKey& key) {
  const bool ends = key == "<Esc>" || key == "<C-[>" || key == "<C-c>" ||
                    (key == "<BS>" && commandLine_.size() == 1);
  if (ends) {
    mode_ = below_;
    commandLine_.clear();
    return true;
  }
  if (key == "<BS>") {
    commandLine_.chop(1);
    return true;
  }
  if (key == "<C-u>" || key == "<C-w>") {
    qsizetype to = key == "<C-u>" ? 1 : commandLine_.lastIndexOf(u' ', commandLine_.size() - 2) + 1;
    commandLine_.truncate(std::max<qsizetype>(1, to));
    return true;
  }
  if (key == "<CR>") {
    const QString line = std::exchange(commandLine_, {});
    mode_ = below_;
    const QString rest = line.mid(1);
    if (line.startsWith(u':')) {
      memory_->registers.set(':', rest.toUtf8());
      runEx(rest);
    } else {
      search(rest, line.startsWith(u'/'), searchFor_.times());
    }
    return true;
  }
  if (key.size() > 1 && key[0] == '<') return true;
  commandLine_ += QString::fromUtf8(key);
  return true;
}

// -- Again

void ModalKeys::repeatChange(const ModalCommand& command) {
  if (lastChange_.command.name.isEmpty() && lastChange_.command.op.isEmpty()) {
    failed_ = true;
    return;
  }
  if (command.count > 0) lastChange_.command.count = command.count;
  // "1p.. goes through the registers.
  char& reg = lastChange_.command.reg;
  const QByteArray& name = lastChange_.command.name;
  if (reg >= '1' && reg < '9' && (name == "p" || name == "P")) ++reg;
  Change change = lastChange_;
  beginStep();
  again_ = &change;
  if (change.extent) {
    // As many lines or characters, from the caret on.
    const VisualExtent extent = *change.extent;
    const ModalPlace start = text_->caret();
    visualStart_ = start;
    mode_ = extent.mode;
    const int line = std::min(start.line + extent.lines - 1, text_->lineCount() - 1);
    const QByteArray content = text_->line(line);
    const bool isOneLine = extent.lines == 1 || extent.mode == ModalMode::kVisualBlock;
    const int from =
        isOneLine ? displayColumn(text_->line(start.line), start.column, tabWidth()) : 0;
    const bool toLineEnds = extent.columns == kEndColumn;
    const int column = toLineEnds ? lastColumn(content)
                                  : columnAtDisplay(content, from + extent.columns - 1, tabWidth());
    // Where the line is shorter, its end goes along.
    const int last =
        extent.mode == ModalMode::kVisual ? static_cast<int>(content.size()) : lastColumn(content);
    text_->setCaret({line, std::min(column, last)});
    if (toLineEnds) wanted_ = kEndColumn;
  }
  execute(change.command);
  again_ = nullptr;
  mode_ = ModalMode::kNormal;
  closeStep();
}

void ModalKeys::playMacro(const ModalCommand& command) {
  char name = command.argument[0];
  if (name == '@') name = lastMacro_;
  const QByteArray text = name != 0 ? memory_->registers.get(name, *text_).text : QByteArray();
  if (text.isEmpty() || depth_ >= kDeepestMacro) {
    failed_ = true;
    return;
  }
  lastMacro_ = name;
  const QVector<ModalKey> keys = modalKeys(text);
  int played = 0;
  ++depth_;
  for (int i = 0; i < command.times() && !failed_; ++i) {
    for (const ModalKey& key : keys) {
      if (++played > kMostPlayedKeys) failed_ = true;
      if (failed_) break;
      // A yanked text may have line ends in it.
      dispatch(key == "\n" ? ModalKey("<CR>") : key);
    }
  }
  --depth_;
}

// -- From outside

void ModalKeys::toNormal() {
  keys_.clear();
  if (mode_ == ModalMode::kInsert) {
    endInsert();
  } else if (mode_ == ModalMode::kReplace) {
    pressReplace("<Esc>");
  } else if (isVisual()) {
    endVisual();
  } else if (mode_ == ModalMode::kCommandLine) {
    commandLine_.clear();
    mode_ = ModalMode::kNormal;
  }
}

void ModalKeys::caretWasMoved(std::optional<ModalPlace> anchor) {
  if (mode_ == ModalMode::kInsert || mode_ == ModalMode::kReplace) return;
  const ModalPlace caret = text_->caret();
  if (anchor && *anchor != caret) {
    visualStart_ = *anchor;
    ModalPlace end = caret;
    // A selection ends behind its last character.
    if (*anchor < caret) {
      end.column = previousColumn(text_->line(end.line), end.column);
    } else {
      visualStart_.column = previousColumn(text_->line(anchor->line), anchor->column);
    }
    mode_ = ModalMode::kVisual;
    visualStart_ = onCharacter(*text_, visualStart_);
    return setCaret(onCharacter(*text_, end));
  }
  if (isVisual()) endVisual();
  setCaret(onCharacter(*text_, caret));
}

void ModalKeys::reset() {
  isInStep_ = false;  // the step went with the text
  insertion_ = {};
  replacing_.clear();
  replaced_.clear();
  awaitsRegister_ = false;
  insertsOn_.reset();
  keys_.clear();
  commandLine_.clear();
  marks_.clear();
  lastVisual_ = {};
  mode_ = ModalMode::kNormal;
}

}  // namespace waferpair::editor
