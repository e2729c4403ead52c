// SPDX-License-Identifier: GPL-3.0-or-later
// What is typed behind ":" in modal keys.
#include <QCoreApplication>
#include <algorithm>

#include "editor/modal/modal_ex.h"
#include "editor/modal/modal_keys.h"
#include "editor/modal/vim_pattern.h"
#include "editor/text/cased_text.h"
#include "editor/text/kept_bytes.h"
#include "editor/text/text_codec.h"

namespace waferpair::editor {

namespace {

QString exText(const char* text) { return QCoreApplication::translate("Text", text); }

int takeNumber(QStringView* rest) {
  int number = 0;
  while (!rest->isEmpty() && rest->front().isDigit()) {
    number = std::min(1'000'000'000, number * 10 + rest->front().digitValue());
    *rest = rest->mid(1);
  }
  return number;
}

}  // namespace

QString takeExPart(QStringView* rest, QChar separator) {
  QString part;
  while (!rest->isEmpty()) {
    const QChar c = rest->front();
    *rest = rest->mid(1);
    if (c == separator) break;
    part += c;
    if (c != u'\\' || rest->isEmpty()) continue;
    if (rest->front() == separator) part.chop(1);
    part += rest->front();
    *rest = rest->mid(1);
  }
  return part;
}

namespace {

// The text of a replacement as ":s" has it.
QString replacementOf(const QString& pattern, const QRegularExpressionMatch& match) {
  CasedText text;
  for (qsizetype at = 0; at < pattern.size(); ++at) {
    const QChar c = pattern[at];
    if (c == u'&') {
      text.add(match.capturedView());
    } else if (c == u'\\' && at + 1 < pattern.size()) {
      const QChar escaped = pattern[++at];
      if (escaped.isDigit()) {
        text.add(match.capturedView(escaped.digitValue()));
      } else if (escaped == u'r') {
        text.add(u"\n");
      } else if (escaped == u't') {
        text.add(u"\t");
      } else if (!text.turn(escaped == u'e' ? u'E' : escaped)) {
        text.add(QStringView(pattern).mid(at, 1));
      }
    } else {
      text.add(QStringView(pattern).mid(at, 1));
    }
  }
  return text.text();
}

// Where a command ends that another one follows; -1: nowhere. What ":g" and ":normal" take goes on
// behind it.
qsizetype barIn(QStringView command) {
  static constexpr const char* kTakesBars[] = {"global", "vglobal", "normal"};
  qsizetype end = 0;
  while (end < command.size() && command[end].isLetter()) ++end;
  for (const char* name : kTakesBars)
    if (end > 0 && QLatin1String(name).startsWith(command.left(end)) &&
        (name[0] != 'n' || end >= 4))
      return -1;
  for (qsizetype at = 0; at < command.size(); ++at) {
    if (command[at] == u'\\') {
      ++at;
    } else if (command[at] == u'|') {
      return at;
    }
  }
  return -1;
}

}  // namespace

// A line number, ".", "$", "'x", with "+2" behind it. Null: there is none.
std::optional<int> ModalKeys::exAddress(QStringView* rest) {
  std::optional<int> line;
  if (rest->isEmpty()) return line;
  const QChar c = rest->front();
  if (c.isDigit()) {
    line = takeNumber(rest) - 1;
  } else if (c == u'.' || c == u'$') {
    line = c == u'.' ? text_->caret().line : text_->lineCount() - 1;
    *rest = rest->mid(1);
  } else if (c == u'\'' && rest->size() > 1) {
    const char mark = rest->at(1).toLatin1();
    *rest = rest->mid(2);
    if (!marks_.contains(mark)) return -2;
    line = marks_.value(mark).line;
  } else if (c == u'+' || c == u'-') {
    line = text_->caret().line;
  }
  while (line && !rest->isEmpty() && (rest->front() == u'+' || rest->front() == u'-')) {
    const int sign = rest->front() == u'+' ? 1 : -1;
    *rest = rest->mid(1);
    const bool isNumber = !rest->isEmpty() && rest->front().isDigit();
    *line += sign * (isNumber ? takeNumber(rest) : 1);
  }
  return line;
}

// False: there is none, and both are the caret's line.
bool ModalKeys::exRange(QStringView* rest, int* first, int* last) {
  *first = *last = text_->caret().line;
  if (rest->startsWith(u'%')) {
    *rest = rest->mid(1);
    *first = 0;
    *last = text_->lineCount() - 1;
    return true;
  }
  const auto from = exAddress(rest);
  if (from) *first = *last = *from;
  if (rest->startsWith(u',')) {
    *rest = rest->mid(1);
    *last = exAddress(rest).value_or(text_->caret().line);
    return true;
  }
  return from.has_value();
}

void ModalKeys::runEx(const QString& line) {
  QStringView rest = QStringView(line).trimmed();
  int first = 0, last = 0;
  const bool hasRange = exRange(&rest, &first, &last);
  rest = rest.trimmed();
  if (const qsizetype bar = barIn(rest); bar >= 0) {
    const auto behind = rest.mid(bar + 1).toString();
    runEx(QStringView(line).trimmed().chopped(rest.size() - bar).toString());
    if (!failed_) runEx(behind);
    return;
  }
  const auto fails = [this](const QString& why) {
    failed_ = true;
    text_->say(why);
  };
  if (first > last) std::swap(first, last);
  if (first < 0 || last >= text_->lineCount()) {
    if (!rest.isEmpty()) return fails(exText("These lines are not in the text."));
    last = first = std::clamp(last, 0, text_->lineCount() - 1);
  }
  if (rest.isEmpty()) {
    if (!hasRange) return;
    marks_['\''] = text_->caret();
    return toLine(last);
  }
  qsizetype end = 0;
  while (end < rest.size() && rest[end].isLetter()) ++end;
  const QString name = rest.left(end).toString();
  const bool isForced = rest.mid(end).startsWith(u'!');
  const QString argument = rest.mid(end + (isForced ? 1 : 0)).trimmed().toString();
  const bool isSubstitute =
      (name == u"s" || name == u"substitute") && end < rest.size() && !rest[end].isSpace();
  if (isSubstitute) return substitute(rest.mid(end), first, last);
  const LineCommand lines{name.isEmpty() ? rest.left(1).toString() : name,
                          rest.mid(name.isEmpty() ? 1 : end), first, last, hasRange};
  if (runOverLines(lines)) return;
  struct Row {
    const char* name;
    const char* shortest;
    const char* command;
    const char* forced;
  };
  constexpr Row kRows[] = {{"write", "w", "write", "write"},
                           {"quit", "q", "quit", "force-quit"},
                           {"wq", "wq", "write-quit", "write-quit"},
                           {"xit", "x", "write-quit", "write-quit"},
                           {"edit", "e", "edit", "edit"},
                           {"nohlsearch", "noh", "clear-search", "clear-search"},
                           {"undo", "u", "undo", "undo"},
                           {"redo", "red", "redo", "redo"}};
  for (const Row& row : kRows) {
    const QString whole = QLatin1String(row.name);
    if (!whole.startsWith(name) || name.size() < qsizetype(qstrlen(row.shortest))) continue;
    const QString command = QLatin1String(isForced ? row.forced : row.command);
    if (command == u"undo" || command == u"redo") {
      failed_ = !(command == u"undo" ? text_->undo() : text_->redo());
    } else {
      failed_ = !text_->run(command, argument);
    }
    return;
  }
  if (name.size() >= 2 && QStringLiteral("put").startsWith(name)) return putLines(lines);
  if (QStringLiteral("delete").startsWith(name) || QStringLiteral("yank").startsWith(name)) {
    ModalCommand command;
    command.op = name.startsWith(u'd') ? "d" : "y";
    command.name = command.op;
    if (argument.size() == 1) command.reg = argument[0].toLatin1();
    const ModalPlace caret = text_->caret();
    const Change before = lastChange_;  // "." knows keys alone
    operate(command, {{first, 0}, {last, 0}, ModalSpan::Kind::kLines}, false);
    if (command.op == "y") setCaret(caret);
    lastChange_ = before;
    return;
  }
  fails(exText("“%1” is no command here.").arg(name.isEmpty() ? line : name));
}

// rest: "/pattern/replacement/flags".
void ModalKeys::substitute(QStringView rest, int first, int last) {
  const QChar separator = rest.front();
  rest = rest.mid(1);
  const QString pattern = takeExPart(&rest, separator);
  const QString replacement = takeExPart(&rest, separator);
  if (!pattern.isEmpty()) memory_->pattern = pattern;
  substitution_ = {memory_->pattern, replacement, rest.toString()};
  substituteAgain(substitution_.flags, first, last);
}

// Does in other lines what ":s" did last.
void ModalKeys::substituteAgain(const QString& flags, int first, int last) {
  if (!substitution_.pattern.isEmpty()) memory_->pattern = substitution_.pattern;
  const QString& replacement = substitution_.replacement;
  const QStringView rest = flags;
  QRegularExpression expression = vimPattern(memory_->pattern);
  if (rest.contains(u'i'))
    expression.setPatternOptions(expression.patternOptions() |
                                 QRegularExpression::CaseInsensitiveOption);
  if (memory_->pattern.isEmpty() || !expression.isValid()) {
    failed_ = true;
    return text_->say(
        exText("“%1” is no pattern: %2.").arg(memory_->pattern, expression.errorString()));
  }
  const bool isEverywhere = rest.contains(u'g');
  int changed = -1;
  // A pattern that may match line ends is looked for in the text, not in each line.
  const bool isOverLines = memory_->pattern.contains(u"\\n") || memory_->pattern.contains(u"\\_");
  beginStep();
  if (isOverLines)
    changed = substituteOverLines(expression, replacement, isEverywhere, first, last);
  for (int line = first; line <= last && !isOverLines; ++line) {
    const QString content = exactUtf8(text_->line(line));
    QString made;
    qsizetype at = 0;
    auto matches = expression.globalMatch(content);
    while (matches.hasNext()) {
      const auto match = matches.next();
      // Behind a match, an empty one is none.
      if (match.capturedLength() == 0 && match.capturedStart() == at && at > 0) continue;
      made += QStringView(content).mid(at, match.capturedStart() - at);
      made += replacementOf(replacement, match);
      at = match.capturedEnd();
      changed = line;
      if (!isEverywhere) break;
    }
    if (changed != line) continue;
    made += QStringView(content).mid(at);
    const int added = static_cast<int>(made.count(u'\n'));
    // Where it is not certain which bytes that are no characters go where, the line stays.
    const auto bytes = withBytesOf(text_->line(line), made.toUtf8());
    if (made != content && bytes)
      replaceText({line, 0}, {line, static_cast<int>(text_->line(line).size())}, *bytes);
    if (!bytes) continue;
    line += added;
    last += added;
    changed = line;
  }
  closeStep();
  if (changed >= 0) return toLine(changed);
  failed_ = true;
  text_->say(exText("“%1” is not found.").arg(memory_->pattern));
}

// Matches begin in these lines and end anywhere. Returns the last line that was changed; -1: none.
int ModalKeys::substituteOverLines(const QRegularExpression& expression, const QString& replacement,
                                   bool isEverywhere, int first, int last) {
  QByteArray bytes;
  for (int line = first; line < text_->lineCount(); ++line) bytes += text_->line(line) + '\n';
  const QString text = exactUtf8(bytes);
  QRegularExpression overLines = expression;
  overLines.setPatternOptions(expression.patternOptions() | QRegularExpression::MultilineOption);
  QString made;
  qsizetype at = 0;       // what was taken over
  qsizetype from = 0;     // where the next match may begin
  qsizetype counted = 0;  // line ends before this
  int line = first;
  int changed = -1;
  while (from < text.size()) {
    const QRegularExpressionMatch match = overLines.match(text, from);
    if (!match.hasMatch() || match.capturedStart() >= text.size()) break;
    line += static_cast<int>(
        QStringView(text).mid(counted, match.capturedStart() - counted).count(u'\n'));
    counted = match.capturedStart();
    if (line > last) break;
    made += QStringView(text).mid(at, match.capturedStart() - at);
    made += replacementOf(replacement, match);
    at = match.capturedEnd();
    changed = first + static_cast<int>(made.count(u'\n'));
    from = match.capturedLength() == 0 ? at + 1 : at;
    if (!isEverywhere) from = std::max(from, text.indexOf(u'\n', match.capturedStart()) + 1);
  }
  if (changed < 0) return -1;
  const qsizetype rest = text.indexOf(u'\n', at);
  const qsizetype end = rest < 0 ? text.size() : rest + 1;
  const int replaced = static_cast<int>(QStringView(text).left(end).count(u'\n'));
  made += QStringView(text).mid(at, end - at);
  if (made.endsWith(u'\n')) made.chop(1);
  // Where it is not certain which bytes that are no characters go where, all stays.
  const QByteArray before = QByteArrayList(bytes.split('\n').first(replaced)).join('\n');
  if (const auto with = withBytesOf(before, made.toUtf8()))
    replaceLines(first, first + replaced, with->split('\n'));
  return std::min(changed, text_->lineCount() - 1);
}

}  // namespace waferpair::editor
