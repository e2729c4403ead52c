// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/commands/command_words.h"

#include <QRegularExpression>
#include <QStringList>
#include <algorithm>

#include "editor/text/translate.h"
#include "editor/text/unseen.h"
#include "pairing/answers/code_fence.h"
#include "pairing/answers/thoughts.h"

namespace waferpair::pairing {
namespace {

constexpr int kMostCommandTokens = 400;
constexpr qsizetype kMostOfReason = 400;  // UTF-16 units

constexpr char kCommandInstructions[] =
    "You write one command for a terminal. Answer with the command alone, on one line, for the "
    "shell and the system that are named: no fence, no explanation, no prompt sign.\n"
    "- Several steps are one line, joined by && or |.\n"
    "- Nothing is deleted, overwritten or sent away that was not asked for.\n"
    "- Names that are not known are written in capitals, like FILE.\n"
    "- If no command does it, answer with one line that begins with # and says why.";

// The lines of the first block in a fence; none: there is no fence.
std::optional<QStringList> firstBlock(const QStringList& lines) {
  for (qsizetype i = 0; i < lines.size(); ++i) {
    const auto fence = CodeFence::opening(lines[i].toUtf8());
    if (!fence) continue;
    QStringList block;
    for (++i; i < lines.size() && !fence->closedBy(lines[i].toUtf8()); ++i) block.append(lines[i]);
    return block;
  }
  return std::nullopt;
}

// Of an answer without a fence: "You can use this:" is no command, nor what is said behind an empty
// line.
QStringList firstParagraph(const QStringList& lines) {
  QStringList paragraph;
  for (const QString& line : lines) {
    const QString text = line.trimmed();
    if (text.isEmpty() && !paragraph.isEmpty()) break;
    const bool introduces = paragraph.isEmpty() && text.endsWith(u':');
    if (!text.isEmpty() && !introduces) paragraph.append(line);
  }
  return paragraph;
}

// Where lines begin with a prompt's sign, those that do not are what it printed.
QStringList withoutPrompts(const QStringList& lines) {
  static const QRegularExpression prompt(QStringLiteral(R"(^\s*[$%❯➜]\s+(\S.*)$)"));
  QStringList typed;
  for (const QString& line : lines)
    if (const auto match = prompt.match(line); match.hasMatch()) typed.append(match.captured(1));
  return typed.isEmpty() ? lines : typed;
}

// "`ls -l`" and "**ls -l**"; backticks within a command are the shell's.
QString withoutMarks(const QString& line) {
  QString text = line.trimmed();
  for (const char* mark : {"**", "`"}) {
    const QString sign = QLatin1String(mark);
    const bool isAround = text.size() > 2 * sign.size() && text.startsWith(sign) &&
                          text.endsWith(sign) && text.count(sign) == 2;
    if (isAround) text = text.mid(sign.size(), text.size() - 2 * sign.size()).trimmed();
  }
  return text;
}

// Whether a line is a command by itself, so that another one may stand behind it.
bool isWhole(const QString& line) {
  static const QRegularExpression keyword(QStringLiteral(
      R"(^(?:if|then|else|elif|fi|for|while|until|do|done|case|esac|function|select|begin|end|\{|\}|\)|\()(?:\s|;|$))"));
  static const QRegularExpression open(QStringLiteral(R"((?:[|&;({\\]|\bdo|\bthen|\belse)$)"));
  bool isSingle = false, isDouble = false;
  for (qsizetype i = 0; i < line.size(); ++i) {
    const QChar c = line[i];
    if (c == u'\\' && !isSingle) {
      ++i;
    } else if (c == u'\'' && !isDouble) {
      isSingle = !isSingle;
    } else if (c == u'"' && !isSingle) {
      isDouble = !isDouble;
    }
  }
  return !isSingle && !isDouble && !line.contains(QLatin1String("<<")) &&
         !keyword.match(line).hasMatch() && !open.match(line).hasMatch();
}

editor::Result<ReadCommand> joined(const QStringList& lines) {
  if (lines.size() == 1) return ReadCommand{lines[0], {}};
  if (!std::all_of(lines.begin(), lines.end(), &isWhole))
    return editor::fail(
        translate("The answer is a script of %1 lines, and not one command.").arg(lines.size()),
        translate("Ask for one line, or for a part of it."));
  return ReadCommand{lines.join(QStringLiteral(" && ")),
                     translate("The model wrote %1 lines; && joins them.").arg(lines.size())};
}

// A tab would ask the shell to complete a word.
QString plain(const QString& text, qsizetype* taken) {
  QString blanks = text;
  blanks.replace(u'\t', u' ');
  const QString seen = editor::withoutUnseen(blanks);
  QString line;
  for (const QChar c : seen)
    if (c >= u' ' && c != QChar(0x7f)) line += c;
  *taken = blanks.size() - line.size();
  return line.trimmed();
}

void addNote(QString* note, const QString& more) {
  *note = note->isEmpty() ? more : *note + u' ' + more;
}

void noteTaken(QString* note, qsizetype taken) {
  if (taken > 0) addNote(note, translate("Characters that one does not see were taken out."));
}

}  // namespace

ModelRequest commandRequest(const QString& words, const CommandPlace& place,
                            const QVector<ContextItem>& context) {
  QString text = contextMarkdown(context);
  if (place.lastStatus)
    text += QStringLiteral("The command before ended with status %1.\n").arg(*place.lastStatus);
  text += QStringLiteral("Shell: %1\nSystem: %2\n").arg(place.shell, place.system);
  if (!place.folder.isEmpty()) text += QStringLiteral("Folder: %1\n").arg(place.folder);
  text += QStringLiteral("\nWrite the command for this: ") + words.simplified();
  ModelRequest request = ModelRequest::of(QLatin1String(kCommandInstructions), text);
  request.mostOutputTokens = kMostCommandTokens;
  return request;
}

editor::Result<ReadCommand> commandFromAnswer(const QString& answer) {
  QString text = QString::fromUtf8(withoutThoughts(answer.toUtf8()));
  text.replace(QLatin1String("\r\n"), QLatin1String("\n"));
  // A line that goes on in the next one is one line.
  static const QRegularExpression goesOn(QStringLiteral(R"([ \t]*\\\n[ \t]*)"));
  text.replace(goesOn, QStringLiteral(" "));
  const QStringList all = text.split(u'\n');
  const auto block = firstBlock(all);
  QStringList lines, reasons;
  for (const QString& line : withoutPrompts(block ? *block : firstParagraph(all))) {
    const QString command = withoutMarks(line);
    if (command.startsWith(u'#')) {
      reasons.append(command.mid(1).trimmed());
    } else if (!command.isEmpty()) {
      lines.append(command);
    }
  }
  if (lines.isEmpty()) {
    const QString why = editor::shownForm(reasons.join(u' ').left(kMostOfReason));
    return editor::fail(why.isEmpty() ? translate("The model answered with no command.")
                                      : translate("The model has no command for it: %1").arg(why),
                        translate("Say it in other words."));
  }
  auto command = joined(lines);
  if (!command) return command;
  qsizetype taken = 0;
  command->text = plain(command->text, &taken);
  noteTaken(&command->note, taken);
  if (command->text.isEmpty() || command->text.size() > kMostOfCommandLine)
    return editor::fail(translate("The answer is no command that one could read in a line."),
                        translate("Say it in other words."));
  return command;
}

ReadCommand asCommandLine(const QString& text) {
  ReadCommand command;
  QString line = text.trimmed();
  static const QRegularExpression ends(QStringLiteral("[\\r\\n\\x{2028}\\x{2029}]+"));
  if (line.contains(ends)) {
    line.replace(ends, QStringLiteral(" "));
    addNote(&command.note, translate("Line ends became blanks, lest a line run by itself."));
  }
  qsizetype taken = 0;
  command.text = plain(line, &taken);
  noteTaken(&command.note, taken);
  return command;
}

}  // namespace waferpair::pairing
