// SPDX-License-Identifier: GPL-3.0-or-later
// What operators and the other editing keys do.
#include <QRegularExpression>
#include <algorithm>
#include <utility>

#include "editor/modal/modal_keys.h"
#include "editor/modal/modal_objects.h"
#include "editor/text/kept_bytes.h"
#include "editor/text/text_codec.h"
#include "editor/text/word_byte.h"

namespace waferpair::editor {

namespace {

using Kind = ModalSpan::Kind;

// Bytes that are no characters have no case.
QByteArray withBytes(const QByteArray& before, const QString& changed) {
  return withBytesOf(before, changed.toUtf8()).value_or(before);
}

QByteArray upperCased(const QByteArray& text) { return withBytes(text, exactUtf8(text).toUpper()); }
QByteArray lowerCased(const QByteArray& text) { return withBytes(text, exactUtf8(text).toLower()); }

QByteArray caseToggled(const QByteArray& text) {
  QString toggled = exactUtf8(text);
  for (QChar& c : toggled) c = c.isUpper() ? c.toLower() : c.toUpper();
  return withBytes(text, toggled);
}

// Behind the span's last character.
ModalPlace behind(const ModalText& text, const ModalSpan& span) {
  if (span.kind != Kind::kInclusive) return span.end;
  return {span.end.line, nextColumn(text.line(span.end.line), span.end.column)};
}

// Keys that stand for an operator and a motion.
struct ShortForm {
  const char* key;
  const char* op;
  const char* motion;
};
constexpr ShortForm kShortForms[] = {{"x", "d", "l"}, {"<Del>", "d", "l"}, {"X", "d", "h"},
                                     {"D", "d", "$"}, {"C", "c", "$"},     {"s", "c", "l"},
                                     {"S", "c", "c"}, {"Y", "y", "y"}};

}  // namespace

// -- Spans

std::optional<ModalSpan> ModalKeys::spanOf(const ModalCommand& command) {
  const ModalPlace from = text_->caret();
  if (command.isObject) {
    auto span = textObject(*text_, onCharacter(*text_, from), command.argument[0],
                           command.name == "a", command.times());
    if (span && command.argument == "s") spareLineEnd(&*span);
    return span;
  }
  if (command.name == "gn" || command.name == "gN") return matchSpan(command.name == "gn");
  const int last = text_->lineCount() - 1;
  if (command.name == command.op) {
    if (command.times() > 1 && from.line == last) return std::nullopt;
    const int end = std::min(last, from.line + command.times() - 1);
    ModalPlace start = from;
    if (end == from.line && command.op.startsWith('g'))
      start.column = std::min(from.column, firstNonBlank(text_->line(end)));
    return ModalSpan{start, {end, 0}, Kind::kLines};
  }
  const auto aim = target(command, from);
  if (!aim) return std::nullopt;
  if (command.name == "_" && command.op == "y") return ModalSpan{from, aim->place, Kind::kLines};
  ModalSpan span{std::min(from, aim->place), std::max(from, aim->place), aim->kind};
  spareLineEnd(&span);
  return span;
}

// An end at a line's beginning is the end of the line before; from a line's first characters on,
// these are whole lines.
void ModalKeys::spareLineEnd(ModalSpan* span) const {
  if (span->kind != Kind::kExclusive || span->end.column > 0 || span->end.line <= span->start.line)
    return;
  --span->end.line;
  const QByteArray line = text_->line(span->end.line);
  if (span->start.column <= firstNonBlank(text_->line(span->start.line))) {
    span->kind = Kind::kLines;
    return;
  }
  span->end.column = lastColumn(line);
  if (!line.isEmpty()) span->kind = Kind::kInclusive;
}

ModalSpan ModalKeys::visualSpan() const {
  const ModalPlace caret = text_->caret();
  ModalSpan span{std::min(visualStart_, caret), std::max(visualStart_, caret), Kind::kInclusive};
  if (mode_ == ModalMode::kVisualLine) {
    span.kind = Kind::kLines;
    if (visualStart_.line <= caret.line) span.start.column = 0;
  }
  if (mode_ == ModalMode::kVisualBlock) span.kind = Kind::kBlock;
  return span;
}

QByteArray ModalKeys::textOf(const ModalSpan& span) const {
  if (span.kind == Kind::kLines) {
    QByteArray text;
    for (int line = span.start.line; line <= span.end.line; ++line)
      text += text_->line(line) + '\n';
    return text;
  }
  if (span.kind == Kind::kBlock) {
    QByteArrayList parts;
    const BlockColumns columns = blockColumns(span);
    for (int line = span.start.line; line <= span.end.line; ++line) {
      const auto [start, end] = blockPart(line, columns);
      parts.append(text_->line(line).mid(start, end - start));
    }
    return parts.join('\n');
  }
  const ModalPlace end = behind(*text_, span);
  if (span.start.line == end.line)
    return text_->line(end.line).mid(span.start.column, end.column - span.start.column);
  QByteArray text = text_->line(span.start.line).mid(span.start.column) + '\n';
  for (int line = span.start.line + 1; line < end.line; ++line) text += text_->line(line) + '\n';
  return text + text_->line(end.line).left(end.column);
}

ModalRegister ModalKeys::contentOf(const ModalSpan& span) const {
  using Content = ModalRegister::Kind;
  return {textOf(span), span.kind == Kind::kLines   ? Content::kLines
                        : span.kind == Kind::kBlock ? Content::kBlock
                                                    : Content::kCharacters};
}

void ModalKeys::erase(const ModalSpan& span) {
  if (span.kind == Kind::kLines) return replaceLines(span.start.line, span.end.line + 1, {});
  if (span.kind == Kind::kBlock) {
    const BlockColumns columns = blockColumns(span);
    splitTabs(span, columns);
    for (int line = span.start.line; line <= span.end.line; ++line) {
      const auto [start, end] = blockPart(line, columns);
      if (end > start) replaceText({line, start}, {line, end}, {});
    }
    return;
  }
  replaceText(span.start, behind(*text_, span), {});
}

void ModalKeys::mapText(const ModalSpan& span, QByteArray (*map)(const QByteArray&)) {
  const auto mapPart = [&](int line, int start, int end) {
    const QByteArray before = text_->line(line).mid(start, end - start);
    const QByteArray after = map(before);
    if (after != before) replaceText({line, start}, {line, end}, after);
  };
  const BlockColumns columns = span.kind == Kind::kBlock ? blockColumns(span) : BlockColumns{};
  // At the very beginning of the text the place before it is the first character itself.
  if (span.kind == Kind::kExclusive && span.end == ModalPlace{})
    return mapPart(0, 0, nextColumn(text_->line(0), 0));
  for (int line = span.start.line; line <= span.end.line; ++line) {
    const auto size = static_cast<int>(text_->line(line).size());
    if (span.kind == Kind::kBlock) {
      const auto [start, end] = blockPart(line, columns);
      mapPart(line, start, end);
      continue;
    }
    const bool whole = span.kind == Kind::kLines;
    const int start = line == span.start.line && !whole ? span.start.column : 0;
    const int end = line == span.end.line && !whole ? behind(*text_, span).column : size;
    mapPart(line, start, end);
  }
}

// -- Operators

void ModalKeys::operate(const ModalCommand& command, ModalSpan span, bool usesFirstRegister) {
  const QByteArray& op = command.op;
  const bool isVisualCommand = span.kind == Kind::kBlock || command.name.isEmpty();
  // Of a text whose lines were all deleted there is nothing to take.
  const bool isTextEmpty = text_->lineCount() == 1 && text_->line(0).isEmpty();
  const bool isEmpty = (isAllDeleted_ && isTextEmpty) ||
                       (span.kind != Kind::kLines && span.start == span.end &&
                        (span.kind == Kind::kExclusive || text_->line(span.start.line).isEmpty()));
  if (op == "y") {
    memory_->registers.yank(command.reg, contentOf(span), text_);
    ModalPlace caret = span.start;
    if (span.kind == Kind::kBlock) caret.column = blockPart(caret.line, blockColumns(span)).first;
    return setCaret(onCharacter(*text_, caret));
  }
  if (!again_) {
    current_ = {command, {}, current_.extent};
    if (!isVisualCommand) current_.extent.reset();
    if (op != "c") lastChange_ = current_;
  }
  beginStep();
  // From a line's first characters to its last ones, "d" takes the lines.
  const bool mayBeLines = !command.isObject || command.argument == "s";
  if (op == "d" && !isVisualCommand && mayBeLines && span.end.line > span.start.line &&
      span.kind != Kind::kLines) {
    const ModalPlace end = behind(*text_, span);
    const QByteArray rest = text_->line(end.line).mid(end.column);
    if (firstNonBlank(rest) == rest.size() &&
        span.start.column <= firstNonBlank(text_->line(span.start.line)))
      span.kind = Kind::kLines;
  }
  const int first = span.start.line, last = span.end.line;
  const bool isLines = span.kind == Kind::kLines;
  // "D" in an empty line takes that it is empty.
  if ((op == "d" || op == "c") && (!isEmpty || span.kind == Kind::kInclusive)) {
    const bool isSmall = !isLines && first == last;
    memory_->registers.take(command.reg, contentOf(span), isSmall, usesFirstRegister, text_);
  }
  if (op == "d") {
    const int edge = span.kind == Kind::kBlock ? blockColumns(span).first : 0;
    if (!isEmpty) {
      isAllDeleted_ = isLines && last - first + 1 == text_->lineCount();
      erase(span);
    }
    ModalPlace caret = span.start;
    if (span.kind == Kind::kBlock)
      caret.column = columnAtDisplay(text_->line(first), edge, tabWidth());
    if (isLines) {
      caret.line = std::min(first, text_->lineCount() - 1);
      caret.column = firstNonBlank(text_->line(caret.line));
    }
    setCaret(onCharacter(*text_, caret));
  } else if (op == "c") {
    Insertion insertion;
    if (isLines) {
      const QByteArray line = text_->line(first);
      const QByteArray indent =
          text_->indentsNewLines() ? line.left(firstNonBlank(line)) : QByteArray();
      replaceLines(first, last + 1, {indent});
      text_->setCaret({first, static_cast<int>(indent.size())});
    } else if (span.kind == Kind::kBlock) {
      const BlockColumns columns = blockColumns(span);
      erase(span);
      const int column = columnAtDisplay(text_->line(first), columns.first, tabWidth());
      insertion.blockLast = last;
      insertion.blockColumn = columns.first;
      insertion.blockStart = column;
      text_->setCaret({first, column});
    } else {
      if (!isEmpty) erase(span);
      text_->setCaret(span.start);
    }
    mode_ = ModalMode::kNormal;
    beginInsert(insertion);
  } else if (op == ">" || op == "<") {
    const int levels = (op == ">" ? 1 : -1) * (isVisualCommand ? command.times() : 1);
    if (span.kind == Kind::kBlock) {
      const int column = blockPart(first, blockColumns(span)).first;
      shiftBlock(span, levels);
      setCaret(onCharacter(*text_, {first, column}));
    } else {
      shiftLines(first, last, levels);
      toLine(first);
    }
  } else if (op == "=") {
    indentLinesAnew(first, last);
    toLine(first);
  } else {
    ModalPlace caret = span.start;
    if (span.kind == Kind::kBlock) caret.column = blockPart(first, blockColumns(span)).first;
    mapText(span, op == "gu" ? lowerCased : op == "gU" ? upperCased : caseToggled);
    setCaret(onCharacter(*text_, caret));
  }
  if (!again_) endStep();
}

void ModalKeys::shiftLines(int first, int last, int levels) {
  const Indentation indentation = text_->indentation();
  for (int line = first; line <= last; ++line) {
    const QByteArray content = text_->line(line);
    if (content.isEmpty()) continue;
    const int blanks = firstNonBlank(content);
    const int columns = columnsOf(content.left(blanks), indentation.width);
    const QByteArray wanted =
        blanksFor(std::max(0, columns + levels * indentation.width), indentation);
    replaceText({line, 0}, {line, blanks}, wanted);
  }
}

// Each line as the one before it asks for; one that begins with a closing bracket a level less.
void ModalKeys::indentLinesAnew(int first, int last) {
  const Indentation indentation = text_->indentation();
  for (int line = first; line <= last; ++line) {
    const QByteArray content = text_->line(line);
    const int blanks = firstNonBlank(content);
    int before = line - 1;
    while (before >= 0 && firstNonBlank(text_->line(before)) == text_->line(before).size())
      --before;
    int columns = 0;
    if (before >= 0)
      columns =
          columnsOf(nextLineIndent(text_->line(before), indentation, false), indentation.width);
    const bool closes = blanks < content.size() && QByteArrayView(")]}").contains(content[blanks]);
    if (closes) columns = std::max(0, columns - indentation.width);
    if (blanks == content.size()) columns = 0;
    const QByteArray wanted = blanksFor(columns, indentation);
    if (wanted != content.left(blanks)) replaceText({line, 0}, {line, blanks}, wanted);
  }
}

void ModalKeys::joinLines(int first, int count, bool spaced) {
  int column = 0;
  char lastByte = text_->line(first).isEmpty() ? '\0' : text_->line(first).back();
  for (int i = 1; i < count && first + 1 < text_->lineCount(); ++i) {
    const QByteArray line = text_->line(first), next = text_->line(first + 1);
    const int blanks = spaced ? firstNonBlank(next) : 0;
    const QByteArray rest = next.mid(blanks);
    const bool wantsSpace = spaced && !rest.isEmpty() && !rest.startsWith(')') && !line.isEmpty() &&
                            !isBlankByte(lastByte);
    lastByte = rest.isEmpty() ? '\0' : rest.back();
    column = static_cast<int>(line.size());
    replaceText({first, column}, {first + 1, blanks}, wantsSpace ? " " : "");
  }
  setCaret(onCharacter(*text_, {first, column}));
}

// -- Other edits

void ModalKeys::openLine(bool isBelow, int count) {
  const int line = text_->caret().line;
  const QByteArray content = text_->line(line);
  QByteArray indent;
  if (text_->indentsNewLines())
    indent = isBelow ? nextLineIndent(content, text_->indentation(), false)
                     : content.left(firstNonBlank(content));
  const int at = isBelow ? line + 1 : line;
  replaceLines(at, at, {indent});
  text_->setCaret({at, static_cast<int>(indent.size())});
  Insertion insertion;
  insertion.count = count;
  insertion.isLine = true;
  beginInsert(insertion);
}

bool ModalKeys::addToNumber(int by) {
  static const QRegularExpression number(QStringLiteral("0[xX][0-9a-fA-F]+|-?[0-9]+"));
  const ModalPlace at = text_->caret();
  const QString line = QString::fromLatin1(text_->line(at.line));  // a unit for each byte
  auto matches = number.globalMatch(line);
  while (matches.hasNext()) {
    const auto match = matches.next();
    if (match.capturedEnd() <= at.column) continue;
    const QString old = match.captured();
    QString text;
    if (old.size() > 2 && (old[1] == u'x' || old[1] == u'X')) {
      const quint64 value = old.mid(2).toULongLong(nullptr, 16) + static_cast<quint64>(by);
      QString digits = QString::number(value, 16);
      if (old.mid(2) == old.mid(2).toUpper() && old.mid(2) != old.mid(2).toLower())
        digits = digits.toUpper();
      text = old.left(2) + digits.rightJustified(old.size() - 2, u'0');
    } else {
      bool fits = false;
      const qint64 value = old.toLongLong(&fits);
      if (!fits) return false;
      const qint64 sum = value + by;
      QString digits = QString::number(std::abs(sum));
      const QString oldDigits = old.startsWith(u'-') ? old.mid(1) : old;
      if (oldDigits.startsWith(u'0') && oldDigits.size() > 1)
        digits = digits.rightJustified(oldDigits.size(), u'0');
      text = sum < 0 ? u'-' + digits : digits;
    }
    const auto start = static_cast<int>(match.capturedStart());
    replaceText({at.line, start}, {at.line, static_cast<int>(match.capturedEnd())},
                text.toLatin1());
    setCaret({at.line, start + static_cast<int>(text.size()) - 1});
    return true;
  }
  return false;
}

bool ModalKeys::replaceCharacters(const ModalCommand& command) {
  const ModalPlace at = text_->caret();
  const QByteArray line = text_->line(at.line);
  int end = at.column;
  for (int i = 0; i < command.times(); ++i) {
    if (end >= line.size()) return false;
    end = nextColumn(line, end);
  }
  if (command.argument == "<CR>") {
    replaceText(at, {at.line, end}, "\n");
    setCaret({at.line + 1, 0});
    return true;
  }
  const QByteArray text = command.argument.repeated(command.times());
  replaceText(at, {at.line, end}, text);
  setCaret({at.line, at.column + static_cast<int>(text.size() - command.argument.size())});
  return true;
}

void ModalKeys::toggleCase(int count) {
  const ModalPlace at = text_->caret();
  const QByteArray line = text_->line(at.line);
  int end = at.column;
  for (int i = 0; i < count && end < line.size(); ++i) end = nextColumn(line, end);
  const QByteArray toggled = caseToggled(line.mid(at.column, end - at.column));
  replaceText(at, {at.line, end}, toggled);
  setCaret(onCharacter(*text_, {at.line, at.column + static_cast<int>(toggled.size())}));
}

// In normal mode. False: it is no command, or it comes to nothing.
bool ModalKeys::edit(const ModalCommand& command) {
  const QByteArray& name = command.name;
  const int count = command.times();
  for (const ShortForm& form : kShortForms) {
    if (name != form.key) continue;
    ModalCommand longForm = command;
    longForm.op = form.op;
    longForm.name = form.motion;
    execute(longForm);
    return !failed_;
  }
  const ModalPlace caret = text_->caret();
  const QByteArray line = text_->line(caret.line);
  static const QByteArrayList kEdits{"i",  "I",  "a",  "A", "o",  "O",     "R",
                                     "r",  "~",  "J",  "p", "P",  "gJ",    "gI",
                                     "gi", "gp", "gP", "&", "g&", "<C-a>", "<C-x>"};
  if (!kEdits.contains(name)) {
    sayUnknown(command);
    return false;
  }
  const Change before = lastChange_;
  if (!again_) {
    current_ = {command, {}, {}};
    lastChange_ = current_;
  }
  isAllDeleted_ = false;
  beginStep();
  Insertion insertion;
  insertion.count = count;
  if (name == "i") {
    beginInsert(insertion);
  } else if (name == "a" || name == "A" || name == "I" || name == "gI") {
    const int column = name == "a"   ? nextColumn(line, caret.column)
                       : name == "A" ? static_cast<int>(line.size())
                       : name == "I" ? firstNonBlank(line)
                                     : 0;
    text_->setCaret({caret.line, column});
    beginInsert(insertion);
  } else if (name == "gi") {
    if (marks_.contains('^')) {
      const ModalPlace at = marks_.value('^');
      const int inserted = std::min(at.line, text_->lineCount() - 1);
      text_->setCaret(
          {inserted, std::min(at.column, static_cast<int>(text_->line(inserted).size()))});
    }
    beginInsert(insertion);
  } else if (name == "&" || name == "g&") {
    const int last = text_->lineCount() - 1;
    if (name == "&")
      substituteAgain({}, caret.line, std::min(last, caret.line + count - 1));
    else
      substituteAgain(substitution_.flags, 0, last);
  } else if (name == "o" || name == "O") {
    openLine(name == "o", count);
  } else if (name == "R") {
    insertion_ = insertion;
    mode_ = ModalMode::kReplace;
    replaced_.clear();
    replacing_.clear();
    if (again_) {
      for (const ModalKey& key : modalKeys(again_->inserted)) pressReplace(key);
      pressReplace("<Esc>");
    }
  } else if (name == "r") {
    failed_ = !replaceCharacters(command);
  } else if (name == "~") {
    failed_ = line.isEmpty();
    if (!failed_) toggleCase(count);
  } else if (name == "J" || name == "gJ") {
    const int left = text_->lineCount() - caret.line;
    failed_ = left < 2 || (count <= 2 && left < count);
    if (!failed_) joinLines(caret.line, std::clamp(count, 2, left), name == "J");
  } else if (name == "p" || name == "P") {
    put(command, name == "p");
  } else if (name == "gp" || name == "gP") {
    putAndPass(command, name == "gp");
  } else {
    failed_ = !addToNumber(name == "<C-a>" ? count : -count);
  }
  // These are done again, whether they came to nothing or not.
  const bool counts = name == "p" || name == "P" || name == "gp" || name == "gP" ||
                      name == "<C-a>" || name == "<C-x>";
  if (failed_ && !again_ && !counts) lastChange_ = before;
  if (!again_) endStep();
  return !failed_;
}

}  // namespace waferpair::editor
