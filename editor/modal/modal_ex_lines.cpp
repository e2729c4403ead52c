// SPDX-License-Identifier: GPL-3.0-or-later
// The commands behind ":" that do something to whole lines.
#include <QCoreApplication>
#include <QRegularExpression>
#include <algorithm>
#include <numeric>
#include <utility>

#include "editor/modal/modal_ex.h"
#include "editor/modal/modal_keys.h"
#include "editor/modal/vim_pattern.h"
#include "editor/text/text_codec.h"

namespace waferpair::editor {

namespace {

bool isNamed(const QString& name, const char* whole, qsizetype shortest) {
  return name.size() >= shortest && QLatin1String(whole).startsWith(name);
}

// The first number of a line, by which ":sort n" goes; none comes first.
std::pair<bool, qint64> numberIn(const QByteArray& line) {
  static const QRegularExpression number(QStringLiteral("-?[0-9]+"));
  const auto match = number.match(QString::fromLatin1(line));
  return {match.hasMatch(), match.captured().toLongLong()};
}

}  // namespace

// To its first character that is no blank.
void ModalKeys::toLine(int line) {
  const QByteArray content = text_->line(line);
  setCaret({line, std::min(firstNonBlank(content), lastColumn(content))});
}

// False: it is none of these.
bool ModalKeys::runOverLines(const LineCommand& command) {
  const QString& name = command.name;
  const bool isForced = command.rest.startsWith(u'!');
  if (name == u">" || name == u"<") {
    int levels = 1;
    for (const QChar c : command.rest) levels += name.contains(c) ? 1 : 0;
    beginStep();
    shiftLines(command.first, command.last, name == u">" ? levels : -levels);
    closeStep();
    toLine(command.last);
  } else if (isNamed(name, "join", 1) && command.last + 1 >= text_->lineCount() &&
             command.first == command.last) {
    // There is no line to be joined.
    const int column = std::min(text_->caret().column, lastColumn(text_->line(command.first)));
    setCaret({command.first, column});
  } else if (isNamed(name, "join", 1)) {
    beginStep();
    const int count = std::max(2, command.last - command.first + 1);
    if (globalLines_) {
      globalLines_->removeIf(
          [&](int line) { return line > command.first && line < command.first + count; });
    }
    joinLines(command.first, count, !isForced);
    closeStep();
    toLine(command.first);
  } else if (isNamed(name, "sort", 3)) {
    sortLines(command);
  } else if (isNamed(name, "move", 1)) {
    moveLines(command, false);
  } else if (isNamed(name, "copy", 2) || name == u"t") {
    moveLines(command, true);
  } else if (isNamed(name, "global", 1)) {
    runGlobal(command, !isForced);
  } else if (isNamed(name, "vglobal", 1)) {
    runGlobal(command, false);
  } else if (isNamed(name, "normal", 4)) {
    pressOver(command);
  } else {
    return false;
  }
  return true;
}

void ModalKeys::sortLines(const LineCommand& command) {
  const int first = command.hasRange ? command.first : 0;
  const int end = (command.hasRange ? command.last : text_->lineCount() - 1) + 1;
  const QStringView flags = command.rest;
  const bool ignoresCase = flags.contains(u'i');
  const bool isNumeric = flags.contains(u'n');
  QByteArrayList lines;
  for (int line = first; line < end; ++line) lines += text_->line(line);
  const auto isLess = [&](const QByteArray& a, const QByteArray& b) {
    if (isNumeric) return numberIn(a) < numberIn(b);
    return ignoresCase ? exactUtf8(a).toLower() < exactUtf8(b).toLower() : a < b;
  };
  std::stable_sort(lines.begin(), lines.end(), [&](const QByteArray& a, const QByteArray& b) {
    return flags.startsWith(u'!') ? isLess(b, a) : isLess(a, b);
  });
  if (flags.contains(u'u')) {
    const auto isSame = [&](const QByteArray& a, const QByteArray& b) {
      return !isLess(a, b) && !isLess(b, a);
    };
    lines.erase(std::unique(lines.begin(), lines.end(), isSame), lines.end());
  }
  beginStep();
  replaceLines(first, end, lines);
  closeStep();
  if (lines.size() > 1 || end - first > 1) toLine(first);
}

// ":put": a register below a line, or above it, as lines of its own.
void ModalKeys::putLines(const LineCommand& command) {
  QStringView rest = command.rest;
  const bool isAbove = rest.startsWith(u'!');
  rest = rest.mid(isAbove ? 1 : 0).trimmed();
  ModalRegister content =
      memory_->registers.get(rest.isEmpty() ? '\0' : rest.front().toLatin1(), *text_);
  content.kind = ModalRegister::Kind::kLines;
  QByteArrayList lines = content.text.split('\n');
  if (content.text.endsWith('\n')) lines.removeLast();
  const int at = isAbove ? command.first : command.last + 1;
  beginStep();
  replaceLines(at, at, lines);
  closeStep();
  const int last = at + static_cast<int>(lines.size()) - 1;
  toLine(last);
}

void ModalKeys::moveLines(const LineCommand& command, bool copies) {
  QStringView rest = command.rest.trimmed();
  const std::optional<int> to = exAddress(&rest);  // behind this line; -1: before the first
  const int first = command.first, last = command.last;
  const int count = last - first + 1;
  const bool isWithin = !copies && to && *to >= first && *to < last;
  if (!to || *to < -1 || *to >= text_->lineCount() || isWithin) {
    failed_ = true;
    return text_->say(QCoreApplication::translate("Text", "These lines are not in the text."));
  }
  QByteArrayList lines;
  for (int line = first; line <= last; ++line) lines += text_->line(line);
  beginStep();
  int at = *to + 1;
  if (copies) {
    replaceLines(at, at, lines);
  } else if (at > last) {
    replaceLines(at, at, lines);
    replaceLines(first, last + 1, {});
    at -= count;
  } else if (at < first) {
    replaceLines(first, last + 1, {});
    replaceLines(at, at, lines);
  }
  closeStep();
  // Lines that ":g" is still to go to have moved over.
  if (globalLines_ && !copies) {
    for (int& line : *globalLines_) {
      if (line > last && line < at + count) line -= count;
      if (line >= at && line < first) line += count;
    }
  }
  const int end = at + count - 1;
  toLine(end);
}

// rest: "/pattern/command", or "!/pattern/command".
void ModalKeys::runGlobal(const LineCommand& command, bool matching) {
  QStringView rest = command.rest.mid(command.rest.startsWith(u'!') ? 1 : 0).trimmed();
  const QChar separator = rest.isEmpty() ? QChar(u'/') : rest.front();
  rest = rest.mid(1);
  const QString pattern = takeExPart(&rest, separator);
  const QString each = rest.toString();
  if (!pattern.isEmpty()) memory_->pattern = pattern;
  const QRegularExpression expression = vimPattern(memory_->pattern);
  // One in another would go over each line once for each line.
  if (memory_->pattern.isEmpty() || !expression.isValid() || globalLines_) {
    failed_ = true;
    return text_->say(QCoreApplication::translate("Text", "“%1” is no pattern: %2.")
                          .arg(memory_->pattern, expression.errorString()));
  }
  const int first = command.hasRange ? command.first : 0;
  const int last = command.hasRange ? command.last : text_->lineCount() - 1;
  QVector<int> lines;
  for (int line = first; line <= last; ++line)
    if (expression.match(exactUtf8(text_->line(line))).hasMatch() == matching) lines += line;
  if (lines.isEmpty()) {
    failed_ = true;
    return text_->say(
        QCoreApplication::translate("Text", "“%1” is not found.").arg(memory_->pattern));
  }
  globalLines_ = &lines;
  text_->beginStep();
  while (!lines.isEmpty()) {
    const int line = lines.takeFirst();
    const int before = text_->lineCount();
    text_->setCaret({line, 0});
    if (!each.isEmpty()) runEx(each);
    const int added = text_->lineCount() - before;
    lines.removeIf(
        [&](int other) { return added < 0 && other > line && other <= line - added - 1; });
    for (int& other : lines)
      if (other > line) other += added;
  }
  text_->endStep();
  globalLines_ = nullptr;
  failed_ = false;
  setCaret(onCharacter(*text_, text_->caret()));
}

void ModalKeys::pressOver(const LineCommand& command) {
  QStringView rest = command.rest;
  if (rest.startsWith(u'!')) rest = rest.mid(1);
  if (rest.startsWith(u' ')) rest = rest.mid(1);
  const QVector<ModalKey> keys = modalKeys(rest.toUtf8().replace("<", "<lt>"));
  if (depth_ >= kDeepestMacro) {
    failed_ = true;
    return;
  }
  ++depth_;  // keys of insert mode are typed here
  text_->beginStep();
  int last = command.last;
  for (int line = command.first; line <= std::min(last, text_->lineCount() - 1); ++line) {
    const int before = text_->lineCount();
    if (command.hasRange) text_->setCaret({line, 0});
    failed_ = false;
    for (const ModalKey& key : keys) {
      dispatch(key);
      if (failed_) break;
    }
    toNormal();
    const int added = text_->lineCount() - before;
    line += added;
    last += added;
  }
  text_->endStep();
  --depth_;
}

}  // namespace waferpair::editor
