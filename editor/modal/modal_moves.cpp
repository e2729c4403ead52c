// SPDX-License-Identifier: GPL-3.0-or-later
// Where the motions of modal keys lead.
#include <QCoreApplication>
#include <algorithm>

#include "editor/modal/modal_keys.h"
#include "editor/modal/modal_sentences.h"
#include "editor/modal/vim_pattern.h"
#include "editor/text/decoded_line.h"
#include "editor/text/word_byte.h"

namespace waferpair::editor {

namespace {

using Kind = ModalSpan::Kind;

bool isAnyOf(const QByteArray& name, std::initializer_list<const char*> names) {
  return std::any_of(names.begin(), names.end(), [&](const char* one) { return name == one; });
}

}  // namespace

// The place in this line that j and k go to.
ModalPlace ModalKeys::atWanted(int line) const {
  const QByteArray content = text_->line(line);
  // In visual mode a line's end is a place, too.
  const int last = isVisual() ? static_cast<int>(content.size()) : lastColumn(content);
  if (wanted_ == kEndColumn) return {line, last};
  return {line, std::min(columnAtDisplay(content, wanted_, tabWidth()), last)};
}

void ModalKeys::setCaret(ModalPlace place, bool keepsWanted) {
  text_->setCaret(place);
  if (keepsWanted) return;
  // On a tab it is seen at its end.
  const QByteArray line = text_->line(place.line);
  const bool isOnTab = place.column < line.size() && line[place.column] == '\t';
  wanted_ = displayColumn(line, place.column + (isOnTab ? 1 : 0), tabWidth()) - (isOnTab ? 1 : 0);
}

// In normal and visual mode. True: it is a motion, whether it leads somewhere or not.
bool ModalKeys::move(const ModalCommand& command) {
  static const QByteArrayList kMotions{
      "h",  "l",    "j",    "k",      "w",       "W",    "b",      "B",      "e",    "E", "ge",
      "gE", "0",    "^",    "$",      "g_",      "gg",   "G",      "f",      "F",    "t", "T",
      ";",  ",",    "%",    "{",      "}",       "(",    ")",      "H",      "M",    "L", "n",
      "N",  "*",    "#",    "g*",     "g#",      "'",    "`",      "+",      "-",    "_", "|",
      " ",  "<CR>", "<BS>", "<Left>", "<Right>", "<Up>", "<Down>", "<Home>", "<End>"};
  if (!kMotions.contains(command.name)) return false;
  const bool isVertical = isAnyOf(command.name, {"j", "k", "<Up>", "<Down>"});
  const auto aim = target(command, text_->caret());
  if (!aim) {
    failed_ = true;
    return true;
  }
  failed_ = aim->isShort;
  if (aim->isJump) marks_['\''] = text_->caret();
  ModalPlace place = aim->place;
  const QByteArray line = text_->line(place.line);
  const bool toEnd = command.name == "$" || command.name == "<End>";
  place.column = isVisual() && toEnd ? static_cast<int>(line.size())
                 : isVisual()        ? std::min(place.column, static_cast<int>(line.size()))
                                     : std::min(place.column, lastColumn(line));
  setCaret(place, isVertical);
  if (toEnd) wanted_ = kEndColumn;
  return true;
}

std::optional<ModalTarget> ModalKeys::target(const ModalCommand& command, ModalPlace from) {
  if (auto aim = lineTarget(command, from)) return aim;
  if (auto aim = characterTarget(command, from)) return aim;
  if (auto aim = wordTarget(command, from)) return aim;
  if (auto aim = searchTarget(command, from)) return aim;
  const QByteArray& name = command.name;
  if (name == "{" || name == "}")
    return paragraphMotion(*text_, from, name == "}" ? 1 : -1, command.times());
  if (name == "(" || name == ")")
    return sentenceMotion(*text_, from, name == ")" ? 1 : -1, command.times());
  if (name == "'" || name == "`") return markTarget(command);
  if (name == "%" && command.count > 0) {
    const int line =
        std::clamp((command.count * text_->lineCount() + 99) / 100, 1, text_->lineCount()) - 1;
    return ModalTarget{{line, firstNonBlank(text_->line(line))}, Kind::kLines, true};
  }
  if (name == "%") {
    const auto place = bracketMotion(*text_, from);
    if (!place) return std::nullopt;
    return ModalTarget{*place, Kind::kInclusive, true, true};
  }
  return std::nullopt;
}

std::optional<ModalTarget> ModalKeys::lineTarget(const ModalCommand& command, ModalPlace from) {
  const QByteArray& name = command.name;
  const int last = text_->lineCount() - 1;
  const int count = command.times();
  const auto lineStart = [&](int line, bool isJump) {
    const QByteArray content = text_->line(line);
    return ModalTarget{
        {line, std::min(firstNonBlank(content), lastColumn(content))}, Kind::kLines, isJump};
  };
  if (isAnyOf(name, {"j", "<Down>", "+", "<CR>"})) {
    if (from.line == last) return std::nullopt;
    const int line = std::min(last, from.line + count);
    if (name == "+" || name == "<CR>") return lineStart(line, false);
    return ModalTarget{atWanted(line), Kind::kLines};
  }
  if (isAnyOf(name, {"k", "<Up>", "-"})) {
    if (from.line == 0) return std::nullopt;
    const int line = std::max(0, from.line - count);
    if (name == "-") return lineStart(line, false);
    return ModalTarget{atWanted(line), Kind::kLines};
  }
  if (name == "_") {
    if (count > 1 && from.line == last) return std::nullopt;
    return lineStart(std::min(last, from.line + count - 1), false);
  }
  if (name == "gg") return lineStart(std::min(last, count - 1), true);
  if (name == "G") return lineStart(command.count > 0 ? std::min(last, count - 1) : last, true);
  const int first = std::min(last, text_->firstShown());
  const int bottom = std::min(last, text_->lastShown());
  if (name == "H") return lineStart(std::min(bottom, first + count - 1), true);
  if (name == "L") return lineStart(std::max(first, bottom - count + 1), true);
  if (name == "M") return lineStart((first + bottom) / 2, true);
  return std::nullopt;
}

std::optional<ModalTarget> ModalKeys::characterTarget(const ModalCommand& command,
                                                      ModalPlace from) {
  const QByteArray& name = command.name;
  const bool operates = !command.op.isEmpty();
  const QByteArray line = text_->line(from.line);
  int column = from.column;
  if (isAnyOf(name, {"h", "<Left>", "<BS>"})) {
    if (column == 0 && !operates) return std::nullopt;
    for (int i = 0; i < command.times() && column > 0; ++i) column = previousColumn(line, column);
    return ModalTarget{{from.line, column}};
  }
  if (isAnyOf(name, {"l", "<Right>", " "})) {
    const int most = operates || isVisual() ? static_cast<int>(line.size()) : lastColumn(line);
    if (column >= most && !operates) return std::nullopt;
    for (int i = 0; i < command.times() && column < most; ++i) column = nextColumn(line, column);
    return ModalTarget{{from.line, column}};
  }
  if (name == "0" || name == "<Home>") return ModalTarget{{from.line, 0}};
  if (name == "^") return ModalTarget{{from.line, std::min(firstNonBlank(line), lastColumn(line))}};
  if (name == "|") {
    const int to = columnAtDisplay(line, command.times() - 1, tabWidth());
    return ModalTarget{{from.line, std::min(to, lastColumn(line))}};
  }
  if (name == "$" || name == "<End>" || name == "g_") {
    const int to = from.line + command.times() - 1;
    if (command.times() > 1 && from.line + 1 == text_->lineCount()) return std::nullopt;
    const int at = std::min(to, text_->lineCount() - 1);
    const QByteArray content = text_->line(at);
    int end = static_cast<int>(content.size());
    if (name == "g_")
      while (end > 0 && isBlankByte(content[end - 1])) --end;
    if (end == 0) return ModalTarget{{at, 0}, Kind::kInclusive};
    return ModalTarget{{at, previousColumn(content, end)}, Kind::kInclusive};
  }
  const bool isFind = isAnyOf(name, {"f", "F", "t", "T"});
  if (!isFind && name != ";" && name != ",") return std::nullopt;
  if (isFind)
    memory_->character = {command.argument, name == "f" || name == "t", name == "t" || name == "T"};
  CharacterSearch search = memory_->character;
  if (name == ",") search.isForward = !search.isForward;
  const auto place = findCharacter(*text_, from, search, command.times(), !isFind);
  if (!place) return std::nullopt;
  return ModalTarget{*place, search.isForward ? Kind::kInclusive : Kind::kExclusive};
}

std::optional<ModalTarget> ModalKeys::wordTarget(const ModalCommand& command,
                                                 ModalPlace from) const {
  const QByteArray& name = command.name;
  if (!isAnyOf(name, {"w", "W", "b", "B", "e", "E", "ge", "gE"})) return std::nullopt;
  const bool operates = !command.op.isEmpty();
  const bool isBig = name.right(1)[0] < 'a';
  const QByteArray small = name.toLower();
  const QByteArray line = text_->line(from.line);
  const bool isOnWord = from.column < line.size() && !isBlankByte(line[from.column]);
  // "cw" is "ce", but stays at the end of a word.
  const bool changesWord = command.op == "c" && small == "w" && isOnWord;
  const WordMotion motion = small == "b"                  ? WordMotion::kBack
                            : small == "ge"               ? WordMotion::kBackEnd
                            : small == "e" || changesWord ? WordMotion::kEnd
                                                          : WordMotion::kNext;
  ModalTarget aim = wordMotion(*text_, from, motion, isBig, command.times(), operates, changesWord);
  const bool isForward = motion == WordMotion::kEnd || motion == WordMotion::kNext;
  if (isForward && (!operates || aim.kind == Kind::kInclusive) && aim.place > from)
    aim.place.column = std::min(aim.place.column, lastColumn(text_->line(aim.place.line)));
  if (operates && isForward) aim.isShort = false;
  return aim;
}

std::optional<ModalTarget> ModalKeys::markTarget(const ModalCommand& command) const {
  const char name = command.argument[0] == '`' ? '\'' : command.argument[0];
  if (!marks_.contains(name)) return std::nullopt;
  const ModalPlace place = onCharacter(*text_, marks_.value(name));
  if (command.name == "`") return ModalTarget{place, Kind::kExclusive, true, true};
  return ModalTarget{{place.line, firstNonBlank(text_->line(place.line))}, Kind::kLines, true};
}

std::optional<ModalTarget> ModalKeys::searchTarget(const ModalCommand& command, ModalPlace from) {
  const QByteArray& name = command.name;
  const bool isWhole = name == "*" || name == "#";
  if (isWhole || name == "g*" || name == "g#") {
    const QByteArray line = text_->line(from.line);
    int start = from.column;
    while (start < line.size() && !isWordByte(line[start])) ++start;
    const bool isName = start < line.size();
    if (!isName) start = from.column;  // whatever stands there
    while (!isName && start < line.size() && isBlankByte(line[start])) ++start;
    if (start >= line.size()) return std::nullopt;
    const auto belongs = [isName](char c) { return isName ? isWordByte(c) : !isBlankByte(c); };
    while (start > 0 && belongs(line[start - 1])) --start;
    int end = start;
    while (end < line.size() && belongs(line[end])) ++end;
    const QString found = QString::fromUtf8(line.mid(start, end - start));
    memory_->pattern = vimPatternOf(found);
    if (isWhole && isName) memory_->pattern = QStringLiteral("\\<%1\\>").arg(memory_->pattern);
    memory_->isForward = name.endsWith('*');
    from.column = start;
  } else if (name != "n" && name != "N") {
    return std::nullopt;
  }
  if (memory_->pattern.isEmpty()) return std::nullopt;
  const bool isForward = memory_->isForward != (name == "N");
  const auto place =
      findPattern(*text_, from, vimPattern(memory_->pattern), isForward, command.times());
  if (!place) {
    text_->say(QCoreApplication::translate("Text", "“%1” is not found.").arg(memory_->pattern));
    return std::nullopt;
  }
  return ModalTarget{*place, Kind::kExclusive, true, true};
}

// "gn": the match at the caret or the next one; "gN": the same or the one before.
std::optional<ModalSpan> ModalKeys::matchSpan(bool isForward) const {
  const QRegularExpression pattern = vimPattern(memory_->pattern);
  if (memory_->pattern.isEmpty() || !pattern.isValid()) return std::nullopt;
  const ModalPlace caret = text_->caret();
  const int lines = text_->lineCount();
  for (int by = 0; by <= lines; ++by) {
    const int at = ((caret.line + (isForward ? by : -by)) % lines + lines) % lines;
    DecodedLine line(text_->line(at));
    std::optional<ModalSpan> found;
    auto matches = pattern.globalMatch(line.text());
    while (matches.hasNext()) {
      const auto match = matches.next();
      if (match.capturedLength() == 0) continue;
      const ModalSpan span{{at, static_cast<int>(line.byteAt(match.capturedStart()))},
                           {at, static_cast<int>(line.byteAt(match.capturedEnd()))},
                           Kind::kExclusive};
      const bool counts = by != 0 || (isForward ? span.end.column > caret.column
                                                : span.start.column <= caret.column);
      if (!counts) continue;
      found = span;
      if (isForward) break;
    }
    if (found) return found;
  }
  return std::nullopt;
}

// Return was pressed behind "/" or "?".
void ModalKeys::search(const QString& pattern, bool isForward, int count) {
  if (!pattern.isEmpty()) memory_->pattern = pattern;
  memory_->isForward = isForward;
  const QRegularExpression expression = vimPattern(memory_->pattern);
  if (!expression.isValid()) {
    failed_ = true;
    return text_->say(QCoreApplication::translate("Text", "“%1” is no pattern: %2.")
                          .arg(memory_->pattern, expression.errorString()));
  }
  ModalCommand command = searchFor_;
  command.name = "n";
  command.count = count;
  execute(command);
}

}  // namespace waferpair::editor
